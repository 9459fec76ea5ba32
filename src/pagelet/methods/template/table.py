"""Pages of one site side by side: which leaves they share, and where their own ones stand."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from zlib import crc32

import numpy as np

from pagelet.arrays import Floats, Hashes, Ints, Mask
from pagelet.page.signatures import MULTIPLIER, STATE, mix, path_signatures
from pagelet.page.table import Page
from pagelet.page.tags import FIRST_CUSTOM_TAG, NUMBER, TEXT

# -- What a page shows, as numbers that pages of one site can be compared by ------------------


SAID = ("src", "alt", "type", "name", "value")  #: attributes that tell childless elements apart
NAMELESS = (NUMBER["html"], NUMBER["body"])  #: their classes name the page, not the place
SILENT = (NUMBER["br"], NUMBER["hr"])
LONGEST = 2000  #: characters of a text, a class or an id that are read
AFTER, TIMES = np.uint64(0xD6E8FEB86659FD93), np.uint64(0xA0761D6478BD642F)  #: odd constants


@dataclass(frozen=True, slots=True, eq=False)
class Digest:
    """The counted rows of a page, body first, as far as pages of one site are compared by them."""

    place: Hashes  #: for each counted row: the path of tags, ids and classes down to it
    size: Ints  #: counted rows in its subtree, itself counted; 1 for a leaf
    before: Hashes  #: for each leaf: it with the one before, and how often that pair stands there
    after: Hashes  #: for each leaf: it with the one after, likewise

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
    own = mix(path_signatures(page, tags)[rows] + _words(page, rows))
    edge = np.zeros(min(len(own), 1), np.uint64)
    before = mix(np.concatenate((edge, own[:-1])) * MULTIPLIER + own)
    after = mix(own * AFTER + np.concatenate((own[1:], edge)))
    place = path_signatures(page, mix(tags + _name_signs(page)))[counted]
    return Digest(place, below[counted].astype(np.intp), _counted(before), _counted(after))


def _counted(signs: Hashes) -> Hashes:
    """Signs made anew with how often each occurs."""
    _, back, count = np.unique(signs, return_inverse=True, return_counts=True)
    return mix(signs + count[back].astype(np.uint64) * TIMES)


def _tag_signs(page: Page) -> Hashes:
    """A number for each row's tag, the same for the same name on every page."""
    numbers = np.arange(len(page.names), dtype=np.uint64) + np.uint64(1)
    for at in range(FIRST_CUSTOM_TAG, len(page.names)):
        numbers[at] = crc32(page.names[at][:LONGEST].encode()) + FIRST_CUSTOM_TAG
    return mix(numbers)[page.tag]


def _name_signs(page: Page) -> Hashes:
    """A number for each row's id and class, without counters and states."""
    signs = np.zeros(len(page), np.uint64)
    for name, factor in (("id", MULTIPLIER), ("class", AFTER)):
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


def _words(page: Page, rows: Ints) -> Hashes:
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
    return np.array(said, np.uint64) * MULTIPLIER


# -- Pages of one site side by side: which leaves they share, and where their own ones stand --


MOST = 64  #: pages that are compared at once: the bits of a mask
SAME = 0.95  #: share of two pages' leaves from which on one only says again what the other says
FAR = 0.03  #: share of what the likest page shares below which a page tells nothing
LIKE = 0.2  #: share of what the likest pages share that tells a page of the same template
UPPER = 4  #: the likest page counts as that of the upper quarter of all pages
NEIGHBOURS = 5  #: leaves on each side that tell what a shared leaf stands among
SHARED, OWN = 0.97, 0.1  #: how likely a leaf is template that all pages have, or none other


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """Leaves below each place, and how many of them are expected to be template."""

    place: Hashes  #: sorted
    leaves: Floats
    shared: Floats
    all_leaves: float
    all_shared: float


@dataclass(eq=False)
class Table:
    """Digests of pages of one site."""

    pages: Sequence[Digest]
    _sums: dict[tuple[int, ...], Sums] = field(default_factory=dict)

    @cached_property
    def _known(self) -> tuple[tuple[Hashes, Hashes], tuple[Hashes, Hashes]]:
        """The pairs of leaves of all pages, sorted, and which pages have each."""
        return self._held("before"), self._held("after")

    def _held(self, name: str) -> tuple[Hashes, Hashes]:
        signs = [np.unique(getattr(page, name)) for page in self.pages]
        bits = [np.full(len(each), np.uint64(1) << np.uint64(at)) for at, each in enumerate(signs)]
        known, back = np.unique(_joined(signs), return_inverse=True)
        masks = np.zeros(len(known), np.uint64)
        np.bitwise_or.at(masks, back, _joined(bits))
        return known, masks

    def holders(self, page: Digest) -> Mask:
        """Which pages of the table have each leaf of a page too."""
        before, after = self._known
        masks = _found(*before, page.before) | _found(*after, page.after)
        parts = masks.astype("<u8").view(np.uint8).reshape(-1, 8)
        bits = np.unpackbits(parts, axis=1, bitorder="little")
        return bits[:, : len(self.pages)].astype(np.bool_)

    @cached_property
    def own_holders(self) -> list[Mask]:
        """Which pages have each leaf of each page of the table, itself among them."""
        return [self.holders(page) for page in self.pages]

    def alike(self, page: Digest, holders: Mask, leave_out: int = -1) -> list[int]:
        """The pages that have the same template: not too little in common, nor everything."""
        shared = holders.sum(axis=0).tolist()
        others = [at for at in range(len(self.pages)) if at != leave_out and shared[at]]
        least = FAR * max((shared[at] for at in others), default=0)
        differ = [at for at in others if least <= shared[at] < self._same(page, at)]
        ranked = sorted((shared[at] for at in differ or others), reverse=True)
        much = ranked[len(ranked) // UPPER] if ranked else 0  # the likest may be all but a copy
        return [at for at in differ or others if shared[at] >= LIKE * much]

    def says_again(self, page: Digest, at: int) -> bool:
        """Whether a page of the table only says again what a page says."""
        return int(self.holders(page)[:, at].sum()) >= self._same(page, at)

    def _same(self, page: Digest, at: int) -> float:
        """Leaves in common from which on one of two pages only says again what the other says."""
        leaves = max(len(page), len(self.pages[at]))
        return min(SAME * leaves, leaves - 1)

    def sums(self, used: Sequence[int], also: int = -1) -> Sums:
        """Sums over the places of some pages, each page compared with the rest and `also`."""
        key = (*used, also)
        if key not in self._sums:
            self._sums[key] = self._summed(used, [*used, also] if also >= 0 else used)
        return self._sums[key]

    def _summed(self, used: Sequence[int], everyone: Sequence[int]) -> Sums:
        places, leaves, shared = [], [], []
        for at in used:
            page, others = self.pages[at], [each for each in everyone if each != at]
            likely = expected(self.own_holders[at], others)
            below = below_places(page, likely) / np.sqrt(len(page) + 1)
            inner = page.size > 1
            places.append(page.place[inner])
            leaves.append(below[0, inner])
            shared.append(below[1, inner])
        whole = [
            (each[0], other[0]) for each, other in zip(leaves, shared, strict=True) if len(each)
        ]
        known, back = np.unique(_joined(places), return_inverse=True)
        return Sums(
            known,
            _added(back, leaves, len(known)),
            _added(back, shared, len(known)),
            sum(each for each, _ in whole),
            sum(other for _, other in whole),
        )


def expected(holders: Mask, others: Sequence[int]) -> Floats:
    """How likely each leaf is template, by how many of some pages have it, and its neighbours."""
    share = holders[:, others].mean(axis=1) if len(others) else np.zeros(len(holders))
    return np.asarray(OWN + (SHARED - OWN) * share * _around(share))


def _around(share: Floats) -> Floats:
    """Mean share of the leaves around each leaf: a label among words that change is content."""
    sums = np.concatenate(([0.0], np.cumsum(share)))
    at = np.arange(len(share))
    first, last = np.maximum(at - NEIGHBOURS, 0), np.minimum(at + NEIGHBOURS + 1, len(share))
    return np.asarray((sums[last] - sums[first]) / np.maximum(last - first, 1))


def below_places(page: Digest, likely: Floats) -> Floats:
    """For each row of a digest: the leaves below it, and the sum of how likely they are."""
    values = np.zeros((2, len(page.size) + 1))
    at = page.leaves + 1
    values[0, at], values[1, at] = 1, likely
    sums = np.cumsum(values, axis=1)
    first = np.arange(len(page.size))
    return np.asarray(sums[:, first + page.size] - sums[:, first])


def _added(back: Ints, values: Sequence[Floats], count: int) -> Floats:
    """Sums of values by what they belong to."""
    return np.asarray(np.bincount(back, np.concatenate([[], *values]), count), np.float64)


def _found(known: Hashes, masks: Hashes, asked: Hashes) -> Hashes:
    if not len(known):
        return np.zeros(len(asked), np.uint64)
    at = np.minimum(np.searchsorted(known, asked), len(known) - 1)
    return np.where(known[at] == asked, masks[at], np.uint64(0))


def _joined(parts: Sequence[Hashes]) -> Hashes:
    return np.concatenate([np.zeros(0, np.uint64), *parts])
