"""The notable tags of a source: the compiled reader against the patterns."""

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import parse
from pagelet.errors import PageTooLarge
from pagelet.page.expansion import SEPARATORS, count_rich_attributes, count_spelled, scan_tags
from tests import hostile
from tests.cores import ask_both, twins

pytestmark = twins

PIECES = [
    "<b", "<B", "<i", "<a", "<A", "<strong", "<STRIKE", "<small", "<body", "<html", "<template",
    "<em", "<nobr", "<code", "<font", "<tt", "<u", "<s", "<big", "<x", "<br", "<strongly", "<", ">",
    " ", "\n", "/", "\t", "\x0b", "\x1c", "=", '"', "'", "a", "class", "id=1", " a=b", " c='d e'",
    ' f="g"', "= ", "\0", "-", "é", "\U0001f600",
    "x" * 199, "é" * 200, "y" * 999, "漢" * 1000, '="' + "q" * 3999, "q" * 2 + '"',
]  # fmt: skip


def read_tags(source: str) -> tuple[dict[str, int], int, int, int]:
    """Notable tags with one kind of separator, characters that may begin tags, and nodes."""
    tags = scan_tags(source)
    notable: Counter[str] = Counter()
    for tag, times in tags.notable.items():
        name = re.sub(r"[\s/]$", lambda last: " " if last[0] in SEPARATORS else "", tag)
        notable[name] += times
    return dict(notable), tags.count, count_spelled(tags), count_rich_attributes(tags)


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_pieces_in_any_order(source):
    compiled, python = ask_both(lambda: read_tags(source))
    assert compiled == python


@pytest.mark.parametrize("path", list(Path("examples").rglob("*.html")), ids=str)
def test_pages_that_somebody_wrote(path):
    compiled, python = ask_both(lambda: read_tags(path.read_text()))
    assert compiled == python


@pytest.mark.parametrize("name", ["unclosed formatting", "random markup", "deep menus", "NUL"])
def test_pages_that_nobody_wrote(name):
    compiled, python = ask_both(lambda: read_tags(hostile.source(name)))
    assert compiled == python


@pytest.mark.parametrize("space", ["\x85", "\xa0", "\u2003", "\u3000"])
def test_white_space_that_separates_nothing_hides_nothing(space):
    """Only the patterns take it for white space; what is refused is the same."""
    source = f"<b{space}a=1 b=2 c=3 d=4><p>" * 3_000

    def is_refused() -> bool:
        try:
            parse(source, max_nodes=20_000)
        except PageTooLarge:
            return True
        return False

    compiled, python = ask_both(is_refused)
    assert compiled == python


@pytest.mark.parametrize("source", [b"\xef\xbb\xbf<b id=1>x", b"<b id=1>\xff\xe9<i a>", b"<p>\xc3"])
def test_bytes_that_are_nearly_utf_8_show_the_same_tags(source):
    compiled, python = ask_both(lambda: parse(source * 9).source)
    assert compiled == python
