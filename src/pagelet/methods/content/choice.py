"""Which text blocks of a page are its main content: probabilities, then a choice.

The choice is the set of blocks whose expected F1 (or F-beta) is highest: of the blocks sorted by
probability, the prefix that maximises the expected true positives over the words taken and the
words wanted.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from pagelet import core
from pagelet.arrays import Floats, Mask
from pagelet.errors import OptionError
from pagelet.methods.content.comments import Comments, place_comments
from pagelet.methods.content.compiled_choice import CompiledChoice, choice_lines
from pagelet.methods.content.counts import reader_of
from pagelet.methods.content.features import content_features
from pagelet.methods.content.gaps import (
    fill_gaps,
    fill_paragraphs,
    in_forms,
    keep_something,
    mark_labels,
)
from pagelet.methods.content.model import TYPES, ContentModel, type_probabilities
from pagelet.methods.content.reading import read_features
from pagelet.methods.content.repeats import find_repeats
from pagelet.methods.content.tables import data_rows, join_rows, mark_rows, whole_rows
from pagelet.models.features import FeatureTable
from pagelet.models.lexicon import Lexicon
from pagelet.page.site import SharedRows, content_log_odds
from pagelet.page.table import Page
from pagelet.page.textblocks import TextBlocks, text_blocks

MIN_THRESHOLD, MAX_THRESHOLD = 0.15, 0.6  #: bounds of the probability of the last block taken
MAX_LEAD_WORDS = 25  #: words of the longest line that leads to other pages
LEAD_LOG_ODDS = -2.0  #: log-odds of such a line; half of it for a link below it
MIN_BANNER_COOKIES = 2  #: blocks about cookies near a block of their banner
BANNER_LOG_ODDS = -2.0  #: log-odds of a block of such a banner
LINKED = 0.5  #: link density from which on a block is one of links
LIKELY_TYPE = 0.5  #: probability from which on a page is of a type
#: Limits and log-odds of the rules, in the order in which the core reads them.
RULE_LIMITS = (
    *(MAX_LEAD_WORDS, LEAD_LOG_ODDS, LINKED, LIKELY_TYPE, MIN_BANNER_COOKIES, BANNER_LOG_ODDS),
)
BETA = {"precision": 0.5, "balanced": 1.0, "recall": 2.0}  #: weight of recall
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
    estimate: Callable[[], float]
    comments: Mask  #: blocks of comments that are given apart
    shared: Floats | None = None  #: log-odds that the template of the site adds to each block
    threshold: float = MAX_THRESHOLD  #: probability from which on blocks were taken
    in_rows: Callable[[], Mask] | None = None  #: marks the blocks in rows of data tables

    @property
    def confidence(self) -> float:
        """The F1 that is to be expected of the answer."""
        return self.estimate()

    def text_rows(self, kept: Mask | None = None) -> Mask:
        """Mark the text rows of some blocks; of those that were kept by default."""
        kept = self.kept if kept is None else kept
        marked = np.zeros(len(self.page), np.bool_)
        if core.compiled:
            rows, first = self.blocks.rows, self.blocks.first
            core.kernels.mark_texts(rows, first, kept.view(np.uint8), marked.view(np.uint8))
            return marked
        marked[self.blocks.rows[kept[self.blocks.of_row]]] = True
        return marked


def decide(
    page: Page,
    model: ContentModel,
    favor: str,
    target: str,
    template: SharedRows | None = None,
    *,
    comments: str = "auto",
) -> Decision:
    """Decide on every text block of a page; blocks of the template are less likely."""
    blocks = text_blocks(page)
    if not len(blocks):
        none, nothing = np.zeros(0), FeatureTable.of({}, 0)
        never, sure = none > 0, partial(model.confidence, 0.0)
        return Decision(page, blocks, nothing, none, never, never, {}, sure, never)
    features, likely = model_features(page, blocks, model, target)
    if features.names != model.trees.names:
        fault = "fitted for the features of another version of pagelet; train it again"
        raise OptionError("model", f"{len(model.trees.names)} features", fault)
    odds, change = model.trees.predict_lines(features.lines), None
    if template is not None:
        change = np.asarray(content_log_odds(page, blocks, template, bare=BARE[target] > 0))
        odds += change
    add_log_odds(features, odds)
    probability = 1 / (1 + np.exp(-odds))
    page_type = dict(zip(TYPES, likely.tolist(), strict=True))
    placed = place_comments(page, features, page_type, (comments, target))
    choice = choose(page, blocks, features, probability, (favor, target, placed))
    sure = partial(_estimate, model, features, choice, placed)
    return Decision(
        *(page, blocks, features, choice.probability, choice.repeated, choice.kept),
        *(page_type, sure, placed.apart, change, choice.threshold, choice.in_rows),
    )


def _estimate(
    model: ContentModel, features: FeatureTable, choice: "Choice", comments: Comments
) -> float:
    """The F1 that is to be expected of a choice."""
    words, left_out = features["words"], choice.repeated | comments.excluded
    if core.compiled:
        marks = (left_out.view(np.uint8), choice.kept.view(np.uint8))
        return model.confidence(core.kernels.expected_f1(choice.probability, words, *marks))
    alone = np.where(left_out, 0.0, choice.probability)
    return model.confidence(expected_f1(alone, words.astype(np.float64), choice.kept))


def add_log_odds(features: FeatureTable, odds: Floats) -> None:
    """Add the log-odds that rules know better than models."""
    if core.compiled:
        lines = (*choice_lines(features), features.line("words"))
        core.kernels.add_log_odds(features.lines, lines, RULE_LIMITS, odds)
    else:
        odds += lead_log_odds(features) + banner_log_odds(features)


def lead_log_odds(features: FeatureTable) -> Floats:
    """Log-odds against lines such as "Read also: …", and against the links below them.

    Their labels differ from corpus to corpus; readers of the text alone cannot follow them.
    """
    short = (features["words"] <= MAX_LEAD_WORDS) & (features["type_documentation"] < LIKELY_TYPE)
    lead = short & (features["see_also"] > 0)
    below = short & (features["see_also_before"] > 0) & (features["link_density"] >= LINKED)
    return np.asarray(lead * LEAD_LOG_ODDS + below * (LEAD_LOG_ODDS / 2))


def banner_log_odds(features: FeatureTable) -> Floats:
    """Log-odds against what stands above the title among talk of cookies: a long banner."""
    above = (features["since_first_title"] < 0) & (features["cookies_near"] >= MIN_BANNER_COOKIES)
    return np.asarray(above * BANNER_LOG_ODDS)


class Choice(NamedTuple):
    """The blocks that are chosen by their probabilities."""

    probability: Floats  #: of each block; that of its row for a cell of a data table
    repeated: Mask
    kept: Mask
    threshold: float  #: probability from which on blocks were taken
    in_rows: Callable[[], Mask]  #: marks the blocks in rows of data tables


def choose(
    page: Page,
    blocks: TextBlocks,
    features: FeatureTable,
    probability: Floats,
    wanted: tuple[str, str, Comments],
) -> Choice:
    """Choose blocks by their probabilities for what a user favours and wants.

    Repetitions and labels are left out, gaps are filled, and rows of tables stay whole.
    """
    favor, target, comments = wanted
    beta = BETA["recall" if target == "all" and favor == "balanced" else favor]
    reader = reader_of(page)
    if reader is not None and not BARE[target]:
        with suppress(OverflowError):  # texts of millions of words are left to numpy
            compiled = CompiledChoice(reader, features, probability)
            return _choose_compiled(page, blocks, compiled, comments, beta)
    words = features["words"].astype(np.float64)
    row = data_rows(page, blocks)
    if row is not None:
        probability = join_rows(probability, words, row)
    likely = probability >= _bounds(beta)[0]
    again = find_repeats(page, blocks, probability, likely)
    again = again if row is None else whole_rows(again, words, row)
    alone = np.where(again | mark_labels(page, blocks) | comments.excluded, 0.0, probability)
    threshold = best_threshold(alone, words, beta)
    kept = alone >= threshold
    kept = _complete(page, blocks, features, alone, kept, bare=BARE[target] > 0)
    kept = kept if row is None else whole_rows(kept, words, row)
    kept = (kept | comments.added) & ~comments.excluded
    return Choice(probability, again, kept, threshold, partial(mark_rows, row, len(blocks)))


def _choose_compiled(
    page: Page, blocks: TextBlocks, choice: CompiledChoice, comments: Comments, beta: float
) -> Choice:
    """The same by the compiled core."""
    low, high = _bounds(beta)
    choice.leave_out_repeats(page, blocks, low)
    kept, threshold = choice.choose(comments, beta, (low, high))
    return Choice(choice.probability, choice.repeated, kept, threshold, choice.in_rows)


def _bounds(beta: float) -> tuple[float, float]:
    """The least and the highest probability of the last block taken."""
    return min(MIN_THRESHOLD, MIN_THRESHOLD / beta), max(MAX_THRESHOLD, 1 - 0.4 * beta)


def _complete(
    page: Page,
    blocks: TextBlocks,
    features: FeatureTable,
    alone: Floats,
    kept: Mask,
    *,
    bare: bool,
) -> Mask:
    """Add the running text that must not be missing; beside a bare article stand other texts."""
    if bare:
        filled = fill_paragraphs(page, blocks, kept, alone, features)
        kept = np.where(in_forms(page, blocks), filled, kept)
    else:
        kept = fill_gaps(kept, alone, features)
        kept = fill_paragraphs(page, blocks, kept, alone, features)
    return keep_something(kept, alone, features)


def model_features(
    page: Page, blocks: TextBlocks, model: ContentModel, target: str
) -> tuple[FeatureTable, Floats]:
    """All features of a page's blocks, and the probability of each page type."""
    features = _features(page, blocks, model.lexicon)
    likely = type_probabilities(model.types, page, features)
    if core.compiled:
        core.kernels.fill_lines(features.lines, [*likely.tolist(), BARE[target]])
    else:
        features.lines[-len(PAGE_FEATURES) :] = np.append(likely, BARE[target])[:, None]
    return features, likely


def _features(page: Page, blocks: TextBlocks, lexicon: Lexicon) -> FeatureTable:
    """The features that the page alone decides, with room for those of the whole page."""
    if core.compiled:
        with suppress(UnicodeEncodeError):  # lone surrogates are left to Python
            return read_features(page, blocks, lexicon, PAGE_FEATURES)
    return content_features(page, blocks, lexicon.scores(page), PAGE_FEATURES)


def best_threshold(probability: Floats, words: Floats, beta: float) -> float:
    """The probability from which on blocks are taken, so that the expected F-beta is highest."""
    order = np.argsort(-probability, kind="stable")
    right = np.cumsum((probability * words)[order])
    taken = np.cumsum(words[order])
    expected = right / np.maximum(taken + beta**2 * right[-1], 1e-9)
    best = probability[order[int(np.argmax(expected))]]
    return float(np.clip(best, *_bounds(beta)))


def expected_f1(probability: Floats, words: Floats, taken: Mask) -> float:
    """The F1 to be expected of the blocks taken, if the probabilities are right.

    Sums are added up block by block, as the compiled core adds them up.
    """
    weight = probability * words
    right, read, held = map(_add_up, (weight[taken], words[taken], weight))
    return 2 * right / max(read + held, 1e-9)


def _add_up(values: Floats) -> float:
    return float(values.cumsum()[-1]) if len(values) else 0.0
