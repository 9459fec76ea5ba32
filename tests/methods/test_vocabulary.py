"""Kinds of names by the words in them, by both cores."""

from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import core
from pagelet.methods.content.role_words import ROLE_BITS, ROLE_TABLE
from pagelet.methods.vocabulary import NameTable
from tests.build import html, page_of
from tests.cores import ask_both, twins, using

PARTS = ("ads", "Ads", "AD", "post", "cookieBar", "nav", "é", "ÉAds", "\0", "\ud800", "-", " ", "7")
names = st.lists(st.sampled_from(PARTS), max_size=8).map("".join)


@pytest.mark.parametrize(
    ("name", "roles"),
    [
        ("post-ads", {"advertisement"}),
        ("postAds", {"advertisement"}),
        ("postads", set()),
        ("ads7 siteNav", {"advertisement", "navigation"}),
        ("éads\0nav", {"advertisement", "navigation"}),
        ("x" * 399 + " ads", set()),
        ("", set()),
    ],
)
@twins
def test_words_of_a_name_tell_its_roles(name, roles):
    for found in ask_both(lambda: ROLE_TABLE.read(["a", name])):
        assert found.tolist() == [0, sum(ROLE_BITS[role] for role in roles)]


@twins
@given(st.lists(names, min_size=1, max_size=5))
def test_kinds_of_any_names(values):
    compiled, python = ask_both(lambda: ROLE_TABLE.read(values))
    assert compiled.tolist() == python.tolist()


values = st.dictionaries(st.sampled_from(("class", "id", "title")), names, max_size=3)


@twins
@given(st.lists(values, min_size=1, max_size=6), st.integers(0, 3))
def test_kinds_of_the_names_of_rows(named, seed):
    page = page_of(html(*(("p", each, "a") for each in named)))
    marked = np.random.default_rng(seed).random(len(page)) < 0.7
    ask = partial(ROLE_TABLE.read_rows, page, ("class", "id"), marked)
    compiled, python = ask_both(ask)
    assert compiled.tolist() == python.tolist()
    assert not compiled[~marked].any()


@twins
def test_words_take_the_place_of_others():
    words = ["".join(letters) for letters in product("abcdefgh", repeat=5)]
    found = NameTable({word: f"^{word}$" for word in ("aaaaa", "bbbbb", "hhhhh")})
    with using("compiled"):
        for _ in range(2):
            assert found.read(words).nonzero()[0].tolist() == [
                words.index(word) for word in ("aaaaa", "bbbbb", "hhhhh")
            ]


@twins
def test_long_words_are_known_too():
    word = "a" * 17
    found = NameTable({"long": f"^{word}$", "short": f"^{word[:16]}$"})
    with using("compiled"):
        assert found.read([word, word[:16], word + "a"]).tolist() == [1, 2, 0]


@twins
def test_kinds_that_do_not_fit_are_refused():
    table, page = core.kernels.NameKinds(NameTable({})), page_of(html(("p", "a")))
    with pytest.raises(ValueError, match="kinds"):
        table.join(["a"], np.zeros(2, np.int64))
    marked = np.zeros(len(page), np.uint8)
    with pytest.raises(ValueError, match="kinds"):
        table.mark(page.wanted, (0,), marked, np.zeros(len(page) + 1, np.int64), len)
    with pytest.raises(IndexError, match="attribute"):
        table.mark(page.wanted, (99,), marked, np.zeros(len(page), np.int64), len)
