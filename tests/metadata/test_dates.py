"""Dates as people write them, and what only looks like one."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pagelet.metadata.dates import date_in_path, find_date, iso_date
from tests.effort import ends
from tests.naive import dates as naive

PIECES = (
    *("2024", "1999", "2", "12", "31", "05", "20240506", "1714979289", "\u0662\u0660\u0662\u0664"),
    *(" ", "-", "/", ".", ",", ", ", ". ", " | ", ":", "(", " - ", "\u5e74", "\u6708", "\u65e5"),
    *("T", "10:30", "10:30:56", "Z", "+02:00", "+2000", ".20240101", "CET", "PM"),
    *(
        "May",
        "mayo",
        "M\u00e4rz",
        "Jan",
        "janv.",
        "listopad",
        "th",
        "st",
        " de ",
        " del ",
        "of",
        "x",
    ),
    "x" * 60,
)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2024-05-06", "2024-05-06"),
        ("2024-5-6", "2024-05-06"),
        ("2024/05/06", "2024-05-06"),
        ("20240506", "2024-05-06"),
        ("2024.05.06", "2024-05-06"),
        ("2024-05-06T07:08:09Z", "2024-05-06T07:08:09+00:00"),
        ("2024-05-06T07:08:09.123+02:00", "2024-05-06T07:08:09+02:00"),
        ("2024-05-06T07:08:09-0500", "2024-05-06T07:08:09-05:00"),
        ("2024-05-06 07:08", "2024-05-06T07:08:00"),
        ("2024-05-06 07:08:09 UTC", "2024-05-06T07:08:09+00:00"),
        ("2024-05-06 07:08 PM", "2024-05-06"),
        ("2024-05-06T25:00:00Z", "2024-05-06"),
        ("1714979289", "2024-05-06T07:08:09+00:00"),
        ("1714979289000", "2024-05-06T07:08:09+00:00"),
        ("May 6, 2024", "2024-05-06"),
        ("Published:\n Sept.  6th, 2024 at noon", "2024-09-06"),
        ("6 May 2024", "2024-05-06"),
        ("Mon, 06 May 2024 07:08:09 GMT", "2024-05-06"),
        ("Tue Jan 28 15:28:56 CET 2020", "2020-01-28"),
        ("Tue Jan 28 15:28:56 +0100 2020", "2020-01-28"),
        ("6. März 2024", "2024-03-06"),
        ("6 juin 2024", "2024-06-06"),
        ("6 juillet 2024", "2024-07-06"),
        ("6 de mayo de 2024", "2024-05-06"),
        ("2024年5月6日", "2024-05-06"),
        ("6.5.2024", "2024-05-06"),
        ("25/12/2024", "2024-12-25"),
        ("12/25/2024", "2024-12-25"),
        ("5/5/2024", "2024-05-05"),
    ],
)
def test_a_date(text, wanted):
    assert iso_date(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "2024",
        "2024-13-06",
        "2024-02-30",
        "202456",
        "12024-05-060",
        "Lorem 6, 2024",
        "5/6/2024",  # the sixth of May or the fifth of June
        "room 6.50.2024",
        "x" * 300 + " 2024-05-06",  # too far into a text to be meant as a date
        "12345",
    ],
)
def test_no_date(text):
    assert iso_date(text) is None


@pytest.mark.parametrize(
    ("address", "wanted"),
    [
        ("https://example.org/2024/05/06/a-story", "2024-05-06"),
        ("https://example.org/news/2024-05-06/", "2024-05-06"),
        ("https://example.org/news/20240506-story", "2024-05-06"),
        ("https://example.org/2024/05/", None),
        ("https://example.org/2024/13/06/", None),
        ("https://example.org/a?from=/2024/05/06/", None),
        ("https://example.org/120240506/", None),
        ("", None),
    ],
)
def test_a_date_in_a_url(address, wanted):
    assert date_in_path(address) == wanted


@given(
    st.lists(st.sampled_from(PIECES), max_size=10).map("".join),
    st.sampled_from(("", "day first", "month first")),
    st.sampled_from(("", "en", "hr")),
)
@example("2024-13-45T10:00:00.20240101", "", "")
@example("6-May-2024", "", "")
@example("2024. May 6.", "", "")
def test_dates_are_those_that_every_pattern_finds(text, order, language):
    folded = " ".join(text.split())
    assert find_date(folded, order, language) == naive.find_date(folded, order, language)


def test_long_texts_end():
    with ends():
        for text in ("2024-" * 1_000_000, "1" * 5_000_000, "may " * 1_000_000, " " * 5_000_000):
            assert iso_date(text) is None
