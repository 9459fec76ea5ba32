"""Copies of a menu: the same links elsewhere in the page."""

from pagelet import METHODS, MenuOptions, detect_menu, parse
from pagelet.methods.menu.copies import find_copies
from tests.cases import case


def links(*names):
    return "".join(f"<li><a href='/{name}'>{name.title()}</a></li>" for name in names)


MENU = f"<nav><ul>{links('home', 'news', 'shop', 'about', 'contact')}</ul></nav>"
PROSE = f"<main><h1>Title</h1><p>{'Some words of prose here. ' * 30}</p></main>"

COPIES = {
    "none": ("", []),
    "the same list": (f"<ul>{links('home', 'news', 'shop', 'about', 'contact')}</ul>", ["ul"]),
    "in a wrapper": (
        f"<div><div><ul>{links('home', 'news', 'shop', 'about', 'contact')}</ul></div></div>",
        ["div/div/ul"],
    ),
    "one entry missing": (f"<ul>{links('home', 'news', 'shop', 'about')}</ul>", ["ul"]),
    "half of it": (f"<ul>{links('home', 'news')}</ul>", []),
    "among many others": (
        f"<ul>{links('home', 'news', 'shop', 'about', 'contact', *'abcdefgh')}</ul>",
        [],
    ),
    "twice": (
        f"<ul>{links('home', 'news', 'shop', 'about', 'contact')}</ul>"
        f"<ol>{links('home', 'news', 'shop', 'contact')}</ol>",
        ["ul", "ol"],
    ),
}


def test_copies_have_the_links_of_the_menu_and_few_others():
    for name, (html, expected) in COPIES.items():
        with case(name):
            page = parse(f"<body>{MENU}{PROSE}{html}")
            found = find_copies(page, page.row("/html/body/nav/ul"))
            assert [page.path(row) for row in found] == [f"/html/body/{path}" for path in expected]


def test_links_that_lead_to_no_page_make_no_copy():
    toggles = "<ul><li><a href='#'>A</a></li><li><a href='javascript:x()'>B</a></li></ul>"
    page = parse(f"<body><nav>{toggles}</nav>{toggles}")
    assert find_copies(page, page.row("/html/body/nav/ul")) == []


def test_there_is_one_answer_and_its_copies_are_named():
    page = parse(f"<body>{MENU}{PROSE}<ul>{links('home', 'news', 'shop', 'about', 'contact')}</ul>")
    found = detect_menu(page)
    assert len(found) == 1
    form = found.to_dict()
    assert form["copies"] == [{"path": "/html/body/ul", "links": 5}]
    assert (
        METHODS["menu"].write(found, MenuOptions(), "text").endswith("copy  /html/body/ul  5 links")
    )
