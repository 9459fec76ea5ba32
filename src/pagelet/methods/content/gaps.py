"""Running text that must not be missing: gaps in the core, paragraphs beside kept ones.

A paragraph missing from the middle of an article hurts a reader more than the F1 lets on, and so
does an empty answer where the page has a paragraph. Fields and their labels do not count against
the text they stand in.
"""

import numpy as np

from pagelet.arrays import Floats, Mask
from pagelet.methods.content.structure import CONTROLS
from pagelet.models.features import FeatureTable
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, numbers
from pagelet.page.textblocks import TextBlocks
from pagelet.page.words import STOP

CORE_KEPT_SHARE = 0.8  #: share of the core's words from which on gaps in it are filled
GAP_WORDS, GAP_LINK_DENSITY, GAP_PROBABILITY = 8, 0.3, 0.2  #: limits of blocks that fill gaps
KEPT_SIBLINGS = 2  #: kept paragraphs of an element from which on the others may follow
KEPT_SIBLINGS_SHARE = 0.4  #: share of their words from which on the others follow
SIBLING_PROBABILITY = 0.02  #: probability of a paragraph that follows its siblings
MANY_LABELS = 30  #: words in labels and buttons from which on a block of them is no content
LABEL_SHARE = 0.8  #: share of its words that is in labels of such a block
#: Features of blocks that are never the last hope: notices, and text for other browsers.
NOTICES = ("rights", "cookies", "in_noscript", "in_footer", "in_nav", "in_hidden")
LABELS = numbers("label button option select textarea")


def fill_gaps(kept: Mask, probability: Floats, features: FeatureTable) -> Mask:
    """Also keep running text that is not unlikely, where nearly all of the core is kept.

    The core is the smallest element that holds most of the page's running text.
    """
    core, words = features["core70"] > 0, features["words"]
    if words[core & kept].sum() < CORE_KEPT_SHARE * max(words[core].sum(), 1):
        return kept
    running = _is_running(features)
    running &= features["up1_controls"] == 0  # text beside a field or a button is a label
    return np.asarray(kept | (core & running & (probability >= GAP_PROBABILITY)))


def fill_paragraphs(
    page: Page, blocks: TextBlocks, kept: Mask, probability: Floats, features: FeatureTable
) -> Mask:
    """Also keep the paragraphs of an element whose other paragraphs are mostly kept."""
    paragraph = _is_sentence(features) & (page.tag[blocks.holder] == NUMBER["p"])
    above, words = page.parent[blocks.holder], features["words"]
    total = np.bincount(above[paragraph], words[paragraph], len(page))
    taken = paragraph & kept
    share = np.bincount(above[taken], words[taken], len(page)) / np.maximum(total, 1)
    follow = (np.bincount(above[taken], minlength=len(page)) >= KEPT_SIBLINGS) & (
        share >= KEPT_SIBLINGS_SHARE
    )
    return np.asarray(kept | (paragraph & follow[above] & (probability >= SIBLING_PROBABILITY)))


def in_forms(page: Page, blocks: TextBlocks) -> Mask:
    """Mark the blocks beside which their element holds more fields than texts."""
    controls = page.sum_subtree(page.is_tag(*CONTROLS))
    if not controls[:1].any():
        return np.zeros(len(blocks), np.bool_)
    above = page.parent[blocks.holder]
    return np.asarray(controls[above] >= np.bincount(above, minlength=len(page))[above])


def keep_something(kept: Mask, probability: Floats, features: FeatureTable) -> Mask:
    """Keep the likeliest running text where nothing is kept at all."""
    if kept.any():
        return kept
    hope = _is_sentence(features) & (probability > 0)
    for name in NOTICES:
        hope &= features[name] == 0
    return np.asarray(hope & (probability >= probability[hope].max(initial=0) / 2))


def mark_labels(page: Page, blocks: TextBlocks) -> Mask:
    """Mark the blocks of very many labels of fields and buttons, and hardly any other text."""
    labels = page.is_tag(*LABELS)
    if np.count_nonzero(labels) < MANY_LABELS:
        return np.zeros(len(blocks), np.bool_)
    words = blocks.sum(page.words)
    labelled = blocks.sum(page.words * page.inside(labels))
    many = (labelled >= MANY_LABELS) & (labelled >= LABEL_SHARE * words)
    return np.asarray(many & (words - labelled < GAP_WORDS))


def _is_running(features: FeatureTable) -> Mask:
    words, density = features["words"], features["link_density"]
    return np.asarray((words >= GAP_WORDS) & (density < GAP_LINK_DENSITY))


def _is_sentence(features: FeatureTable) -> Mask:
    """Mark running text that ends as sentences do."""
    return np.asarray(_is_running(features) & (features["last_kind"] == STOP))
