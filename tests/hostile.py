"""Pages that nobody wrote for us: broken, huge, deep, wide, empty. Each is made once."""

import random
from collections.abc import Callable
from functools import cache, partial

from pagelet import Page, parse
from tests.build import Tree, deep, html, page_of

LINK = '<a href="/x">link</a>'
LEVELS = 100_000
ITEMS = 5_000  #: items of wide pages; `make soak` has pages of MANY_ITEMS
MANY_ITEMS = 100_000


def only_hidden() -> str:
    inner = f"<p>gone</p><ul>{'<li>' + LINK + '</li>'}</ul>"
    return f"<div hidden>{inner}</div><div style='display:none'>{inner * 5}</div>"


def foreign() -> str:
    return (
        f"<svg><a href='/s'><text>t</text></a><style>x</style><title>s</title><foreignObject><ul>"
        f"<li>{LINK}<li>{LINK}</ul></foreignObject><![CDATA[c d]]></svg><math><mi>x</mi>"
        f"<annotation-xml encoding='text/html'><div>{LINK}</div></annotation-xml></math>"
        f"<template><ul><li>{LINK}<li>{LINK}</ul><template>t</template></template>"
        f"<div><template shadowrootmode=open>{LINK}"
        "</template></div>"
    )


#: Pages of so many like items.
WIDE: dict[str, Callable[[int], str]] = {
    "big table": lambda items: "<table>" + ("<tr>" + f"<td>{LINK}</td>" * 300) * (items // 300),
    "paragraphs": lambda items: "<p>A short one.</p>" * items,
    "links": lambda items: LINK * items,
    "list of links": lambda items: "<ul>" + f"<li>{LINK}</li>" * items + "</ul>",
    "many names": lambda items: "".join(f"<x{number}>t</x{number}>" for number in range(items)),
    "comments": lambda items: "<!-- x -->a" * items,
}


def deep_menus() -> str:
    return "<ul class=menu>" + "<li><a href=/x>x</a><ul><li><a href=/y>y</a>" * 400


#: Bytes and str go through the parser.
SOURCES: dict[str, Callable[[], str | bytes]] = {
    "empty str": lambda: "",
    "empty bytes": lambda: b"",
    "text only": lambda: "nothing but words",
    "one node": lambda: "<p>",
    "no body": lambda: "<html><head><title>t</title></head>",
    "frameset": lambda: "<frameset cols='1,1'><frame src='/a'><frame src='/b'></frameset>",
    "nested divs": lambda: "<div>" * LEVELS + LINK * 3,
    "5 MB of class": lambda: f"<div class='{'menu ' * 1_000_000}'>{LINK * 3}</div>",
    "5 MB in one name": lambda: f"<{'x' * 5_000_000}>{LINK * 3}",
    "NUL": lambda: f"<p>a\0b</p>\0<ul>\0<li>{LINK}\0<li>{LINK}</ul><scr\0ipt>x</script>",
    "lone surrogates": lambda: f"<p>\ud800a<a href='\udfff'>\udc00</a>{LINK * 2}</p>",
    "wrong charset": lambda: (
        "<meta charset=utf-8><p>Привет ".encode() + b"\xe9\xff" + LINK.encode() * 3
    ),
    "no charset": lambda: f"<p>Это русский текст для проверки.</p>{LINK * 3}".encode(
        "windows-1251"
    ),
    "random bytes": lambda: random.Random(7).randbytes(300_000).decode("latin-1"),
    "random markup": lambda: "".join(
        random.Random(7).choices("<>/=\"' apulidvtr!-&;#x0\n", k=300_000)
    ),
    "svg, mathml, template": foreign,
    "duplicate ids": lambda: f"<ul id=menu><li id=menu>{LINK}<li id=menu>{LINK}</ul>" * 200,
    "unclosed formatting": lambda: "<span><b>x" * 20_000,
    "nested tables": lambda: f"<table><tr><td>{LINK}" * 2_500,
    "nested lists": lambda: f"<ul><li>{LINK}" * 2_500,
    "deep menus": deep_menus,
    "only hidden": only_hidden,
    "many attributes": lambda: "<p " + " ".join(f"a{n}=1" for n in range(50_000)) + f">{LINK * 3}",
    **{name: partial(make, ITEMS) for name, make in WIDE.items()},
    "50 MB of text": lambda: "<p>" + "some words and more. " * 2_500_000 + f"</p>{LINK * 3}",
}

SLOW = ("50 MB of text",)  #: takes seconds, and is run all the same

#: Trees are built as they are, deeper than any parser goes.
TREES: dict[str, Callable[[], Tree]] = {
    "html alone": lambda: ("html",),
    "body alone": lambda: ("body",),
    "body as the root": lambda: (
        "body",
        ("ul", *[("li", ("a", {"href": "/"}, "x"))] * 5),
        ("p", "y"),
    ),
    "true depth": lambda: html(deep(LEVELS, *[("a", {"href": "/"}, "x")] * 3)),
    "true depth of lists": lambda: html(deep(LEVELS, ("a", {"href": "/"}, "x"), "y", name="ul")),
    "width without source": lambda: html(*[("a", {"href": "/"}, "x")] * ITEMS),
}

NAMES = (*SOURCES, *TREES)
QUICK = tuple(name for name in NAMES if name not in SLOW)


@cache
def source(name: str) -> str | bytes:
    """The HTML of a page by name."""
    return SOURCES[name]()


@cache
def page(name: str) -> Page:
    """A page by name, made once."""
    return fresh(name)


def fresh(name: str) -> Page:
    """A page by name, made again."""
    return page_of(TREES[name]()) if name in TREES else parse(source(name))
