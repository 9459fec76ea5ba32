"""Pages written by hand: a tuple is an element (name, attributes, children), a str a text."""

from html import escape
from typing import Any

from hypothesis import strategies as st

from pagelet.page.builder import DOCUMENT, PageBuilder
from pagelet.page.table import SHADOW_ATTRIBUTE, Page

Tree = Any  #: tuple[str, dict[str, str], *Tree] | tuple[str, *Tree] | str

RAW_TEXT = ("script", "style")  #: written without escapes
VOID = ("img", "br", "input")  #: written without an end tag


def parts(node: tuple) -> tuple[str, dict[str, str], tuple]:
    """Name, attributes and children of an element."""
    name, *rest = node
    if rest and isinstance(rest[0], dict):
        return name, rest[0], tuple(rest[1:])
    return name, {}, tuple(rest)


def page_of(tree: Tree, url: str | None = None, source: str | None = None) -> Page:
    """A page with exactly these nodes, at any depth."""
    builder = PageBuilder()
    stack: list[tuple[Tree, int]] = [(tree, builder.create_document())]
    while stack:
        node, parent = stack.pop()
        if isinstance(node, str):
            assert parent != DOCUMENT, "a text needs an element around it"
            builder.create_text(node)
            builder.append(parent, None)
            continue
        name, attrs, children = parts(node)
        handle = builder.create_element(name, attrs=tuple(attrs.items()))
        builder.append(parent, handle)
        stack += [(child, handle) for child in reversed(children)]
    return builder.page(url=url, source=source)


def to_html(node: Tree, *, raw: bool = False) -> str:
    """The tree as HTML."""
    if isinstance(node, str):
        return node if raw else escape(node, quote=False)
    name, attrs, children = parts(node)
    attributes = "".join(f' {key}="{escape(value)}"' for key, value in attrs.items())
    if name in VOID:
        return f"<{name}{attributes}>"
    inner = "".join(to_html(child, raw=name in RAW_TEXT) for child in children)
    return f"<{name}{attributes}>{inner}</{name}>"


def flat_menu(items: int, attrs: dict[str, str] | None = None, label: str = "entry") -> Tree:
    """The plainest menu: ul > li > a > text."""
    link = ("li", ("a", {"href": "/x"}, label))
    return ("ul", attrs or {}, *[link] * items)


def html(*body: Tree) -> Tree:
    """A document around the children of body."""
    return ("html", ("head", ("title", "A page")), ("body", *body))


def deep(levels: int, *innermost: Tree, name: str = "div") -> Tree:
    """One element in another, `levels` times."""
    node: Tree = (name, *innermost)
    for _ in range(levels - 1):
        node = (name, node)
    return node


# -- strategies -------------------------------------------------------------------------------

WORDS = (
    "Home",
    "a b",
    " two  words ",
    "x",
    "日本語",
    "かな kana",
    "n\tm\n",
    "«ñ»",
    "\u2028",
    "𠀀𠀁 z",
)
BLANKS = ("", " ", "\n  ", "\t", "\u00a0", "\u3000")
CLASSES = ("menu", "nav", "Menu", "menu-item", "main nav", "x", "", "submenu navbar")
STYLES = ("display:none", "visibility: hidden", "color:red", "Display : none !important", "x")
NAMES = (
    *("div", "p", "ul", "li", "span", "b", "nav", "table", "tr", "td", "section", "h2", "form"),
    *("script", "style", "noscript", "template", "o:p", "x-y"),
)

texts = st.sampled_from(WORDS + BLANKS) | st.text(max_size=6)


def _optional(**values: st.SearchStrategy) -> st.SearchStrategy:
    """Attributes that are mostly absent."""
    names = {name.replace("_", "-"): value for name, value in values.items()}
    some = st.fixed_dictionaries({}, optional=names)
    return st.just({}) | st.just({}) | some


attributes = _optional(
    id=st.sampled_from(("menu", "nav", "NAV", "topmenu", "y")),
    class_=st.sampled_from(CLASSES),
    hidden=st.just(""),
    style=st.sampled_from(STYLES),
    aria_hidden=st.sampled_from(("true", "false")),
).map(lambda found: {name.rstrip("-"): value for name, value in found.items()})
addresses = st.sampled_from(({"href": "/a"}, {"href": ""}, {"href": "b", "class": "nav"}, {}))
shadows = st.sampled_from(({}, {}, {SHADOW_ATTRIBUTE: "open"}))
pictures = st.sampled_from((("img",), ("img", {"alt": ""}), ("img", {"alt": " Our  shop "})))


def _element(children: st.SearchStrategy) -> st.SearchStrategy:
    below = st.lists(children, max_size=4)
    plain = st.builds(
        lambda name, attrs, kids: (name, attrs, *kids), st.sampled_from(NAMES), attributes, below
    )
    link = st.builds(lambda attrs, kids: ("a", attrs, *kids), addresses, below)
    entry = st.builds(lambda attrs, text: ("li", ("a", attrs, text)), addresses, texts)
    menu = st.builds(
        lambda attrs, kids: ("ul", attrs, *kids), attributes, st.lists(entry, max_size=6)
    )
    shadow = st.builds(lambda attrs, kids: ("template", attrs, *kids), shadows, below)
    return plain | link | menu | shadow


nodes = st.recursive(texts | pictures, _element, max_leaves=24)
_body = st.builds(
    lambda attrs, kids: ("body", attrs, *kids), attributes, st.lists(nodes, max_size=6)
)
_head = st.just(("head", ("title", "A page"), ("script", "var a = 1")))
documents = st.builds(lambda head, body: ("html", head, body), _head, _body)
trees = documents | _body  #: a body may also stand alone
