"""Texts that the compiled core picks for dates and authors: the same facts as from all texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.metadata.authors import _labelled
from pagelet.metadata.facts import metadata
from pagelet.metadata.lookup import structured_data
from pagelet.metadata.published import reading_of
from pagelet.page.html import parse
from tests.cores import ask_both, twins
from tests.fuzzed import GOLDEN

pytestmark = twins

PIECES = (
    *("6/5/2024", "25/5/2024", "5-25-2024", "13-01-24", "6.5.2024", "/", "-", " ", "\u0663/5/2024"),
    *("Author: ", "AUTOR Anna Ash", "text by ", "Written by Ben Birch", "Word\u017f by Ben Birch"),
    *("\u00a0", "\x1f", "\n", "a", "\u00e4", "\u20ac" * 30, "b" * 60, "\ud800", "Anna Ash"),
)
texts = st.lists(st.lists(st.sampled_from(PIECES), max_size=4).map("".join), max_size=6)


@given(texts)
def test_order_of_day_and_month(parts):
    page = parse("<p>".join(["", *parts]) + "<script>1/13/2024</script>")
    compiled, python = ask_both(lambda: reading_of(structured_data(page), "en").order())
    assert compiled == python


@given(texts)
def test_names_behind_a_label(parts):
    page = parse("<p>".join(["", *parts]))
    compiled, python = ask_both(lambda: list(_labelled(page)))
    assert compiled == python


@pytest.mark.parametrize("script", ["x='13/1/2024'", "x='13/1/2024';" + "y" * 900, "\r\n" * 20])
def test_short_scripts_are_read_as_well(script):
    html = f"<p>one two</p><script>{script}</script><p>three"

    def ask():
        return reading_of(structured_data(parse(html)), "en").order()

    compiled, python = ask_both(ask)
    assert compiled == python


@pytest.mark.parametrize("path", GOLDEN[::10], ids=lambda path: path.parent.name)
def test_metadata_of_pages_that_somebody_wrote(path):
    compiled, python = ask_both(lambda: metadata(parse(path.read_bytes())).to_dict())
    assert compiled == python
