"""Kinds of names by the words in them, by both cores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import core
from pagelet.methods.content.role_words import ROLE_BITS, ROLE_TABLE
from pagelet.methods.vocabulary import NameTable
from tests.cores import ask_both, twins

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


@twins
def test_kinds_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="kinds"):
        core.kernels.join_kinds(["a"], NameTable({}), np.zeros(2, np.int64))
