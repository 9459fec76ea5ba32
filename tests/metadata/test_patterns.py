"""Patterns that are searched for in any letters."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.metadata import names, patterns, terms, titles
from pagelet.metadata.patterns import AnyCase

EVERY = {
    name: pattern
    for module in (names, patterns, terms, titles)
    for name, pattern in vars(module).items()
    if isinstance(pattern, AnyCase)
}
PIECES = (
    *(
        "Updated",
        "last Review",
        "STAND",
        "standing",
        "copyright",
        "Until ",
        "from ",
        "Since",
        "(C)",
    ),
    *("Published", "GEPUBLICEERD", "Kicker", "sub-Title", "Tag", "comments-COUNT", "Editor ", "MD"),
    *(
        "Reuters",
        "e. V.",
        " on ",
        "12/",
        " - ",
        "\u017ftand",
        "\u212aG",
        "ver\u00f6ffentlicht",
        " ",
    ),
    *("\u0130nc", "\u00c0 jour", "mise ", "_", "x", "7"),
)


@given(st.lists(st.sampled_from(PIECES), max_size=5).map("".join))
def test_matches_in_any_letters(text):
    for pattern in EVERY.values():
        for ask in ("search", "fullmatch"):
            found, wanted = (getattr(one, ask)(text) for one in (pattern, pattern.any))
            assert (found and found.span()) == (wanted and wanted.span())


@pytest.mark.parametrize("name", EVERY)
def test_patterns_are_written_in_small_letters(name):
    written = re.sub(r"\\.", "", EVERY[name].any.pattern)
    assert written == written.lower()
    assert "(?-i" not in written
