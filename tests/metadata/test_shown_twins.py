"""Texts of rows, what stands around a heading, and meta elements: the same from both cores."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pagelet import core, parse
from pagelet.metadata.lookup import key_of, rows_by_property, rows_by_relation, structured_data
from pagelet.metadata.opening import _content_heading, _find_text, _other_parts, _read_lines
from pagelet.metadata.published import _item_texts, _named_as_date, _similar_items
from pagelet.metadata.shown import folded_texts, rows_within, short_texts
from pagelet.metadata.terms import _licence_texts
from pagelet.metadata.titles import _parts
from pagelet.page.tags import NUMBER
from tests.cores import ask_both, twins

pytestmark = twins

PIECES = (
    *("<h1>", "</h1>", "<p>", "<div class=comments>", "<div class='menu'>", "<nav>", "</div>"),
    *("<b>", "</b>"),
    *("<select><option>", "</nav>", "<script>x y</script>", "<noscript>n</noscript>"),
    *("one  two", "\n three\t", "\u00a0vier ", "\ud800", "CC BY 4.0", "x" * 150, "\u00e9" * 90),
    *("<meta name=author content=b>", "<meta property='OG:Title' content=' c &amp; d' name=date>"),
    *("<meta content=f>", "<meta name=keywords>", "<meta name=keywords content=''>", "Three"),
    *("<meta itemprop=' Date ' content=i>", "<meta name='\u212aeywords' content='k'>", "THREE!"),
    *("<meta name=viewport content=v>", f"<meta name={'x' * 70} content=w>", "<li>"),
    *("<h2>", "</h2>"),
    *("<ul>", "</ul>", "<time>", "</time>", "<a href=x>", "</a>", "<small>", "x" * 200),
    *("<p itemprop='author Creator'>", "<p property=dc:Creator rel='TAG author'>"),
)  # fmt: skip
pages = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
#: Pages on which there are more texts around a heading than are read.
long_pages = st.lists(st.tuples(st.sampled_from(PIECES), st.integers(1, 20)), max_size=12).map(
    lambda pieces: "".join(piece * times for piece, times in pieces)
)


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


@given(pages, st.sampled_from(("Three", "one two", "vier", "\u00e9" * 90, "!", "", None, "thre")))
def test_text_that_is_the_title(html, title):
    ask_pages(html, lambda page: _find_text(page, title))


@given(pages)
@example("<h2>one</h2><p>" + "<p>".join(["x" * 200, "one", "x" * 200]))
@example("<h2>one</h2><p>two<h3>one</h3><p>" + "<p>".join(["x" * 200, *("one",) * 11, "x" * 200]))
def test_heading_that_a_body_follows(html):
    ask_pages(html, _content_heading)


def test_no_more_texts_around_a_heading_than_are_wanted():
    page = parse("<p>before" * 20 + "<h1>one</h1>" + "<p>behind" * 80)
    heading = page.first_tagged(1, NUMBER["h1"])[0]
    compiled, python = ask_both(lambda: _read_lines(page, heading, np.zeros(len(page), np.bool_)))
    assert compiled == python
    distances = compiled.distances
    assert (min(distances), max(distances), len(distances)) == (-14, 60, 74)


@given(long_pages, st.data())
def test_texts_around_a_heading(html, data):
    place = data.draw(st.floats(0, 1))

    def ask(page):
        heading = int(place * (len(page) - 1))
        return _read_lines(page, heading, _other_parts(structured_data(page), heading))

    ask_pages(html, ask)


@given(pages)
def test_parts_of_rows(html):
    ask_pages(html, lambda page: _parts(page, list(range(len(page)))))


@given(pages)
def test_items_of_a_list(html):
    def ask(page):
        rows = list(range(len(page)))
        return (
            [_similar_items(page, row) for row in rows],
            [_item_texts(page, row) for row in rows],
            _named_as_date(structured_data(page), rows),
            [rows_within(page, rows, NUMBER["a"], levels) for levels in (1, 3)],
            [page.first_tagged(most, NUMBER["p"], NUMBER["li"]) for most in (0, 1, 99)],
            rows_by_property(page, "author", "creator"),
            rows_by_relation(page, "author"),
        )

    ask_pages(html, ask)


@pytest.mark.parametrize("name", ["keywords", "\u212aeywords", "KEYWORDS"])
def test_rows_named_with_the_sign_of_kelvin(name):
    def ask(page):
        return rows_by_property(page, "keywords")

    ask_pages(f"<p itemprop='{name}'>a</p>", ask)
    assert ask(parse(f"<p itemprop='{name}'>a</p>")) == [3]


@given(st.text() | st.text("aZ9 -\u00df\u0130\u0662", max_size=400))
def test_letters_and_digits(text):
    compiled, python = ask_both(lambda: key_of(text))
    assert compiled == python


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
        with pytest.raises(IndexError):
            texts.read_around(row, np.zeros(len(page), np.bool_), (1, 1, 1), 1, 9)
        with pytest.raises(IndexError):
            texts.find_parts([row], 3)
        with pytest.raises(IndexError):
            texts.read_inner(row, 9, 9, 9)
        with pytest.raises(IndexError):
            core.kernels.find_within(page.parent, page.tag, [row], 1, 1)
        with pytest.raises(IndexError):
            core.kernels.find_inside(page.size, [row], [0])
        with pytest.raises(IndexError):
            core.kernels.find_similar_items(columns, row, 0, (1, 1, 1), page.counted)
    with pytest.raises(ValueError, match="columns"):
        core.kernels.mark_others(columns, [], [], (1, 2), 0, np.empty(1, np.bool_))
    with pytest.raises(ValueError, match="columns"):
        texts.read_around(0, np.zeros(1, np.bool_), (1, 1, 1), 1, 9)
    with pytest.raises(ValueError, match="columns"):
        core.kernels.find_within(page.parent, page.tag[1:], [0], 1, 1)
    with pytest.raises(ValueError, match="columns"):
        core.kernels.find_similar_items(
            (*columns[:2], page.parent[1:]), 0, 0, (1, 1, 1), page.counted
        )
    with pytest.raises(ValueError, match="key"):
        texts.find_keyed(b"", 0, 9, 9)


@pytest.mark.parametrize("above", [(-1, 0, 2**30), (-1, 2**30, 1), (-1, -5, 1), (-1, 2, 1)])
def test_parents_that_do_not_exist_have_no_similar_items(above):
    tag, size = np.array([1, 2, 3], np.int32), np.array([3, 2, 1], np.int32)
    columns = (tag, size, np.array(above, np.int32))
    marks = np.ones(5, np.bool_)
    assert core.kernels.find_similar_items(columns, 2, -1, (5, 100, 5), marks) == []


def test_names_of_meta_elements_that_do_not_fit_are_refused():
    def make(name, number=1):
        return core.kernels.MetaNames(core.kernels.PhraseTable((name,), np.array([number])))

    with pytest.raises(ValueError, match="short names"):
        make(b"x" * 65)
    with pytest.raises(ValueError, match="short names"):
        make("\u00e9".encode())
    with pytest.raises(ValueError, match="numbered"):
        make(b"author", 2)
    page = parse("<p>one")
    with pytest.raises(IndexError):
        make(b"author").read_contents(page.wanted, page.tag, 1, (99,), str)
