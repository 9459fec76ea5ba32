"""Hyperlink analysis: which links are kept, how far they lead, and which pages link each other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import parse
from pagelet.methods.template.pages import (
    complete_subdigraph,
    dom_distances,
    exploration_order,
    farthest_first,
    hyperlink_distance,
    list_site_links,
)
from tests import build
from tests.build import page_of
from tests.effort import ends
from tests.methods.sites import Counting
from tests.naive import template_links as naive
from tests.naive import tree as plain

HOST = "https://a.example"


def page_with(*hrefs, url=f"{HOST}/x/key.html"):
    return parse("".join(f"<a href='{href}'>l</a>" for href in hrefs), url=url)


def urls(page):
    return [link.url.removeprefix(HOST) for link in list_site_links(page)]


@pytest.mark.parametrize(
    ("href", "kept"),
    [
        pytest.param("b.html", ["/x/b.html"], id="relative"),
        pytest.param("/c", ["/c"], id="no ending"),
        pytest.param("/c.PHP3?q=1", ["/c.PHP3?q=1"], id="query kept"),
        pytest.param("b.html#part", ["/x/b.html"], id="fragment dropped"),
        pytest.param("b%20c.html", ["/x/b c.html"], id="space decoded"),
        pytest.param("#part", [], id="the page itself"),
        pytest.param("key.html#part", [], id="the page itself by name"),
        pytest.param("https://b.example/", [], id="another host"),
        pytest.param("//A.example/d.html", ["//A.example/d.html"], id="host in capitals"),
        pytest.param("picture.jpg", [], id="a picture"),
        pytest.param("/files/d.html", [], id="/file"),
        pytest.param("/myfeeds/d.html", [], id="feeds"),
        pytest.param("/d.pdf/e.html", [], id=".pdf in the path"),
        pytest.param("/rss/d.html", [], id="/rss"),
        pytest.param("mailto:a@a.example", [], id="mail"),
        pytest.param("javascript:go()", [], id="script"),
        pytest.param("http://[broken", [], id="broken"),
    ],
)
def test_which_links_are_kept(href, kept):
    found = urls(page_with(href))
    assert [url.replace("https:", "") for url in found] == kept


def test_each_address_once_in_order():
    assert urls(page_with("b.html", "c.html", "b.html#x", "a.html")) == [
        "/x/b.html",
        "/x/c.html",
        "/x/a.html",
    ]


@pytest.mark.parametrize(
    ("key", "url", "distance"),
    [
        ("/a/b/k.html", "/a/b/u.html", 0),
        ("/a/b/k.html", "/a/b/c/u.html", 1),
        ("/a/b/k.html", "/a/b/c/d/", 2),
        ("/a/b/k.html", "/a/u.html", -1),
        ("/a/b/k.html", "/u.html", -2),
        ("/a/b/k.html", "/a/x/u.html", -1),
        ("/a/b/k.html", "/x/y/z/u.html", -2),
        ("/k.html", "/u.html", 0),
    ],
)
def test_hyperlink_distance(key, url, distance):
    assert hyperlink_distance(HOST + key, HOST + url) == distance


@given(build.documents)
def test_dom_distances_equal_those_of_paths(tree):
    page, root = page_of(tree), plain.read(tree)
    nodes = list(plain.walk(root))
    rows = np.arange(len(page))
    for row in range(0, len(page), 3):
        wanted = [naive.dom_distance(nodes[row], node) for node in nodes]
        assert dom_distances(page, row, rows).tolist() == wanted


@given(build.documents)
def test_farthest_first_equals_its_definition(tree):
    page, root = page_of(tree, url=f"{HOST}/"), plain.read(tree)
    anchors = [node for node in plain.walk(root) if plain.is_anchor(node)]
    rows = page.anchors.tolist()

    class Link:
        def __init__(self, row):
            self.row = row

    found = [link.row for link in farthest_first(page, [Link(row) for row in rows])]
    assert found == [rows[at] for at in naive.farthest_first(anchors)]


def test_groups_come_by_distance_down_first_then_up():
    page = page_with("/u.html", "d/e/u.html", "d/u.html", "v.html", url=f"{HOST}/x/key.html")
    order = [link.url.removeprefix(HOST) for link in exploration_order(page, list_site_links(page))]
    assert order == ["/x/v.html", "/x/d/u.html", "/x/d/e/u.html", "/u.html"]


def test_links_in_another_part_of_the_page_come_before_neighbours():
    html = "<ul><li><a href=1>1</a><li><a href=2>2</a></ul><p><b><i><a href=3>3</a>"
    page = parse(html, url=f"{HOST}/k")
    order = [link.url[-1] for link in exploration_order(page, list_site_links(page))]
    assert order == ["1", "3", "2"]


# -- pages that link each other -----------------------------------------------------------------


def linked(links: dict[int, set[int]], keyed: list[int]):
    """A key page that links to some pages, and a site of pages that link each other so."""

    def page(name, to):
        return parse("".join(f"<a href='{each}'>x</a>" for each in to), url=f"{HOST}/{name}")

    site = Counting([page(at, sorted(to)) for at, to in links.items()])
    return page("key", keyed), site


def test_loading_stops_with_the_first_complete_set():
    key, site = linked({1: {2, 3}, 2: {1, 3}, 3: {1, 2}, 4: {1, 2, 3}}, [1, 2, 3, 4])
    found = complete_subdigraph(key, site, 3, 100)
    assert (found.urls, found.loads) == ([f"{HOST}/{at}" for at in (1, 2, 3)], 3)
    assert len(site.asked) == 3


def test_a_link_one_way_is_not_enough():
    key, site = linked({1: {2}, 2: {3}, 3: {1}}, [1, 2, 3])
    found = complete_subdigraph(key, site, 2, 100)
    assert (found.urls, found.loads) == ([f"{HOST}/1"], 3)


def test_links_the_key_page_does_not_have_are_not_followed():
    key, site = linked({1: {2, 9}, 2: {1, 9}, 9: {1, 2}}, [1, 2])
    assert complete_subdigraph(key, site, 3, 100).urls == [f"{HOST}/1", f"{HOST}/2"]
    assert f"{HOST}/9" not in site.asked


def test_missing_pages_are_no_loads():
    key, site = linked({2: {1}}, [1, 2, 3])
    found = complete_subdigraph(key, site, 3, 100)
    assert (found.loads, found.missing, len(found.chosen)) == (1, 2, 1)


def test_no_page_is_no_set():
    found = complete_subdigraph(parse("<p>x", url=HOST), Counting([]), 3, 100)
    assert (found.chosen, found.loads) == ([], 0)


def test_no_more_than_allowed_is_loaded():
    key, site = linked({at: set() for at in range(50)}, list(range(50)))
    assert complete_subdigraph(key, site, 3, 7).loads == 7


graphs = st.integers(2, 6).flatmap(
    lambda count: st.fixed_dictionaries(
        {at: st.sets(st.integers(0, count - 1)) for at in range(count)}
    )
)


@given(links=graphs, size=st.integers(1, 4))
def test_the_set_is_as_large_as_any_of_the_pages_loaded(links, size):
    key, site = linked(links, list(links))
    found = complete_subdigraph(key, site, size, 100, copies=True)
    order = [int(url.rpartition("/")[2]) for url in site.asked]
    renamed = {
        at: {order.index(to) for to in links[name] if to in order} for at, name in enumerate(order)
    }
    assert len(found.chosen) == naive.largest_complete(renamed, found.loads, size)
    if len(found.chosen) == size:
        assert naive.largest_complete(renamed, found.loads - 1, size) < size


def test_a_thicket_of_links_does_not_explode():
    links = {at: {to for to in range(60) if (at + to) % 3} for at in range(60)}
    key, site = linked(links, list(links))
    with ends():
        assert len(complete_subdigraph(key, site, 8, 100).chosen) >= 2


def test_many_links_do_not_explode():
    page = page_with(*(f"{at}.html" for at in range(20_000)))
    with ends():
        order = exploration_order(page, list_site_links(page))
        assert len([next(order) for _ in range(20)]) == 20
