"""Choice of the content by recursion and marks, step by step as it is described."""

from __future__ import annotations

from tests.naive import density as naive
from tests.naive.tree import Node, ancestors, body_of, walk

CONTENT, PATH = "content", "path"


class Marker:
    """Marks of one page."""

    def __init__(self, root: Node, density: str, *, smooth: bool) -> None:
        self.body = body_of(root)
        self.marks: dict[Node, str] = {}
        self.threshold = 0.0
        if self.body is None or naive.chars(self.body) == 0:
            return
        r = naive.share(self.body)
        seen = [node for node in walk(self.body) if node.name and naive.visible(node)]
        self.density = {node: round(naive.DENSITY[density](node, r), 6) for node in seen}
        self.sums = {
            node: round(naive.density_sum(node, r, density, smooth=smooth), 6) for node in seen
        }
        best = self.largest(self.body)
        self.mark(best)
        self.threshold = min(self.density[node] for node in [best, *self.above(best)])
        self.visit(self.body)

    def above(self, node: Node) -> list[Node]:
        """Elements above, up to body."""
        return [] if node is self.body else [x for x in ancestors(node) if x in self.density]

    def largest(self, node: Node) -> Node:
        """The first element of a subtree with the largest sum."""
        return max((x for x in walk(node) if x in self.sums), key=self.sums.__getitem__)

    def mark(self, node: Node) -> None:
        self.marks |= {inner: CONTENT for inner in walk(node) if naive.visible(inner)}
        self.marks |= dict.fromkeys(self.above(node), PATH)

    def visit(self, node: Node) -> None:
        if self.marks.get(node) == CONTENT or self.density[node] < self.threshold:
            return
        best = self.largest(node)
        if self.marks.get(best) != CONTENT:
            self.mark(best)
        for child in naive.elements(node):
            self.visit(child)

    def kept(self, node: Node) -> bool:
        """Whether a text is in the answer."""
        own = not node.name and self.marks.get(node) == CONTENT
        return own or (not node.name and self.marks.get(node.parent) == PATH)

    def tops(self) -> list[Node]:
        content = [node for node, mark in self.marks.items() if mark == CONTENT]
        return [node for node in content if self.marks.get(node.parent) != CONTENT]
