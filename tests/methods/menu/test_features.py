"""Features of menu candidates: against a walk, and what names and addresses say."""

import pytest
from hypothesis import given

from pagelet import parse
from pagelet.methods.links.hyperlinks import find_hyperlinks
from pagelet.methods.menu.features import (
    find_candidates,
    link_columns,
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


def test_columns_of_links():
    columns = link_columns(find_hyperlinks(parse(LINKS, url="https://site.example/page")))
    assert columns["internal"].tolist() == [True, True, False, False, False, True, True, True]
    assert columns["home"].tolist() == [True, *[False] * 5, True, False]
    assert columns["repeated"].tolist() == [*[False] * 6, True, False]
    assert columns["label_chars"].tolist() == [4, 1, 1, 1, 1, 3, 5, 1]
    assert columns["no_text"].tolist() == [*[False] * 5, True, False, False]
    assert columns["same_parent"].tolist() == [False, *[True] * 7]


def test_the_host_most_links_lead_to_is_the_site_when_the_url_is_unknown():
    far = "<a href='https://x.example/1'>1</a>"
    page = parse(far * 3 + "<a href='https://y.example/'>y</a>")
    assert find_hyperlinks(page).internal.tolist() == [True, True, True, False]
