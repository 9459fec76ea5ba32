"""Features of text blocks: the elements above them, what looks alike, the core of the page."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Int64s, Ints
from pagelet.methods.content.counts import HOLDERS, Counts, Named
from pagelet.page.signatures import MULTIPLIER, mix
from pagelet.page.table import Page
from pagelet.page.tags import numbers
from pagelet.page.tree import join_path, nearest, sum_path

LEVELS = 6  #: elements above a block that are looked at, each larger than the one before
LOWEST = ("words", "share", "links", "blocks", "mean")  #: what is asked of the first one too
REPEATED = 3  #: siblings alike from here on are items of a list
SHORT = 8  #: blocks of at most so many words are not running text
CORES = (0.3, 0.5, 0.7, 0.9)  #: shares of the running text that a core element holds

_PICTURES = numbers("img picture svg video")
_CONTROLS = numbers("input select button textarea label option")


def structure(counts: Counts) -> Named:
    """The elements above a block, the ones that look alike, and the core of the page."""
    page, blocks = counts.page, counts.blocks
    ones = np.ones(len(blocks))
    stops, paragraphs = counts.kinds[2], counts.words * (counts.tag == HOLDERS["p"])
    good = (counts.words - counts.linked) * (counts.words > SHORT)
    prefix = np.concatenate(
        [
            counts.below(np.array((ones, counts.words, counts.linked, stops, paragraphs, good))),
            _begun(page, _PICTURES, _CONTROLS),
        ]
    )
    number = prefix[0, page.end] - prefix[0, :-1]  # blocks below each row
    yield from _levels(counts, prefix, number)
    yield from _alike(counts, prefix, number)
    yield from _cores(counts, prefix)


def _begun(page: Page, *sets: tuple[int, ...]) -> Floats:
    """Prefix sums of how many elements have a tag of each set."""
    prefix = np.zeros((len(sets), len(page) + 1))
    for at, tags in enumerate(sets):
        np.cumsum(page.is_tag(*tags), out=prefix[at, 1:])
    return prefix


def _sums(counts: Counts, prefix: Floats, rows: Ints) -> Floats:
    """Sums over the subtrees of rows; 0 for row -1."""
    found = prefix[:, counts.page.end[rows]] - prefix[:, rows]
    found[:, rows < 0] = 0
    return found


def _levels(counts: Counts, prefix: Floats, number: Floats) -> Named:
    """Elements that hold a block, each the largest with its number of blocks."""
    page, blocks = counts.page, counts.blocks
    holder = blocks.above[page.parent]  # of the root: nonsense that is never asked for
    grows = (blocks.above == np.arange(len(page))) & (number[holder] > number)
    grows[:1] = True
    top = nearest(page.parent, grows)
    beyond = np.append(np.where(page.parent >= 0, top[page.parent], -1), -1)  # the next one up
    rows = [top[blocks.holder]]
    while len(rows) < LEVELS:
        rows.append(beyond[rows[-1]])
    row = np.array(rows)
    held, words, linked, stops, paragraphs, _, pictures, controls = _sums(counts, prefix, row)
    some, many = np.maximum(words, 1), np.maximum(held, 1)
    found = {
        "words": words,
        "share": words / counts.total,
        "links": linked / some,
        "blocks": held,
        "mean": words / many,
        "stops": stops / some,
        "paragraphs": paragraphs / some,
        "pictures": pictures,
        "controls": controls / many,
        "place": np.where(row >= 0, (counts.row - row) / page.size[row], -1),
    }
    for level in range(LEVELS):
        for name, values in found.items():
            if level or name in LOWEST:
                yield f"up{level}_{name}", values[level]


def _alike(counts: Counts, prefix: Floats, number: Floats) -> Named:
    """Blocks with the same tags and classes above them, and repeated siblings."""
    page, holder = counts.page, counts.blocks.holder
    look, looks = _looks(page)
    path = sum_path(page.end, _scattered(look))[holder]
    group, count = grouped(path)
    words, linked = np.bincount(group, counts.words), np.bincount(group, counts.linked)
    place = np.arange(len(group))
    begin, end = np.full(len(count), len(group)), np.zeros(len(count), np.intp)
    np.minimum.at(begin, group, place)
    np.maximum.at(end, group, place)
    yield "group_blocks", count[group]
    yield "group_words", words[group]
    yield "group_links", (linked / np.maximum(words, 1))[group]
    yield "group_mean", (words / count)[group]
    yield "group_share", (words / counts.total)[group]
    yield "group_span", ((end - begin) / len(group))[group]
    repeated = _repeated(page, look, looks)
    deepest = int(page.depth.max())
    yield "siblings", repeated[holder]
    yield "most_siblings", join_path(page.parent, deepest, repeated, np.maximum, 0)[holder]
    for name, marked in (("item", number > 0), ("record", number >= REPEATED)):
        row = nearest(page.parent, marked & (repeated >= REPEATED))[holder]
        held, words, linked, *_, pictures, controls = _sums(counts, prefix, row)
        yield f"{name}_blocks", held
        yield f"{name}_words", words
        yield f"{name}_links", linked / np.maximum(words, 1)
        yield f"{name}_pictures", pictures
        yield f"{name}_controls", controls
        yield f"{name}_count", np.where(row >= 0, repeated[row], 0)


def grouped(values: NDArray[Any]) -> tuple[Ints, Ints]:
    """A number for each value, the same for the same, and how often each number occurs."""
    order = np.argsort(values)
    ordered = values[order]
    new = np.ones(len(values), np.intp)
    new[1:] = ordered[1:] != ordered[:-1]
    number = np.empty(len(values), np.intp)
    number[order] = np.cumsum(new) - 1
    return number, np.bincount(number)


def _scattered(look: Ints) -> Floats:
    """A number below 2 ** 40 for each look; no sum of some is likely to be a sum of others.

    A product alone would not do: products of 1 and 4 add up to those of 2 and 3.
    """
    bits = mix(look.astype(np.uint64) + MULTIPLIER) >> np.uint64(24)
    return np.asarray(bits.astype(np.float64))


def _looks(page: Page) -> tuple[Ints, int]:
    """A number for each element's tag and class, the same for the same, and the highest one."""
    rows, number, values = page.distinct("class")
    numbered = np.zeros(len(page), np.intp)
    numbered[rows] = number + 1
    many = len(page.names)
    return numbered * many + page.tag, (len(values) + 1) * many


def _repeated(page: Page, look: Ints, looks: int) -> Int64s:
    """How many children of its parent look like each element, itself counted."""
    rows = np.flatnonzero(page.element)
    same, count = grouped(page.parent[rows].astype(np.int64) * looks + look[rows])
    repeated = np.zeros(len(page), np.int64)
    repeated[rows] = count[same]
    return repeated


def _cores(counts: Counts, prefix: Floats) -> Named:
    """Whether a block is in the smallest element that holds so much of the running text."""
    page, row = counts.page, counts.row
    good = prefix[5, page.end] - prefix[5, :-1]
    holders = np.flatnonzero(counts.blocks.above == np.arange(len(page)))
    for share in CORES:
        wide = holders[good[holders] >= share * max(good[0], 1)]
        core = int(wide[np.argmin(page.size[wide])]) if len(wide) else 0
        words = prefix[1, page.end[core]] - prefix[1, core]
        name = f"core{round(share * 100)}"
        yield name, (row >= core) & (row < page.end[core])
        yield f"{name}_share", np.full(len(row), words / counts.total)
        yield f"{name}_place", (row - core) / page.size[core]
