"""Facts about the texts of a page, as noise removal needs them: the sheet all features come from.

A text is a row; an element that holds texts directly is a unit, and an answer is for a unit.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.page import Page
from pagelet.measures.characters import count_kinds, kinds_of
from pagelet.measures.query import END, PageWords, Query, page_words, words_of
from pagelet.models.lexicon import Lexicon
from pagelet.tags import HEADINGS, NUMBER

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

LONG, VERY_LONG = 25, 80  #: characters of texts that say something, that are sentences
READ = 300  #: characters of a text that are looked at for signs
TYPED = ("", "text", "search")  #: types of inputs that hold what a visitor typed
DIGITS = re.compile(r"\d+")
DATE = re.compile(
    r"\b(?:(?:19|20)\d\d\b|\d+ (?:second|minute|hour|day|week|month|year)s? ago"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d)"
)


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
        page = self.page
        texts = [page.texts[at].replace(END, " ") for at in page.ordinal[self.rows].tolist()]
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
        if len(self.units) == len(self.texts):
            return END.join(self.texts)
        parts: list[list[str]] = [[] for _ in self.units]
        for unit, text in zip(self.unit_of.tolist(), self.texts, strict=True):
            parts[unit].append(text)
        return END.join(map(" ".join, parts))

    @cached_property
    def kinds(self) -> Floats:
        """Digits, capitals, stops, commas, signs and money signs of each unit, a line each."""
        kind = kinds_of(self._whole)
        return count_kinds(kind, np.cumsum(np.append(0, self.length[:-1] + 1)).astype(np.intp))

    @cached_property
    def dated(self) -> NDArray[np.bool_]:
        """Whether each unit's text has what looks like a date."""
        whole = self._whole.lower()
        ends = np.array([at.start() for at in re.finditer(END, whole)], np.intp)
        found = np.array([at.start() for at in DATE.finditer(whole)], np.intp)
        dated = np.zeros(len(self.units), np.bool_)
        dated[np.searchsorted(ends, found)] = True
        return dated

    @cached_property
    def length(self) -> Floats:
        """Characters of each unit's direct text."""
        return np.array([len(text) for text in self._whole.split(END)], np.float64)

    @cached_property
    def same(self) -> tuple[Ints, Ints]:
        """Numbers of the units' texts, equal texts alike; then with all digits taken as one."""
        shapes = DIGITS.sub("0", END.join(self.unit_texts)).split(END)
        return _numbered(self.unit_texts), _numbered(shapes if self.unit_texts else [])

    @cached_property
    def repeated(self) -> Floats:
        """For each text, how many units of the page say the same but for digits."""
        same = self.same[1]
        return np.bincount(same)[same][self.unit_of].astype(np.float64)

    def column(self, values: NDArray[np.generic]) -> Floats:
        """Values of texts as a column of the page."""
        column = np.zeros(len(self.page))
        column[self.rows] = values
        return column

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
            "query": self.column(self.words.known(asked.words)),
            "phrase": self.column(self.words.phrases(asked.phrases)),
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
        return self.column(self.words.known(frozenset(words_of(said))))

    def lexicon_columns(self, names: Lexicon, words: Mapping[str, float]) -> dict[str, Floats]:
        """What the class names of each row, and the words of each text, weigh."""
        return {"names": names.scores(self.page)[0], "said": self.column(self.words.weighed(words))}


def _numbered(texts: list[str]) -> Ints:
    known: dict[str, int] = {}
    return np.fromiter((known.setdefault(text, len(known)) for text in texts), np.intp, len(texts))
