"""The paper's way to detect noise: a decision tree over five features per element with text.

After Lutz, Heuser, on noise in pages of the hidden web: texts are matched with the words of labels
and values; an element is scored by the matches below it, each divided by its distance.
"""

from collections.abc import Callable

import numpy as np

from pagelet.arrays import Floats, Int64s, Ints
from pagelet.models.features import FeatureTable
from pagelet.page.density import (
    DensityCounts,
    composite_text_density,
    density_counts,
    density_sum,
)
from pagelet.page.query import Query, page_words
from pagelet.page.table import Page
from pagelet.page.tags import TEXT

PAPER_FEATURES = ("density", "density_sum", "query_score", "simple_matches", "body_distance")
#: The same with DensitySum over all descendants, as the paper's text can be read.
DESCENDANT_FEATURES = tuple(
    "descendant_density_sum" if name == "density_sum" else name for name in PAPER_FEATURES
)
QUERY_FEATURES = ("query_score", "simple_matches")  #: the two that come from the query


def units_of(page: Page) -> Ints:
    """Elements that hold counted text directly."""
    rows = np.flatnonzero((page.tag == TEXT) & page.counted)
    return np.unique(page.parent[rows]).astype(np.intp)


def elements_of(page: Page) -> Ints:
    """All counted elements from body down."""
    rows = np.flatnonzero(page.element & page.counted)
    return rows[rows >= max(page.body, 0)].astype(np.intp)


def paper_features(
    page: Page,
    query: Query,
    names: tuple[str, ...] = PAPER_FEATURES,
    rows: Ints | None = None,
) -> FeatureTable:
    """Features of elements by name, of units unless rows are given.

    Labels and values of the query are one set of words.
    """
    units, counts = units_of(page) if rows is None else rows, density_counts(page)
    matched = matches(page, query.words | query.labels)
    density = composite_text_density(page, counts)
    columns: dict[str, Callable[[], Floats | Int64s]] = {
        "density": lambda: density,
        "density_sum": lambda: density_sum(page, counts=counts),
        "descendant_density_sum": lambda: descendant_density_sum(page, density, counts),
        "query_score": lambda: query_score(page, matched),
        "simple_matches": lambda: np.asarray(page.sum_children(matched)),
        "body_distance": lambda: body_distance(page),
    }
    features = {name: columns[name]()[units] for name in names}
    return FeatureTable.of(features, len(units), np.float64)


def descendant_density_sum(page: Page, density: Floats, counts: DensityCounts) -> Floats:
    """Densities of all elements below each element; own density of a leaf."""
    below = page.sum_subtree(density) - density
    return np.asarray(np.where(counts.tags > 0, below, density), np.float64)


def matches(page: Page, words: frozenset[str]) -> Int64s:
    """Words of each counted text that are in the query, repetitions counted; 0 for elements."""
    column = np.zeros(len(page), np.int64)
    if words:
        texts = page_words(page)
        column[texts.rows] = texts.count_words(words)
    return column


def query_score(page: Page, matched: Int64s) -> Floats:
    """Matches in all texts below each row, each divided by the edges down to the text.

    All matches move up together, one edge per step; those that meet at an element go on as one.
    """
    score = np.zeros(len(page))
    at, count = np.flatnonzero(matched), matched[matched != 0].astype(np.float64)
    distance = 0
    while True:
        above = page.parent[at]
        inside = above >= 0
        distance += 1
        at, place = np.unique(above[inside], return_inverse=True)
        if not len(at):
            return score
        count = np.bincount(place, count[inside])
        score[at] += count / distance


def body_distance(page: Page) -> Int64s:
    """Edges from each row up to body; 0 for body itself and for rows outside it."""
    if page.body < 0:
        return np.zeros(len(page), np.int64)
    inside = np.zeros(len(page), np.bool_)
    inside[page.body : page.end[page.body]] = True
    return np.where(inside, page.depth - page.depth[page.body], 0).astype(np.int64)
