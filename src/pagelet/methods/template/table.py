"""Digests of the pages of one site, and a table of the leaves that they share."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from zlib import crc32

import numpy as np

from pagelet import core
from pagelet.arrays import Floats, Hashes, Ints, Mask
from pagelet.methods.template.leaves import leaf_hashes
from pagelet.page.equal import count_equal, find_equal
from pagelet.page.signatures import MULTIPLIER, STATE, mix, path_signatures
from pagelet.page.table import WANTED, Page
from pagelet.page.tags import FIRST_CUSTOM_TAG, NAMES, NUMBER

# -- digests --------------------------------------------------------------------------------


ROOT_TAGS = (NUMBER["html"], NUMBER["body"])  #: tags whose classes name the page, not the place
MAX_NAME_CHARS = 2000  #: characters of a class, an id or a tag that are read
#: Odd factors of hashes, for the next leaf and for the number of equal leaves.
AFTER, TIMES = np.uint64(0xD6E8FEB86659FD93), np.uint64(0xA0761D6478BD642F)
#: Hashes of the tags that have the same number on every page.
KNOWN_TAGS = mix(np.arange(len(NAMES), dtype=np.uint64) + np.uint64(1))


@dataclass(frozen=True, slots=True, eq=False)
class PageDigest:
    """Hashes of the counted rows of a page, body first, for comparing pages of one site."""

    place: Hashes  #: hash of the path of tags, ids and classes down to each counted row
    size: Ints  #: counted rows in each subtree, its root included; 1 for a leaf
    before: Hashes  #: hash of each leaf with the one before, and of the number of such pairs
    after: Hashes  #: hash of each leaf with the one after, and of the number of such pairs

    def __len__(self) -> int:
        """Number of leaves."""
        return len(self.before)

    def equals(self, other: "PageDigest") -> bool:
        """Whether both are digests of one page: the same places and words, in order."""
        return np.array_equal(self.before, other.before) and np.array_equal(self.place, other.place)

    @property
    def leaves(self) -> Ints:
        """Places of the leaves among the counted rows."""
        return np.flatnonzero(self.size == 1)


def digest_page(page: Page) -> PageDigest:
    """Hash the counted rows of a page."""
    tags, names = _tag_hashes(page), _name_hashes(page)
    digested = _digest_compiled(page, tags, names) if core.compiled else None
    place, size, leaves, paths = digested or _digest_rows(page, tags, names)
    return PageDigest(place, size, *_pair_leaves(mix(paths + leaf_hashes(page, leaves))))


_Rows = tuple[Hashes, Ints, Ints, Hashes]  #: places and sizes, rows of leaves, paths of leaves


def _digest_rows(page: Page, tags: Hashes, names: Hashes) -> _Rows:
    """Places and sizes of the counted rows; rows of the leaves, and the hash of their paths."""
    counted, own = page.counted, tags[page.tag]
    below = page.sum_subtree(counted)
    leaves = np.flatnonzero(counted & (below == 1))
    place = path_signatures(page, mix(own + names))[counted]
    return place, below[counted].astype(np.intp), leaves, path_signatures(page, own)[leaves]


def _digest_compiled(page: Page, tags: Hashes, names: Hashes) -> _Rows | None:
    """The same by the compiled core."""
    place, paths = np.empty((2, len(page)), np.uint64)
    size, leaves = np.empty((2, len(page)), np.intp)
    found = core.kernels.digest_rows(
        page.parent, page.tag, page.counted, tags, names, int(MULTIPLIER),
        place, size, leaves, paths,
    )  # fmt: skip
    if found is None:
        return None
    rows, count = found
    return place[:rows].copy(), size[:rows].copy(), leaves[:count], paths[:count]


def _pair_leaves(own: Hashes) -> tuple[Hashes, Hashes]:
    """The hash of each leaf with the one before, and with the one after."""
    before, after = np.empty((2, len(own)), np.uint64)
    factors = int(MULTIPLIER), int(AFTER), int(TIMES)
    if core.compiled and core.kernels.pair_leaves(own, factors, before, after):
        return before, after
    edge = np.zeros(min(len(own), 1), np.uint64)
    before = mix(np.concatenate((edge, own[:-1])) * MULTIPLIER + own)
    after = mix(own * AFTER + np.concatenate((own[1:], edge)))
    return _hash_counts(before), _hash_counts(after)


def _hash_counts(hashes: Hashes) -> Hashes:
    """Hashes that also depend on how often each occurs."""
    return mix(hashes + count_equal(hashes).astype(np.uint64) * TIMES)


def _tag_hashes(page: Page) -> Hashes:
    """Hash of each tag by its number, the same for the same name on every page."""
    custom = page.names[FIRST_CUSTOM_TAG:]
    if not custom:
        return KNOWN_TAGS
    sums = [crc32(name[:MAX_NAME_CHARS].encode()) + FIRST_CUSTOM_TAG for name in custom]
    return np.append(KNOWN_TAGS, mix(np.array(sums, np.uint64)))


def _name_hashes(page: Page) -> Hashes:
    """Hash of the id and class of each row, without counters and states."""
    hashes = np.zeros(len(page), np.uint64)
    for name, factor in (("id", MULTIPLIER), ("class", AFTER)):
        if core.compiled:
            core.kernels.hash_names(
                page.wanted, WANTED[name], MAX_NAME_CHARS, int(factor), _sum_name, hashes
            )
            continue
        rows, numbers, values = page.distinct(name)
        if values:
            hashes[rows] += np.array(list(map(_sum_name, values)), np.uint64)[numbers] * factor
    hashes[page.is_tag(*ROOT_TAGS)] = 0
    return hashes


def _sum_name(value: str) -> int:
    """The checksum of the names in a class or an id."""
    return crc32(plain_name(value).encode())


def plain_name(value: str) -> str:
    """Strip counters and states from the names in a class or an id, and sort them."""
    names = STATE.sub("", value[:MAX_NAME_CHARS].lower()).split()
    return " ".join(sorted(filter(None, [name.strip("-_") for name in names])))


# -- tables ---------------------------------------------------------------------------------


MAX_PAGES = 64  #: pages that are compared at once: the bits of a mask
COPY_SHARE = 0.95  #: share of leaves in common from which a page is a copy of another
UNRELATED_SHARE = 0.03  #: share of the most leaves in common below which a page is ignored
ALIKE_SHARE = 0.2  #: share of the reference's leaves in common for the same template
REFERENCE_RANK = 4  #: the reference has more leaves in common than all but 1/4 of the pages
NEIGHBOUR_LEAVES = 5  #: leaves on each side whose shares are averaged
SHARED_PROBABILITY = 0.97  #: probability that a leaf of all pages is template
OWN_PROBABILITY = 0.1  #: probability that a leaf of this page alone is template
MIN_RECORDS = 4  #: alike siblings from which they may be records
RECORD_SHARE = 0.6  #: share of alike siblings with a leaf of this page alone that makes records


@dataclass(frozen=True, slots=True, eq=False)
class PlaceSums:
    """Sums over the leaves below each place of some pages."""

    place: Hashes  #: hashes of the places, sorted
    sums: Floats  #: leaves below each place, and the expected number of them that are template
    all_leaves: float
    all_shared: float


@dataclass(frozen=True, eq=False)
class Occurrence:
    """The pages of a table that have each leaf of a page."""

    masks: Hashes  #: for each leaf the pages that have it, a bit each
    pages: int  #: pages of the table

    @cached_property
    def leaves(self) -> list[int]:
        """For each page of the table, how many of the leaves it has."""
        if core.compiled:
            counts = np.empty(self.pages, np.intp)
            core.kernels.count_pages(self.masks, counts)
        else:
            counts = self._bits().sum(axis=0)
        leaves: list[int] = counts.tolist()
        return leaves

    def count_in(self, pages: Sequence[int]) -> Ints:
        """For each leaf, how many of some pages have it."""
        if not core.compiled:
            return np.asarray(self._bits()[:, pages].sum(axis=1), np.intp)
        counts = np.empty(len(self.masks), np.intp)
        wanted = sum([1 << at for at in pages])
        core.kernels.count_masks(self.masks, wanted, counts)
        return counts

    def _bits(self) -> Mask:
        """For each leaf and each page of the table, whether the page has it."""
        parts = self.masks.astype("<u8", copy=False).view(np.uint8).reshape(-1, 8)
        parts = parts[:, : self.pages // 8 + 1]
        bits = np.unpackbits(parts, axis=1, bitorder="little", count=self.pages)
        return bits.view(np.bool_)


@dataclass(eq=False)
class SiteTable:
    """Digests of pages of one site, indexed by their leaves."""

    pages: Sequence[PageDigest]
    _sums: dict[tuple[int, ...], PlaceSums] = field(default_factory=dict)

    @cached_property
    def _indexes(self) -> tuple[tuple[Hashes, Hashes], tuple[Hashes, Hashes]]:
        """The pairs of leaves of all pages, sorted, and a mask of the pages that have each."""
        return self._index("before"), self._index("after")

    def _index(self, name: str) -> tuple[Hashes, Hashes]:
        hashes = [np.unique(getattr(page, name)) for page in self.pages]
        bits = [np.full(len(each), np.uint64(1) << np.uint64(at)) for at, each in enumerate(hashes)]
        pairs, back = np.unique(_concatenate(hashes), return_inverse=True)
        masks = np.zeros(len(pairs), np.uint64)
        np.bitwise_or.at(masks, back, _concatenate(bits))
        return pairs, masks

    def occurrence(self, page: PageDigest) -> Occurrence:
        """For each leaf of a page, the pages of the table that have it."""
        if core.compiled:
            masks = np.zeros(len(page), np.uint64)
            before, after = self._compiled_indexes
            before.add_masks(page.before, masks)
            after.add_masks(page.after, masks)
        else:
            one, other = self._indexes
            masks = _look_up(*one, page.before) | _look_up(*other, page.after)
        return Occurrence(masks, len(self.pages))

    @cached_property
    def _compiled_indexes(self) -> "tuple[core.kernels.PairMasks, core.kernels.PairMasks]":
        before, after = self._indexes
        return core.kernels.PairMasks(*before), core.kernels.PairMasks(*after)

    @cached_property
    def own_occurrence(self) -> list[Occurrence]:
        """The occurrence of each page of the table, itself included."""
        return [self.occurrence(page) for page in self.pages]

    def pages_alike(
        self, page: PageDigest, occurrence: Occurrence, leave_out: int = -1
    ) -> list[int]:
        """The pages with the same template: neither unrelated nor copies."""
        shared, leaves = occurrence.leaves, len(page)
        others = [at for at in range(len(self.pages)) if at != leave_out and shared[at]]
        least = UNRELATED_SHARE * max((shared[at] for at in others), default=0)
        differ = [at for at in others if least <= shared[at] < self._copy_leaves(leaves, at)]
        ranked = sorted((shared[at] for at in differ or others), reverse=True)
        reference = ranked[len(ranked) // REFERENCE_RANK] if ranked else 0  # not a near-copy
        return [at for at in differ or others if shared[at] >= ALIKE_SHARE * reference]

    def is_copy(self, page: PageDigest, at: int) -> bool:
        """Whether a page of the table is a copy of the given page."""
        return self.occurrence(page).leaves[at] >= self._copy_leaves(len(page), at)

    def _copy_leaves(self, leaves: int, at: int) -> float:
        """Leaves in common from which a page with so many is a copy of one of the table."""
        leaves = max(leaves, len(self.pages[at]))
        return min(COPY_SHARE * leaves, leaves - 1)

    def sums(self, used: Sequence[int], also: int = -1) -> PlaceSums:
        """Sums over some pages, each compared with the others and with the page `also`."""
        key = (*used, also)
        if key not in self._sums:
            self._sums[key] = self._sum_places(used, [*used, also] if also >= 0 else used)
        return self._sums[key]

    def _sum_places(self, used: Sequence[int], everyone: Sequence[int]) -> PlaceSums:
        places, leaves, shared = [], [], []
        for at in used:
            page, others = self.pages[at], [each for each in everyone if each != at]
            shared_by = self.own_occurrence[at].count_in(others)
            probability = template_probability(page, shared_by, len(others))
            below = sum_below(page, probability) / np.sqrt(len(page) + 1)
            inner = page.size > 1
            places.append(page.place[inner])
            leaves.append(below[0, inner])
            shared.append(below[1, inner])
        whole = [
            (each[0], other[0]) for each, other in zip(leaves, shared, strict=True) if len(each)
        ]
        distinct, back = np.unique(_concatenate(places), return_inverse=True)
        return PlaceSums(
            distinct,
            np.stack([_sum_groups(back, each, len(distinct)) for each in (leaves, shared)]),
            sum(each for each, _ in whole),
            sum(other for _, other in whole),
        )


def template_probability(page: PageDigest, shared: Ints, others: int) -> Floats:
    """The probability that each leaf is template, by how many others have it and its neighbours.

    What stands in records is content, even where other pages have the same label, name or button.
    """
    span, records = SHARED_PROBABILITY - OWN_PROBABILITY, _in_records(page, shared == 0)
    if core.compiled:
        weights, likely = (OWN_PROBABILITY, span), np.empty(len(shared))
        counts = np.ascontiguousarray(shared, np.intp)
        core.kernels.weigh_leaves(
            counts, max(others, 1), records, weights, NEIGHBOUR_LEAVES, likely
        )
        return likely
    share = shared / max(others, 1) * ~records
    return np.asarray(OWN_PROBABILITY + span * share * _smooth(share))


def _in_records(page: PageDigest, alone: Mask) -> Mask:
    """Leaves inside records: alike siblings most of which have a leaf of this page alone.

    Siblings are alike when they have the same place and children at the same places.
    """
    marked, factors = np.empty(len(alone), np.bool_), (int(AFTER), int(TIMES))
    least = MIN_RECORDS, RECORD_SHARE
    if core.compiled and core.kernels.mark_records(
        page.size, page.place, alone, factors, least, marked
    ):
        return marked
    above, inner = parents(page.size), page.size > 1
    kinds = mix(page.place + _child_places(page, above) * AFTER + above.astype(np.uint64) * TIMES)
    kind, _ = find_equal(kinds)
    differs = sum_below(page, alone.astype(np.float64))[1] > 0
    count = np.bincount(kind, inner)[kind]
    record = inner & (above >= 0) & (count >= MIN_RECORDS)
    record &= np.bincount(kind, inner & differs)[kind] >= RECORD_SHARE * count
    first = np.flatnonzero(record)
    change = np.bincount(first, minlength=len(record) + 1)
    change -= np.bincount(first + page.size[first], minlength=len(record) + 1)
    return np.asarray(np.cumsum(change)[:-1][page.leaves] > 0)


def parents(size: Ints) -> Ints:
    """The parent of each row of a digest, from the sizes of subtrees; -1 for the first."""
    if core.compiled:
        parent = np.empty(len(size), np.intp)
        core.kernels.find_parents(size, parent)
        return parent
    rows, depth = np.arange(len(size)), depths(size)
    keys = depth * (len(size) + 1) + rows
    order = np.argsort(keys, kind="stable")
    at = np.searchsorted(keys[order], (depth - 1) * (len(size) + 1) + rows) - 1
    return np.where(depth > 0, order[np.maximum(at, 0)], -1)


def depths(size: Ints) -> Ints:
    """Levels of each row of a digest below the first, from the sizes of subtrees."""
    ends = np.bincount(np.arange(len(size)) + size, minlength=len(size) + 1)[: len(size)]
    return np.asarray(np.arange(len(size)) - np.cumsum(ends), np.intp)


def _child_places(page: PageDigest, above: Ints) -> Hashes:
    """For each row, the sum of the distinct places of its children."""
    child = np.flatnonzero(above >= 0)
    pairs = mix(above[child].astype(np.uint64) * TIMES + page.place[child])
    child = child[find_equal(pairs)[1] == 0]
    sums = np.zeros(len(page.size), np.uint64)
    np.add.at(sums, above[child], mix(page.place[child]))
    return sums


def _smooth(share: Floats) -> Floats:
    """Mean share of the leaves around each leaf: a label among words that change is content."""
    sums = np.concatenate(([0.0], np.cumsum(share)))
    at = np.arange(len(share))
    first = np.maximum(at - NEIGHBOUR_LEAVES, 0)
    last = np.minimum(at + NEIGHBOUR_LEAVES + 1, len(share))
    return np.asarray((sums[last] - sums[first]) / np.maximum(last - first, 1))


def sum_below(page: PageDigest, probability: Floats) -> Floats:
    """For each row of a digest: the number of leaves below it, and the sum of their values."""
    if core.compiled:
        below = np.empty((2, len(page.size)))
        core.kernels.sum_leaves(page.size, probability, below)
        return below
    values = np.zeros((2, len(page.size) + 1))
    at = page.leaves + 1
    values[0, at], values[1, at] = 1, probability
    sums = np.cumsum(values, axis=1)
    first = np.arange(len(page.size))
    return np.asarray(sums[:, first + page.size] - sums[:, first])


def _sum_groups(group: Ints, values: Sequence[Floats], count: int) -> Floats:
    """Sums of values by group."""
    return np.asarray(np.bincount(group, np.concatenate([[], *values]), count), np.float64)


def _look_up(pairs: Hashes, masks: Hashes, wanted: Hashes) -> Hashes:
    """The masks of the wanted pairs; 0 for those that are missing."""
    if not len(pairs):
        return np.zeros(len(wanted), np.uint64)
    at = np.minimum(np.searchsorted(pairs, wanted), len(pairs) - 1)
    return np.where(pairs[at] == wanted, masks[at], np.uint64(0))


def _concatenate(parts: Sequence[Hashes]) -> Hashes:
    return np.concatenate([np.zeros(0, np.uint64), *parts])
