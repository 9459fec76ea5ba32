"""Paths: a table, any tree against a walk, and what names no node."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.errors import NoSuchNode
from pagelet.page import paths as module
from pagelet.page.table import Page
from tests.build import deep, html, page_of, trees
from tests.effort import growth
from tests.naive import tree as naive

PAGE = html(
    " ",
    ("div", "one", ("b", "x"), " ", "two"),
    ("div", " ", ("o:p", "w"), ("o:p",), "z"),
    ("p", ("a", {"href": "/"}, "link")),
)


def paths(page: Page) -> list[str]:
    return [page.path(row) for row in range(len(page))]


def test_paths_of_a_page():
    assert paths(page_of(PAGE))[4:] == [
        "/html/body",
        "/html/body/div[1]",
        "/html/body/div[1]/text()[1]",
        "/html/body/div[1]/b",
        "/html/body/div[1]/b/text()[1]",
        "/html/body/div[1]/text()[3]",
        "/html/body/div[2]",
        "/html/body/div[2]/*[name()='o:p'][1]",
        "/html/body/div[2]/*[name()='o:p'][1]/text()[1]",
        "/html/body/div[2]/*[name()='o:p'][2]",
        "/html/body/div[2]/text()[2]",
        "/html/body/p",
        "/html/body/p/a",
        "/html/body/p/a/text()[1]",
    ]


@given(trees)
def test_paths_equal_the_walk(tree):
    assert paths(page_of(tree)) == [naive.path(node) for node in naive.walk(naive.read(tree))]


@given(trees, st.randoms())
def test_paths_do_not_depend_on_the_order_they_are_asked_for_in(tree, random):
    page, shuffled = page_of(tree), list(range(len(page_of(tree))))
    random.shuffle(shuffled)
    asked = {row: page.path(row) for row in shuffled}
    assert [asked[row] for row in range(len(page))] == paths(page_of(tree))


def test_paths_are_forgotten_where_they_would_fill_memory(monkeypatch):
    monkeypatch.setattr(module, "MAX_PREFIX_CHARS", 300)
    tree = html(*[deep(20, "x", name="ul")] * 5)
    page = page_of(tree)
    assert paths(page) == [naive.path(node) for node in naive.walk(naive.read(tree))]
    assert sum(map(len, page._paths.prefixes.values())) <= 600


@pytest.mark.parametrize(
    "tree",
    [
        pytest.param(lambda levels: html(deep(levels, "x")), id="a chain"),
        pytest.param(lambda rows: html(deep(200, *[("p", "x")] * rows)), id="many deep down"),
    ],
)
def test_the_steps_of_a_path_are_made_once(tree):
    assert growth(paths, lambda size: page_of(tree(size)), 100) < 6


@given(trees)
def test_a_path_leads_back_to_its_row(tree):
    page = page_of(tree)
    assert [page.row(path) for path in paths(page)] == list(range(len(page)))


@pytest.mark.parametrize(
    "name",
    [
        "o:p",
        "x'y",
        'x"y',
        "x'\"y",
        "x'\")y",
        "x(1)",
        "x[1]",
        "x]",
        "é",
        "linearGradient",
        "1a",
        "-",
    ],
)
def test_odd_names_lead_back(name):
    page = page_of(("html", (name, "a"), (name, (name, "b"))))
    assert [page.row(path) for path in paths(page)] == list(range(len(page)))


@pytest.mark.parametrize(
    "path",
    [
        *(
            "",
            "/",
            "//div",
            "html",
            "/html/",
            "/html/body/div",
            "/html/body/p[2]",
            "/html/p/text()",
        ),
        *("/html/p/text()[2]", "/html/p/text()[1]/b", "/html/p[0]", "/html/*[name()='q'][1]", "/x"),
        *("/html/p[1", "/html/p[-1]", "/html/p[last()]", " /html", "/html/p\n"),
    ],
)
def test_a_path_to_nowhere_is_refused(path):
    with pytest.raises(NoSuchNode) as error:
        page_of(("html", ("p", "one"))).row(path)
    assert error.value.path == path


def test_a_place_may_be_written_where_it_is_not_needed():
    page = page_of(("html", ("p", "one")))
    assert page.row("/html[1]/p[1]/text()[1]") == 2


def test_the_path_of_a_very_deep_row():
    page = page_of(("html", deep(100_000, "x")))
    last = len(page) - 1
    assert page.path(last).count("/") == 100_002


def test_a_very_deep_path_leads_back():
    page = page_of(("html", deep(20_000, "x")))
    last = len(page) - 1
    assert page.row(page.path(last)) == last
