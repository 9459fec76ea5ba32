"""A page as plain nodes, and every column of a Page by a recursive walk.

Nothing here knows a column: each function answers for one node, from its definition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.build import Tree, parts

LEFT_OUT = ("script", "style", "noscript", "template")
SHADOW_ATTRIBUTE = "shadowrootmode"


@dataclass(eq=False)
class Node:
    name: str  # empty for a text
    parent: Node | None = None
    attrs: dict[str, str] = field(default_factory=dict)
    text: str = ""
    born: list[Node] = field(default_factory=list)  # all children, blank texts too

    @property
    def children(self) -> list[Node]:
        return [child for child in self.born if not blank(child)]


def read(tree: Tree, parent: Node | None = None) -> Node:
    if isinstance(tree, str):
        return Node("", parent, text=tree)
    name, attrs, children = parts(tree)
    node = Node(name, parent, attrs)
    node.born = [read(child, node) for child in children]
    return node


def blank(node: Node) -> bool:
    return node.name == "" and node.text.strip() == ""


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it in document order, without blank texts."""
    yield node
    for child in node.children:
        yield from walk(child)


def ancestors(node: Node) -> list[Node]:
    """From the parent up to the root."""
    return [] if node.parent is None else [node.parent, *ancestors(node.parent)]


def chain(node: Node) -> list[Node]:
    return [node, *ancestors(node)]


def size(node: Node) -> int:
    return 1 + sum(size(child) for child in node.children)


def depth(node: Node) -> int:
    return 0 if node.parent is None else 1 + depth(node.parent)


def number_of(root: Node, node: Node | None) -> int:
    return -1 if node is None else list(walk(root)).index(node)


# -- text -------------------------------------------------------------------------------------


def chars(text: str) -> int:
    return len(" ".join(text.split()))


def words(text: str) -> int:
    total = 0
    for run in text.split():
        signs = [char for char in run if is_sign(char)]
        between = re.split("[" + re.escape("".join(signs)) + "]" if signs else "$^", run)
        total += len(signs) + sum(part != "" for part in between)
    return total


def is_sign(char: str) -> bool:
    """Han and kana; whatever lies beyond the third plane is taken for Han."""
    ranges = ((0x3040, 0x30FF), (0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x10FFFF))
    return any(first <= ord(char) <= last for first, last in ranges)


def own_chars(node: Node) -> int:
    """Characters of a text that is for reading; an element has none of its own."""
    raw = node.parent is not None and node.parent.name in ("script", "style")
    return 0 if node.name or raw else chars(node.text)


def own_words(node: Node) -> int:
    return words(node.text) if own_chars(node) else 0


# -- marks ------------------------------------------------------------------------------------


def is_anchor(node: Node) -> bool:
    return node.name == "a" and "href" in node.attrs


def in_link(node: Node) -> bool:
    return any(is_anchor(above) for above in chain(node))


def hides(node: Node) -> bool:
    style = {}
    for rule in node.attrs.get("style", "").lower().split(";"):
        name, _, value = rule.partition(":")
        style[name.strip()] = value.replace("!important", "").strip()
    gone = style.get("display") == "none" or style.get("visibility") == "hidden"
    return "hidden" in node.attrs or gone


def hidden(node: Node) -> bool:
    return any(hides(above) for above in chain(node))


def aria_hidden(node: Node) -> bool:
    return any(above.attrs.get("aria-hidden") == "true" for above in chain(node))


def body_of(root: Node) -> Node | None:
    below = [root, *root.children]
    return next((node for node in below if node.name in ("body", "frameset")), None)


def left_out(node: Node) -> bool:
    shown = node.name == "template" and SHADOW_ATTRIBUTE in node.attrs
    return node.name in LEFT_OUT and not shown


def counted(node: Node) -> bool:
    """In body, and in nothing that is left out."""
    line = chain(node)
    body = body_of(line[-1])
    in_body = body is not None and body.name == "body" and body in line
    return in_body and not any(left_out(above) for above in line)


def inner_text(node: Node) -> str:
    """The counted texts below a node, white space folded."""
    texts = (one for one in walk(node) if not one.name and counted(one))
    return " ".join(" ".join(one.text.split()) for one in texts)


# -- paths ------------------------------------------------------------------------------------


def path(node: Node) -> str:
    above = "" if node.parent is None else path(node.parent)
    return f"{above}/{step(node)}"


def step(node: Node) -> str:
    born = [node] if node.parent is None else node.parent.born
    same = [sibling for sibling in born if sibling.name == node.name]
    place = 1 + next(at for at, sibling in enumerate(same) if sibling is node)
    if node.name == "":
        return f"text()[{place}]"
    if ":" in node.name:
        return f"*[name()='{node.name}'][{place}]"
    return node.name if len(same) == 1 else f"{node.name}[{place}]"
