"""Values of texts: prices, dates, ratings, numbers, and texts that are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.methods.records.values import Value, read_number, read_value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$4.50", Value("price", 4.5, "USD")),
        ("1.234,50 €", Value("price", 1234.5, "EUR")),
        ("EUR 1,234.50", Value("price", 1234.5, "EUR")),
        ("from £12", Value("price", 12.0, "GBP")),
        ("20 ₪", Value("price", 20.0, "ILS")),
        ("2024-05-06", Value("date", "2024-05-06")),
        ("6 May 2024", Value("date", "2024-05-06")),
        ("posted May 6, 2024", Value("date", "2024-05-06")),
        ("4.5 out of 5", Value("rating", 4.5, best=5.0)),
        ("4,5/5", Value("rating", 4.5, best=5.0)),
        ("★★★☆☆", Value("rating", 3.0, best=5.0)),
        ("3 stars", Value("rating", 3.0, best=5.0)),
        ("1,234", Value("number", 1234)),
        ("(12)", Value("number", 12)),
        ("12.5k", Value("number", 12500)),
        ("7 comments", Value("number", 7)),
        ("-3", Value("number", -3)),
        ("", None),
        ("Tomato soup", None),
        ("Page 3 of 5", None),
        ("It cost 5 years and a fortune to build the house that Jack has left us.", None),
    ],
)
def test_value(text, expected):
    assert read_value(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("1,234", 1234), ("1.234", 1.234), ("1.234.567", 1234567), ("1,5", 1.5), ("0,123", 0.123),
     ("1 234,5", 1234.5), ("x", None)],
)  # fmt: skip
def test_number(text, expected):
    assert read_number(text) == expected


@given(st.text(max_size=80))
def test_any_text_has_a_value_or_none(text):
    found = read_value(text)
    assert found is None or found.kind in ("price", "date", "rating", "number")


@given(st.integers(0, 10**9), st.sampled_from(["$", "€", "£"]))
def test_a_price_is_read_as_it_is_written(amount, mark):
    found = read_value(f"{mark}{amount:,}")
    assert found is not None
    assert (found.kind, found.value) == ("price", amount)
