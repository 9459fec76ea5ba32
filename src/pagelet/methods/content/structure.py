"""Features of text blocks: the elements above them, what looks alike, the core of the page.

Features are made of the counts of blocks, which distinguish some tags.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Bytes, Floats, Hashes, Int64s, Ints
from pagelet.models.features import Features
from pagelet.page.signatures import MULTIPLIER, mix
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, numbers
from pagelet.page.textblocks import TextBlocks
from pagelet.page.tree import join_path, nearest, sum_path
from pagelet.page.words import character_kinds, count_kinds

LONG_BLOCK_WORDS = 25  #: words from which a block is certainly running text


@dataclass(frozen=True, slots=True, eq=False)
class BlockCounts:
    """The text blocks of one page with everything that is counted in them."""

    page: Page
    blocks: TextBlocks
    texts: list[str]  #: the text of each block, its pieces joined by one space
    pieces: Ints  #: texts that make up each block
    words: Floats
    linked: Floats  #: words inside links
    chars: Floats
    kinds: Floats  #: digits, capitals, stops, commas, signs, money signs
    first_kind: Bytes  #: kind of the first character
    last_kind: Bytes  #: kind of the last character
    density: Floats  #: share of the words that is inside links
    tag: Floats  #: element that holds the block, as numbered in HOLDERS
    row: Ints  #: first row of each block
    total: float  #: words of the page, at least 1

    def below(self, values: Floats) -> Floats:
        """Prefix sums over the rows of the page of values given for blocks."""
        prefix = np.zeros((len(values), len(self.page) + 1))
        prefix[:, self.row + 1] = values
        return np.cumsum(prefix, axis=1)


def count_blocks(page: Page, blocks: TextBlocks) -> BlockCounts:
    """Count words, characters and links of the text blocks of a page."""
    rows, first = blocks.rows, blocks.first
    last = np.append(first[1:], len(rows)) - 1
    columns = np.array((page.words[rows], page.chars[rows], page.words[rows] * page.link[rows]))
    words, chars, linked = np.add.reduceat(columns, first, axis=1).astype(np.float64)
    texts = [text.strip() for text in blocks.texts(page)]
    bounds = np.zeros(len(texts) + 1, np.intp)
    np.cumsum(np.fromiter(map(len, texts), np.intp, len(texts)), out=bounds[1:])
    kind = character_kinds("".join(texts))
    return BlockCounts(
        page=page,
        blocks=blocks,
        texts=_joined(texts, first, last),
        pieces=last - first + 1,
        words=words,
        linked=linked,
        chars=chars,
        kinds=count_kinds(kind, bounds[first]),
        first_kind=kind[bounds[first]],
        last_kind=kind[bounds[last + 1] - 1],
        density=linked / np.maximum(words, 1),
        tag=_HOLDERS_BY_TAG.take(page.tag[blocks.holder], mode="clip"),
        row=rows[first],
        total=max(words.sum(), 1.0),
    )


def _joined(texts: list[str], first: Ints, last: Ints) -> list[str]:
    bounds = zip(first.tolist(), last.tolist(), strict=True)
    return [texts[one] if one == two else " ".join(texts[one : two + 1]) for one, two in bounds]


#: Groups of tags, one bit each; a group is named by its first tag.
TAG_GROUPS = [
    group.split()
    for group in """
p; li; ul ol menu dir; dl dt dd; td th; table; h1; h2; h3; h4 h5 h6; nav; header; footer; aside;
article; main; section; form; fieldset; blockquote; pre; code samp kbd tt;
figure figcaption picture; a; button; label legend; select option optgroup datalist; strong b;
em i cite; span; small; time; address; details summary; noscript; dialog; svg math;
object video audio; font center; sup sub; textarea; caption; ins del s strike; abbr q mark
""".split(";")
]
HIDING = ("hidden", "aria_hidden")  #: columns of the page that get a bit too

_BIT = {
    name: np.uint64(1 << at) for at, name in enumerate([*(tags[0] for tags in TAG_GROUPS), *HIDING])
}
#: Groups that may hold a block, and groups that may lie inside one.
OUTER = {name: bit for name, bit in _BIT.items() if name not in ("a", "strong", "em", "small")}
INNER = {name: _BIT[name] for name in ("a", "strong", "em", "span", "button", "label", "time",
                                       "small", "code")}  # fmt: skip

#: Numbers of the elements that hold a block; all others are 0.
HOLDERS = {
    "p": 1, "li": 2, "td": 3, "th": 3, "div": 4, "h1": 5, "h2": 6, "h3": 7, "h4": 8, "h5": 8,
    "h6": 8, "dt": 9, "dd": 10, "pre": 11, "figcaption": 12, "section": 13, "article": 13,
    "main": 13, "label": 14, "option": 15, "blockquote": 16,
}  # fmt: skip
HOLDER_FEATURES = ("p", "li", "td", "div", "h1", "h2", "h3", "h4", "dt", "dd")

_HOLDERS_BY_TAG = np.zeros(max(NUMBER.values()) + 2)
_HOLDERS_BY_TAG[[NUMBER[name] for name in HOLDERS]] = list(HOLDERS.values())
_BITS_BY_TAG = np.zeros(512, np.uint64)
for _tags in TAG_GROUPS:
    _BITS_BY_TAG[list(numbers(" ".join(_tags)))] = _BIT[_tags[0]]


def tag_bits(page: Page) -> Hashes:
    """The bits of each row's own tag, and of whether it is hidden."""
    bits = _BITS_BY_TAG.take(page.tag, mode="clip")
    for name in HIDING:
        bits[getattr(page, name)] |= _BIT[name]
    return bits


LEVELS = 6  #: elements above a block that are measured, each larger than the one before
LOWEST_LEVEL = ("words", "share", "links", "blocks", "mean")  #: features of the first of them
MIN_LIST_ITEMS = 3  #: equal siblings from which on they are items of a list
SHORT_BLOCK_WORDS = 8  #: words up to which a block is no running text
CORE_SHARES = (0.3, 0.5, 0.7, 0.9)  #: shares of the running text that a core element holds

_PICTURES = numbers("img picture svg video")
CONTROLS = numbers("input select button textarea label option")


def structure_features(counts: BlockCounts) -> Features:
    """The elements above a block, the blocks that look alike, and the core of the page."""
    page, blocks = counts.page, counts.blocks
    ones = np.ones(len(blocks))
    stops, paragraphs = counts.kinds[2], counts.words * (counts.tag == HOLDERS["p"])
    running = (counts.words - counts.linked) * (counts.words > SHORT_BLOCK_WORDS)
    prefix = np.concatenate(
        [
            counts.below(np.array((ones, counts.words, counts.linked, stops, paragraphs, running))),
            _tag_prefix(page, _PICTURES, CONTROLS),
        ]
    )
    number = prefix[0, page.end] - prefix[0, :-1]  # blocks below each row
    look, looks, path = looks_of(page)
    return {
        **_level_features(counts, prefix, number),
        **_group_features(counts, path),
        **_list_features(counts, prefix, number, _repeated(page, look, looks)),
        **_core_features(counts, prefix),
    }


def _tag_prefix(page: Page, *sets: tuple[int, ...]) -> Floats:
    """Prefix sums of how many elements have a tag of each set."""
    prefix = np.zeros((len(sets), len(page) + 1))
    for at, tags in enumerate(sets):
        np.cumsum(page.is_tag(*tags), out=prefix[at, 1:])
    return prefix


def _sums(counts: BlockCounts, prefix: Floats, rows: Ints) -> Floats:
    """Sums over the subtrees of rows; 0 for row -1."""
    sums = prefix[:, counts.page.end[rows]] - prefix[:, rows]
    sums[:, rows < 0] = 0
    return sums


def _level_features(counts: BlockCounts, prefix: Floats, number: Floats) -> Features:
    """Elements that hold a block, each the largest with its number of blocks."""
    page, blocks = counts.page, counts.blocks
    holder = blocks.above[page.parent]  # meaningless for the root, and never used there
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
    levels = {
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
    return {
        f"up{level}_{name}": values[level]
        for level in range(LEVELS)
        for name, values in levels.items()
        if level or name in LOWEST_LEVEL
    }


def _group_features(counts: BlockCounts, path: Floats) -> Features:
    """Blocks with the same tags and classes above them."""
    group, count = number_values(path[counts.blocks.holder])
    words, linked = np.bincount(group, counts.words), np.bincount(group, counts.linked)
    place = np.arange(len(group))
    begin, end = np.full(len(count), len(group)), np.zeros(len(count), np.intp)
    np.minimum.at(begin, group, place)
    np.maximum.at(end, group, place)
    return {
        "group_blocks": count[group],
        "group_words": words[group],
        "group_links": (linked / np.maximum(words, 1))[group],
        "group_mean": (words / count)[group],
        "group_share": (words / counts.total)[group],
        "group_span": ((end - begin) / len(group))[group],
    }


def _list_features(
    counts: BlockCounts, prefix: Floats, number: Floats, repeated: Int64s
) -> Features:
    """Repeated siblings above a block: items of lists, and items with several blocks."""
    page, holder = counts.page, counts.blocks.holder
    deepest = int(page.depth.max())
    features: Features = {
        "siblings": repeated[holder],
        "most_siblings": join_path(page.parent, deepest, repeated, np.maximum, 0)[holder],
    }
    for name, marked in (("item", number > 0), ("record", number >= MIN_LIST_ITEMS)):
        row = nearest(page.parent, marked & (repeated >= MIN_LIST_ITEMS))[holder]
        held, words, linked, *_, pictures, controls = _sums(counts, prefix, row)
        features |= {
            f"{name}_blocks": held,
            f"{name}_words": words,
            f"{name}_links": linked / np.maximum(words, 1),
            f"{name}_pictures": pictures,
            f"{name}_controls": controls,
            f"{name}_count": np.where(row >= 0, repeated[row], 0),
        }
    return features


def number_values(values: NDArray[Any]) -> tuple[Ints, Ints]:
    """A number for each value, equal for equal values, and how often each number occurs."""
    order = np.argsort(values)
    ordered = values[order]
    new = np.ones(len(values), np.intp)
    new[1:] = ordered[1:] != ordered[:-1]
    number = np.empty(len(values), np.intp)
    number[order] = np.cumsum(new) - 1
    return number, np.bincount(number)


class Looks(NamedTuple):
    """How the rows of a page look: tags and classes."""

    own: Ints  #: number of each row's tag and class, equal for equal ones
    bound: int  #: number above all of them
    path: Floats  #: number for the looks at and above each row


_LOOKS: WeakKeyDictionary[Page, Looks] = WeakKeyDictionary()


def looks_of(page: Page) -> Looks:
    """How the rows of a page look; computed once per page."""
    if page not in _LOOKS:
        own, bound = number_looks(page)
        _LOOKS[page] = Looks(own, bound, sum_path(page.end, _scatter(own)))
    return _LOOKS[page]


def _scatter(look: Ints) -> Floats:
    """A number below 2 ** 40 for each look; sums of different looks are unlikely to be equal.

    A product alone would not do: products of 1 and 4 add up to those of 2 and 3.
    """
    bits = mix(look.astype(np.uint64) + MULTIPLIER) >> np.uint64(24)
    return np.asarray(bits.astype(np.float64))


def number_looks(page: Page) -> tuple[Ints, int]:
    """A number for each element's tag and class, equal for equal ones, and a bound of them all."""
    rows, number, values = page.distinct("class")
    numbered = np.zeros(len(page), np.intp)
    numbered[rows] = number + 1
    names = len(page.names)
    return numbered * names + page.tag, (len(values) + 1) * names


def _repeated(page: Page, look: Ints, looks: int) -> Int64s:
    """The number of children of its parent that look like each element, itself counted."""
    rows = np.flatnonzero(page.element)
    same, count = number_values(page.parent[rows].astype(np.int64) * looks + look[rows])
    repeated = np.zeros(len(page), np.int64)
    repeated[rows] = count[same]
    return repeated


def _core_features(counts: BlockCounts, prefix: Floats) -> Features:
    """Whether a block is in the smallest element that holds so much of the running text."""
    page, row = counts.page, counts.row
    running = prefix[5, page.end] - prefix[5, :-1]
    holders = np.flatnonzero(counts.blocks.above == np.arange(len(page)))
    features: Features = {}
    for share in CORE_SHARES:
        wide = holders[running[holders] >= share * max(running[0], 1)]
        core = int(wide[np.argmin(page.size[wide])]) if len(wide) else 0
        words = prefix[1, page.end[core]] - prefix[1, core]
        name = f"core{round(share * 100)}"
        features[name] = (row >= core) & (row < page.end[core])
        features[f"{name}_share"] = words / counts.total
        features[f"{name}_place"] = (row - core) / page.size[core]
    return features
