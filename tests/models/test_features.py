"""Tables of features: names beside values, their order, and what is copied."""

import numpy as np
import pytest

from pagelet.models.features import FeatureTable

TABLE = FeatureTable.of({"words": np.array([3, 5]), "link": np.array([True, False]), "page": 8}, 2)


def test_a_table_keeps_the_order_of_its_features_and_repeats_a_single_number():
    assert TABLE.names == ("words", "link", "page")
    assert TABLE.lines.tolist() == [[3, 5], [1, 0], [8, 8]]
    assert TABLE.rows.tolist() == [[3, 1, 8], [5, 0, 8]]
    assert TABLE.lines.dtype == np.float32


def test_rows_and_single_features_are_views():
    assert np.shares_memory(TABLE.rows, TABLE.lines)
    assert np.shares_memory(TABLE["link"], TABLE.lines)
    assert TABLE["link"].tolist() == [1, 0]


def test_more_features_stand_behind_the_first_ones():
    longer = TABLE.extended({"more": np.array([0.5, 2])})
    assert longer.names == ("words", "link", "page", "more")
    assert longer.lines.tolist() == [[3, 5], [1, 0], [8, 8], [0.5, 2]]
    assert longer.lines.dtype == np.float32


def test_an_update_changes_the_copy_alone():
    changed = TABLE.updated({"page": 9, "words": np.array([1, 2])})
    assert changed.lines.tolist() == [[1, 2], [1, 0], [9, 9]]
    assert TABLE["page"].tolist() == [8, 8]
    with pytest.raises(KeyError):
        TABLE.updated({"colour": 1})


def test_a_table_of_doubles_without_items():
    table = FeatureTable.of({"a": np.zeros(0), "b": 1}, 0, np.float64)
    assert table.rows.shape == (0, 2)
    assert table.lines.dtype == np.float64
