"""What the compiled core refuses to read and to choose from: columns that do not fit together."""

import json

import numpy as np
import pytest

from pagelet import core, parse
from pagelet.methods.content.choice import (
    add_log_odds,
    banner_log_odds,
    lead_log_odds,
    model_features,
)
from pagelet.methods.content.compiled_choice import LIMITS, TAG_BITS, choice_lines
from pagelet.methods.content.counts import HOLDERS_BY_TAG, KEPT_CHARS, reader_of
from pagelet.methods.content.model import shipped_model
from pagelet.methods.content.statements import read_titles
from pagelet.methods.vocabulary import PHRASE_BITS, phrase_kinds
from pagelet.page.styles import style_hides
from pagelet.page.tags import NUMBER
from pagelet.page.textblocks import text_blocks
from pagelet.page.words import kind_table
from tests.cores import ask_both, twins, using

pytestmark = twins

SOURCE = """<title>A page of words</title><body class="wide"><h1>A page of words</h1>
<p style="display:none">Hidden words are here.</p><table><tr><td>one<td>two<tr><td>three<td>four
</table><p>More of the words, in <a href=/x>a link</a>, and an end.</p>
<p>Read more: elsewhere</p>"""


@pytest.fixture
def page():
    with using("compiled"):
        yield parse(SOURCE)


def make_reader(page, **changes):
    blocks = text_blocks(page)
    given = {
        "columns": (page.tag, page.parent, page.size, page.chars, page.words),
        "blocks": (blocks.rows, blocks.first, blocks.holder, blocks.above),
    } | changes
    return core.kernels.BlockReader(page.wanted, given["columns"], page.texts, given["blocks"])


def test_columns_of_other_lengths_are_refused(page):
    columns = (page.tag[1:], page.parent, page.size, page.chars, page.words)
    with pytest.raises(ValueError, match="fit together"):
        make_reader(page, columns=columns)


def test_attributes_of_other_pages_are_refused(page):
    small = parse("<p>x")
    wanted = core.kernels.WantedAttributes()
    wanted.read(page.tag, page.attrs)
    blocks = text_blocks(small)
    with pytest.raises(ValueError, match="do not exist"):
        core.kernels.BlockReader(
            wanted,
            (small.tag, small.parent, small.size, small.chars, small.words),
            small.texts,
            (blocks.rows, blocks.first, blocks.holder, blocks.above),
        )


def test_steps_out_of_order_are_refused(page):
    reader = make_reader(page)
    with pytest.raises(ValueError, match="first"):
        reader.read_blocks(HOLDERS_BY_TAG, kind_table(), KEPT_CHARS)
    reader.read_rows(NUMBER["a"], style_hides)
    with pytest.raises(ValueError, match="before"):
        reader.read_rows(NUMBER["a"], style_hides)
    with pytest.raises(IndexError):
        core.kernels.read_block(reader, 0)


def test_rows_out_of_order_are_refused(page):
    blocks = text_blocks(page)
    turned = np.ascontiguousarray(blocks.rows[::-1])
    reader = make_reader(page, blocks=(turned, blocks.first, blocks.holder, blocks.above))
    reader.read_rows(NUMBER["a"], style_hides)
    with pytest.raises(ValueError, match="order"):
        reader.read_blocks(HOLDERS_BY_TAG, kind_table(), KEPT_CHARS)


def test_features_of_other_blocks_are_refused(page):
    table, _ = model_features(page, text_blocks(page), shipped_model(), "auto")
    reader, lines = reader_of(page), choice_lines(table)
    odds = np.zeros(len(text_blocks(page)))
    choose = core.kernels.BlockChooser
    with pytest.raises(ValueError, match="other blocks"):
        choose(reader, table.lines, lines, TAG_BITS, odds[1:], LIMITS)
    with pytest.raises(IndexError):
        choose(reader, table.lines, (10**6, *lines[1:]), TAG_BITS, odds, LIMITS)
    with pytest.raises(ValueError, match="limits"):
        choose(reader, table.lines, lines, TAG_BITS, odds, LIMITS[1:])


def test_log_odds_of_rules_are_those_of_numpy(page):
    table, _ = model_features(page, text_blocks(page), shipped_model(), "auto")
    odds = np.zeros(len(text_blocks(page)))
    add_log_odds(table, odds)
    assert odds.tolist() == (lead_log_odds(table) + banner_log_odds(table)).tolist()
    assert odds.any()


def test_marks_that_do_not_fit_are_refused(page):
    model_features(page, text_blocks(page), shipped_model(), "auto")
    reader, blocks = reader_of(page), len(text_blocks(page))
    others, marked = np.zeros(3, np.uint8), np.zeros(blocks, np.uint8)
    with pytest.raises(IndexError):
        reader.mark_threads([len(page)], others, NUMBER["h1"], 1, 1.0, marked)
    with pytest.raises(ValueError, match="one mark"):
        reader.mark_threads([0], others, NUMBER["h1"], 1, 1.0, marked[1:])
    with pytest.raises(ValueError, match="one mark"):
        core.kernels.count_marked(page.words, marked[:1])


THREADS = [
    '<div class="comments"><p>one two</p></div>',
    '<div class="comments"><h1>A title</h1><p>one two</p></div>',
    '<span class="comment">one two</span><div id=disqus_thread>x<div class=comments>y</div></div>',
    "<section><h3>2 Comments</h3><p>Ann says:</p><p>Reply 12.03.2020</p></section>",
    '<main class="comments"><p>words</p></main>',
    "<h2>No stem</h2><h2>Replies to nobody</h2>",
]


@pytest.mark.parametrize("thread", THREADS)
@pytest.mark.parametrize("around", ["", f"<p>{'word ' * 30}.</p>"])
def test_threads_are_those_of_numpy(thread, around):
    source = f"<title>t</title><body>{around}{thread}<p>end</p>{thread}"

    def ask():
        page = parse(source)
        table, _ = model_features(page, text_blocks(page), shipped_model(), "auto")
        return table["in_thread"].tolist()

    compiled, python = ask_both(ask)
    assert compiled == python


def test_titles_that_meta_elements_state():
    source = """<meta property=og:title content="One A"><meta name=twitter:title content=Two>
    <meta name=og:title><meta name=Og:title content=no><meta name=title content=no>
    <meta property=twitter:title content=Three><meta property=og:title content="One A">"""

    def ask():
        return read_titles(parse(source))

    compiled, python = ask_both(ask)
    assert compiled == python == "one a\nthree\none a\ntwo"


def test_rows_of_wanted_attributes(page):
    assert page.rows_with("class", lambda value: value == "wide") == [page.body]
    asked = [lambda: page.values_of("style"), lambda: page.value_of(page.body, "class")]
    for ask in (*asked, lambda: page.rows_with("href", bool), lambda: page.title_element):
        compiled, python = ask_both(ask)
        page.__dict__.pop("title_element", None)
        assert compiled == python


@pytest.mark.parametrize(
    "values", [["OG:Type", "og:type", "typ", ""], [" og:TYPE\xa0"], ["og:typ"]]
)
def test_rows_whose_values_hold_a_stem(values):
    source = "".join(f'<meta property="{value}">' for value in values) + "<meta>"
    wanted = [value.strip().lower() == "og:type" for value in values]

    def ask():
        page = parse(source)
        named = page.rows_with(
            "property", lambda name: name.strip().lower() == "og:type", "og:type"
        )
        rows = [page.rows_of_value("property", at) for at in range(len(page.values_of("property")))]
        return named, [page.value_of(row, "property") for row in named], rows

    compiled, python = ask_both(ask)
    assert compiled == python
    assert compiled[1] == [value for value, fits in zip(values, wanted, strict=True) if fits]


@pytest.mark.parametrize(
    "text",
    [*list(PHRASE_BITS)[:40], "  Read   more ", "(About us)", "Related: things", "a" * 60, "é"],
)
def test_headings_are_looked_up_as_phrases(text):
    source = f"<title>t</title><h2>{text}</h2><p>Words below it.</p>"

    def ask():
        page = parse(source)
        table, _ = model_features(page, text_blocks(page), shipped_model(), "auto")
        return [table[name].tolist() for name in table.names if name.startswith("under_")]

    compiled, python = ask_both(ask)
    assert compiled == python
    assert isinstance(phrase_kinds(text), int)


def test_small_letters_are_those_of_python():
    letters = [chr(code) for code in range(0x80, 0x30000) if not 0xD800 <= code < 0xE000]
    texts = tuple(f"A{letter}Z" for letter in letters)
    places = np.arange(len(texts))
    scanned = core.kernels.BlockTexts(texts, places, places, kind_table(), KEPT_CHARS)
    assert scanned.texts_in_small() == [text.lower().strip() for text in texts]


STATED = [
    "One two three four five six",
    "ÉTÉ Привет – 日本 语 Σ three",
    "İ one two three",
    "one two",
]


@pytest.mark.parametrize("stated", STATED)
def test_texts_that_structured_data_hold(stated):
    data = json.dumps({"@type": "Article", "articleBody": f"  {stated}\u00a0 end\n"})
    lines = [*STATED, "two  three FOUR five", "three four five six end", "six end", "four five six"]
    body = "".join(f"<p>{line}</p>" for line in lines)
    source = f'<script type="application/ld+json">{data}</script><body>{body}'

    def ask():
        page = parse(source)
        table, _ = model_features(page, text_blocks(page), shipped_model(), "auto")
        return table["told"].tolist(), table["telling"].tolist()

    compiled, python = ask_both(ask)
    assert compiled == python
