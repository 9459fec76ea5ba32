"""The paper's way to tell noise: a decision tree over five features of each element with text."""

import numpy as np

from pagelet.arrays import Floats, Ints
from pagelet.page.density import composite_text_density, density_counts, density_sum
from pagelet.page.query import Query, body_distance, matches, query_score, simple_matches
from pagelet.page.table import Page
from pagelet.page.tags import TEXT

FEATURES = ("density", "density_sum", "query_score", "simple_matches", "body_distance")


def units_of(page: Page) -> Ints:
    """Elements that hold counted text directly."""
    rows = np.flatnonzero((page.tag == TEXT) & page.counted)
    return np.unique(page.parent[rows]).astype(np.intp)


def paper_features(page: Page, query: Query) -> Floats:
    """The five features, one line an element; labels and values are one set of words."""
    units, counts = units_of(page), density_counts(page)
    matched = matches(page, query.words | query.labels)
    columns = (
        composite_text_density(page, counts),
        density_sum(page, counts=counts),
        query_score(page, matched),
        simple_matches(page, matched),
        body_distance(page),
    )
    return np.stack([column[units].astype(np.float64) for column in columns], axis=1)
