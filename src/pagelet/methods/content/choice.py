"""Which text blocks of a page are its main content: probabilities, then a choice.

The choice is the set of blocks whose expected F1 (or F-beta) is highest: of the blocks sorted by
probability, the prefix that maximises the expected true positives over the words taken and the
words wanted.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pagelet.arrays import Floats, Mask, Singles
from pagelet.errors import OptionError
from pagelet.methods.content.features import content_features
from pagelet.methods.content.model import TYPES, ContentModel, type_words
from pagelet.models.features import FeatureTable
from pagelet.page.site import SharedRows, content_log_odds
from pagelet.page.table import Page
from pagelet.page.tags import numbers
from pagelet.page.textblocks import TextBlocks, text_blocks

MIN_THRESHOLD, MAX_THRESHOLD = 0.15, 0.6  #: bounds of the probability of the last block taken
MIN_COPY_WORDS, MIN_CELL_COPY_WORDS = 4, 20  #: words from which on equal blocks are repetitions
CORE_KEPT_SHARE = 0.8  #: share of the core's words from which on gaps in it are filled
GAP_WORDS, GAP_LINK_DENSITY, GAP_PROBABILITY = 8, 0.3, 0.2  #: limits of blocks that fill gaps
GAP_FEATURES = ("core70", "words", "link_density", "up1_controls")  #: features that find gaps
BETA = {"precision": 0.5, "balanced": 1.0, "recall": 2.0}  #: weight of recall
CELLS = numbers("td th pre")  #: elements whose texts may be equal for good reason
BARE = {"auto": 0.0, "all": 0.0, "article": 1.0}  #: whether only the bare article body is wanted

#: Features that are the same for all blocks of a page; they come last.
PAGE_FEATURES = (*(f"type_{name}" for name in TYPES), "bare")


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """The decision on each text block of a page."""

    page: Page
    blocks: TextBlocks
    features: FeatureTable
    probability: Floats
    repeated: Mask  #: blocks that only repeat a likelier one
    kept: Mask
    page_type: Mapping[str, float]
    confidence: float

    def text_rows(self, likely: float = 0.0) -> Mask:
        """Mark the text rows of the blocks that were kept and are at least this likely."""
        kept = self.kept & (self.probability >= likely)
        marked = np.zeros(len(self.page), np.bool_)
        marked[self.blocks.rows[kept[self.blocks.of_row]]] = True
        return marked


def decide(
    page: Page, model: ContentModel, favor: str, target: str, template: SharedRows | None = None
) -> Decision:
    """Decide on every text block of a page; blocks of the template are less likely."""
    blocks = text_blocks(page)
    if not len(blocks):
        none, nothing = np.zeros(0), FeatureTable.of({}, 0)
        never, sure = none > 0, model.confidence(0.0)
        return Decision(page, blocks, nothing, none, never, never, {}, sure)
    features, likely = model_features(page, blocks, model, target)
    if features.names != model.trees.names:
        fault = "fitted for the features of another version of pagelet; train it again"
        raise OptionError("model", f"{len(model.trees.names)} features", fault)
    change = content_log_odds(page, blocks, template, bare=BARE[target] > 0)
    probability = 1 / (1 + np.exp(-(model.trees.predict(features.rows) + change)))
    words = blocks.sum(page.words).astype(np.float64)
    beta = BETA["recall" if target == "all" and favor == "balanced" else favor]
    again = find_repeats(page, blocks, probability, words)
    alone = np.where(again, 0.0, probability)
    kept = alone >= best_threshold(alone, words, beta)
    if BARE[target] == 0:
        kept = fill_gaps(kept, alone, {name: features[name] for name in GAP_FEATURES})
    page_type = dict(zip(TYPES, likely.tolist(), strict=True))
    confidence = model.confidence(expected_f1(alone, words, kept))
    return Decision(page, blocks, features, probability, again, kept, page_type, confidence)


def model_features(
    page: Page, blocks: TextBlocks, model: ContentModel, target: str
) -> tuple[FeatureTable, Floats]:
    """All features of a page's blocks, and the probability of each page type."""
    own = content_features(page, blocks, model.lexicon.scores(page))
    totals = dict(zip(own.names, own.lines[:, 0].tolist(), strict=True))
    likely = model.types.probabilities(type_words(page, totals))
    whole = dict(zip(PAGE_FEATURES, (*likely, BARE[target]), strict=True))
    return own.extended(whole), likely


def find_repeats(page: Page, blocks: TextBlocks, probability: Floats, words: Floats) -> Mask:
    """Mark the blocks whose text is that of a likelier block, or of an earlier as likely one."""
    fewest = np.where(page.is_tag(*CELLS)[blocks.holder], MIN_CELL_COPY_WORDS, MIN_COPY_WORDS)
    likely = np.flatnonzero((probability >= MIN_THRESHOLD / 2) & (words >= fewest))
    count = words[likely].astype(np.intp)
    repeated = np.zeros(len(blocks), np.bool_)
    best: dict[str, int] = {}
    texts, first = blocks.texts(page), [*blocks.first.tolist(), len(blocks.rows)]
    for block in likely[np.bincount(count)[count] > 1].tolist():  # equal texts, equal counts
        pieces = texts[first[block] : first[block + 1]]
        text = " ".join(" ".join(pieces).lower().split())
        other = best.setdefault(text, block)
        if other != block:
            worse, best[text] = sorted((block, other), key=lambda at: (probability[at], -at))
            repeated[worse] = True
    return repeated


def best_threshold(probability: Floats, words: Floats, beta: float) -> float:
    """The probability from which on blocks are taken, so that the expected F-beta is highest."""
    order = np.argsort(-probability, kind="stable")
    right = np.cumsum((probability * words)[order])
    taken = np.cumsum(words[order])
    expected = right / np.maximum(taken + beta**2 * right[-1], 1e-9)
    best = probability[order[int(np.argmax(expected))]]
    low, high = min(MIN_THRESHOLD, MIN_THRESHOLD / beta), max(MAX_THRESHOLD, 1 - 0.4 * beta)
    return float(np.clip(best, low, high))


def fill_gaps(kept: Mask, probability: Floats, feature: Mapping[str, Singles]) -> Mask:
    """Also keep running text that is not unlikely, where nearly all of the core is kept.

    The core is the smallest element that holds most of the page's running text. A paragraph
    missing from the middle of an article hurts a reader more than the F1 lets on.
    """
    core, words = feature["core70"] > 0, feature["words"]
    if words[core & kept].sum() < CORE_KEPT_SHARE * max(words[core].sum(), 1):
        return kept
    running = (words >= GAP_WORDS) & (feature["link_density"] < GAP_LINK_DENSITY)
    running &= feature["up1_controls"] == 0  # text beside a field or a button is a label
    return np.asarray(kept | (core & running & (probability >= GAP_PROBABILITY)))


def expected_f1(probability: Floats, words: Floats, taken: Mask) -> float:
    """The F1 to be expected of the blocks taken, if the probabilities are right."""
    weight = probability * words
    return float(2 * weight[taken].sum() / max(words[taken].sum() + weight.sum(), 1e-9))
