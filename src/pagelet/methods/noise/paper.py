"""The paper's way to detect noise: a decision tree over five features per element with text."""

import numpy as np

from pagelet.arrays import Ints
from pagelet.models.features import FeatureTable
from pagelet.page.density import composite_text_density, density_counts, density_sum
from pagelet.page.query import Query, body_distance, matches, query_score, simple_matches
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
        simple_matches(page, matched),
        body_distance(page),
    )
    features = zip(PAPER_FEATURES, (column[units] for column in columns), strict=True)
    return FeatureTable.of(dict(features), len(units), np.float64)
