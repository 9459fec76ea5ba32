"""The paper's scores: Mantratzis, Orgun, Cassidy, HT 2005.

Every structural element is scored 0, 1 or 2 by two ratios: hyperlinks among its tags and
hyperlinked characters among its text. Score 2 is link clutter. What the paper proposes is here
too: other pages of the site move the thresholds of each block, and hyperlinks made of pictures
count where similar sections of other pages have such, or where they were drawn as a list.
"""

from dataclasses import dataclass

import numpy as np

from pagelet.arrays import Floats, Int64s, Mask
from pagelet.methods.clutter.blocks import (
    StructuralBlocks,
    attached_counts,
    faded_sums,
    find_blocks,
    picture_mask,
)
from pagelet.methods.clutter.options import ClutterOptions
from pagelet.methods.clutter.pictures import drawn_lists
from pagelet.methods.clutter.sections import repeated_links
from pagelet.methods.registry import Evidence
from pagelet.page.links import links_below, plain_chars
from pagelet.page.site import shared_link_ratio
from pagelet.page.table import Page

SLACK = 1e-9  #: a ratio that meets its threshold but for rounding meets it


@dataclass(frozen=True, slots=True)
class ClutterScores:
    """The two ratios, what other pages repeat, and the score of every block."""

    blocks: StructuralBlocks
    tag_ratio: Floats
    text_ratio: Floats
    repeated: Floats  #: share of the links that other pages repeat there; NaN when unknown
    score: Int64s


def score_blocks(
    page: Page, options: ClutterOptions, evidence: Evidence = Evidence()
) -> ClutterScores:
    """Score every structural element 0, 1 or 2; a template serves where there is no site."""
    blocks = find_blocks(page, options.structural_tags)
    repeated, pictures = _site_evidence(page, blocks, options, evidence)
    own = attached_counts(page, blocks, pictures=pictures if pictures.any() else None)
    A, T, LA, L = faded_sums(own, blocks.parent, options.decay, options.decay_shape)
    tag_ratio, text_ratio = _ratio(A, T), _ratio(LA, L)
    factor = threshold_factor(repeated, options.site_weight)
    score = (tag_ratio >= options.tag_threshold * factor - SLACK).astype(np.int64)
    score += text_ratio >= options.text_threshold * factor - SLACK
    return ClutterScores(blocks, tag_ratio, text_ratio, repeated, score)


def threshold_factor(repeated: Floats, weight: float) -> Floats:
    """What the thresholds of each block are multiplied by.

    Higher where links change from page to page, lower where they stay, 1 where nothing is known.
    """
    if np.isnan(repeated).all():
        return np.ones(len(repeated))
    return np.asarray(1 + weight * np.nan_to_num(1 - 2 * repeated))


def _site_evidence(
    page: Page, blocks: StructuralBlocks, options: ClutterOptions, evidence: Evidence
) -> tuple[Floats, Mask]:
    """How much of each block other pages repeat, and which picture links count."""
    counted = picture_mask(page) if options.pictures else np.zeros(len(page), np.bool_)
    if evidence.layout is not None:
        counted |= drawn_lists(page, blocks, evidence.layout)
    if options.site_weight == 0:
        return np.full(len(blocks.rows), np.nan), counted
    if not evidence.pages:
        return shared_link_ratio(page, blocks.rows, evidence.template), counted
    anchors = page.anchors[page.counted[page.anchors]]
    links, pictures = repeated_links(page, evidence.pages, blocks, options.structural_tags)
    counts = np.zeros((2, len(page)))
    counts[0, anchors] = ~np.isnan(links)
    counts[1, anchors] = np.nan_to_num(links)
    count, total = (page.sum_subtree(line)[blocks.rows] for line in counts)
    counted[anchors[np.nan_to_num(pictures) >= 0.5]] = True
    return np.where(count > 0, total / np.maximum(count, 1), np.nan), counted


def _ratio(part: Floats, whole: Floats) -> Floats:
    there = whole > SLACK  # less is what rounding leaves of nothing
    return np.where(there, part / np.where(there, whole, 1), 0.0)


def topmost(page: Page, scores: ClutterScores, options: ClutterOptions) -> Mask:
    """Mark the clutter blocks that lie in no other one.

    Body is never clutter, nor is a block with too few links or too much of the page's text
    outside links.
    """
    rows = scores.blocks.rows
    plain = plain_chars(page)[rows]
    clutter = (scores.score >= options.min_score) & (rows != page.body)
    clutter &= links_below(page)[rows] >= options.min_links
    clutter &= plain <= options.max_plain_share * plain.max(initial=0)
    inside = page.inside(rows[clutter].astype(np.int32))
    return np.asarray(clutter & ~inside[page.parent[rows]])
