"""Boxes of a page, rule by rule: a plain walk over the rows, and all pairs of boxes."""

from __future__ import annotations

from dataclasses import dataclass

IMAGES = ("img", "svg", "canvas", "video", "embed", "object")
FRAMES = ("iframe", "frame")

Edges = tuple[float, float, float, float]


@dataclass
class Node:
    """A row with what lies below it."""

    row: int
    name: str
    below: list[Node]


def tree(page, row: int = 0) -> Node:
    children = [child for child in page.subtree(row) if page.parent[child] == row]
    return Node(row, page.name(row), [tree(page, child) for child in children])


def find(node: Node, row: int) -> Node | None:
    if node.row == row:
        return node
    return next((found for child in node.below if (found := find(child, row))), None)


class PageBoxes:
    """One page while its boxes are taken."""

    def __init__(self, page, layout) -> None:
        self.page, self.layout = page, layout
        self.found: list[tuple[int, int, str, Edges, tuple[int, ...], int]] = []

    def all(self) -> list[tuple[str, int, Edges, tuple[int, ...], int]]:
        """Kind, row, edges, colour and characters of each box."""
        if not len(self.page):
            return []
        root = tree(self.page)
        self.walk(find(root, self.page.body) if self.page.body >= 0 else root)
        self.chains(root)
        boxes = sorted(self.found, key=lambda box: box[:2])
        listed = [(kind, row, edges, colour, chars) for _, row, kind, edges, colour, chars in boxes]
        return [box for at, box in enumerate(listed) if not self.hides(at, listed)]

    def hides(self, at: int, boxes) -> bool:
        """Whether a box contains another one, or a later one is equal."""
        mine = boxes[at][2]
        for other, (_, _, edges, _, _) in enumerate(boxes):
            if other == at or (edges == mine and other < at):
                continue
            if all(a <= b for a, b in zip(mine[:2], edges[:2], strict=True)) and all(
                a >= b for a, b in zip(mine[2:], edges[2:], strict=True)
            ):
                return True
        return False

    # -- rows -----------------------------------------------------------------------------------

    def edges(self, row: int) -> Edges:
        return tuple(float(side[row]) for side in self.sides())

    def sides(self):
        return (self.layout.left, self.layout.top, self.layout.right, self.layout.bottom)

    def has_place(self, row: int) -> bool:
        left, top, right, bottom = self.edges(row)
        return bool(self.layout.drawn[row]) and right > left and bottom > top

    def is_image(self, node: Node) -> bool:
        if not self.has_place(node.row):
            return False
        if node.name == "object":
            return not any(self.layout.drawn[row] for row in self.page.subtree(node.row)[1:])
        kind = self.page.attributes_of(node.row).get("type") if node.name == "input" else None
        return node.name in IMAGES or kind == "image"

    def is_frame(self, node: Node) -> bool:
        return node.name in FRAMES and self.has_place(node.row)

    def background(self, row: int) -> tuple[float, ...]:
        """The colour behind a row, mixed down from white."""
        path = [row]
        while self.page.parent[path[-1]] >= 0:
            path.append(int(self.page.parent[path[-1]]))
        colour = (255.0, 255.0, 255.0)
        for each in reversed(path):
            if self.layout.drawn[each] or each <= self.page.body:
                *own, opacity = (int(part) for part in self.layout.background[each])
                share = opacity / 255
                mixed = zip(own, colour, strict=True)
                colour = tuple(part * share + under * (1 - share) for part, under in mixed)
        return tuple(round(part) for part in colour)

    def holder(self, row: int) -> int | None:
        """The nearest block that is drawn around a text."""
        above = int(self.page.parent[row])
        while above >= 0:
            if self.layout.drawn[above] and not self.layout.inline[above]:
                return above
            above = int(self.page.parent[above])
        return None

    def is_cramped(self, edges: Edges, holder: int | None) -> bool:
        if holder is None:
            return False
        left, top, right, bottom = self.edges(holder)
        wider = edges[2] - edges[0] > right - left + 1
        return wider and edges[3] - edges[1] > bottom - top + 1

    # -- boxes ----------------------------------------------------------------------------------

    def put(self, row: int, kind: str, edges: Edges, chars: int = 0) -> None:
        limits = (self.layout.page_width, self.layout.page_height) * 2
        sides = zip(edges, limits, strict=True)
        cut = tuple(min(max(round(side), 0), int(limit)) for side, limit in sides)
        if cut[2] > cut[0] and cut[3] > cut[1]:
            colour = tuple(int(part) for part in self.layout.colour[row])
            if kind == "surface":
                colour = self.background(row)
            self.found.append((int(self.layout.paint[row]), row, kind, cut, colour, chars))

    def walk(self, node: Node) -> None:
        """Lines, images and frames at and below a node."""
        if self.is_image(node):
            self.put(node.row, "image", self.edges(node.row))
            return
        if self.is_frame(node):
            self.put(node.row, "surface", self.edges(node.row))
            return
        if not node.name and self.layout.drawn[node.row]:
            self.lines(node.row)
        for child in node.below:
            self.walk(child)

    def lines(self, row: int) -> None:
        for at in range(len(self.layout.line_row)):
            edges = tuple(float(side) for side in self.layout.line_edges[at])
            if self.layout.line_row[at] == row and not self.is_cramped(edges, self.holder(row)):
                self.put(row, "text", edges, int(self.layout.line_chars[at]))

    def drawn_below(self, node: Node) -> list[Node]:
        """The nearest nodes below that have a place; inside images there are none."""
        if self.is_image(node) or self.is_frame(node):
            return []
        found = []
        for child in node.below:
            found += [child] if self.has_place(child.row) else self.drawn_below(child)
        return found

    def chains(self, root: Node) -> None:
        """The smallest coated box of every chain that ends in an empty element."""
        body = find(root, self.page.body) if self.page.body >= 0 else root
        tops = [body] if self.has_place(body.row) else self.drawn_below(body)
        while tops:
            chain = [tops.pop()]
            while len(below := self.drawn_below(chain[-1])) == 1:
                chain += below
            last = chain[-1]
            tops += below
            leaf = self.is_image(last) or self.is_frame(last) or not last.name
            coated = [node for node in chain if self.is_coated(node.row)]
            if not below and not leaf and coated:
                best = min(coated, key=lambda node: (self.layout.area[node.row], -node.row))
                self.put(best.row, "surface", self.edges(best.row))

    def is_coated(self, row: int) -> bool:
        return bool(self.layout.background[row][3]) or bool(self.layout.pictured[row])
