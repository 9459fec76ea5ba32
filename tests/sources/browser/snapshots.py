"""Snapshots written by hand, as Chromium would tell them."""

from collections.abc import Iterable
from typing import Any

from pagelet.sources.browser.html import CHARACTERS, ELEMENT, Snapshot
from tests.build import Tree, parts

FOREIGN = ("svg", "path", "foreignObject")


class Strings(list[str]):
    """Strings by number, each once."""

    def number(self, text: str) -> int:
        if text not in self:
            self.append(text)
        return self.index(text)


def snapshot_of(tree: Tree, *, scripts: bool = False) -> Snapshot:
    """The snapshot of a document with one root, on which nothing is laid out."""
    strings = Strings()
    nodes: dict[str, Any] = {
        "parentIndex": [-1],
        "nodeType": [9],
        "nodeName": [strings.number("#document")],
        "nodeValue": [-1],
        "attributes": [[]],
        "pseudoType": {"index": [], "value": []},
        "currentSourceURL": {"index": [], "value": []},
    }
    stack: list[tuple[Tree, int]] = [(tree, 0)]
    while stack:
        node, parent = stack.pop()
        name, attrs, children = ("#text", {}, ()) if isinstance(node, str) else parts(node)
        called = name if isinstance(node, str) or name in FOREIGN else name.upper()
        nodes["parentIndex"].append(parent)
        nodes["nodeType"].append(CHARACTERS if isinstance(node, str) else ELEMENT)
        nodes["nodeName"].append(strings.number(called))
        nodes["nodeValue"].append(strings.number(node) if isinstance(node, str) else -1)
        pairs: Iterable[str] = (text for pair in attrs.items() for text in pair)
        nodes["attributes"].append([strings.number(text) for text in pairs])
        here = len(nodes["parentIndex"]) - 1
        kept = () if name == "template" else children  # the browser keeps those apart
        stack += [(child, here) for child in reversed(kept)]
    document = {"nodes": nodes, "publicId": -1, "systemId": -1}
    return Snapshot(list(strings), document, (), scripts)
