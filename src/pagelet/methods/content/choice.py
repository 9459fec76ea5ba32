"""Which text blocks of a page are its main content: probabilities, then a choice.

The choice is the set of blocks whose expected F1 (or F-beta) is highest: blocks sorted by
probability, the prefix that maximises what is expected to be right against what is said and
what is wanted, words counted.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pagelet.arrays import Floats, Mask, Singles
from pagelet.errors import OptionError
from pagelet.methods.content.features import content_features
from pagelet.methods.content.model import ContentModel
from pagelet.methods.content.page_type import TYPES, page_words
from pagelet.page.site import SharedRows, content_log_odds
from pagelet.page.table import Page
from pagelet.page.tags import numbers
from pagelet.page.textblocks import TextBlocks, text_blocks

LOWEST, HIGHEST = 0.15, 0.6  #: probabilities between which the last block taken may lie
FEW, FEW_IN_CELLS = 4, 20  #: words from which on two equal blocks are one said twice
NEARLY_ALL = 0.8  #: share of the core's words from which on gaps in it are filled
RUNNING, LINKED, UNLIKELY = 8, 0.3, 0.2  #: words, link density, probability of what fills gaps
FILLING = ("core70", "words", "link_density", "up1_controls")  #: features that tell it
BETA = {"precision": 0.5, "balanced": 1.0, "recall": 2.0}  #: how much recall weighs
_LISTED = numbers("td th pre")  #: what they hold may rightly be the same
BARE = {"auto": 0.0, "all": 0.0, "article": 1.0}  #: whether only the bare article body is wanted

#: Features that are the same for all blocks of a page, behind those of its own columns.
WHOLE = (*(f"type_{name}" for name in TYPES), "bare")


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """What was decided of each text block of a page."""

    page: Page
    blocks: TextBlocks
    names: tuple[str, ...]  #: the features
    features: Singles  #: one row a feature, one column a block
    probability: Floats
    repeated: Mask  #: blocks that only say again what a likelier one says
    kept: Mask
    page_type: Mapping[str, float]
    confidence: float

    def text_rows(self, likely: float = 0.0) -> Mask:
        """Mark the text rows of the blocks that were kept and are as likely at least."""
        kept = self.kept & (self.probability >= likely)
        marked = np.zeros(len(self.page), np.bool_)
        marked[self.blocks.rows[kept[self.blocks.of_row]]] = True
        return marked


def decide(
    page: Page, model: ContentModel, favor: str, target: str, template: SharedRows | None = None
) -> Decision:
    """Decide for every text block of a page; what is known as template is less likely."""
    blocks = text_blocks(page)
    if not len(blocks):
        none, nothing = np.zeros(0), np.zeros((0, 0), np.float32)
        never, sure = none > 0, model.confidence(0.0)
        return Decision(page, blocks, (), nothing, none, never, never, {}, sure)
    names, features, likely = model_features(page, blocks, model, target)
    if names != model.trees.names:
        fault = "fitted for the features of another version of pagelet; train it again"
        raise OptionError("model", f"{len(model.trees.names)} features", fault)
    change = content_log_odds(page, blocks, template, bare=BARE[target] > 0)
    probability = 1 / (1 + np.exp(-(model.trees.predict(features.T) + change)))
    words = blocks.sum(page.words).astype(np.float64)
    beta = BETA["recall" if target == "all" and favor == "balanced" else favor]
    again = repeats(page, blocks, probability, words)
    alone = np.where(again, 0.0, probability)
    kept = alone >= best_threshold(alone, words, beta)
    if BARE[target] == 0:
        kept = filled(kept, alone, {name: features[names.index(name)] for name in FILLING})
    page_type = dict(zip(TYPES, likely.tolist(), strict=True))
    confidence = model.confidence(expected_f1(alone, words, kept))
    return Decision(page, blocks, names, features, probability, again, kept, page_type, confidence)


def model_features(
    page: Page, blocks: TextBlocks, model: ContentModel, target: str
) -> tuple[tuple[str, ...], Singles, Floats]:
    """All features of a page's blocks, and how likely each type of page is."""
    names, own = content_features(page, blocks, model.lexicon.scores(page))
    totals = dict(zip(names, own[:, 0].tolist(), strict=True))
    likely = model.types.probabilities(page_words(page, totals))
    whole = np.repeat(np.append(likely, BARE[target])[:, None], len(blocks), axis=1)
    return (*names, *WHOLE), np.concatenate((own, whole.astype(np.float32))), likely


def repeats(page: Page, blocks: TextBlocks, probability: Floats, words: Floats) -> Mask:
    """Mark the blocks whose text is that of a likelier block, or of an earlier as likely one."""
    few = np.where(page.is_tag(*_LISTED)[blocks.holder], FEW_IN_CELLS, FEW)
    asked = np.flatnonzero((probability >= LOWEST / 2) & (words >= few))
    many = words[asked].astype(np.intp)
    repeated = np.zeros(len(blocks), np.bool_)
    best: dict[str, int] = {}
    texts, first = blocks.texts(page), [*blocks.first.tolist(), len(blocks.rows)]
    for block in asked[np.bincount(many)[many] > 1].tolist():  # the same text has as many words
        said = texts[first[block] : first[block + 1]]
        text = " ".join(" ".join(said).lower().split())
        other = best.setdefault(text, block)
        if other != block:
            worse, best[text] = sorted((block, other), key=lambda at: (probability[at], -at))
            repeated[worse] = True
    return repeated


def best_threshold(probability: Floats, words: Floats, beta: float) -> float:
    """The probability from which on blocks are taken: the F-beta expected is the highest."""
    order = np.argsort(-probability, kind="stable")
    right = np.cumsum((probability * words)[order])
    said = np.cumsum(words[order])
    expected = right / np.maximum(said + beta**2 * right[-1], 1e-9)
    best = probability[order[int(np.argmax(expected))]]
    return float(np.clip(best, min(LOWEST, LOWEST / beta), max(HIGHEST, 1 - 0.4 * beta)))


def filled(kept: Mask, probability: Floats, feature: Mapping[str, Singles]) -> Mask:
    """Keep running text too that is not unlikely, where nearly all around it is kept.

    All around is the smallest element that holds most of the page's running text. A paragraph
    missing from the middle of an article hurts a reader more than the F1 lets on.
    """
    core, words = feature["core70"] > 0, feature["words"]
    if words[core & kept].sum() < NEARLY_ALL * max(words[core].sum(), 1):
        return kept
    running = (words >= RUNNING) & (feature["link_density"] < LINKED)
    running &= feature["up1_controls"] == 0  # text beside a field or a button asks for something
    return np.asarray(kept | (core & running & (probability >= UNLIKELY)))


def expected_f1(probability: Floats, words: Floats, taken: Mask) -> float:
    """The F1 to be expected of the blocks taken, if the probabilities are right."""
    weight = probability * words
    return float(2 * weight[taken].sum() / max(words[taken].sum() + weight.sum(), 1e-9))
