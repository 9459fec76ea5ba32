"""The texts of a page and their counts, which all features of noise removal are made of.

A text is a row; an element that holds texts directly is a unit, and units are classified.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Hashes, Int64s, Ints, Mask
from pagelet.methods.noise.veils import find_veiled
from pagelet.models.lexicon import Lexicon
from pagelet.page.equal import count_equal
from pagelet.page.query import END, PageWords, Query, page_words, words_of
from pagelet.page.signatures import path_signatures, row_signatures
from pagelet.page.table import Page
from pagelet.page.tags import FIRST_CUSTOM_TAG, HEADINGS, NUMBER, numbers
from pagelet.page.tree import or_path
from pagelet.page.words import count_kinds_in, fold_each

LONG_CHARS, VERY_LONG_CHARS = 25, 80  #: characters of a long text, and of a sentence
MAX_QUERY_CHARS = 300  #: characters read of a title or of the value of an input
TYPED_INPUTS = ("", "text", "search")  #: types of inputs that hold what a visitor typed
#: Texts that repeat the query: counts of results, and what was searched for.
ECHO = re.compile(
    r"\d[^.!?]{0,60}\b(?:results?|matches|hits|items|products|found|treffer|ergebnisse|résultats?"
    r"|resultados?|risultati)\b"
    r"|\b(?:results?|matches|search(?:ed)?|showing|ergebnisse|suche|résultats|resultados) "
    r"(?:results? )?(?:for|nach|für|pour|para|per)\b",
    re.I,
)
#: One of these is in every such text of ASCII alone; others may have other letters for theirs.
ECHO_PARTS = (
    "result", "match", "hits", "items", "products", "found", "treffer", "ergebnisse", "risultati",
    "search", "showing", "suche",
)  # fmt: skip
DIGITS = re.compile(r"\d+")
DATE = re.compile(
    r"\b(?:(?:19|20)\d\d\b|\d+ (?:second|minute|hour|day|week|month|year)s? ago"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d)"
)

#: Places by their tags, eight at most: the first ones for groups, the others for units.
PLACES = {
    "in_edge": "nav header footer aside select",
    "in_main": "main article",
    "in_form": "form",
    "in_control": "form select button label",
    "in_frame": "nav header footer aside",
    "in_item": "li",
    "in_cell": "td",
    "in_heading": "h1 h2 h3 h4 h5 h6",
}
PLACE_BITS = {name: 1 << at for at, name in enumerate(PLACES)}  #: the bit of each


@cache
def _place_bits() -> Int64s:
    """The places that each tag makes, as bits; the last entry is for tags unknown to HTML."""
    bits = np.zeros(FIRST_CUSTOM_TAG + 1, np.int64)
    for name, tags in PLACES.items():
        bits[list(numbers(tags))] |= PLACE_BITS[name]
    return bits


class LexiconColumns(NamedTuple):
    """Columns that come from learned weights of words."""

    names: Floats  #: of each row, those in its class and id
    words: Floats  #: of each text


@dataclass(frozen=True, eq=False)
class TextSheet:
    """The texts of one page, and counts that need no model."""

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
        """The texts with white space collapsed."""
        texts = [self.page.texts[at] for at in self.page.ordinal[self.rows].tolist()]
        if END in "".join(texts):
            texts = [text.replace(END, " ") for text in texts]
        return fold_each(texts)

    @cached_property
    def _units(self) -> tuple[Ints, Ints]:
        above, holds = self.page.parent[self.rows], np.zeros(len(self.page), np.bool_)
        holds[above] = True
        return np.flatnonzero(holds), (np.cumsum(holds) - 1)[above]

    @property
    def units(self) -> Ints:
        """The rows of the units."""
        return self._units[0]

    @property
    def unit_of(self) -> Ints:
        """For each text the position of its unit."""
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
        """Digits, capitals, stops, commas, signs and money signs of each unit: one line each."""
        first = np.cumsum(np.append(0, self.length[:-1] + 1)).astype(np.intp)
        return count_kinds_in(self._whole, first)

    @cached_property
    def _with_digits(self) -> tuple[list[int], list[str]]:
        """The units with digits, and their texts in lower case; no date is without them."""
        units = np.flatnonzero(self.kinds[0]).tolist()
        return units, [self.unit_texts[at] for at in units]

    @cached_property
    def dated(self) -> Mask:
        """Mark the units whose text contains a date."""
        dated = np.zeros(len(self.units), np.bool_)
        units, texts = self._with_digits
        dated[[at for at, text in zip(units, texts, strict=True) if DATE.search(text)]] = True
        return dated

    @cached_property
    def length(self) -> Floats:
        """Characters of each unit's direct text."""
        return np.array(list(map(len, self._whole.split(END))), np.float64)

    @cached_property
    def shapes(self) -> list[str]:
        """The texts of the units with every number taken for 0."""
        units, texts = self._with_digits
        shapes = list(self.unit_texts)
        for at, shape in zip(units, DIGITS.sub("0", END.join(texts)).split(END), strict=False):
            shapes[at] = shape
        return shapes

    @cached_property
    def text_numbers(self) -> tuple[Ints, Ints]:
        """A number per unit, the same for equal texts; and one for texts equal but for digits."""
        return _number_texts(self.unit_texts), _number_texts(self.shapes)

    @cached_property
    def repetitions(self) -> tuple[Floats, Floats]:
        """Units with the same text as each unit; and units whose text is equal but for digits."""
        same, alike = self.text_numbers
        return np.bincount(same)[same].astype(float), np.bincount(alike)[alike].astype(float)

    def column(self, values: NDArray[np.generic]) -> Floats:
        """Values of texts as a column of the page."""
        column = np.zeros(len(self.page))
        column[self.rows] = values
        return column

    @cached_property
    def signatures(self) -> tuple[Hashes, Hashes]:
        """The path of each row, by tags and class names and by tags alone, each as a hash."""
        named, bare = (row_signatures(self.page, classes=classes) for classes in (True, False))
        return path_signatures(self.page, named), path_signatures(self.page, bare)

    @cached_property
    def place_bits(self) -> Int64s:
        """For each row the places that it is or lies in, as bits: the first of PLACES is 1."""
        page = self.page
        own = _place_bits()[np.minimum(page.tag, FIRST_CUSTOM_TAG)]
        return or_path(page.parent, page.depth, own)

    @cached_property
    def columns(self) -> dict[str, NDArray[Any]]:
        """Columns of the page that are summed over subtrees."""
        page, counted = self.page, self.page.counted
        chars = page.chars * counted
        anchors, unit = np.zeros((2, len(page)), np.bool_)
        anchors[page.anchors] = True
        unit[self.units] = True
        return {
            "chars": chars,
            "units": unit,
            "link_chars": chars * page.link,
            "links": anchors & counted,
            "images": page.is_tag(NUMBER["img"]) & counted,
            "headings": page.is_tag(*HEADINGS) & counted,
            "rows": np.ones(1),
        }

    @cached_property
    def text_columns(self) -> dict[str, NDArray[Any]]:
        """Values of the texts that are summed over subtrees and do not depend on the query."""
        length = self.page.chars[self.rows]
        repeated = self.repetitions[1][self.unit_of]
        return {
            "texts": np.ones(len(self.rows)),
            "fresh": repeated == 1,
            "kinds": 1 / np.maximum(repeated, 1),
            "long": length >= LONG_CHARS,
            "very_long": length >= VERY_LONG_CHARS,
            "digits": self.kinds[0][self.unit_of] > 0,
            "hidden": self.page.hidden[self.rows],
            "title": self._title,
        }

    def query_columns(self, query: Query) -> dict[str, Int64s]:
        """Matches of the query in each text, or of the page's own inputs without a query."""
        query = query if query.words else self.typed
        return {
            "query": self._answering(self.words.count_stems(query.words)),
            "phrase": self.words.count_phrases(query.phrases),
        }

    def _answering(self, matches: Int64s) -> Int64s:
        """Matches without those of texts that only repeat the query.

        Such are counts ("1-10 of 2,345 results for tomato") and headings that stand alone, of
        which no other element has the path.
        """
        some = np.flatnonzero(matches)
        if len(some):
            echo = _repeat_query([self.texts[at] for at in some.tolist()])
            unit = self.unit_of[some]
            inside = self.place_bits[self.units[unit]] & PLACE_BITS["in_heading"] > 0
            alone = self._path_members[unit] == 1
            matches[some[echo | (inside & alone)]] = 0
        return matches

    @cached_property
    def _path_members(self) -> Ints:
        """The number of units with the path of each."""
        return count_equal(self.signatures[0][self.units])

    @cached_property
    def veiled(self) -> Mask:
        """Mark the units that no reader sees until acting, by the names around them."""
        return np.asarray(find_veiled(self.page)[self.units])

    @cached_property
    def typed(self) -> Query:
        """The values of the page's text inputs: most search pages repeat the query there."""
        page = self.page
        return Query.of(
            value[:MAX_QUERY_CHARS]
            for row, value in page.attribute("value").items()
            if page.tag[row] == NUMBER["input"]
            and page.value_of(row, "type").lower() in TYPED_INPUTS
        )

    @cached_property
    def _title(self) -> Int64s:
        """Words of the title in each text."""
        page = self.page
        rows = np.flatnonzero(page.tag == NUMBER["title"])[:1].tolist()
        texts = [page.text(row + 1)[:MAX_QUERY_CHARS] for row in rows if row + 1 < len(page)]
        return self.words.count_words(frozenset(words_of(" ".join(texts))))

    def lexicon_columns(self, names: Lexicon, words: Mapping[str, float]) -> LexiconColumns:
        """The columns that come from weights of words."""
        return LexiconColumns(names.scores(self.page)[0], self.words.sum_weights(words))


def _repeat_query(texts: list[str]) -> Mask:
    """Mark the texts that repeat the query; most have no part of what such texts say."""
    joined = END.join(texts).lower()
    parts = [part for part in ECHO_PARTS if part in joined]
    likely = [not each.isascii() or any(map(each.lower().__contains__, parts)) for each in texts]
    pairs = zip(texts, likely, strict=True)
    return np.array([each and ECHO.search(text) is not None for text, each in pairs], np.bool_)


def _number_texts(texts: list[str]) -> Ints:
    """The number of each text among the distinct ones."""
    number: defaultdict[str, int] = defaultdict(count().__next__)
    return np.fromiter(map(number.__getitem__, texts), np.intp, len(texts))
