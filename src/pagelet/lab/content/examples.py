"""Labelled pages as the content model learns from them."""

import hashlib
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from pathlib import Path

import numpy as np

from pagelet.arrays import Floats, Int64s, Mask, Singles
from pagelet.errors import NoGold
from pagelet.lab.content.scores import ContentGold, read_labelled
from pagelet.lab.data import corpora, data_folder
from pagelet.methods.content.features import content_features
from pagelet.methods.content.page_type import STEPS, page_words
from pagelet.models.lexicon import page_values, tokens
from pagelet.page.html import parse
from pagelet.page.table import Page
from pagelet.page.textblocks import TextBlocks, text_blocks

# -- Which words of a page are in its gold text: two token sequences aligned ------------------


WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
)
RUNS = (8, 4, 2, 1)  #: lengths of the runs that anchor, one pass each
LOOSE = 5  #: length of the runs that are looked for out of order
COPIED = 4  #: words from which on two equal blocks are copies
SMALL = 60  #: words of a gap that is aligned word by word


def words_of(text: str) -> list[str]:
    """The words of a text in lower case; every Han or kana sign is one."""
    return WORD.findall(text.lower())


def block_words(page: Page, blocks: TextBlocks) -> list[list[str]]:
    """The words of each text block."""
    texts = blocks.texts(page)
    bounds = [*blocks.first.tolist(), len(texts)]
    return [words_of(" ".join(texts[first:last])) for first, last in pairwise(bounds)]


def label_blocks(found: list[list[str]], gold: str) -> tuple[Floats, Int64s]:
    """For each block of words, the share that is in the gold text, and how many words it has."""
    count = np.array([len(words) for words in found], np.int64)
    matched = align([word for words in found for word in words], words_of(gold))
    owner = np.repeat(np.arange(len(found)), count)
    hits = np.bincount(owner, matched, minlength=len(found))
    return _as_its_copies(found, hits / np.maximum(count, 1)), count


def _as_its_copies(found: list[list[str]], label: Floats) -> Floats:
    """Blocks of the same words get the best label of them: the gold text says it only once."""
    best: dict[tuple[str, ...], float] = {}
    keys = [tuple(words) for words in found]
    for key, share in zip(keys, label.tolist(), strict=True):
        best[key] = max(best.get(key, 0.0), share)
    long = np.array([len(key) >= COPIED for key in keys], np.bool_)
    return np.where(long, np.array([best[key] for key in keys]), label)


def align(page: list[str], gold: list[str]) -> Mask:
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
    one: Int64s, two: Int64s, gap: tuple[int, int, int, int], marks: tuple[Mask, Mask]
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


def _runs(tokens: Int64s, length: int) -> Int64s:
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


def _anchors(one: Int64s, two: Int64s, length: int) -> list[tuple[int, int]]:
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


def _match_loose(one: Int64s, two: Int64s, matched: Mask, taken: Mask) -> None:
    """Mark unmatched runs of the page that occur among what is left of the gold text."""
    here, there = _runs(one, LOOSE), _runs(two, LOOSE)
    free = np.convolve(~taken, np.ones(LOOSE, np.int64), "valid") == LOOSE if len(there) else there
    wanted = np.unique(there[free]) if len(there) else there
    open_runs = np.convolve(matched, np.ones(LOOSE, np.int64), "valid") == 0 if len(here) else here
    for at in np.flatnonzero(np.isin(here, wanted) & open_runs).tolist() if len(here) else []:
        matched[at : at + LOOSE] = True


# -- Labelled pages as the content model learns from them -------------------------------------


FOLDS = 5
BARE = "articles"  #: the format of labels that are bare article bodies


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One page: the features its own columns decide, labels, and what the lexicon reads."""

    gold: ContentGold
    names: tuple[str, ...]
    features: Singles  #: one row a feature, one column a block
    label: Floats  #: share of each block's words that is content
    words: Int64s  #: words of each block
    paths: tuple[tuple[str, ...], ...]  #: the lexicon words above blocks, each set once
    path_of: Int64s  #: for each block, the place of its set in `paths`
    said: frozenset[str]  #: words about the page
    said_without_url: frozenset[str]

    @property
    def fold(self) -> int:
        """The fold of the page's domain, the same in every run."""
        return fold_of(self.gold.domain)

    @property
    def bare(self) -> bool:
        """Whether the label is a bare article body."""
        return self.gold.format == BARE


def fold_of(domain: str) -> int:
    """A fold for a domain, by nothing but its name."""
    return int.from_bytes(hashlib.sha256(domain.encode()).digest()[:8], "big") % FOLDS


def read_examples(
    golds: Sequence[ContentGold], each: Callable[[int, int], None] | None = None
) -> list[Example]:
    """The examples of labelled pages; pages without text and pages without label are left out."""
    found = []
    for at, gold in enumerate(golds):
        made = example(gold) if gold.text.strip() else None
        if made is not None:
            found.append(made)
        if each is not None:
            each(at + 1, len(golds))
    return found


def example(gold: ContentGold) -> Example | None:
    """The example of one labelled page; None when the page has no text."""
    page = parse(gold.html, gold.url)
    blocks = text_blocks(page)
    if not len(blocks):
        return None
    features = content_features(page, blocks, np.zeros((0, len(page))))
    label, words = label_blocks(block_words(page, blocks), gold.text)
    paths, path_of = lexicon_paths(page, blocks)
    totals = {name: float(features[name][0]) for name in STEPS}
    said = frozenset(page_words(page, totals))
    unnamed = {word for word in said if not word.startswith(URL_WORDS)} | {"url:none"}
    return Example(
        gold, features.names, features.lines, label, words, paths, path_of, said, frozenset(unnamed)
    )


URL_WORDS = ("path:", "query:", "host:", "parts:", "hyphens:")


def lexicon_paths(page: Page, blocks: TextBlocks) -> tuple[tuple[tuple[str, ...], ...], Int64s]:
    """The lexicon's words above each block, equal ones once, and which block has which."""
    own: dict[int, list[str]] = {}
    for name, values in page_values(page):
        for row, value in values.items():
            own.setdefault(row, []).extend(tokens(name, value))
    parent = page.parent.tolist()
    above: dict[int, tuple[str, ...]] = {}
    for holder in sorted(set(blocks.holder.tolist())):
        above[holder] = tuple(sorted(_words_above(holder, parent, own)))
    place = {path: at for at, path in enumerate(dict.fromkeys(above.values()))}
    path_of = np.array([place[above[row]] for row in blocks.holder.tolist()], np.int64)
    return tuple(place), path_of


def common_words(
    examples: Sequence[Example], words_of: Callable[[Example], Iterable[str]], fewest: int
) -> list[str]:
    """The words that enough domains use, sorted; of few domains, a quarter is enough."""
    domains: dict[str, set[str]] = defaultdict(set)
    for each in examples:
        for word in words_of(each):
            domains[word].add(each.gold.domain)
    enough = min(fewest, max(len({each.gold.domain for each in examples}) // 4, 1))
    return sorted(word for word, used in domains.items() if len(used) >= enough)


def _words_above(row: int, parent: list[int], own: dict[int, list[str]]) -> Iterable[str]:
    while row >= 0:
        yield from own.get(row, ())
        row = parent[row]


# -- The labelled folders the content model is fitted on --------------------------------------


NAMES = ("wcxb", "articles", "mixed")  #: corpora with main content that people labelled

Say = Callable[[str], None]
Each = Callable[[str, int, int], None]  #: told what is done, how much of it, of how much


def untold(_what: str, _done: int, _total: int) -> None:
    """Tell nobody how far things are."""


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """A labelled folder and what can be learned from it."""

    folder: Path
    golds: tuple[ContentGold, ...]
    examples: tuple[Example, ...]

    @property
    def ours(self) -> bool:
        """Whether it is one of the corpora that a model may ship with."""
        name = self.folder.resolve().name
        return name in NAMES and self.folder.resolve() == (data_folder() / name).resolve()

    @property
    def name(self) -> str:
        """What cards and progress call it."""
        name = self.folder.resolve().name
        return name if self.ours else f"{name} (the user's own)"


def read_corpora(folder: Path, *, alone: bool, say: Say, each: Each = untold) -> list[Corpus]:
    """The folder itself first, then, unless alone, every corpus in the data folder."""
    others = [] if alone else corpora(NAMES)
    folders = [folder, *(other for other in others if other.resolve() != folder.resolve())]
    return [_read(each_folder, say, each) for each_folder in folders]


def _read(folder: Path, say: Say, each: Each) -> Corpus:
    golds = read_labelled(folder, say)
    what = f"reading {folder.resolve().name}"
    examples = read_examples(golds, lambda done, total: each(what, done, total))
    return Corpus(folder, tuple(golds), tuple(examples))


def all_examples(found: Iterable[Corpus]) -> list[Example]:
    """The examples of all corpora, in order."""
    return [example for corpus in found for example in corpus.examples]


def need_sites(examples: Sequence[Example], folder: Path) -> None:
    """Say so where the pages are of too few sites to be split into folds."""
    if len({example.fold for example in examples}) < 2:
        raise NoGold(str(folder), "pages of more sites, which are split into folds")
