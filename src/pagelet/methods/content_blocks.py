"""Which text blocks of a page are its main content: probabilities, then a choice.

The choice is the set of blocks whose expected F1 (or F-beta) is highest: blocks sorted by
probability, the prefix that maximises what is expected to be right against what is said and
what is wanted, words counted.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.page import Mask, Page
from pagelet.measures.textblocks import TextBlocks, text_blocks
from pagelet.methods.content_features import content_features
from pagelet.methods.content_type import STEPS, page_words
from pagelet.models.content import ContentModel
from pagelet.models.pagetypes import TYPES

Floats = NDArray[np.float64]

LOWEST, HIGHEST = 0.15, 0.6  #: probabilities between which the last block taken may lie
BETA = {"precision": 0.5, "balanced": 1.0, "recall": 2.0}  #: how much recall weighs
BARE = {"auto": 0.0, "all": 0.0, "article": 1.0}  #: whether only the bare article body is wanted


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """What was decided of each text block of a page."""

    page: Page
    blocks: TextBlocks
    names: tuple[str, ...]  #: the features
    features: NDArray[np.float32]  #: one row a feature, one column a block
    probability: Floats
    kept: Mask
    page_type: Mapping[str, float]
    confidence: float

    @property
    def text_rows(self) -> Mask:
        """Mark the text rows of the blocks that were kept."""
        marked = np.zeros(len(self.page), np.bool_)
        marked[self.blocks.rows[self.kept[self.blocks.of_row]]] = True
        return marked


def decide(page: Page, model: ContentModel, favor: str, target: str) -> Decision:
    """Decide for every text block of a page."""
    blocks = text_blocks(page)
    if not len(blocks):
        none, nothing = np.zeros(0), np.zeros((0, 0), np.float32)
        return Decision(page, blocks, (), nothing, none, none > 0, {}, 1.0)
    names, features, likely = model_features(page, blocks, model, target)
    probability = 1 / (1 + np.exp(-model.trees.predict(features.T)))
    words = blocks.sum(page.words).astype(np.float64)
    beta = BETA["recall" if target == "all" and favor == "balanced" else favor]
    kept = probability >= best_threshold(probability, words, beta)
    page_type = dict(zip(TYPES, likely.tolist(), strict=True))
    confidence = model.confidence(expected_f1(probability, words, kept))
    return Decision(page, blocks, names, features, probability, kept, page_type, confidence)


def model_features(
    page: Page, blocks: TextBlocks, model: ContentModel, target: str
) -> tuple[tuple[str, ...], NDArray[np.float32], Floats]:
    """All features of a page's blocks, and how likely each type of page is."""
    names, own = content_features(page, blocks, model.lexicon.scores(page))
    totals = {name: float(own[names.index(name), 0]) for name in STEPS}
    likely = model.types.probabilities(page_words(page, totals))
    whole = np.repeat(np.append(likely, BARE[target])[:, None], len(blocks), axis=1)
    every = (*names, *(f"type_{name}" for name in TYPES), "bare")
    return every, np.concatenate((own, whole.astype(np.float32))), likely


def best_threshold(probability: Floats, words: Floats, beta: float) -> float:
    """The probability from which on blocks are taken: the F-beta expected is the highest."""
    order = np.argsort(-probability, kind="stable")
    right = np.cumsum((probability * words)[order])
    said = np.cumsum(words[order])
    expected = right / np.maximum(said + beta**2 * right[-1], 1e-9)
    best = probability[order[int(np.argmax(expected))]]
    return float(np.clip(best, min(LOWEST, LOWEST / beta), max(HIGHEST, 1 - 0.4 * beta)))


def expected_f1(probability: Floats, words: Floats, taken: Mask) -> float:
    """The F1 to be expected of the blocks taken, if the probabilities are right."""
    weight = probability * words
    return float(2 * weight[taken].sum() / max(words[taken].sum() + weight.sum(), 1e-9))
