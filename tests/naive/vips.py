"""VIPS, rule by rule and separator by separator, over nodes that know their children."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil

from tests.naive.page_boxes import Node as Plain
from tests.naive.page_boxes import PageBoxes, find, tree

CONTROLS = ("input", "textarea", "select", "audio", "meter", "progress")
DIVIDE, BLOCK, NOTHING = "divide", "block", "cut"


@dataclass(eq=False)
class Node:
    """A row that is seen, with those below it."""

    row: int
    name: str
    edges: tuple[int, int, int, int]
    atom: bool
    inline: bool
    background: tuple[float, ...]
    font: tuple[float, float]
    below: list[Node] = field(default_factory=list)

    @property
    def area(self) -> int:
        return (self.edges[2] - self.edges[0]) * (self.edges[3] - self.edges[1])

    @property
    def plain(self) -> bool:
        return self.atom or (self.inline and all(child.plain for child in self.below))


class Eyes(PageBoxes):
    """What of a page is seen, by the same eyes that take its boxes."""

    def node(self, plain: Plain, *, root: bool = False) -> list[Node]:
        """The node of a row, or those below it when it is not seen itself."""
        atom = self.is_atom(plain)
        below = [] if atom else [each for child in plain.below for each in self.node(child)]
        if not (root or self.is_seen(plain)):
            return [each for child in plain.below for each in self.node(child)]
        row = plain.row if plain.name else int(self.page.parent[plain.row])
        font = (float(self.layout.font_size[row]), float(self.layout.font_weight[row]))
        inline = bool(plain.name) and bool(self.layout.inline[plain.row])
        background = self.background(plain.row)
        edges = self.whole(plain.row)
        return [Node(plain.row, plain.name, edges, atom, inline, background, font, below)]

    def is_atom(self, plain: Plain) -> bool:
        drawn = self.is_image(plain) or self.is_frame(plain)
        return drawn or plain.name in CONTROLS or not plain.name

    def whole(self, row: int) -> tuple[int, ...]:
        limits = (self.layout.page_width, self.layout.page_height) * 2
        sides = zip(self.edges(row), limits, strict=True)
        return tuple(min(max(round(side), 0), int(limit)) for side, limit in sides)

    def is_seen(self, plain: Plain) -> bool:
        left, top, right, bottom = self.whole(plain.row)
        if not self.layout.drawn[plain.row] or right <= left or bottom <= top:
            return False
        return bool(plain.name) or self.has_line(plain.row)

    def has_line(self, row: int) -> bool:
        lines = zip(self.layout.line_row.tolist(), self.layout.line_edges.tolist(), strict=True)
        holder = self.holder(row)
        return any(of == row and not self.is_cramped(edges, holder) for of, edges in lines)


# -- the rules ----------------------------------------------------------------------------------


def decide(node: Node, small: float) -> tuple[int, str, int]:
    """The rule that fires, what it says, and the degree of coherence."""
    if node.atom:
        return 0, BLOCK, 8 if node.name else 10
    for number in applicable(node):
        answer = RULES[number](node, small)
        if answer:
            return number, *answer
    raise AssertionError


def applicable(node: Node) -> tuple[int, ...]:
    if node.name == "table":
        return (1, 2, 8, 10, 13)
    if node.name == "tr":
        return (1, 2, 7, 8, 10, 13)
    if node.name in ("td", "th"):
        return (1, 2, 4, 9, 10, 11, 13)
    if node.inline or node.name == "p":
        return (1, 2, 4, 5, 6, 7, 9, 10, 12)
    return (1, 2, 4, 6, 7, 9, 10, 12)


def rule_1(node: Node, small: float):
    return (NOTHING, 8) if not node.below else None


def rule_2(node: Node, small: float):
    return (DIVIDE, 8) if len(node.below) == 1 and not node.below[0].atom else None


def rule_4(node: Node, small: float):
    if not all(child.plain for child in node.below):
        return None
    return BLOCK, 10 if len({child.font for child in node.below}) == 1 else 9


def rule_5(node: Node, small: float):
    broken = any(not child.inline and not child.atom for child in node.below)
    return (DIVIDE, 8) if broken else None


def rule_6(node: Node, small: float):
    return (DIVIDE, 8) if any(child.name == "hr" for child in node.below) else None


def rule_7(node: Node, small: float):
    return (DIVIDE, 8) if sum(child.area for child in node.below) > node.area else None


def rule_8(node: Node, small: float):
    other = any(child.background != node.background for child in node.below)
    return (DIVIDE, 8) if other else None


def rule_9(node: Node, small: float):
    if not any(child.plain for child in node.below) or node.area >= small:
        return None
    return BLOCK, {"div": 5, "code": 7}.get(node.name, 8)


def rule_10(node: Node, small: float):
    if max(child.area for child in node.below) >= small:
        return None
    return BLOCK, 11 if node.name == "a" else 8


def rule_11(node: Node, small: float):
    return BLOCK, 8  # whether or not the one before was divided, rule 13 says the same


def rule_12(node: Node, small: float):
    return DIVIDE, 8


def rule_13(node: Node, small: float):
    return BLOCK, 8


RULES = {
    1: rule_1, 2: rule_2, 4: rule_4, 5: rule_5, 6: rule_6, 7: rule_7, 8: rule_8, 9: rule_9,
    10: rule_10, 11: rule_11, 12: rule_12, 13: rule_13,
}  # fmt: skip


# -- separators ---------------------------------------------------------------------------------


@dataclass(eq=False)
class Separator:
    low: int
    high: int
    level: bool
    weight: int = 0


def span(node: Node, level: bool) -> tuple[int, int]:
    return (node.edges[1], node.edges[3]) if level else (node.edges[0], node.edges[2])


def separators(blocks: list[Node], lines: list[Node], level: bool, capped: bool):
    """One separator over all, split, shortened or deleted by each block in turn."""
    if not blocks:
        return []
    begin = min(span(block, level)[0] for block in blocks)
    end = max(span(block, level)[1] for block in blocks)
    found = [Separator(begin - 1, end + 1, level)]
    for block in blocks:
        start, stop = span(block, level)
        kept = []
        for each in found:
            if stop <= each.low or start >= each.high:
                kept.append(each)
                continue
            parts = (each.low, start), (stop, each.high)
            kept += [Separator(low, high, level) for low, high in parts if low < high]
        found = kept
    found = [each for each in found if each.low >= begin and each.high <= end]
    for each in found:
        each.weight = weigh(each, blocks, lines, capped)
    return found


def weigh(strip: Separator, blocks: list[Node], lines: list[Node], capped: bool) -> int:
    level = strip.level
    weight = 3 + thickness(strip.high - strip.low, capped)
    spans = [span(line, level) for line in lines]
    if any(start < strip.high and stop > strip.low for start, stop in spans):
        weight += 2
    before = [each for each in blocks if 0 <= strip.low - span(each, level)[1] <= 1]
    after = [each for each in blocks if 0 <= span(each, level)[0] - strip.high <= 1]
    pairs = [(above, below) for above in before for below in after]
    if any(a.background != b.background for a, b in pairs):
        weight += 2
    if not level:
        return weight
    if any(a.font != b.font for a, b in pairs):  # in size, or else in weight
        weight += 2
    if any(a.font[0] < b.font[0] for a, b in pairs):
        weight += 2
    if all(each.plain for each in before + after):
        weight -= 2
    return weight


def thickness(pixels: int, capped: bool) -> int:
    for limit, weight in ((8, 1), (15, 2), (25, 4), (35, 6), (45, 8), (55, 10)):
        if pixels <= limit:
            return weight
    return 12 if capped else 12 + 2 * ((pixels - 56) // 10)


# -- areas --------------------------------------------------------------------------------------


@dataclass(eq=False)
class Area:
    blocks: list[Node]
    others: list[Node]
    weight: int = 0
    parts: list[Area] = field(default_factory=list)


class Vips:
    """One page while it is divided."""

    def __init__(self, page, layout, options) -> None:
        self.page, self.options = page, options
        eyes = Eyes(page, layout)
        body = find(tree(page), max(page.body, 0))
        self.root = eyes.node(body, root=True)[0]
        self.whole = Area([self.root], [])
        waiting = [self.whole]
        for _ in range(options.rounds):
            waiting = [part for area in waiting for part in self.round(area)]

    def round(self, area: Area) -> list[Area]:
        """Divide an area once; the smallest parts that came of it."""
        as_it_was = area.blocks, area.others
        while len(area.blocks) == 1 and area.blocks[0].below:
            blocks, others = self.extract(area.blocks[0].below, by_background=False)
            area.blocks, area.others = blocks, area.others + others
        lines = [node for node in area.others if node.name == "hr"]
        found = [
            each
            for level in (True, False)
            for each in separators(area.blocks, lines, level, self.options.capped)
        ]
        if not found:
            area.blocks, area.others = as_it_was
            return []
        return self.part(area, found)

    def extract(self, nodes: list[Node], *, by_background: bool):
        blocks, others = [], []
        for node in nodes:
            rule, answer, _ = decide(node, self.options.width * self.options.height)
            apart = by_background and node.background != self.parent(node).background
            if answer == NOTHING:
                others.append(node)
            elif answer == DIVIDE and not apart:
                inner = self.extract(node.below, by_background=rule == 8)
                blocks, others = blocks + inner[0], others + inner[1]
            else:
                blocks.append(node)
        return blocks, others

    def parent(self, node: Node) -> Node:
        return next(each for each in every(self.root) if node in each.below)

    def part(self, area: Area, found: list[Separator]) -> list[Area]:
        """Part an area at its heaviest separators that have blocks on both sides."""
        ranks = sorted({(-each.weight, not each.level) for each in found})
        for rank in ranks:
            group = [each for each in found if (-each.weight, not each.level) == rank]
            sides = sorted({side(block, group) for block in area.blocks})
            if len(sides) > 1:
                area.weight = -rank[0]
                for here in sides:
                    inner = [block for block in area.blocks if side(block, group) == here]
                    area.parts.append(Area(inner, []))
                for node in area.others:
                    before = [at for at in range(len(sides)) if sides[at] <= side(node, group)]
                    area.parts[max(before, default=0)].others.append(node)
                return [last for part in area.parts for last in self.part(part, found)]
        return [area]

    # -- answers --------------------------------------------------------------------------------

    def areas(self) -> dict[tuple[int, ...], Area]:
        """Every area by the numbers of the parts on the way to it."""
        found = {(): self.whole}
        waiting = [()]
        while waiting:
            path = waiting.pop()
            for at, part in enumerate(found[path].parts):
                found[*path, at] = part
                waiting.append((*path, at))
        return found

    def doc(self, area: Area) -> int:
        weights = [each.weight for each in self.areas().values() if each.parts]
        if not area.parts:
            return 11
        if min(weights) == max(weights):
            return 10
        # as whole numbers, since a quotient that is whole but for rounding would be rounded up
        steps = 9 * (area.weight - min(weights))
        return 11 - (ceil(round(steps / (max(weights) - min(weights)), 9)) + 1)

    def leaf(self, row: int) -> tuple[int, ...] | None:
        """The way to the smallest area that holds a row."""
        held = {
            node.row: path
            for path, area in self.areas().items()
            if not area.parts
            for node in area.blocks + area.others
        }
        above = row
        while above >= 0:
            if above in held:
                return held[above]
            above = int(self.page.parent[above])
        return next((held[below] for below in self.page.subtree(row) if below in held), None)

    def segment(self, row: int, pdoc: int) -> tuple[int, ...] | None:
        """The way to the area that a row is in when all that cohere too little are divided."""
        leaf = self.leaf(row)
        if leaf is None:
            return None
        areas = self.areas()
        for steps in range(len(leaf)):
            if self.doc(areas[leaf[:steps]]) > pdoc:
                return leaf[:steps]
        return leaf


def every(node: Node) -> list[Node]:
    return [node, *(below for child in node.below for below in every(child))]


def side(node: Node, group: list[Separator]) -> int:
    """How many separators begin before a node, or where it does."""
    return sum(each.low <= span(node, each.level)[0] for each in group)
