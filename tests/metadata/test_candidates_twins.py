"""Texts that the compiled core picks for dates and authors: the same facts as from all texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.metadata.authors import LABEL, _in_lines, _labelled, _maybe_bylines, byline_names
from pagelet.metadata.dates import find_date, maybe_dated
from pagelet.metadata.facts import metadata
from pagelet.metadata.opening import OpeningLines
from pagelet.metadata.published import Reading
from pagelet.page.html import parse
from tests.cores import ask_both, twins
from tests.fuzzed import GOLDEN

pytestmark = twins

PIECES = (
    *("6/5/2024", "25/5/2024", "5-25-2024", "13-01-24", "6.5.2024", "/", "-", " ", "\u0663/5/2024"),
    *("Author: ", "AUTOR Anna Ash", "text by ", "Written by Ben Birch", "Word\u017f by Ben Birch"),
    *("\u00a0", "\x1f", "\n", "a", "\u00e4", "\u20ac" * 30, "b" * 60, "\ud800", "Anna Ash"),
)
DATED = (
    "1",
    "2024",
    " ",
    "-",
    "/",
    ".",
    "|",
    "x",
    "\u00e9",
    "\u0662",
    "\u6708",
    "\ud800",
    "\uff12",
)
BYLINES = (
    *("By ", "von ", "Text", ": ", " | ", "2024 ", "Anna Ash", "WORDS BY ", "Redacci\u00f3n: "),
    *(
        "\u00b7 par ",
        "Autor ",
        "Word\u017f by ",
        "d\u0131 Ben",
        "written by",
        ", di ",
        "x",
        "van ",
        " av ",
    ),
)
texts = st.lists(st.lists(st.sampled_from(PIECES), max_size=4).map("".join), max_size=6)


@given(texts)
def test_order_of_day_and_month(parts):
    page = parse("<p>".join(["", *parts]) + "<script>1/13/2024</script>")
    compiled, python = ask_both(lambda: Reading(page, "en").order())
    assert compiled == python


@given(texts)
def test_names_behind_a_label(parts):
    page = parse("<p>".join(["", *parts]))
    compiled, python = ask_both(lambda: list(_labelled(page)))
    assert compiled == python


@given(st.lists(st.lists(st.sampled_from(DATED), max_size=6).map("".join), max_size=4))
def test_texts_that_may_hold_a_date(parts):
    compiled, python = ask_both(lambda: maybe_dated(parts))
    assert set(compiled) >= set(python)
    assert all(at in compiled for at, text in enumerate(parts) if find_date(text))
    assert [at for at in compiled if parts[at].isascii()] == [
        at for at in python if parts[at].isascii()
    ]


@given(st.lists(st.lists(st.sampled_from(BYLINES), max_size=4).map("".join), max_size=5))
def test_names_near_the_heading(parts):
    page = parse("<h1>one</h1>" + "".join(f"<p><a href=/author/x>{part}</a></p>" for part in parts))

    def ask():
        rows = [row for row in range(len(page)) if page.text(row)]
        texts = [" ".join(page.text(row).split()) for row in rows]
        return list(_in_lines(page, OpeningLines(rows, texts, list(range(len(rows))))))

    compiled, python = ask_both(ask)
    assert compiled == python


@pytest.mark.parametrize(
    "start",
    "by von par por door af av di van author: autor: auteur: autore: text: words: redaktion:"
    " redacci\u00f3n: bericht: autoren".split(),
)
def test_every_word_before_a_name_is_looked_for(start):
    text = f"{start.upper()} Zoe Klug"
    assert byline_names(text) == ["Zoe Klug"]
    assert _maybe_bylines(["Zoe Klug", text]) == [1]


@pytest.mark.parametrize("label", ["By", "von:", "Par :", "por", "AUTHOR", "Autorin", "text"])
def test_every_label_is_looked_for(label):
    assert LABEL.fullmatch(label)
    assert _maybe_bylines(["Zoe Klug", label]) == [1]


@pytest.mark.parametrize("script", ["x='13/1/2024'", "x='13/1/2024';" + "y" * 900, "\r\n" * 20])
def test_short_scripts_are_read_as_well(script):
    html = f"<p>one two</p><script>{script}</script><p>three"

    def ask():
        return Reading(parse(html), "en").order()

    compiled, python = ask_both(ask)
    assert compiled == python


@pytest.mark.parametrize("path", GOLDEN[::10], ids=lambda path: path.parent.name)
def test_metadata_of_pages_that_somebody_wrote(path):
    compiled, python = ask_both(lambda: metadata(parse(path.read_bytes())).to_dict())
    assert compiled == python
