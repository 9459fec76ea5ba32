"""The paper's way to detect noise: a decision tree over five features per element with text.

After Lutz, Heuser, on noise in pages of the hidden web: texts are matched with the words of labels
and values; an element is scored by the matches below it, each divided by its distance.
"""

import numpy as np

from pagelet.arrays import Floats, Int64s, Ints
from pagelet.models.features import FeatureTable
from pagelet.page.density import composite_text_density, density_counts, density_sum
from pagelet.page.query import Query, page_words
from pagelet.page.table import Page
from pagelet.page.tags import TEXT

PAPER_FEATURES = ("density", "density_sum", "query_score", "simple_matches", "body_distance")


def units_of(page: Page) -> Ints:
    """Elements that hold counted text directly."""
    rows = np.flatnonzero((page.tag == TEXT) & page.counted)
    return np.unique(page.parent[rows]).astype(np.intp)


def paper_features(page: Page, query: Query) -> FeatureTable:
    """The five features of each element; labels and values are one set of words."""
    units, counts = units_of(page), density_counts(page)
    matched = matches(page, query.words | query.labels)
    columns = (
        composite_text_density(page, counts),
        density_sum(page, counts=counts),
        query_score(page, matched),
        page.sum_children(matched),
        body_distance(page),
    )
    features = zip(PAPER_FEATURES, (column[units] for column in columns), strict=True)
    return FeatureTable.of(dict(features), len(units), np.float64)


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
