"""Which words of a page are in its gold text: two token sequences aligned.

Runs of words that occur once in both are anchors; the longest chain of anchors in the order of
both texts is kept, the gaps between anchors are aligned the same way with shorter runs. What is
left of the gold text is then looked for anywhere, since some gold texts are in another order.
"""

import re
from bisect import bisect_left
from difflib import SequenceMatcher
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.page import Mask, Page
from pagelet.measures.textblocks import TextBlocks

WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
)
RUNS = (8, 4, 2, 1)  #: lengths of the runs that anchor, one pass each
LOOSE = 5  #: length of the runs that are looked for out of order
COPIED = 4  #: words from which on two equal blocks are copies
SMALL = 60  #: words of a gap that is aligned word by word

Ints = NDArray[np.int64]


def words_of(text: str) -> list[str]:
    """The words of a text in lower case; every Han or kana sign is one."""
    return WORD.findall(text.lower())


def block_words(page: Page, blocks: TextBlocks) -> list[list[str]]:
    """The words of each text block."""
    texts = blocks.texts(page)
    bounds = [*blocks.first.tolist(), len(texts)]
    return [words_of(" ".join(texts[first:last])) for first, last in pairwise(bounds)]


def label_blocks(found: list[list[str]], gold: str) -> tuple[NDArray[np.float64], Ints]:
    """For each block of words, the share that is in the gold text, and how many words it has."""
    count = np.array([len(words) for words in found], np.int64)
    matched = align([word for words in found for word in words], words_of(gold))
    owner = np.repeat(np.arange(len(found)), count)
    hits = np.bincount(owner, matched, minlength=len(found))
    return _as_its_copies(found, hits / np.maximum(count, 1)), count


def _as_its_copies(found: list[list[str]], label: NDArray[np.float64]) -> NDArray[np.float64]:
    """Blocks of the same words get the best label of them: the gold text says it only once."""
    best: dict[tuple[str, ...], float] = {}
    keys = [tuple(words) for words in found]
    for key, share in zip(keys, label.tolist(), strict=True):
        best[key] = max(best.get(key, 0.0), share)
    long = np.array([len(key) >= COPIED for key in keys], np.bool_)
    return np.where(long, np.array([best[key] for key in keys]), label)


def align(page: list[str], gold: list[str]) -> NDArray[np.bool_]:
    """Mark the words of the page that were found in the gold text."""
    number: dict[str, int] = {}
    one = np.array([number.setdefault(word, len(number)) for word in page], np.int64)
    two = np.array([number.setdefault(word, len(number)) for word in gold], np.int64)
    matched, taken = np.zeros(len(one), np.bool_), np.zeros(len(two), np.bool_)
    gaps = [(0, len(one), 0, len(two), 0)]
    while gaps:
        first, last, begin, end, level = gaps.pop()
        if first >= last or begin >= end:
            continue
        if level == len(RUNS) or _is_small(last - first, end - begin):
            _match_small(one, two, (first, last, begin, end), (matched, taken))
            continue
        pairs = _anchors(one[first:last], two[begin:end], RUNS[level])
        at, other = first, begin
        for here, there in [(first + i, begin + j) for i, j in pairs] + [(last, end)]:
            if here < at or there < other:
                continue
            gaps.append((at, here, other, there, level + 1))
            run = RUNS[level] if here < last else 0
            matched[here : here + run] = taken[there : there + run] = True
            at, other = here + run, there + run
    _match_loose(one, two, matched, taken)
    return matched


def _is_small(one: int, two: int) -> bool:
    return min(one, two) <= SMALL and max(one, two) <= SMALL * 40


def _match_small(
    one: Ints, two: Ints, gap: tuple[int, int, int, int], marks: tuple[Mask, Mask]
) -> None:
    """Align a small gap word by word; a large one that has no anchors is left alone."""
    first, last, begin, end = gap
    if not _is_small(last - first, end - begin):
        return
    matcher = SequenceMatcher(
        None, one[first:last].tolist(), two[begin:end].tolist(), autojunk=False
    )
    for i, j, length in matcher.get_matching_blocks():
        marks[0][first + i : first + i + length] = True
        marks[1][begin + j : begin + j + length] = True


def _runs(tokens: Ints, length: int) -> Ints:
    """One number for each run of so many words."""
    if len(tokens) < length:
        return np.zeros(0, np.int64)
    total = np.zeros(len(tokens) - length + 1, np.uint64)
    for at in range(length):
        total = total * np.uint64(0x9E3779B97F4A7C15) + tokens[at : at + len(total)].astype(
            np.uint64
        )
        total ^= total >> np.uint64(29)
    return total.astype(np.int64)


def _anchors(one: Ints, two: Ints, length: int) -> list[tuple[int, int]]:
    """Runs that occur once in both, the longest chain in the order of both."""
    here, at, seen = np.unique(_runs(one, length), return_index=True, return_counts=True)
    there, other, again = np.unique(_runs(two, length), return_index=True, return_counts=True)
    here, at, there, other = here[seen == 1], at[seen == 1], there[again == 1], other[again == 1]
    _, left, right = np.intersect1d(here, there, assume_unique=True, return_indices=True)
    order = np.argsort(at[left])
    return _longest_chain(at[left][order].tolist(), other[right][order].tolist())


def _longest_chain(at: list[int], other: list[int]) -> list[tuple[int, int]]:
    """The longest subsequence in which both places rise."""
    tails: list[int] = []
    tail_at: list[int] = []
    before = [-1] * len(at)
    for index, place in enumerate(other):
        slot = bisect_left(tails, place)
        before[index] = tail_at[slot - 1] if slot else -1
        tails[slot : slot + 1] = [place]
        tail_at[slot : slot + 1] = [index]
    chain, index = [], tail_at[-1] if tail_at else -1
    while index >= 0:
        chain.append((at[index], other[index]))
        index = before[index]
    return chain[::-1]


def _match_loose(one: Ints, two: Ints, matched: Mask, taken: Mask) -> None:
    """Mark unmatched runs of the page that occur among what is left of the gold text."""
    here, there = _runs(one, LOOSE), _runs(two, LOOSE)
    free = np.convolve(~taken, np.ones(LOOSE, np.int64), "valid") == LOOSE if len(there) else there
    wanted = np.unique(there[free]) if len(there) else there
    open_runs = np.convolve(matched, np.ones(LOOSE, np.int64), "valid") == 0 if len(here) else here
    for at in np.flatnonzero(np.isin(here, wanted) & open_runs).tolist() if len(here) else []:
        matched[at : at + LOOSE] = True
