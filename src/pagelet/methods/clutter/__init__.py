"""Link lists and text ads: Mantratzis, Orgun, Cassidy, HT 2005.

Every structural element is scored 0, 1 or 2 by two ratios: hyperlinks among its tags and
hyperlinked characters among its text. Score 2 is link clutter.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pagelet.arrays import Floats, Int64s, Mask
from pagelet.methods.clutter.blocks import (
    StructuralBlocks,
    attached_counts,
    faded_sums,
    find_blocks,
    picture_mask,
    repeated_links,
)
from pagelet.methods.clutter.options import ClutterOptions, PaperClutterOptions
from pagelet.methods.registry import Evidence, Method, Profile
from pagelet.page.links import links_below, plain_chars
from pagelet.page.site import SharedRows, shared_link_ratio
from pagelet.page.table import Page
from pagelet.pagelets import Pagelet, Pagelets

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
    page: Page,
    options: ClutterOptions,
    site: Sequence[Page] = (),
    template: SharedRows | None = None,
) -> ClutterScores:
    """Score every structural element 0, 1 or 2; a template serves where there is no site."""
    blocks = find_blocks(page)
    use_site = site and options.site_weight > 0
    repeated, pictures = _site_evidence(page, blocks, site) if use_site else (None, None)
    counted = picture_mask(page) if options.pictures else pictures
    own = attached_counts(page, blocks, pictures=counted)
    A, T, LA, L = faded_sums(own, blocks.parent, options.decay, options.decay_shape)
    tag_ratio, text_ratio = _ratio(A, T), _ratio(LA, L)
    if repeated is None:
        repeated = shared_link_ratio(
            page, blocks.rows, template if options.site_weight > 0 else None
        )
    # Links that change from page to page are content more often than not. Lowering the
    # thresholds for links that stay was tried too, and lost 0.02 of F1 on the labelled sites.
    factor = 1 + options.site_weight * np.maximum(np.nan_to_num(1 - 2 * repeated), 0)
    score = (tag_ratio >= options.tag_threshold * factor - SLACK).astype(np.int64)
    score += text_ratio >= options.text_threshold * factor - SLACK
    return ClutterScores(blocks, tag_ratio, text_ratio, repeated, score)


def _site_evidence(
    page: Page, blocks: StructuralBlocks, site: Sequence[Page]
) -> tuple[Floats, Mask]:
    """How much of each block the similar sections repeat, and which picture links they repeat."""
    anchors = page.anchors[page.counted[page.anchors]]
    links, pictures = repeated_links(page, site, blocks)
    counts = np.zeros((2, len(page)))
    counts[0, anchors] = ~np.isnan(links)
    counts[1, anchors] = np.nan_to_num(links)
    count, total = (page.sum_subtree(line)[blocks.rows] for line in counts)
    marked = np.zeros(len(page), np.bool_)
    marked[anchors[np.nan_to_num(pictures) >= 0.5]] = True
    return np.where(count > 0, total / np.maximum(count, 1), np.nan), marked


def _ratio(part: Floats, whole: Floats) -> Floats:
    there = whole > SLACK  # less is what rounding leaves of nothing
    return np.where(there, part / np.where(there, whole, 1), 0.0)


def _run(page: Page, options: ClutterOptions, evidence: Evidence) -> Pagelets:
    scores = score_blocks(page, options, evidence.pages, evidence.template)
    chosen = np.ones(len(scores.score), np.bool_) if options.all else topmost(page, scores, options)
    items = tuple(_pagelet(page, scores, at) for at in np.flatnonzero(chosen).tolist())
    return Pagelets(page, "clutter", options.profile, items)


def _pagelet(page: Page, scores: ClutterScores, at: int) -> Pagelet:
    reason = {"tag_ratio": float(scores.tag_ratio[at]), "text_ratio": float(scores.text_ratio[at])}
    if not np.isnan(scores.repeated[at]):
        reason["repeated"] = float(scores.repeated[at])
    return Pagelet(page, (int(scores.blocks.rows[at]),), "clutter", int(scores.score[at]), reason)


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


CLUTTER = Method(
    name="clutter",
    summary="link lists and text ads, scored 0 to 2",
    kinds=("clutter",),
    uses=("site", "template"),
    paper="Mantratzis, Orgun, Cassidy: Separating XHTML Content from Navigation Clutter Using"
    " DOM-Structure Block Analysis. HT 2005",
    profiles={
        "default": Profile(_run, ClutterOptions(), "our values"),
        "paper": Profile(_run, PaperClutterOptions(), "the publication's values"),
    },
)
