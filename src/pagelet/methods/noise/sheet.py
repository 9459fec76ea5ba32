"""Facts about the texts of a page, as noise removal needs them: the sheet all features come from.

A text is a row; an element that holds texts directly is a unit, and an answer is for a unit.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Hashes, Ints, Mask
from pagelet.models.lexicon import Lexicon
from pagelet.page.query import END, PageWords, Query, page_words, words_of
from pagelet.page.signatures import path_signatures, row_signatures
from pagelet.page.table import Page
from pagelet.page.tags import FIRST_CUSTOM_TAG, HEADINGS, NUMBER, numbers
from pagelet.page.tree import join_path
from pagelet.page.words import character_kinds, count_kinds

LONG, VERY_LONG = 25, 80  #: characters of texts that say something, that are sentences
READ = 300  #: characters of a text that are looked at for signs
TYPED = ("", "text", "search")  #: types of inputs that hold what a visitor typed
DIGITS = re.compile(r"\d+")
DATE = re.compile(
    r"\b(?:(?:19|20)\d\d\b|\d+ (?:second|minute|hour|day|week|month|year)s? ago"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d)"
)


#: Places by the tags that make them; for groups, then for units.
INSIDE = {
    "in_edge": "nav header footer aside select",
    "in_main": "main article",
    "in_form": "form",
    "in_control": "form select button label",
    "in_frame": "nav header footer aside",
    "in_item": "li",
    "in_cell": "td",
    "in_heading": "h1 h2 h3 h4 h5 h6",
}


def marked(kinds: Mapping[str, str], tag: NDArray[np.integer]) -> NDArray[np.uint16]:
    """For each kind of tags, which of the tags are of it: a line a kind."""
    return _table(tuple(kinds.values()))[:, np.minimum(tag, FIRST_CUSTOM_TAG)]


@cache
def _table(kinds: tuple[str, ...]) -> NDArray[np.uint16]:
    """Kinds by number of tag; the last one stands for tags that HTML does not know."""
    table = np.zeros((len(kinds), FIRST_CUSTOM_TAG + 1), np.uint16)
    for line, names in zip(table, kinds, strict=True):
        line[list(numbers(names))] = 1
    return table


@dataclass(frozen=True, eq=False)
class Sheet:
    """The texts of one page and what is known of them before anything is learned."""

    page: Page

    @cached_property
    def words(self) -> PageWords:
        """The words of the texts."""
        return page_words(self.page)

    @property
    def rows(self) -> Ints:
        """The rows of the texts."""
        return self.words.rows

    @cached_property
    def texts(self) -> list[str]:
        """The texts, white space folded."""
        texts = [self.page.texts[at] for at in self.page.ordinal[self.rows].tolist()]
        if END in "".join(texts):
            texts = [text.replace(END, " ") for text in texts]
        return [" ".join(text.split()) for text in texts]

    @cached_property
    def _units(self) -> tuple[Ints, Ints]:
        units, place = np.unique(self.page.parent[self.rows], return_inverse=True)
        return units.astype(np.intp), place.astype(np.intp)

    @property
    def units(self) -> Ints:
        """The rows of the units."""
        return self._units[0]

    @property
    def unit_of(self) -> Ints:
        """For each text the place of its unit."""
        return self._units[1]

    def per_unit(self, values: NDArray[np.generic]) -> Floats:
        """Sum values of texts over the units."""
        summed = np.bincount(self.unit_of, values.astype(np.float64), len(self.units))
        return np.asarray(summed, np.float64)

    @cached_property
    def unit_texts(self) -> list[str]:
        """The direct text of each unit, in lower case."""
        return self._whole.lower().split(END) if len(self.units) else []

    @cached_property
    def _whole(self) -> str:
        """The texts of all units, END between them."""
        order = np.argsort(self.unit_of, kind="stable")
        last = np.diff(self.unit_of[order]) > 0
        parts = [""] * max(2 * len(order) - 1, 0)
        parts[::2] = [self.texts[at] for at in order.tolist()]
        parts[1::2] = [END if ended else " " for ended in last.tolist()]
        return "".join(parts)

    @cached_property
    def kinds(self) -> Floats:
        """Digits, capitals, stops, commas, signs and money signs of each unit, a line each."""
        kind = character_kinds(self._whole)
        return count_kinds(kind, np.cumsum(np.append(0, self.length[:-1] + 1)).astype(np.intp))

    @cached_property
    def _numbered(self) -> tuple[list[int], list[str]]:
        """The units with digits, and their texts in lower case; no date is without them."""
        units = np.flatnonzero(self.kinds[0]).tolist()
        return units, [self.unit_texts[at] for at in units]

    @cached_property
    def dated(self) -> Mask:
        """Whether each unit's text has what looks like a date."""
        dated = np.zeros(len(self.units), np.bool_)
        units, texts = self._numbered
        dated[[at for at, text in zip(units, texts, strict=True) if DATE.search(text)]] = True
        return dated

    @cached_property
    def length(self) -> Floats:
        """Characters of each unit's direct text."""
        return np.array(list(map(len, self._whole.split(END))), np.float64)

    @cached_property
    def same(self) -> tuple[Ints, Ints]:
        """Numbers of the units' texts, equal texts alike; then with all digits taken as one."""
        units, texts = self._numbered
        shapes = list(self.unit_texts)
        for at, shape in zip(units, DIGITS.sub("0", END.join(texts)).split(END), strict=False):
            shapes[at] = shape
        return _places(self.unit_texts), _places(shapes)

    @cached_property
    def often(self) -> tuple[Floats, Floats]:
        """How many units say the same as each; then with all digits taken as one."""
        same, alike = self.same
        return np.bincount(same)[same].astype(float), np.bincount(alike)[alike].astype(float)

    @cached_property
    def repeated(self) -> Floats:
        """For each text, how many units of the page say the same but for digits."""
        return self.often[1][self.unit_of]

    def column(self, values: NDArray[np.generic]) -> Floats:
        """Values of texts as a column of the page."""
        column = np.zeros(len(self.page))
        column[self.rows] = values
        return column

    @cached_property
    def signs(self) -> tuple[Hashes, Hashes]:
        """For each row a number for its path of tags and class names; and of tags alone."""
        named, bare = (row_signatures(self.page, classes=classes) for classes in (True, False))
        return path_signatures(self.page, named), path_signatures(self.page, bare)

    @cached_property
    def around(self) -> Mask:
        """For each of INSIDE, the rows that are or lie below one of its tags."""
        page = self.page
        bits = marked(INSIDE, page.tag)
        own = (bits << np.arange(len(INSIDE), dtype=np.uint16)[:, None]).sum(0, np.uint16)
        depth = int(page.depth.max(initial=0))
        found = join_path(page.parent, depth, own, np.bitwise_or, 0)
        return np.asarray(found >> np.arange(len(INSIDE), dtype=np.uint16)[:, None] & 1, np.bool_)

    @cached_property
    def columns(self) -> dict[str, Floats]:
        """What is counted over subtrees, whatever the query."""
        page, counted = self.page, self.page.counted
        chars = page.chars * counted
        anchors = np.zeros(len(page))
        anchors[page.anchors] = 1
        unit = np.zeros(len(page))
        unit[self.units] = 1
        length = page.chars[self.rows]
        digit = self.kinds[0][self.unit_of] > 0
        return {
            "chars": chars.astype(np.float64),
            "texts": self.column(np.ones(len(self.rows))),
            "units": unit,
            "link_chars": (chars * page.link).astype(np.float64),
            "links": anchors * counted,
            "images": (page.is_tag(NUMBER["img"]) & counted).astype(np.float64),
            "headings": (page.is_tag(*HEADINGS) & counted).astype(np.float64),
            "fresh": self.column(self.repeated == 1),
            "kinds": self.column(1 / np.maximum(self.repeated, 1)),
            "long": self.column(length >= LONG),
            "very_long": self.column(length >= VERY_LONG),
            "digits": self.column(digit),
            "hidden": self.column(page.hidden[self.rows]),
            "rows": np.ones(len(page)),
        }

    def query_columns(self, query: Query) -> dict[str, Floats]:
        """Matches of the query, else of what the page says was typed; and of the page's title."""
        asked = query if query.words else self.typed
        return {
            "query": self.column(self.words.count_words(asked.words)),
            "phrase": self.column(self.words.count_phrases(asked.phrases)),
            "title": self._title,
        }

    @cached_property
    def typed(self) -> Query:
        """What stands in the page's own text inputs: most search pages repeat the query there."""
        page = self.page
        return Query.of(
            value[:READ]
            for row, value in page.attribute("value").items()
            if page.tag[row] == NUMBER["input"]
            and page.attributes_of(row).get("type", "").lower() in TYPED
        )

    @cached_property
    def _title(self) -> Floats:
        titles = np.flatnonzero(self.page.tag == NUMBER["title"])[:1].tolist()
        said = " ".join(
            self.page.text(row + 1)[:READ] for row in titles if row + 1 < len(self.page)
        )
        return self.column(self.words.count_words(frozenset(words_of(said))))

    def lexicon_columns(self, names: Lexicon, words: Mapping[str, float]) -> dict[str, Floats]:
        """What the class names of each row, and the words of each text, weigh."""
        return {
            "names": names.scores(self.page)[0],
            "said": self.column(self.words.sum_weights(words)),
        }


def _places(texts: list[str]) -> Ints:
    """The number of each text among the different ones."""
    known = dict.fromkeys(texts)
    number = dict(zip(known, range(len(known)), strict=True))
    return np.fromiter(map(number.__getitem__, texts), np.intp, len(texts))
