"""Texts of rows, what stands around a heading, and meta elements: the same from both cores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import core, parse
from pagelet.metadata.lookup import structured_data
from pagelet.metadata.opening import _begun_with, _other_parts
from pagelet.metadata.shown import folded_texts, short_texts, text_rows
from pagelet.metadata.terms import _licence_texts
from tests.cores import ask_both, twins

pytestmark = twins

PIECES = (
    *("<h1>", "</h1>", "<p>", "<div class=comments>", "<div class='menu'>", "<nav>", "</div>"),
    *("<b>", "</b>"),
    *("<select><option>", "</nav>", "<script>x y</script>", "<noscript>n</noscript>"),
    *("one  two", "\n three\t", "\u00a0vier ", "\ud800", "CC BY 4.0", "x" * 150, "\u00e9" * 90),
    *("<meta name=a content=b>", "<meta property='O:B' content=' c &amp; d' name=e>", "Three"),
    *("<meta content=f>", "<meta name=g>", "<meta name=g content=''>"),
    "<meta itemprop=' H ' content=i>",
)  # fmt: skip
pages = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


def ask_pages(html, ask):
    """What both cores say of a page."""
    compiled, python = ask_both(lambda: ask(parse(html)))
    assert compiled == python


@given(pages)
def test_texts_of_rows(html):
    def ask(page):
        rows = list(range(len(page)))
        return short_texts(page, rows), folded_texts(page, rows, 7), _licence_texts(page)

    ask_pages(html, ask)


@given(pages, st.integers(-1, 20))
def test_parts_around_a_heading(html, heading):
    ask_pages(html, lambda page: _other_parts(structured_data(page), heading).tolist())


@given(pages)
def test_contents_of_meta_elements(html):
    ask_pages(html, lambda page: structured_data(page).meta)


@given(pages, st.sampled_from("t1\u00e9x"))
def test_texts_that_begin_with_a_letter(html, letter):
    ask_pages(html, lambda page: list(_begun_with(page, text_rows(page), letter)))


def test_what_does_not_fit_is_refused():
    page = parse("<p>one<p>two")
    columns = (page.tag, page.size, page.chars)
    with pytest.raises(ValueError, match="columns"):
        core.kernels.ShownTexts(*columns, page.counted[1:], page.texts)
    with pytest.raises(ValueError, match="one text"):
        core.kernels.ShownTexts(*columns, page.counted, ("one",))
    texts = core.kernels.ShownTexts(*columns, page.counted, page.texts)
    for row in (-1, len(page)):
        with pytest.raises(IndexError):
            texts.read_short([row], 9)
        with pytest.raises(IndexError):
            texts.read_texts([row], 9)
        with pytest.raises(IndexError):
            core.kernels.mark_others(columns, [row], [], (1, 2), 0, np.empty(len(page), np.bool_))
    with pytest.raises(ValueError, match="columns"):
        core.kernels.mark_others(columns, [], [], (1, 2), 0, np.empty(1, np.bool_))
    with pytest.raises(IndexError):
        core.kernels.read_metas(page.wanted, page.tag, 1, 99, ())
    with pytest.raises(IndexError):
        core.kernels.find_starting(page.texts, np.array([2]), ord("a"))
