"""Measures of elements with text in words, for people who ask why one is noise or content."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from pagelet.methods.noise.decision import Judgement
from pagelet.methods.noise.features import NEIGHBOUR_STEPS
from pagelet.methods.phrases import (
    DECISIVE,
    Phrase,
    Phrases,
    describe,
    distance,
    explain_density,
    flag,
    graded,
    line,
    link_share,
    measure,
    place_on_page,
    present,
    rank_reasons,
    telling,
)
from pagelet.models.trees import Trees
from pagelet.pagelets import LazyReason, WordedReason, Words

#: Features named in every reason; "said" is the weight of the words.
REASON_FEATURES = ("score", "coverage", "path_members", "query", "said", "path_names")
WHOLE_NUMBERS = ("path_members", "query")  #: features in reasons that are counts
MAX_EXPLAINED = 5  #: features named with --explain

# -- the default profile ------------------------------------------------------------------------


def _own() -> dict[str, Phrase]:
    """The text of an element."""
    size = graded((3, "very short"), (20, "short"), (80, "a line long"), last="long")
    return {
        **dict.fromkeys(("chars", "run_chars", "subtree_chars"), size),
        "runs": graded((1, "one piece of text"), last="several pieces of text"),
        "short_ratio": graded((0.5, "pieces of some length"), last="made of short pieces"),
        "bare_ratio": graded((0.5, "more than single signs"), last="single signs"),
        "digit_ratio": _digits("it"),
        "capital_ratio": graded((0.1, "few capitals"), last="many capitals"),
        "sign_ratio": graded((0.05, "few special signs"), last="many special signs"),
        "stops": graded((0, "no full stop"), last="full stops in it"),
        "price": flag("a price in it", "no price in it"),
        "date": flag("a date in it", "no date in it"),
        "same_text": graded((1, "its text occurs once"), last="its text occurs {:.0f} times"),
        "same_shape": graded(
            (1, "no other text of its form"), last="{:.0f} texts of its form on the page"
        ),
        "title": graded((0, "shares no word with the title"), last="has words of the title"),
        "said": _wording("its words"),
    }


def _digits(subject: str) -> Phrase:
    return graded(
        (0.02, f"{subject} has no digits"),
        (0.3, f"{subject} has some digits"),
        last=f"{subject} is mostly digits",
    )


def _wording(subject: str) -> Phrase:
    return distance(
        f"{subject} are those of menus and tools",
        f"{subject} are those of results",
        f"{subject} tell nothing",
    )


def _naming(subject: str) -> Phrase:
    return distance(
        f"{subject} named like noise", f"{subject} named like content", f"{subject} not named"
    )


#: What an element is, or lies in.
PLACES = {
    "is_link": "a link",
    "is_heading": "a heading",
    "is_span": "a span",
    "is_paragraph": "a paragraph",
    "is_item": "a list item",
    "is_cell": "a table cell",
    "is_division": "a plain block (div)",
    "is_stressed": "bold or stressed",
    "is_control": "a button, choice or label",
    "in_form": "in a form",
    "in_edge": "in a header, footer, navigation or side bar",
    "in_main": "in the main element",
    "in_item": "in a list item",
    "in_cell": "in a table cell",
    "in_heading": "in a heading",
    "in_link": "in a link",
    "hidden": "hidden",
}


def _tree() -> dict[str, Phrase]:
    """Where an element stands."""
    around, further = "the element around it", "the larger element around it"
    return {
        **{name: flag(text, f"not {text}") for name, text in PLACES.items()},
        "page_units": measure("{:,.0f} elements with text on the page"),
        "depth": measure("{:.0f} levels deep"),
        "place": place_on_page,
        "children": graded((1, "nothing but text in it"), last="{:.0f} parts in it"),
        "of_parent": measure(f"{{:.0%}} of the text of {around}"),
        "of_block": measure("{:.0%} of the text of its block"),
        "block_chars": graded((80, "its block is short"), last="its block is long"),
        "block_units": measure("{:.0f} texts in its block"),
        "own_names": _naming("it is"),
        "parent_names": _naming(f"{around} is"),
        "path_names": _naming("what it lies in is"),
        "parent_chars": graded((80, f"{around} is short"), last=f"{around} is long"),
        "parent_units": measure(f"{{:.0f}} texts in {around}"),
        "parent_link_ratio": link_share(around),
        "higher_chars": graded((200, f"{further} is short"), last=f"{further} is long"),
        "higher_units": measure(f"{{:.0f}} texts in {further}"),
        "higher_link_ratio": link_share(further),
    }


def _alike(kind: str, what: str) -> dict[str, Phrase]:
    """The elements with the same path."""
    phrases: dict[str, Phrase] = {
        "members": graded((1, f"nothing is {what}"), last=f"{{:.0f}} elements are {what}"),
        "chars": graded((12, f"what is {what} is short"), last=f"what is {what} is longer"),
        "uneven": graded(
            (0.4, f"what is {what} is evenly long"), last=f"what is {what} varies in length"
        ),
        "share": measure(f"what is {what} has {{:.0%}} of the text"),
        "first": lambda value: f"what is {what} begins {place_on_page(value)}",
        "span": graded(
            (0.2, f"what is {what} stands together"), last=f"what is {what} is spread out"
        ),
        "gap": graded((8, f"what is {what} follows closely"), last=f"what is {what} stands apart"),
        "said": _wording(f"the words of what is {what}"),
        "distinct_texts": graded(
            (0.5, f"what is {what} repeats its text"), last=f"what is {what} has different texts"
        ),
        "distinct_shapes": graded(
            (0.5, f"what is {what} has one form"), last=f"what is {what} has different forms"
        ),
        "title": measure(f"{{:.0%}} of what is {what} has words of the title"),
        "price": measure(f"{{:.0%}} of what is {what} has a price"),
        "date": measure(f"{{:.0%}} of what is {what} has a date"),
        "stops": measure(f"{{:.0%}} of what is {what} has a full stop"),
        "digits": _digits(f"what is {what}"),
        "query": measure(f"{{:.0%}} of what is {what} has words of the query"),
        "phrase": measure(f"{{:.0%}} of what is {what} has the query as a phrase"),
    }
    return {f"{kind}_{name}": phrase for name, phrase in phrases.items()}


def _lists() -> dict[str, Phrase]:
    """The innermost list around an element; below 0 without any."""
    texts: Mapping[str, str] = {
        "members": "in a list of {:.0f} entries",
        "share": "its list has {:.0%} of the page's text",
        "most": "its list has {:.0%} of the text of the largest list",
        "units": "{:.1f} texts in each entry of its list",
        "links": "{:.1f} links in each entry of its list",
        "images": "{:.1f} pictures in each entry of its list",
        "link_ratio": "{:.0%} of the text of its list is linked",
        "query": "{:.0f} words of the query in its list entry",
    }
    phrases = {f"list_{name}": present(text, "in no list") for name, text in texts.items()}
    even = graded(
        (-1, "in no list"),
        (0.4, "the entries of its list are alike"),
        (1, "the entries of its list vary"),
        last="the entries of its list vary widely",
    )
    phrases |= dict.fromkeys(("list_uneven", "list_uneven_units"), even)
    return phrases | {"of_item": present("{:.0%} of the text of its list entry", "in no list")}


def _neighbours() -> dict[str, Phrase]:
    """The elements with text before and after."""
    phrases: dict[str, Phrase] = {}
    for step in NEIGHBOUR_STEPS:
        it = f"the text {'before' if step < 0 else 'after'} it"
        none = f"{it} is missing"
        lines: dict[str, Phrase] = {
            "chars": graded((-1, none), (20, f"{it} is short"), last=f"{it} is long"),
            "in_link": graded((-1, none), (0, f"{it} is no link"), last=f"{it} is a link"),
            "digit_ratio": _digits(it),
            "alike": graded(
                (-1, none), (1, f"{it} has nothing alike"), last=f"{it} has others alike"
            ),
            "same_text": graded((-1, none), (1, f"{it} occurs once"), last=f"{it} occurs again"),
            "said": _wording(f"the words of {it}"),
            "query": graded(
                (0, f"{it} has no word of the query"), last=f"{it} has words of the query"
            ),
        }
        phrases |= {f"{name}_at{step:+d}": phrase for name, phrase in lines.items()}
    return phrases


def _records() -> dict[str, Phrase]:
    """The records of the page, and the one that holds an element; below 0 without any."""
    inner: Mapping[str, str] = {
        "record_chars": "a record of {:.0f} characters",
        "record_units": "a record of {:.0f} texts",
        "record_order": "{:.0f} texts before it in its record",
        "record_rest": "{:.0f} texts from it to the end of its record",
        "record_depth": "{:.0f} levels deep in its record",
        "of_record": "{:.0%} of the text of its record",
        "of_longest": "{:.0%} as long as the longest text of its record",
        "record_query": "{:.0f} words of the query in its record",
        "record_title": "{:.0f} words of the title in its record",
        "coverage": "{:.0%} of what repeats around it has such a text",
        "per_record": "{:.1f} such texts in each record that has one",
    }
    group = graded(
        (0.2, "nothing around it looks like a record"),
        (0.6, "what is around it may be a record"),
        last="what is around it looks like a record",
    )
    return {
        **{name: present(text, "in no record") for name, text in inner.items()},
        "score": group,
        "score_ratio": group,
        "own_score": graded((0.5, "not itself a record"), last="looks like a record itself"),
        "best_score": graded((0.5, "the page has no clear records"), last="the page has records"),
        "next_score": graded(
            (0.5, "one kind of record on the page"), last="several kinds of records"
        ),
        "is_best": flag("in the likeliest records", "not in the likeliest records"),
        "in_best": flag("in the likeliest records", "not in the likeliest records"),
        "before_best": flag("before the first record", "not before the first record"),
        "after_best": flag("after the last record", "not after the last record"),
    }


#: Words for every measure of the default profile, by its name.
PHRASES: Phrases = {
    **_own(),
    **_tree(),
    **_alike("path", "named and placed like it"),
    **_alike("tags", "placed like it"),
    **_lists(),
    "alike": graded((1, "nothing is like it"), last="{:.0f} elements are like it"),
    **_neighbours(),
    "query": graded((0, "no word of the query"), last="{:.0f} words of the query"),
    "phrase": graded((0, "does not have the query as a phrase"), last="has the query as a phrase"),
    **_records(),
}

# -- the paper profile --------------------------------------------------------------------------

#: Words for the five features of the paper.
PAPER_PHRASES: Phrases = {
    "density": measure("text density {:.1f}: characters for each tag, less links"),
    "density_sum": measure("density sum {:.1f} over its parts"),
    "descendant_density_sum": measure("density sum {:.1f} over all that is below it"),
    "query_score": graded(
        (0, "no word of the query in or below it"), last="words of the query in or below it: {:.2f}"
    ),
    "simple_matches": graded(
        (0, "no word of the query in its text"), last="{:.0f} words of the query in its text"
    ),
    "body_distance": measure("{:.0f} levels below body"),
}


# -- the reasons --------------------------------------------------------------------------------

#: Features of names: whose they are, and whether names above count too.
NAMED = {
    "own_names": ("", False),
    "parent_names": ("the element around it is ", False),
    "path_names": ("", True),
}


class NoiseReason(LazyReason):
    """The features that decided on one unit."""

    def __init__(self, judgement: Judgement, at: int, threshold: float, *, explained: bool) -> None:
        self.judgement, self._at, self.explained = judgement, at, explained
        self._threshold = threshold

    @cached_property
    def _effects(self) -> dict[str, float]:
        """How far each feature moved the log-odds of content, the strongest first."""
        return self.judgement.model.units.explain(self.judgement.features.rows[self._at])

    def _compute(self) -> dict[str, Any]:
        judgement, at = self.judgement, self._at
        values: dict[str, Any] = {"probability": float(judgement.probability[at])}
        if judgement.query.words:
            values["without_query"] = float(judgement.without_query[at])
        values |= {name: float(judgement.features[name][at]) for name in REASON_FEATURES}
        values |= {name: round(values[name]) for name in WHOLE_NUMBERS}
        if judgement.sheet.veiled[at]:
            values["veiled"] = True
        moved = list(self._effects.items())[:MAX_EXPLAINED] if self.explained else ()
        return values | {f"moved_{name}": effect for name, effect in moved}

    @property
    def why(self) -> Words:
        """The strongest reasons in words; effects above 0 speak for what was decided."""
        if np.isinf(self._threshold):
            return [line("a choice of a form control", DECISIVE), *rank_reasons(self._lines(-1))]
        if self.judgement.sheet.veiled[self._at]:
            return [line("named as what is not shown at first", DECISIVE)]
        kept = self.judgement.probability[self._at] >= self._threshold
        return rank_reasons(self._lines(1 if kept else -1))

    def _lines(self, sign: int) -> Iterator[tuple[str, float]]:
        for name, effect in telling(self._effects).items():
            value = float(self.judgement.features[name][self._at])
            text = self._name(name, effect) if name in NAMED and value * effect > 0 else ""
            if name in NAMED and value * effect <= 0:
                value = 0.0  # names that tell less than usual
            yield text or describe(PHRASES, name, value), sign * effect

    def _name(self, feature: str, effect: float) -> str:
        """The class or id behind a feature of names."""
        sheet, (subject, above) = self.judgement.sheet, NAMED[feature]
        row = int(sheet.units[self._at])
        row = int(sheet.page.parent[row]) if feature == "parent_names" else row
        sign = 1 if effect > 0 else -1
        name = self.judgement.model.names.strongest_name(sheet.page, row, sign, above=above)
        return f"{subject}named “{name}”" if name else ""


class TreeReason(LazyReason):
    """The paper's features of one element, and how the tree used them."""

    def __init__(self, model: Trees, values: Sequence[float], kept: bool) -> None:  # noqa: FBT001
        self._model, self._line, self._kept = model, values, kept

    def _compute(self) -> dict[str, Any]:
        return dict(zip(self._model.names, self._line, strict=True))

    @property
    def why(self) -> Words:
        """The features in words, by how far they moved the probability."""
        effects = self._model.explain(np.array(self._line)).items()
        sign = 1 if self._kept else -1
        return rank_reasons(
            (describe(PAPER_PHRASES, name, self[name]), sign * effect) for name, effect in effects
        )


def density_reason(density: float, threshold: float, *, kept: bool) -> WordedReason:
    """The density of an element and the threshold of the page."""
    values = {"density": density, "threshold": threshold}
    return WordedReason(values, explain_density(density, threshold, kept=kept))
