"""Why elements are the records of a page, in words."""

from functools import cached_property
from typing import Any

from pagelet.methods.phrases import (
    PLACE_WORDS,
    Phrase,
    Phrases,
    describe,
    flags,
    graded,
    link_share,
    measure,
    place_on_page,
    rank_reasons,
    telling,
)
from pagelet.methods.records.candidates import find_candidates
from pagelet.methods.records.features import candidate_features
from pagelet.models.features import FeatureTable
from pagelet.models.trees import Trees
from pagelet.page.table import Page
from pagelet.pagelets import LazyReason, Words

# -- the words ---------------------------------------------------------------------------------

#: How the elements of a group were found to belong together.
FAMILY_WORDS = {
    "names": "alike in tags and class names",
    "tags": "alike in tags",
    "look": "alike in tag and class",
    "siblings": "siblings side by side",
    "run": "a run of elements without one around each",
    "single": "a single element",
}
#: What records hold, in words; {} is the mean number.
CONTENTS = {
    "chars": "{:.0f} characters in each",
    "texts": "{:.1f} texts in each",
    "link_chars": "{:.0f} linked characters in each",
    "links": "{:.1f} links in each",
    "images": "{:.1f} pictures in each",
    "headings": "{:.1f} headings in each",
    "long": "{:.1f} longer texts in each",
    "values": "{:.1f} prices or dates in each",
    "digits": "{:.1f} texts with digits in each",
    "rows": "{:.0f} nodes in each",
    "controls": "{:.1f} buttons or fields in each",
    "hidden": "{:.1f} hidden texts in each",
}
#: What a record may have at all.
PRESENT_WORDS = {
    "links": "links",
    "images": "pictures",
    "headings": "headings",
    "long": "longer texts",
    "values": "prices or dates",
    "digits": "digits",
    "controls": "buttons or fields",
}
VARYING_WORDS = {"chars": "length", "texts": "texts", "links": "links", "rows": "nodes"}
MEMBER_WORDS = {
    "item": "list items",
    "line": "table rows",
    "division": "plain blocks (div)",
    "article": "article elements",
    "link": "links",
    "table": "tables",
    "list": "lists",
    "block": "paragraphs or headings",
    "inline": "inline elements",
}
PLACES = {
    "nav": PLACE_WORDS["nav"],
    "edge": "a header, footer or side bar",
    "main": PLACE_WORDS["main"],
    "article": PLACE_WORDS["article"],
    "item": PLACE_WORDS["li"],
    "line": "a table row",
    "form": PLACE_WORDS["form"],
}


def _has(what: str) -> Phrase:
    return graded((0.02, f"none has {what}"), (0.9, f"some have {what}"), last=f"each has {what}")


def _varies(what: str) -> Phrase:
    return graded((0.4, f"much the same {what}"), last=f"they differ in {what}")


#: Words for every measure, by its name.
PHRASES: Phrases = {
    "members": measure("{:.0f} elements alike"),
    **flags("family_", "{}", "not {}", FAMILY_WORDS),
    **{f"mean_{name}": measure(text) for name, text in CONTENTS.items()},
    **{f"has_{name}": _has(what) for name, what in PRESENT_WORDS.items()},
    **{f"uneven_{name}": _varies(what) for name, what in VARYING_WORDS.items()},
    **flags("is_", "{}", "no {}", MEMBER_WORDS),
    **flags("in_", "inside {}", "not inside {}", PLACES),
    "chars_share": measure("{:.0%} of the page's text"),
    "most_chars": graded((0.5, "other groups have more text"), last="the most text of all groups"),
    "texts_share": measure("{:.0%} of the page's texts"),
    "link_ratio": link_share("what they hold"),
    "page_chars": measure("{:,.0f} characters on the page"),
    "page_texts": measure("{:,.0f} texts on the page"),
    "name_record": graded((0, "not named like results"), last="named like results"),
    "name_other": graded((0, "not named like menus or tools"), last="named like menus or tools"),
    "path_record": graded(
        (0, "nothing around is named like results"), last="what is around is named like results"
    ),
    "path_other": graded(
        (0, "nothing around is named like menus or tools"),
        last="what is around is named like menus or tools",
    ),
    "depth": measure("{:.0f} levels deep"),
    "begin": lambda value: f"begin {place_on_page(value)}",
    "end": lambda value: f"end {place_on_page(value)}",
    **dict.fromkeys(
        ("filled", "filled_chars"),
        graded((0.7, "other things stand between them"), last="they follow each other"),
    ),
    "uneven_gap": graded((0.4, "evenly spaced"), last="unevenly spaced"),
    "per_parent": measure("{:.1f} in each parent"),
    "parents": graded((1, "all in one parent"), last="in {:.0f} parents"),
    "of_parent": measure("{:.0%} of the text of their parents"),
    "siblings": graded((1.2, "hardly any other siblings"), last="other siblings beside them"),
    **dict.fromkeys(
        ("shapes", "looks"), graded((0.4, "built alike"), last="built in different ways")
    ),
    **dict.fromkeys(
        ("common_shape", "common_look"),
        graded((0.5, "built in different ways"), last="built alike"),
    ),
    "fresh_texts": graded((0.5, "texts that repeat"), last="a text of its own in each"),
    "common_text": graded((0.3, "a text of its own in each"), last="texts that repeat"),
    "fresh_links": graded((0.5, "links that repeat"), last="links of its own in each"),
}

# -- the reasons -------------------------------------------------------------------------------


class RecordGroups:
    """The groups of a page and their features, measured again when somebody asks why."""

    def __init__(self, page: Page, model: Trees, *, explained: bool) -> None:
        self._page, self._model, self.explained = page, model, explained
        self._why: dict[int, Words] = {}

    def why(self, group: int) -> Words:
        """The strongest reasons for a group, by how far each moved its score."""
        if group not in self._why:
            table = self.features
            effects = telling(self._model.explain(table.rows[group].astype(float)))
            self._why[group] = rank_reasons(
                (describe(PHRASES, name, float(table[name][group])), effect)
                for name, effect in effects.items()
            )
        return self._why[group]

    @cached_property
    def features(self) -> FeatureTable:
        """The features of all groups."""
        return candidate_features(find_candidates(self._page))


class RecordReason(LazyReason):
    """The group that a record belongs to, and what speaks for it."""

    def __init__(self, groups: RecordGroups, group: int) -> None:
        self._groups, self._group, self.explained = groups, group, groups.explained

    def _compute(self) -> dict[str, Any]:
        return {"group": self._group}

    @property
    def why(self) -> Words:
        """The strongest reasons in words, by how far each moved the score of the group."""
        return self._groups.why(self._group)
