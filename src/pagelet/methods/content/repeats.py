"""Blocks that only repeat another one, because the page repeats itself around its content.

A chorus, the label of each entry of a list, a quotation in a thread and the cells of a table are
equal texts for good reason: they stand in one flow, and all are content. The copy for small
screens, the teaser in a side bar and the table of contents stand elsewhere on the page.

Two copies are in one flow when the tags and classes above them are the same, when they are
siblings, or when the two branches of the page that part them look alike: items of one list.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from pagelet import core
from pagelet.arrays import Floats, Ints, Mask
from pagelet.methods.content.counts import reader_of, scanned_texts
from pagelet.methods.content.structure import looks_of
from pagelet.models.columns import number_values
from pagelet.page.table import Page
from pagelet.page.tags import numbers
from pagelet.page.textblocks import TextBlocks

MIN_COPY_WORDS, MIN_CELL_COPY_WORDS = 4, 20  #: words from which on equal blocks are repetitions
CELLS = numbers("td th pre")  #: elements whose texts are often equal, whatever their place
ITEMS = numbers("li tr td th dt dd p article pre blockquote")  #: elements that follow in one flow
COMPARED_CHARS = 100  #: characters by which unequal texts are told apart at once
MAX_PREVIEW_LEVELS = 4  #: elements above a copy that may name a preview
MAX_PAIRS = 2_000  #: pairs of copies with other elements above them that are compared
MAX_FLOW_GAP = 0.4  #: probability by which copies in branches of other classes may differ
#: Words of class names that tell when, where or on which screens an element is shown.
SCREENS = re.compile(
    r"mobile|desktop|tablet|phone|hid|visib|show|only|clone|dupl|sticky|modal|popup|print|lightbox"
    r"|active|short|full|more|less|toc|side|rail|teaser|none"
    r"|(?:^|[-_:])(?:xs|sm|md|lg|xl)(?:[-_:]|$)",
    re.IGNORECASE,
)
#: Words of class names of previews, and of text that is only shown when wanted.
PREVIEWS = re.compile(
    r"clamp|truncat|preview|excerpt|expand|collaps|none|hidden|sr-only", re.IGNORECASE
)


def find_repeats(page: Page, blocks: TextBlocks, probability: Floats, likely: Mask) -> Mask:
    """Mark the blocks that repeat a likelier one, or an earlier as likely one, of another flow.

    Only likely blocks are compared.
    """
    return repeats_among(page, blocks, probability, _comparable(page, blocks, likely).tolist())


def repeats_among(page: Page, blocks: TextBlocks, probability: Floats, compared: list[int]) -> Mask:
    """The same, given the blocks that may have copies among them."""
    repeated = np.zeros(len(blocks), np.bool_)
    groups = _copies(page, blocks, compared)
    if not groups:
        return repeated
    for group, flow in zip(groups, _flows(page, blocks, probability, groups), strict=True):
        best = max(range(len(group)), key=lambda at: (probability[group[at]], -at))
        repeated[group] = [own != flow[best] for own in flow]
    return repeated


def _comparable(page: Page, blocks: TextBlocks, likely: Mask) -> Ints:
    """Blocks that are likely and long enough, and have as many words as another one."""
    words = blocks.sum(page.words)
    fewest = np.where(page.is_tag(*CELLS)[blocks.holder], MIN_CELL_COPY_WORDS, MIN_COPY_WORDS)
    compared = np.flatnonzero(likely & (words >= fewest))
    count = words[compared]
    compared = compared[np.bincount(count)[count] > 1]  # equal texts have equal counts
    return _likely_copies(page, len(blocks), compared)


def _copies(page: Page, blocks: TextBlocks, compared: list[int]) -> list[list[int]]:
    """Groups of blocks with the same text, in lower case, white space folded."""
    if not compared:
        return []
    groups = defaultdict[str, list[int]](list)
    for block, pieces in zip(compared, _pieces(page, blocks, compared), strict=True):
        groups[" ".join(" ".join(pieces).lower().split())].append(block)
    return [group for group in groups.values() if len(group) > 1]


def _pieces(page: Page, blocks: TextBlocks, compared: list[int]) -> Iterator[Sequence[str]]:
    """The texts of some blocks, as written."""
    reader = reader_of(page)
    if reader is not None:
        yield from (core.kernels.read_block(reader, block) for block in compared)
        return
    places, texts = page.ordinal[blocks.rows].tolist(), page.texts
    first = [*blocks.first.tolist(), len(places)]
    for block in compared:
        yield [texts[at] for at in places[first[block] : first[block + 1]]]


def _likely_copies(page: Page, blocks: int, compared: Ints) -> Ints:
    """Those of some blocks whose beginning another one has, where the compiled core knows it."""
    scanned = scanned_texts(page)
    if scanned is None or not len(compared):
        return compared
    hashes = np.empty(blocks, np.uint64)
    scanned.hash_folded(COMPARED_CHARS, hashes)
    begun = hashes[compared]
    if not begun.all():  # of some too little is known
        return compared
    number = number_values(begun)
    return np.asarray(compared[np.bincount(number)[number] > 1])


def _flows(
    page: Page, blocks: TextBlocks, probability: Floats, groups: list[list[int]]
) -> list[list[int]]:
    """For each block of each group the number of its flow, which is the same for one flow."""
    every = [block for group in groups for block in group]
    looks = _looks_at(page, blocks.holder[every].tolist())
    path = {block: above for block, (_, above) in zip(every, looks, strict=True)}
    pairs = [pair for group in groups for pair in pairwise(group) if path[pair[0]] != path[pair[1]]]
    joined = {pair for pair in pairs[:MAX_PAIRS] if _in_one_flow(page, blocks, probability, pair)}
    flows = []
    for group in groups:
        numbered: dict[float, int] = {}
        kinds = [numbered.setdefault(path[block], len(numbered)) for block in group]
        together = [
            kind
            for kind, pair in zip(pairwise(kinds), pairwise(group), strict=True)
            if pair in joined
        ]
        union = _union(len(numbered), together)
        flows.append([union[kind] for kind in kinds])
    return flows


def _looks_at(page: Page, rows: list[int]) -> list[tuple[int, float]]:
    """The look of each of some rows, and the number for the looks at and above it."""
    reader = reader_of(page)
    found = None if reader is None else core.kernels.find_looks(reader, rows, len(page.names))
    if found is not None:
        return found
    looks = looks_of(page)
    return list(zip(looks.own[rows].tolist(), looks.path[rows].tolist(), strict=True))


def _union(count: int, pairs: list[tuple[int, int]]) -> list[int]:
    """Union-find: for each of so many numbers, the one that stands for all that pairs join."""
    root = list(range(count))

    def find(at: int) -> int:
        while root[at] != at:
            root[at] = at = root[root[at]]
        return at

    for one, other in pairs:
        root[find(one)] = find(other)
    return list(map(find, range(count)))


def _in_one_flow(
    page: Page, blocks: TextBlocks, probability: Floats, pair: tuple[int, int]
) -> bool:
    """Whether the branches of the page that part two blocks are siblings or look alike."""
    rows = [int(blocks.holder[each]) for each in pair]
    one, other = _branches(page, *rows)
    tag = int(page.tag[one])
    if tag != page.tag[other]:
        return False
    alike = tag in ITEMS or [one, other] == rows
    if not alike:
        (look, _), (other_look, _) = _looks_at(page, [one, other])
        alike = look == other_look
    if not alike:
        near = abs(probability[pair[0]] - probability[pair[1]]) <= MAX_FLOW_GAP
        alike = near and _classes_alike(_classes(page, one), _classes(page, other))
    return alike and _is_preview(page, one, rows[0]) == _is_preview(page, other, rows[1])


def _branches(page: Page, one: int, other: int) -> tuple[int, int]:
    """The rows at or above two rows that have one parent; a row above the other is its branch."""
    parent, depth = page.parent.data, page.depth.data
    while parent[one] != parent[other] and one != other:
        deeper = depth[one] - depth[other]
        if deeper >= 0:
            one = parent[one]
        if deeper <= 0:
            other = parent[other]
    return one, other


def _is_preview(page: Page, branch: int, row: int) -> bool:
    """Whether a row, or an element above it in its branch, is named like a preview."""
    for _ in range(MAX_PREVIEW_LEVELS):
        if row <= branch:
            break
        if PREVIEWS.search(page.value_of(row, "class")):
            return True
        row = int(page.parent[row])
    return False


def _classes(page: Page, row: int) -> set[str]:
    return set(page.value_of(row, "class").split())


def _classes_alike(one: set[str], other: set[str]) -> bool:
    """Whether two elements share a class and differ in none about screens."""
    return bool(one & other) and not any(map(SCREENS.search, one ^ other))
