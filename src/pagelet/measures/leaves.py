"""What a page shows, as numbers that pages of one site can be compared by.

A leaf is a counted row with nothing counted below it. Its sign is made of the tags above it
and its words. A leaf stands in two pages alike when it has the same neighbour on one side, and
that as often: what is repeated more often on one page than on the other is no template.
All signs are the same in every run, so they may be kept in files.
"""

from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.page import Page
from pagelet.measures.signatures import STATE, STEP, mixed, path_signs
from pagelet.tags import KNOWN, NUMBER, TEXT

Signs = NDArray[np.uint64]
Ints = NDArray[np.intp]

SAID = ("src", "alt", "type", "name", "value")  #: attributes that tell childless elements apart
NAMELESS = (NUMBER["html"], NUMBER["body"])  #: their classes name the page, not the place
SILENT = (NUMBER["br"], NUMBER["hr"])
LONGEST = 2000  #: characters of a text, a class or an id that are read
AFTER, TIMES = np.uint64(0xD6E8FEB86659FD93), np.uint64(0xA0761D6478BD642F)  #: odd constants


@dataclass(frozen=True, slots=True, eq=False)
class Digest:
    """The counted rows of a page, body first, as far as pages of one site are compared by them."""

    place: Signs  #: for each counted row: the path of tags, ids and classes down to it
    size: Ints  #: counted rows in its subtree, itself counted; 1 for a leaf
    before: Signs  #: for each leaf: it with the one before, and how often that pair stands there
    after: Signs  #: for each leaf: it with the one after, likewise

    def __len__(self) -> int:
        """How many leaves there are."""
        return len(self.before)

    @property
    def leaves(self) -> Ints:
        """Which of the counted rows are leaves."""
        return np.flatnonzero(self.size == 1)


def digest(page: Page) -> Digest:
    """Measure the counted rows of a page."""
    counted = page.counted
    below = page.sum_subtree(counted)
    rows = np.flatnonzero(counted & (below == 1))
    tags = _tag_signs(page)
    own = mixed(path_signs(page, tags)[rows] + _words(page, rows))
    edge = np.zeros(min(len(own), 1), np.uint64)
    before = mixed(np.concatenate((edge, own[:-1])) * STEP + own)
    after = mixed(own * AFTER + np.concatenate((own[1:], edge)))
    place = path_signs(page, mixed(tags + _name_signs(page)))[counted]
    return Digest(place, below[counted].astype(np.intp), _counted(before), _counted(after))


def _counted(signs: Signs) -> Signs:
    """Signs made anew with how often each occurs."""
    _, back, count = np.unique(signs, return_inverse=True, return_counts=True)
    return mixed(signs + count[back].astype(np.uint64) * TIMES)


def _tag_signs(page: Page) -> Signs:
    """A number for each row's tag, the same for the same name on every page."""
    numbers = np.arange(len(page.names), dtype=np.uint64) + np.uint64(1)
    for at in range(KNOWN, len(page.names)):
        numbers[at] = crc32(page.names[at][:LONGEST].encode()) + KNOWN
    return mixed(numbers)[page.tag]


def _name_signs(page: Page) -> Signs:
    """A number for each row's id and class, without counters and states."""
    signs = np.zeros(len(page), np.uint64)
    for name, factor in (("id", STEP), ("class", AFTER)):
        rows, numbers, values = page.distinct(name)
        said = [crc32(plain_name(value).encode()) for value in values]
        if said:
            signs[rows] += np.array(said, np.uint64)[numbers] * factor
    signs[page.is_tag(*NAMELESS)] = 0
    return signs


def plain_name(value: str) -> str:
    """Names of a class or an id without counters and states, sorted."""
    words = STATE.sub("", value[:LONGEST].lower()).split()
    return " ".join(sorted(filter(None, (word.strip("-_") for word in words))))


def _words(page: Page, rows: Ints) -> Signs:
    """A number for what each leaf says."""
    texts, ordinal, tag = page.texts, page.ordinal[rows].tolist(), page.tag[rows].tolist()
    said = []
    for row, at, kind in zip(rows.tolist(), ordinal, tag, strict=True):
        if kind == TEXT:
            said.append(crc32(" ".join(texts[at][:LONGEST].split()).encode("utf-8", "replace")))
        elif kind in SILENT:
            said.append(1)
        else:
            told = page.attributes_of(row)
            words = "|".join(told.get(name, "")[:LONGEST] for name in SAID)
            said.append(crc32(words.encode("utf-8", "replace")))
    return np.array(said, np.uint64) * STEP
