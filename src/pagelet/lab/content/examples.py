"""Labelled pages as examples for the content model, and the corpora they come from."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np

from pagelet.arrays import Floats, Int64s, Mask, Singles
from pagelet.errors import TooFewSites
from pagelet.lab import Progress, Report, ignore_progress, track
from pagelet.lab.content.scores import ContentGold, read_labelled
from pagelet.lab.content.snippet_gold import (
    SnippetGold,
    has_snippets,
    label_by_snippets,
    read_snippets,
)
from pagelet.lab.data import USER_LICENCE, corpora, data_folder
from pagelet.lab.fitting import describe_corpora
from pagelet.lab.learners import NameWords, common_words
from pagelet.lab.seen import PageKey, page_key
from pagelet.methods.content.features import content_features
from pagelet.methods.content.model import FEATURE_STEPS, type_words
from pagelet.page.html import parse
from pagelet.page.table import Page
from pagelet.page.textblocks import TextBlocks, text_blocks

# -- labels of blocks: the words of a page aligned with its gold text --------------------------


WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
)
ANCHOR_WORDS = (8, 4, 2, 1)  #: lengths of the runs that anchor the alignment, one pass each
LOOSE_WORDS = 5  #: length of the runs that are matched out of order
MAX_GAP_WORDS = 60  #: words of a gap that is aligned word by word


def words_of(text: str) -> list[str]:
    """The words of a text in lower case; every Han or kana character is a word."""
    return WORD.findall(text.lower())


def block_words(page: Page, blocks: TextBlocks) -> list[list[str]]:
    """The words of each text block."""
    texts = blocks.texts(page)
    bounds = [*blocks.first.tolist(), len(texts)]
    return [words_of(" ".join(texts[first:last])) for first, last in pairwise(bounds)]


def label_blocks(blocks: list[list[str]], gold: str) -> tuple[Floats, Int64s]:
    """For each block of words, the share of them in the gold text, and their number."""
    count = np.array([len(words) for words in blocks], np.int64)
    matched = align([word for words in blocks for word in words], words_of(gold))
    owner = np.repeat(np.arange(len(blocks)), count)
    hits = np.bincount(owner, matched, minlength=len(blocks))
    return hits / np.maximum(count, 1), count


def align(page: list[str], gold: list[str]) -> Mask:
    """Mark the words of the page that are in the gold text."""
    number: dict[str, int] = {}
    one = np.array([number.setdefault(word, len(number)) for word in page], np.int64)
    two = np.array([number.setdefault(word, len(number)) for word in gold], np.int64)
    matched, taken = np.zeros(len(one), np.bool_), np.zeros(len(two), np.bool_)
    gaps = [(0, len(one), 0, len(two), 0)]
    while gaps:
        first, last, begin, end, level = gaps.pop()
        if first >= last or begin >= end:
            continue
        if level == len(ANCHOR_WORDS) or _is_small(last - first, end - begin):
            _match_small(one, two, (first, last, begin, end), (matched, taken))
            continue
        pairs = _anchors(one[first:last], two[begin:end], ANCHOR_WORDS[level])
        at, other = first, begin
        for here, there in [(first + i, begin + j) for i, j in pairs] + [(last, end)]:
            if here < at or there < other:
                continue
            gaps.append((at, here, other, there, level + 1))
            run = ANCHOR_WORDS[level] if here < last else 0
            matched[here : here + run] = taken[there : there + run] = True
            at, other = here + run, there + run
    _match_loose(one, two, matched, taken)
    return matched


def _is_small(one: int, two: int) -> bool:
    return min(one, two) <= MAX_GAP_WORDS and max(one, two) <= MAX_GAP_WORDS * 40


def _match_small(
    one: Int64s, two: Int64s, gap: tuple[int, int, int, int], marks: tuple[Mask, Mask]
) -> None:
    """Align a small gap word by word; a large gap without anchors stays unmatched."""
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
    """A hash for each run of so many words."""
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
    """Runs that occur once in both texts: the longest chain in the order of both."""
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
    """Mark unmatched runs of the page that occur in the unmatched rest of the gold text."""
    here, there = _runs(one, LOOSE_WORDS), _runs(two, LOOSE_WORDS)
    if not len(here) or not len(there):
        return
    window = np.ones(LOOSE_WORDS, np.int64)
    wanted = np.unique(there[np.convolve(~taken, window, "valid") == LOOSE_WORDS])
    unmatched = np.convolve(matched, window, "valid") == 0
    for at in np.flatnonzero(np.isin(here, wanted) & unmatched).tolist():
        matched[at : at + LOOSE_WORDS] = True


# -- examples ---------------------------------------------------------------------------------


SNIPPETS = "snippets"  #: format of labels that are snippets
UNWEIGHED_WORDS = 0.5  #: added to the words of a block, so that every block counts
URL_WORDS = ("path:", "query:", "host:", "parts:", "hyphens:")  #: prefixes of words from the URL


@dataclass(frozen=True, slots=True, eq=False)
class ContentExample:
    """One page: the features that need no model, labels, and the words of lexicon and types."""

    gold: ContentGold
    names: tuple[str, ...]
    features: Singles  #: one row per feature, one column per block
    label: Floats  #: share of each block's words that is content
    words: Int64s  #: words of each block
    weight: Floats  #: how much each block counts in a fit
    paths: tuple[tuple[str, ...], ...]  #: the lexicon words above blocks, each set once
    path_of: Int64s  #: for each block, the place of its set in `paths`
    key: PageKey  #: what identifies the page
    type_words: frozenset[str]  #: words about the page, for its type
    page_words_without_url: frozenset[str]

    @property
    def fold(self) -> int:
        """The fold of the page's domain, the same in every run."""
        return self.gold.fold

    @property
    def is_partial(self) -> bool:
        """Whether only some blocks are labelled, by snippets."""
        return self.gold.format == SNIPPETS


def read_examples(
    golds: Sequence[ContentGold], progress: Callable[[int, int], None] | None = None
) -> list[ContentExample]:
    """The examples of labelled pages; pages without text and pages without label are left out."""
    examples = []
    for at, gold in enumerate(golds):
        example = example_of(gold) if gold.text.strip() else None
        if example is not None:
            examples.append(example)
        if progress is not None:
            progress(at + 1, len(golds))
    return examples


def example_of(gold: ContentGold) -> ContentExample | None:
    """The example of one labelled page; None when the page has no text."""
    page = parse(gold.html, gold.url)
    blocks = text_blocks(page)
    if not len(blocks):
        return None
    label, words = label_blocks(block_words(page, blocks), gold.text)
    return _example(page, blocks, gold, label, words.astype(np.float64) + UNWEIGHED_WORDS)


def example_of_snippets(gold: SnippetGold) -> ContentExample | None:
    """The example of a page with snippets; None when no block has one."""
    page = parse(gold.html, gold.url)
    blocks = text_blocks(page)
    label, weight = label_by_snippets(page, blocks, gold)
    if not weight.any():
        return None
    whole = ContentGold(gold.path.name, gold.path, gold.domain, "unknown", "", gold.url, SNIPPETS)
    return _example(page, blocks, whole, label, weight)


def _example(
    page: Page, blocks: TextBlocks, gold: ContentGold, label: Floats, weight: Floats
) -> ContentExample:
    features = content_features(page, blocks, np.zeros((0, len(page))))
    words = np.array([len(words) for words in block_words(page, blocks)], np.int64)
    paths, path_of = lexicon_paths(page, blocks)
    totals = {name: float(features[name][0]) for name in FEATURE_STEPS}
    about = frozenset(type_words(page, totals))
    without_url = {word for word in about if not word.startswith(URL_WORDS)} | {"url:none"}
    return ContentExample(
        gold=gold,
        names=features.names,
        features=features.lines,
        label=label,
        words=words,
        weight=weight,
        paths=paths,
        path_of=path_of,
        key=page_key(gold.domain, page),
        type_words=about,
        page_words_without_url=frozenset(without_url),
    )


def lexicon_paths(page: Page, blocks: TextBlocks) -> tuple[tuple[tuple[str, ...], ...], Int64s]:
    """The sets of lexicon words above blocks, each once, and the set of each block."""
    names = NameWords(page)
    holders = sorted(set(blocks.holder.tolist()))
    above = {holder: tuple(sorted(names.above(holder))) for holder in holders}
    place = {path: at for at, path in enumerate(dict.fromkeys(above.values()))}
    path_of = np.array([place[above[row]] for row in blocks.holder.tolist()], np.int64)
    return tuple(place), path_of


def vocabulary(
    examples: Sequence[ContentExample],
    words_of: Callable[[ContentExample], Iterable[str]],
    min_domains: int,
) -> list[str]:
    """The words that enough domains use, sorted; a quarter of few domains is enough."""
    domains = len({each.gold.domain for each in examples})
    by_domain = ((each.gold.domain, words_of(each)) for each in examples)
    return common_words(by_domain, min(min_domains, max(domains // 4, 1)))


# -- corpora ----------------------------------------------------------------------------------


CORPORA = ("wcxb", "articles", "mixed")  #: corpora with labelled main content
SNIPPET_CORPORA = ("gate",)  #: corpora whose labels are snippets of it


@dataclass(frozen=True, slots=True, eq=False)
class ContentCorpus:
    """A labelled folder and its examples."""

    folder: Path
    golds: tuple[ContentGold, ...]  #: none where the labels are snippets
    examples: tuple[ContentExample, ...]

    @property
    def is_shipped(self) -> bool:
        """Whether it is one of the corpora of the shipped model."""
        return is_shipped(self.folder)

    @property
    def name(self) -> str:
        """The name in cards and progress lines."""
        name = self.folder.resolve().name
        return name if self.is_shipped else f"{name} ({USER_LICENCE})"


def is_shipped(folder: Path) -> bool:
    """Whether a folder is one of the corpora that the shipped model was fitted on."""
    name = folder.resolve().name
    listed = name in (*CORPORA, *SNIPPET_CORPORA)
    return listed and folder.resolve() == (data_folder() / name).resolve()


def read_corpora(
    folder: Path, *, alone: bool, report: Report, progress: Progress = ignore_progress
) -> list[ContentCorpus]:
    """The folder itself first, then, unless alone, every corpus in the data folder."""
    others = [] if alone else corpora((*CORPORA, *SNIPPET_CORPORA))
    others = [other for other in others if other.resolve() != folder.resolve()]
    report(describe_corpora(folder, others))
    own, *rest = (_read_corpus(each, report, progress) for each in (folder, *others))
    return [own, *(_with_folds_of(own, each) for each in rest)]


def _with_folds_of(own: "ContentCorpus", other: "ContentCorpus") -> "ContentCorpus":
    """Another corpus whose pages have the folds that were dealt to sites of the user's own."""
    dealt = {gold.domain: gold.dealt_fold for gold in own.golds if gold.dealt_fold is not None}
    if not dealt:
        return other
    examples = (
        replace(each, gold=replace(each.gold, dealt_fold=dealt[each.gold.domain]))
        if each.gold.domain in dealt
        else each
        for each in other.examples
    )
    return replace(other, examples=tuple(examples))


def _read_corpus(folder: Path, report: Report, progress: Progress) -> ContentCorpus:
    if has_snippets(folder):
        step = f"reading {folder.resolve().name}"
        made = map(example_of_snippets, track(read_snippets(folder), step, progress))
        return ContentCorpus(folder, (), tuple(each for each in made if each is not None))
    golds = read_labelled(folder, report)
    examples = read_examples(golds, partial(progress, f"reading {folder.resolve().name}"))
    return ContentCorpus(folder, tuple(golds), tuple(examples))


def all_examples(corpora: Iterable[ContentCorpus]) -> list[ContentExample]:
    """The examples of all corpora, in order."""
    return [example for corpus in corpora for example in corpus.examples]


def has_folds(examples: Iterable[ContentExample]) -> bool:
    """Whether pages are of enough sites to be split into folds, which a fit needs."""
    return len({example.fold for example in examples}) > 1


def check_sites(examples: Sequence[ContentExample], folder: Path) -> None:
    """Refuse pages of too few sites to be split into folds."""
    if not has_folds(examples):
        raise TooFewSites(str(folder), len(examples), 2)
