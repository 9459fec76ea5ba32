"""Phrases that messages share."""

import pytest

from pagelet.errors import NO_VALUE, OptionError
from pagelet.wording import count_of, join_names, must_be_one_of, must_lie


def test_names_are_listed_as_in_a_sentence() -> None:
    assert join_names(["a"]) == "a"
    assert join_names(["a", "b"]) == "a and b"
    assert must_be_one_of(("a", "b", "c")) == "must be a, b or c"


@pytest.mark.parametrize(
    ("number", "expected"), [(0, "0 pages"), (1, "1 page"), (2_000, "2,000 pages")]
)
def test_a_count_has_its_noun_in_the_right_number(number: int, expected: str) -> None:
    assert count_of(number, "page") == expected


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, None, "must be 0 or more"),
        (None, 1, "must be 1 or less"),
        (0.5, 1_000_000, "must be between 0.5 and 1,000,000"),
    ],
)
def test_a_range_is_told_without_infinities(
    low: float | None, high: float | None, expected: str
) -> None:
    assert must_lie(low, high) == expected


def test_a_value_that_is_missing_or_secret_is_left_out_of_the_message() -> None:
    assert str(OptionError("token", NO_VALUE, "too short")) == "option token: too short"
    assert str(OptionError("token", None, "too short")) == "option token = None: too short"
