"""Features of menu candidates: against a walk, and what names and addresses say."""

import numpy as np
import pytest
from hypothesis import given

from pagelet import parse
from pagelet.methods.menu.features import (
    find_candidates,
    link_table,
    match_names,
    menu_features,
)
from tests.build import page_of, trees
from tests.naive import menu_features as naive
from tests.naive import tree as plain


@given(trees)
def test_features_equal_the_walk(tree):
    page, root = page_of(tree), plain.read(tree)
    expected = naive.candidates(root)
    candidates = find_candidates(page)
    if candidates is None:
        assert expected == []
        return
    table = menu_features(candidates)
    assert len(table.rows) == len(expected)
    for at, node in enumerate(expected):
        for name, value in naive.features(root, node).items():
            assert table[name][at] == pytest.approx(value), name


@pytest.mark.parametrize(
    ("names", "groups"),
    [
        pytest.param("main-nav", {"main", "for"}, id="main menu"),
        pytest.param("topNav", {"main", "for"}, id="camel case"),
        pytest.param("footer-menu", {"against", "for"}, id="footer menu"),
        pytest.param("sub-menu", {"against"}, id="a submenu speaks against"),
        pytest.param("navy-blue", set(), id="navy is a colour"),
        pytest.param("", set(), id="nothing"),
        pytest.param("breadcrumbs", {"against"}, id="breadcrumb"),
    ],
)
def test_words_of_names(names, groups):
    assert match_names(names) == groups


LINKS = (
    "<a href='/'>Home</a><a href='/a/b?x=1'>b</a><a href='https://other.example/'>o</a>"
    "<a href='#top'>t</a><a href='mailto:x@y'>m</a><a href='/a/c'><img alt='See'></a>"
    "<a href='/'>Start</a><a href='https://site.example/z'>z</a>"
)


def test_link_table():
    table = link_table(parse(LINKS, url="https://site.example/page"))
    assert table.internal.tolist() == [True, True, True, False, False, True, True, True]
    assert table.home.tolist() == [True, *[False] * 5, True, False]
    assert table.repeated.tolist() == [*[False] * 6, True, False]
    assert table.alt.tolist() == [0, 0, 0, 0, 0, 3, 0, 0]
    assert table.same_parent.tolist() == [False, *[True] * 7]
    assert np.array_equal(table.chars, [4, 1, 1, 1, 1, 0, 5, 1])


def test_the_host_most_links_lead_to_is_the_site_when_the_url_is_unknown():
    far = "<a href='https://x.example/1'>1</a>"
    assert link_table(parse(far * 3 + "<a href='https://y.example/'>y</a>")).internal.tolist() == [
        True,
        True,
        True,
        False,
    ]
