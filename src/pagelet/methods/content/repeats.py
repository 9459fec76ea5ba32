"""Blocks that only repeat another one, because the page repeats itself around its content.

A chorus, the label of each entry of a list, a quotation in a thread and the cells of a table are
equal texts for good reason: they stand in one flow, and all are content. The copy for small
screens, the teaser in a side bar and the table of contents stand elsewhere on the page.

Two copies are in one flow when the tags and classes above them are the same, when they are
siblings, or when the two branches of the page that part them look alike: items of one list.
"""

import re
from collections import defaultdict
from itertools import compress, pairwise

import numpy as np

from pagelet.arrays import Floats, Hashes, Ints, Mask
from pagelet.methods.content.structure import number_looks
from pagelet.page.signatures import MULTIPLIER, mix
from pagelet.page.table import Page
from pagelet.page.tags import numbers
from pagelet.page.textblocks import TextBlocks

MIN_COPY_WORDS, MIN_CELL_COPY_WORDS = 4, 20  #: words from which on equal blocks are repetitions
CELLS = numbers("td th pre")  #: elements whose texts are often equal, whatever their place
ITEMS = numbers("li tr td th dt dd p article pre blockquote")  #: elements that follow in one flow
MAX_PREVIEW_LEVELS = 12  #: elements above a copy that may name a preview
MAX_FLOW_GAP = 0.4  #: probability by which copies in branches of other classes may differ
#: Words of class names that tell when, where or on which screens an element is shown.
SCREENS = re.compile(
    r"mobile|desktop|tablet|phone|hid|visib|show|only|clone|dupl|sticky|modal|popup|print|lightbox"
    r"|active|short|full|more|less|toc|side|rail|teaser|none"
    r"|(?:^|[-_:])(?:xs|sm|md|lg|xl)(?:[-_:]|$)",
    re.IGNORECASE,
)
#: Words of class names of previews, and of text that is only shown when wanted.
PREVIEWS = re.compile(r"clamp|truncat|preview|excerpt|none|hidden|sr-only", re.IGNORECASE)


def find_repeats(page: Page, blocks: TextBlocks, probability: Floats, likely: Mask) -> Mask:
    """Mark the blocks that repeat a likelier one, or an earlier as likely one, of another flow.

    Only likely blocks are compared.
    """
    repeated = np.zeros(len(blocks), np.bool_)
    groups = _copies(page, blocks, likely)
    if not groups:
        return repeated
    for group, flow in zip(groups, _flows(page, blocks, probability, groups), strict=True):
        best = max(range(len(group)), key=lambda at: (probability[group[at]], -at))
        repeated[group] = [own != flow[best] for own in flow]
    return repeated


def _copies(page: Page, blocks: TextBlocks, likely: Mask) -> list[list[int]]:
    """Groups of blocks with the same text, in lower case, white space folded."""
    words = blocks.sum(page.words)
    fewest = np.where(page.is_tag(*CELLS)[blocks.holder], MIN_CELL_COPY_WORDS, MIN_COPY_WORDS)
    compared = np.flatnonzero(likely & (words >= fewest))
    count = words[compared]
    texts, first = blocks.texts(page), [*blocks.first.tolist(), len(blocks.rows)]
    groups = defaultdict[str, list[int]](list)
    for block in compared[np.bincount(count)[count] > 1].tolist():  # equal texts, equal counts
        pieces = texts[first[block] : first[block + 1]]
        groups[" ".join(" ".join(pieces).lower().split())].append(block)
    return [group for group in groups.values() if len(group) > 1]


def _flows(
    page: Page, blocks: TextBlocks, probability: Floats, groups: list[list[int]]
) -> list[list[int]]:
    """For each block of each group the number of its flow, which is the same for one flow."""
    look, _ = number_looks(page)
    members = [block for group in groups for block in group]
    hashes = _hash_paths(page, look, blocks.holder[members]).tolist()
    path = dict(zip(members, hashes, strict=True))
    pairs = [pair for group in groups for pair in pairwise(group) if path[pair[0]] != path[pair[1]]]
    joined = set[tuple[int, int]]()
    if pairs:
        flow = _in_one_flow(page, blocks, probability, look, np.array(pairs, np.intp))
        joined = set(compress(pairs, flow.tolist()))
    flows = []
    for group in groups:
        numbered: dict[int, int] = {}
        kinds = [numbered.setdefault(path[block], len(numbered)) for block in group]
        together = [
            kind
            for kind, pair in zip(pairwise(kinds), pairwise(group), strict=True)
            if pair in joined
        ]
        union = _union(len(numbered), together)
        flows.append([union[kind] for kind in kinds])
    return flows


def _hash_paths(page: Page, look: Ints, rows: Ints) -> Hashes:
    """A number for the looks at and above some rows; equal for equal ones."""
    hashes = np.zeros(len(rows), np.uint64)
    while (inside := rows >= 0).any():
        mixed = mix(hashes ^ look[rows].astype(np.uint64)) * MULTIPLIER
        hashes = np.where(inside, mixed, hashes)
        rows = np.where(inside, page.parent[rows], -1)
    return hashes


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
    page: Page, blocks: TextBlocks, probability: Floats, look: Ints, pairs: Ints
) -> Mask:
    """Whether the branches of the page that part two blocks are siblings or look alike."""
    holders = blocks.holder[pairs.T]
    one, other = _branches(page, *holders)
    same_tag = page.tag[one] == page.tag[other]
    items = same_tag & page.is_tag(*ITEMS)[one]
    siblings = same_tag & (one == holders[0]) & (other == holders[1])
    flow = (look[one] == look[other]) | items | siblings
    near = np.abs(np.diff(probability[pairs], axis=1)[:, 0]) <= MAX_FLOW_GAP
    for at in np.flatnonzero(~flow & same_tag & near).tolist():
        flow[at] = _classes_alike(_classes(page, int(one[at])), _classes(page, int(other[at])))
    for at in np.flatnonzero(flow).tolist():
        parts = ((int(one[at]), int(holders[0][at])), (int(other[at]), int(holders[1][at])))
        flow[at] = _is_preview(page, *parts[0]) == _is_preview(page, *parts[1])
    return np.asarray(flow)


def _branches(page: Page, one: Ints, other: Ints) -> tuple[Ints, Ints]:
    """The rows at or above two rows that have one parent; a row above the other is its branch."""
    parent, depth = page.parent, page.depth
    while (apart := (parent[one] != parent[other]) & (one != other)).any():
        deeper = depth[one] - depth[other]
        one = np.where(apart & (deeper >= 0), parent[one], one)
        other = np.where(apart & (deeper <= 0), parent[other], other)
    return one, other


def _is_preview(page: Page, branch: int, row: int) -> bool:
    """Whether a row, or an element above it in its branch, is named like a preview."""
    classes = page.attribute("class")
    for _ in range(MAX_PREVIEW_LEVELS):
        if row <= branch:
            break
        if row in classes and PREVIEWS.search(classes[row]):
            return True
        row = int(page.parent[row])
    return False


def _classes(page: Page, row: int) -> set[str]:
    return set(page.attribute("class").get(row, "").split())


def _classes_alike(one: set[str], other: set[str]) -> bool:
    """Whether two elements share a class and differ in none about screens."""
    return bool(one & other) and not any(map(SCREENS.search, one ^ other))
