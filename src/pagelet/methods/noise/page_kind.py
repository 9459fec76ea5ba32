"""Whether a page answers a search at all: its best group of records against its running text.

On a page of one article every element is foreign to the model of records. Such a page is named,
and its units are kept by text density, its own heading too.
"""

import numpy as np

from pagelet.arrays import Mask
from pagelet.methods.content import cetd
from pagelet.methods.noise.decision import Judgement
from pagelet.methods.noise.sheet import TextSheet
from pagelet.page.tags import NUMBER

RESULTS, OTHER = "results", "other"  #: kinds of pages
PROSE_CHARS = 120  #: characters of a text outside links that is running text
KEPT = 0.3  #: probability from which on a unit counts for the mean
#: Weights of the log-odds, fitted to `records` (unseen sites) against the articles, documentation
#: and service pages of a seventh of `wcxb`.
BEST_SCORE, MEAN_KEPT, PROSE_SHARE, CONSTANT = 5.6, 6.1, -6.1, -4.4
MIN_ODDS = -0.5  #: log-odds below which a page is no page of results
MIN_PROSE_SHARE = 0.15  #: share of running text below which nothing speaks for another kind


def kind_of(judgement: Judgement) -> str:
    """The kind of a page; one with a query, given or in its own inputs, has results.

    So has one without running text, however poor its records are.
    """
    asked = judgement.query.words or judgement.sheet.typed.words
    if asked or prose_share(judgement.sheet) < MIN_PROSE_SHARE:
        return RESULTS
    return RESULTS if result_odds(judgement) >= MIN_ODDS else OTHER


def prose_share(sheet: TextSheet) -> float:
    """The share of running text in the text of a page."""
    prose = (sheet.length > PROSE_CHARS) & ~sheet.page.link[sheet.units]
    return float((sheet.length * prose).sum() / max(sheet.length.sum(), 1))


def result_odds(judgement: Judgement) -> float:
    """Log-odds that the page is one of results."""
    likely = judgement.without_query
    kept = likely[likely >= KEPT]
    best = float(judgement.scores.max(initial=0))
    mean = float(kept.mean()) if len(kept) else 0.0
    share = prose_share(judgement.sheet)
    return CONSTANT + BEST_SCORE * best + MEAN_KEPT * mean + PROSE_SHARE * share


def dense_units(judgement: Judgement) -> Mask:
    """Units that text density keeps, and those in the page's own heading."""
    page, units = judgement.sheet.page, judgement.sheet.units
    kept = page.sum_children(cetd.kept_text(page, cetd.find_content(page)))[units] > 0
    return np.asarray(kept | page.inside(page.is_tag(NUMBER["h1"]))[units])


def content_units(judgement: Judgement, threshold: float) -> Mask:
    """The units that are content, by what kind of page it is."""
    if kind_of(judgement) == OTHER:
        return dense_units(judgement)
    return np.asarray(judgement.probability >= threshold)
