"""Labelled pages as the content model learns from them."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.page import Page
from pagelet.measures.textblocks import TextBlocks, text_blocks
from pagelet.methods.content_features import content_features
from pagelet.methods.content_type import STEPS, page_words
from pagelet.models.lexicon import page_values, tokens
from pagelet.parse.html import parse
from pagelet.scores.content import ContentGold
from pagelet.training.content_labels import block_words, label_blocks

FOLDS = 5
BARE = "articles"  #: the format of labels that are bare article bodies

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One page: the features its own columns decide, labels, and what the lexicon reads."""

    gold: ContentGold
    names: tuple[str, ...]
    features: NDArray[np.float32]  #: one row a feature, one column a block
    label: NDArray[np.float64]  #: share of each block's words that is content
    words: Ints  #: words of each block
    paths: tuple[tuple[str, ...], ...]  #: the lexicon words above blocks, each set once
    path_of: Ints  #: for each block, the place of its set in `paths`
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
    names, features = content_features(page, blocks, np.zeros((0, len(page))))
    label, words = label_blocks(block_words(page, blocks), gold.text)
    paths, path_of = lexicon_paths(page, blocks)
    totals = {name: float(features[names.index(name), 0]) for name in STEPS}
    said = frozenset(page_words(page, totals))
    unnamed = {word for word in said if not word.startswith(URL_WORDS)} | {"url:none"}
    return Example(
        gold, tuple(names), features, label, words, paths, path_of, said, frozenset(unnamed)
    )


URL_WORDS = ("path:", "query:", "host:", "parts:", "hyphens:")


def lexicon_paths(page: Page, blocks: TextBlocks) -> tuple[tuple[tuple[str, ...], ...], Ints]:
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
