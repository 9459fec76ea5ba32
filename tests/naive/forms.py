"""Owners and labels of fields by plain walks over linked nodes."""

from dataclasses import dataclass, field
from typing import Any

from pagelet.page.tags import BLOCK, NAMES
from tests.build import Tree, parts

BLOCKS = {NAMES[number] for number in BLOCK}
CONTROLS = ("input", "select", "textarea", "button")
HOLDERS = ("select", "textarea", "button", "datalist", "script", "style", "noscript")


@dataclass(eq=False)
class Node:
    name: str
    attrs: dict[str, str]
    text: str
    up: Any
    row: int
    below: list[Any] = field(default_factory=list)

    def above(self) -> list[Any]:
        return [] if self.up is None else [self.up, *self.up.above()]

    def nearest(self, *names: str) -> Any:
        return next((node for node in self.above() if node.name in names), None)

    def walk(self) -> list[Any]:
        return [self, *(node for child in self.below for node in child.walk())]


def nodes_of(tree: Tree) -> list[Node]:
    """Every element and every text that is not blank, in document order."""
    rows: list[Node] = []

    def add(node: Tree, up: Node | None) -> Node | None:
        if isinstance(node, str):
            if not node.split():
                return None
            made = Node("", {}, node, up, len(rows))
            rows.append(made)
            return made
        name, attrs, children = parts(node)
        made = Node(name, attrs, "", up, len(rows))
        rows.append(made)
        made.below = [child for one in children if (child := add(one, made))]
        return made

    add(tree, None)
    return rows


def plain(text: str) -> str:
    text = " ".join(text.split())
    while text and text[-1] in ":：* ":
        text = text[:-1]
    while text and text[0] in "* ":
        text = text[1:]
    return text


def spoken(node: Node) -> bool:
    raw = node.up is not None and node.up.name in ("script", "style")
    return node.name == "" and not raw and node.nearest(*HOLDERS, "template") is None


def said(node: Node) -> str:
    return plain(" ".join(one.text for one in node.walk() if spoken(one)))


def seen(node: Node) -> bool:
    out = node.nearest("datalist", "template")
    return node.name in CONTROLS and node.attrs.get("type") != "hidden" and out is None


def label(rows: list[Node], one: Node) -> tuple[str, str]:
    """The label of a plain text field in a form, and what said it."""
    name = one.attrs.get("id")
    if name and next(node for node in rows if node.attrs.get("id") == name) is one:
        for node in rows:
            if node.name == "label" and node.attrs.get("for") == name and said(node):
                return said(node), "label for"
    around = one.nearest("label")
    if around is not None and said(around):
        return said(around), "label around"
    for key in ("aria-label", "placeholder", "title"):
        if plain(one.attrs.get(key, "")):
            return plain(one.attrs[key]), key
    if text := preceding(rows, one):
        return text, "preceding text"
    return cell(rows, one)


def preceding(rows: list[Node], one: Node) -> str:
    form = one.nearest("form")
    line: list[Node] = []
    for node in reversed(rows[: one.row]):
        if seen(node) or node is form or one.row - node.row >= 30:
            break
        if node.name in ("br", "hr") and line:
            break
        if not spoken(node):
            continue
        if not line and not beside(node, one):
            return ""
        if line and node.nearest(*BLOCKS) is not line[0].nearest(*BLOCKS):
            break
        line.insert(0, node)
    text = plain(" ".join(node.text for node in line))
    return text if any(sign.isalnum() for sign in text) else ""


def beside(node: Node, one: Node) -> bool:
    linked = any(above.name == "a" and "href" in above.attrs for above in node.above())
    return not linked and node.nearest("td", "th") is one.nearest("td", "th")


def cell(rows: list[Node], one: Node) -> tuple[str, str]:
    here = one.nearest("td", "th")
    if here is None:
        return "", ""
    line = [node for node in here.up.below if node.name in ("td", "th")]
    for node in reversed(line[: line.index(here)]):
        if any(seen(below) for below in node.walk()):
            break
        if said_at_all(node):
            return said(node), "cell to the left"
    table = here.nearest("table")
    above = [
        node
        for node in rows[: here.row]
        if node.name in ("td", "th")
        and node.nearest("table") is table
        and [x for x in node.up.below if x.name in ("td", "th")].index(node) == line.index(here)
        and said_at_all(node)
        and not any(seen(below) for below in node.walk())
    ]
    return (said(above[-1]), "header above") if above else ("", "")


def said_at_all(node: Node) -> bool:
    return any(spoken(one) for one in node.walk())
