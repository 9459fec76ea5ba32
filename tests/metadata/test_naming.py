"""Elements by words in their class names and ids: each pattern, and both cores."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import core, parse
from pagelet.metadata.naming import MAX_NAME_CHARS, PATTERNS, WORDS, rows_by_pattern
from pagelet.metadata.patterns import (
    BYLINE,
    CATEGORY_BOX,
    COMMENT,
    DATED,
    OTHER_ITEM,
    TAG_BOX,
)
from pagelet.page.html import parse_whole
from tests.cores import ask_both, twins

PARTS = (
    *("menu", "Nav", "-", "-", " ", "byline", "postDate", "comment", "x", "mega", "_", "tag"),
    *("user", "list", "disqus", "Author", "Name", "widget", "teaser", "7", ".", "\t", "\x1c"),
    *("hidden", "\u212a", "\u017f", "\u00e9", "\u00a0", "\u0130", "COOKIE", "latest", "x" * 190),
)
NAMES = st.lists(st.sampled_from(PARTS), max_size=7).map("".join)


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        (OTHER_ITEM, "menu", True),
        (OTHER_ITEM, "Menu main", True),
        (OTHER_ITEM, "menu-item", False),
        (OTHER_ITEM, "main-menu", True),
        (OTHER_ITEM, "mega-menu-x", True),
        (OTHER_ITEM, "x-widget", False),
        (OTHER_ITEM, "a widget_b", True),
        (OTHER_ITEM, "navy", False),
        (OTHER_ITEM, "NAVBAR", True),
        (BYLINE, "post_author-name", True),
        (BYLINE, "authority", False),
        (BYLINE, "postAuthor", True),
        (BYLINE, "postAuthorName2", True),
        (BYLINE, "PostAuthority", False),
        (BYLINE, "POSTAuthor", False),
        (COMMENT, "disqus_thread", True),
        (COMMENT, "disqusthread", True),
        (COMMENT, "disqus.thread", False),
        (COMMENT, "user-comments-list", True),
        (DATED, "entry-date", True),
        (DATED, "update", False),
        (DATED, "x" * (MAX_NAME_CHARS - 5) + " date", True),
        (DATED, "x" * (MAX_NAME_CHARS - 4) + " date", False),
        (TAG_BOX, "post-tags-links", True),
        (TAG_BOX, "stage", False),
        (CATEGORY_BOX, "article-categories", True),
    ],
)
def test_what_a_name_fits(pattern, name, fits):
    assert pattern.fits(name) is fits


def test_rows_are_found_by_class_and_by_id_once():
    page = parse('<p id=byline class=author>a<p class="x">b<p class="x byline">c<p id=nav>d')
    rows = rows_by_pattern(page)[BYLINE.number]
    assert [page.inner_text(row) for row in rows] == ["a", "c"]


def test_small_letters_of_words_are_in_ascii():
    assert all(word.isascii() for word in WORDS)
    odd = [chr(code) for code in range(128, sys.maxunicode + 1) if chr(code).lower().isascii()]
    assert odd == ["\u212a"]  # the sign of the unit kelvin


@twins
@given(st.lists(st.tuples(NAMES, NAMES), max_size=4))
def test_rows_of_both_cores(values):
    html = "".join(f'<p class="{one}" id="{other}">x</p>' for one, other in values)
    for make in (parse, parse_whole):
        compiled, python = ask_both(lambda make=make: rows_by_pattern(make(html)))
        assert compiled == python


@twins
def test_words_need_patterns():
    table = core.kernels.PhraseTable((b"menu",), np.array([1]))
    with pytest.raises(ValueError, match="patterns of each word"):
        core.kernels.NameWords(table, np.zeros((2, 4), np.uint64), 3)
    with pytest.raises(ValueError, match="patterns of each word"):
        core.kernels.NameWords(table, np.zeros((1, 3), np.uint64), 3)
    far = core.kernels.PhraseTable((b"menu",), np.array([2]))
    with pytest.raises(ValueError, match="numbered from 1"):
        core.kernels.NameWords(far, np.zeros((1, 4), np.uint64), 3)
    short = core.kernels.PhraseTable((b"ab",), np.array([1]))
    with pytest.raises(ValueError, match="three bytes"):
        core.kernels.NameWords(short, np.zeros((1, 4), np.uint64), 3)
    words = core.kernels.NameWords(table, np.zeros((1, 4), np.uint64), 3)
    with pytest.raises(IndexError):
        words.find_rows(parse("<p>").wanted, (0, 99), len(PATTERNS), int)
