"""A menu as a tree of labels and links: a table of menus."""

import json

import pytest

from pagelet import Pagelets, parse
from pagelet.methods.menu.outline import menu_tree
from tests.build import Tree, deep, html, page_of, to_html
from tests.effort import ends, growth


def link(label: str) -> Tree:
    return ("a", {"href": f"/{label}"}, label)


def shape(tree: list[dict]) -> list:
    """Labels alone: a str, or (label, children)."""
    return [
        (node["text"], shape(node["children"])) if node["children"] else node["text"]
        for node in tree
    ]


MENUS = {
    "flat list": (("ul", ("li", link("a")), ("li", link("b"))), ["a", "b"]),
    "submenu": (
        ("ul", ("li", link("a"), ("ul", ("li", link("b")), ("li", link("c")))), ("li", link("d"))),
        [("a", ["b", "c"]), "d"],
    ),
    "three levels": (
        (
            "ul",
            (
                "li",
                link("a"),
                ("ul", ("li", link("b"), ("ul", ("li", link("c")))), ("li", link("d"))),
            ),
            ("li", link("e")),
        ),
        [("a", [("b", ["c"]), "d"]), "e"],
    ),
    "words open a submenu": (
        ("ul", ("li", "Shop", ("ul", ("li", link("a")), ("li", link("b")))), ("li", link("c"))),
        [("Shop", ["a", "b"]), "c"],
    ),
    "words in an element": (
        ("ul", ("li", ("span", "Shop"), ("ul", ("li", link("a")))), ("li", link("c"))),
        [("Shop", ["a"]), "c"],
    ),
    "an item without a link is no entry": (
        ("ul", ("li", link("a")), ("li", "separator"), ("li", link("b"))),
        ["a", "b"],
    ),
    "no list at all": (("div", link("a"), link("b")), ["a", "b"]),
    "links side by side in an item": (
        ("ul", ("li", link("a"), link("b")), ("li", link("c"))),
        ["a", "b", "c"],
    ),
    "divs": (
        (
            "div",
            ("div", link("a"), ("div", link("b"), link("c"))),
            ("div", link("d"), ("div", link("e"), link("f"))),
        ),
        [("a", ["b", "c"]), ("d", ["e", "f"])],
    ),
    "a script between does no harm": (
        ("ul", ("li", link("a"), ("script", "x")), ("li", link("b"))),
        ["a", "b"],
    ),
    "a wrapper around everything is no item": (
        ("nav", ("div", link("a"), ("ul", ("li", link("b")), ("li", link("c"))))),
        ["a", "b", "c"],
    ),
    "empty": (("ul",), []),
}


@pytest.mark.parametrize(("tree", "expected"), MENUS.values(), ids=MENUS)
def test_shape(tree, expected):
    page = page_of(("body", tree))
    assert shape(menu_tree(page, 1)) == expected


def test_an_entry_says_its_text_and_where_it_leads():
    page = parse(
        "<ul><li><a href='/x'><img alt='Home'></a><li>Shop <a href=b>B</a></ul>",
        url="https://e.org/",
    )
    assert menu_tree(page, page.row("/html/body/ul")) == [
        {"text": "Home", "href": "https://e.org/x", "children": []},
        {
            "text": "Shop",
            "href": None,
            "children": [{"text": "B", "href": "https://e.org/b", "children": []}],
        },
    ]


def test_only_the_menu_is_read():
    page = page_of(("body", ("ul", ("li", link("a")), ("li", link("b"))), ("p", link("other"))))
    assert shape(menu_tree(page, 1)) == ["a", "b"]


def nested(levels: int) -> str:
    """Every entry has two children, the second with a submenu of its own."""
    return "<ul><li><a href=/x>x</a><li><a href=/y>y</a>" * levels


@pytest.mark.parametrize("indent", [None, 2])
def test_the_deepest_menu_a_parser_gives_has_a_json_form(indent):
    page = parse(nested(300))
    tree = menu_tree(page, page.row("/html/body/ul"))
    found = Pagelets(page, "menu", "paper", (), lambda: {"tree": tree})
    assert json.loads(found.to_json(indent))["tree"] == tree


LARGE = {
    "wide": lambda n: ("ul", *[("li", link("a"))] * n),
    "one huge item": lambda n: ("ul", ("li", *[link("a")] * n), ("li", link("b"))),
    "words": lambda n: ("ul", ("li", *[("span", "x")] * n, link("a")), ("li", link("b"))),
    "deep": lambda n: deep(n, link("a"), link("b")),
}


@pytest.mark.parametrize("name", LARGE)
def test_the_work_grows_with_the_menu(name):
    def read(page):
        menu_tree(page, page.body + 1)

    def make(items):
        tree = html(LARGE[name](items))
        return page_of(tree) if name == "deep" else parse(to_html(tree))

    with ends():
        read(make(20_000))
    assert growth(read, make, 500) < 6
