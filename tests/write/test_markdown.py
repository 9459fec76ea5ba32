"""Kept texts as Markdown: each rule by hand, then properties of any page."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import parse
from pagelet.page.tags import TEXT
from pagelet.write import write_markdown
from pagelet.write.markdown import _is_mark, _paragraph_around, _split_code, _unescape
from tests import hostile
from tests.build import page_of, to_html
from tests.cases import case
from tests.effort import ends
from tests.naive import markdown_parts
from tests.write.excerpts import URL, WORD, body_texts, choices, chosen, read, trees, words

SITE = "https://example.org"


def markdown_of(source: str, drop: str = "", **style: bool) -> str:
    return write_markdown(*read(source, drop), **style)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("<h1>a</h1><h3>b</h3>c", "# a\n\n### b\n\nc", id="headings"),
        pytest.param("<h2><strong>a</strong> <i>b</i></h2>", "## a *b*", id="no bold headings"),
        pytest.param("<ul><li>a<ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c", id="nested list"),
        pytest.param(
            "<ul><li><ul><li>a</ul><li><ul><li>b</ul></ul>", "- a\n- b", id="no lonely bullets"
        ),
        pytest.param("<ol><li><p>a</p><li><div>b</div></ol>", "1. a\n2. b", id="tight list"),
        pytest.param("<ul><li><p>a</p><p>b</p></ul>", "- a\n\n  b", id="loose list"),
        pytest.param("<blockquote><p>a<p>b</blockquote>", "> a\n>\n> b", id="quote"),
        pytest.param(
            "<pre><code class=language-py>a\n\n  b</code></pre>", "```py\na\n\n  b\n```", id="code"
        ),
        pytest.param("a <a href=b>c</a>", f"a [c]({SITE}/dir/b)", id="link"),
        pytest.param(
            "<a href=/x><h3>a</h3>b</a>", f"### [a]({SITE}/x)\n\n[b]({SITE}/x)", id="link of blocks"
        ),
        pytest.param("a<img src=/x alt=y>b", "a b", id="no pictures by default"),
        pytest.param(
            "<table><tr><th>a<th>b<tr><td>c<td>d</table>",
            "| a | b |\n| --- | --- |\n| c | d |",
            id="table",
        ),
        pytest.param(
            "<table><tr><td>a<td>b<tr><td>c</table>",
            "| a | b |\n| --- | --- |\n| c |  |",
            id="short rows are filled up",
        ),
        pytest.param(
            "<table><tr><td rowspan=2>a<td>b<td>c<tr><td>d<td>e<tr><td colspan=2>f<td>g</table>",
            "| a | b | c |\n| --- | --- | --- |\n|  | d | e |\n| f |  | g |",
            id="spans leave empty cells",
        ),
        pytest.param(
            "<table><tr><td>a<td colspan=2>b<tr><td>c<td>d<td>e</table>",
            "| a | b |  |\n| --- | --- | --- |\n| c | d | e |",
            id="a span at the end of a row",
        ),
        pytest.param(
            "<table><tr><td colspan=9999>a<td>b</table>",
            "| a | b |\n| --- | --- |",
            id="a span beyond reason",
        ),
    ],
)
def test_by_hand(source, expected):
    assert markdown_of(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("<table><tr><td>a<tr><td>b</table>", "a\n\nb", id="one column"),
        pytest.param("<table><tr><td>x<td>a<tr><td>x<td>b</table>", "a\n\nb", id="one is kept"),
        pytest.param("<table role=presentation><tr><td>a<td>b</table>", "a\n\nb", id="by its role"),
        pytest.param("<table><tr><td>a<td><h2>b</h2>c</table>", "a\n\n## b\n\nc", id="heading"),
        pytest.param("<table><tr><td>a<td><p>b<p>c</table>", "a\n\nb\n\nc", id="paragraphs"),
        pytest.param(
            "<table><tr><td>a<td><table><tr><td>b<td>c</table></table>",
            "a\n\n| b | c |\n| --- | --- |",
            id="table in a table",
        ),
    ],
)
def test_layout_tables_are_unwrapped(source, expected):
    assert markdown_of(source, drop="x") == expected


def test_a_long_cell_is_no_cell():
    long = "word " * 250
    assert "|" not in markdown_of(f"<table><tr><td>a<td>{long}</table>")


def test_pictures_when_asked_for():
    assert markdown_of("a<img src=/x alt=y>b", images=True) == f"a![y]({SITE}/x) b"


def test_links_off():
    assert markdown_of("a <a href=b>c</a>", links=False) == "a c"


def test_nothing_kept():
    assert markdown_of("<p>x</p>", drop="x") == ""


def test_a_table_of_padding_is_not_filled_up():
    wide = f"<tr>{'<td>a' * 300}"
    page = parse(f"<table>{wide}{'<tr><td>b' * 3_000}</table>")
    assert len(write_markdown(page, body_texts(page))) < 200_000


@pytest.mark.parametrize("rows", ["<tr><td>b<td>c" * 400, "<tr>" * 400 + "<tr><td>b<td>c"])
def test_cells_that_reach_far_down_do_not_fill_up_a_table(rows):
    reaching = "<td colspan=50 rowspan=1000>a" * 400
    page = parse(f"<table><tr>{reaching}{rows}</table>")
    assert len(write_markdown(page, body_texts(page))) < 200_000


@given(trees, choices)
def test_each_kept_word_once_and_in_order(tree, bits):
    page = page_of(tree)
    kept = chosen(page, bits)
    assert WORD.findall(write_markdown(page, kept)) == words(page, kept)


@given(trees, choices)
def test_each_kept_word_of_a_source_once_and_in_order(tree, bits):
    page = parse(to_html(tree), url=URL)
    kept = chosen(page, bits)
    assert WORD.findall(write_markdown(page, kept, images=True)) == words(page, kept)


def test_hostile_pages():
    for name in hostile.QUICK:
        with case(name), ends():
            page = hostile.page(name)
            kept = page.tag == TEXT
            found = write_markdown(page, kept)
            assert bool(found) == bool(kept.any())


def test_letters_and_digits_are_no_marks():
    every = map(chr, range(0x110000))
    assert [char for char in every if char.isalnum() and (char.isspace() or _is_mark(char))] == []


written = st.lists(
    st.sampled_from(["`", "``", "```", "\n", "\n\n", " ", ">", "> ", "\\", "\\`", "a", "é"]),
    max_size=40,
).map("".join)


@given(written)
def test_code_is_found_where_a_pattern_over_the_whole_finds_it(text):
    parts = list(_split_code(text))
    assert "".join(part for _, part in parts) == text
    stops = [len("".join(part for _, part in parts[: at + 1])) for at in range(len(parts))]
    found = [(end - len(part), end) for end, (code, part) in zip(stops, parts, strict=True) if code]
    assert markdown_parts.code_of(text) == found


@given(written)
def test_paragraphs_end_where_a_pattern_over_the_whole_ends_them(text):
    for at in [at for at, sign in enumerate(text) if sign == "\\"]:
        first, last = _paragraph_around(text, at)
        assert text[first:last].strip("\n") == markdown_parts.paragraph_around(text, at)


def test_a_document_of_one_line_takes_no_more_than_its_length():
    with ends():
        assert sum(1 for _ in _split_code("> \\` " * 1_000_000)) == 1
        for sign in ("`", "*", "_"):
            parts = [part for _, part in _split_code(f"> \\{sign} " * 300_000)]
            assert "".join(map(_unescape, parts)).count(sign) == 300_000
