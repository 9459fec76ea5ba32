"""Features, lexicon and texts of blocks by both cores: the same tables, bit for bit."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagelet import parse
from pagelet.methods.content.choice import model_features
from pagelet.methods.content.counts import count_blocks
from pagelet.methods.content.model import shipped_model
from pagelet.methods.content.statements import NOTICE_WORDS, SEE_ALSO, read_statements
from pagelet.models.lexicon import SOURCES
from pagelet.page.textblocks import text_blocks
from tests import hostile
from tests.build import html, page_of, trees
from tests.cases import case
from tests.cores import ask_both, twins
from tests.methods.content.test_features import rich, small

pytestmark = twins

GOLDEN = sorted((Path(__file__).parents[2] / "pages").glob("*/page.html"))


def compare(make):
    """Compare the tables of a page; each core gets a page of its own, so that nothing is kept."""

    def table():
        page = make()
        blocks = text_blocks(page)
        if not len(blocks):
            return b"", b""
        features, likely = model_features(page, blocks, shipped_model(), "auto")
        return features.lines.tobytes(), likely.tobytes()

    compiled, python = ask_both(table)
    assert compiled == python


@settings(max_examples=40)
@given(rich | trees)
def test_features_of_any_tree(tree):
    compare(lambda: page_of(tree))


def test_features_of_golden_and_hostile_pages():
    for path in GOLDEN:
        with case(path.parent.name):
            compare(lambda path=path: parse(path.read_bytes()))
    for name in small():
        with case(name):
            compare(lambda name=name: hostile.page(name))


#: Texts at the borders of what the kernels read: spaces of all kinds, letters that grow when they
#: are made small, characters beyond the basic plane, lone surrogates.
PIECES = ("Aa", "\u00a0", "\u3000", "\x1c", "\x85", "\u2003", "İ", "Σ", "ß", "©", "クッキー",
          "𝔘", "😀", "Cookie", "\ud800", " ", "\n", "1", "$", "٣", ".", "…", ",", "x" * 79,
          "é" * 301, "\0",
          *NOTICE_WORDS[:4], *SEE_ALSO[::17])  # fmt: skip
texts = st.lists(st.sampled_from(PIECES), min_size=1, max_size=8).map("".join).filter(str.strip)


def read(page):
    counts = count_blocks(page, text_blocks(page))
    sayings = read_statements(counts)
    columns = [counts.kinds, counts.first_kind, counts.last_kind, sayings.copies, sayings.titled]
    columns += [
        sayings.leads,
        sayings.cookies,
        sayings.notices,
        sayings.rights,
        sayings.stated,
        sayings.named,
    ]
    return list(counts.texts), [np.asarray(column).tolist() for column in columns]


@settings(max_examples=150)
@given(st.lists(texts, min_size=1, max_size=5), texts, st.booleans())
def test_any_texts(pieces, title, inline):
    body = [("p", ("b", one), "Aa", ("i", one)) if inline else ("p", one) for one in pieces]
    tree = ("html", ("head", ("title", title)), ("body", *body))
    compiled, python = ask_both(lambda: read(page_of(tree)))
    assert compiled == python


@pytest.mark.parametrize(
    "title", ["Twelve chars", "Eleven char", "twelve\u00a0 chars", "\ud800" * 12]
)
def test_titles(title):
    tree = ("html", ("head", ("title", f"{title} | Site")), ("body", ("h1", title), ("p", title)))
    compiled, python = ask_both(lambda: read(page_of(tree)))
    assert compiled == python


WORDS = tuple(shipped_model().lexicon.words[::40])
names = st.lists(
    st.sampled_from(
        (*WORDS, "A", "-", " ", "navBar", "é", "É", "\0", "\ud800", "ǅ", "Σ", "x" * 200)
    ),
    max_size=9,
).map("".join)


@settings(max_examples=150)
@given(st.lists(st.tuples(st.sampled_from(tuple(SOURCES)), names), min_size=1, max_size=6))
def test_any_names(attributes):
    body = [("p", {name: value}, "x") for name, value in attributes]
    lexicon = shipped_model().lexicon
    compiled, python = ask_both(lambda: lexicon.scores(page_of(html(*body))).tobytes())
    assert compiled == python
