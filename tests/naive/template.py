"""The default template by definition: leaves, pages alike, and the F1 of every element."""

import re
from collections import Counter
from math import sqrt

from tests.naive.tree import Node, chain, counted, walk

STATE = re.compile(r"active|current|selected|open\b|first|last|odd|even|\d+")
SAID = ("src", "alt", "type", "name", "value")


def rows_of(root: Node) -> list[Node]:
    return [node for node in walk(root) if counted(node)]


def leaves_of(node: Node) -> list[Node]:
    return [below for below in rows_of_subtree(node) if is_leaf(below)]


def rows_of_subtree(node: Node) -> list[Node]:
    return [below for below in walk(node) if counted(below)]


def is_leaf(node: Node) -> bool:
    return len(rows_of_subtree(node)) == 1


def sign(leaf: Node) -> tuple:
    path = tuple(node.name for node in chain(leaf))
    if leaf.name == "":
        return path, " ".join(leaf.text.split())
    return path, (
        "" if leaf.name in ("br", "hr") else tuple(leaf.attrs.get(key, "") for key in SAID)
    )


def plain_name(value: str) -> tuple[str, ...]:
    words = STATE.sub("", value.lower()).split()
    return tuple(sorted(word.strip("-_") for word in words if word.strip("-_")))


def place(node: Node) -> tuple:
    return tuple(
        (each.name,)
        if each.name in ("html", "body", "")
        else (
            each.name,
            plain_name(each.attrs.get("id", "")),
            plain_name(each.attrs.get("class", "")),
        )
        for each in chain(node)
    )


class Leaves:
    """The leaves of a page and the pairs they form with their neighbours."""

    def __init__(self, root: Node) -> None:
        self.rows = rows_of(root)
        self.leaves = [node for node in self.rows if is_leaf(node)]
        signs = [sign(leaf) for leaf in self.leaves]
        before = list(zip([None, *signs], signs, strict=False))
        after = list(zip(signs, [*signs[1:], None], strict=True))
        self.before = [(pair, Counter(before)[pair]) for pair in before]
        self.after = [(pair, Counter(after)[pair]) for pair in after]

    def has(self, other: "Leaves", at: int) -> bool:
        """Whether this page has a leaf of the other."""
        return other.before[at] in self.before or other.after[at] in self.after


def shares(page: Leaves, pages: list[Leaves]) -> list[float]:
    """For each leaf of a page, the share of other pages that have it."""
    return [
        sum(each.has(page, at) for each in pages) / len(pages) if pages else 0.0
        for at in range(len(page.leaves))
    ]


def likely(page: Leaves, shared: list[float]) -> list[float]:
    inside = records(page, shared)
    shared = [
        0.0 if leaf in inside else each for leaf, each in zip(page.leaves, shared, strict=True)
    ]
    found = []
    for at, share in enumerate(shared):
        near = shared[max(at - 5, 0) : at + 6]
        found.append(0.1 + 0.87 * share * sum(near) / len(near))
    return found


def records(page: Leaves, shared: list[float]) -> set[Node]:
    """Leaves in four or more alike siblings, 60 % of which have a leaf of this page alone."""
    alone = {leaf for leaf, share in zip(page.leaves, shared, strict=True) if share == 0}
    kinds: dict[tuple, list[Node]] = {}
    for node in page.rows[1:]:
        if not is_leaf(node):
            below = frozenset(place(child) for child in node.children if counted(child))
            kinds.setdefault((id(node.parent), place(node), below), []).append(node)
    found: set[Node] = set()
    for nodes in kinds.values():
        differ = [node for node in nodes if alone & set(leaves_of(node))]
        if len(nodes) >= 4 and len(differ) >= 0.6 * len(nodes):
            found |= {leaf for node in nodes for leaf in leaves_of(node)}
    return found


def alike(page: Leaves, pages: list[Leaves]) -> list[Leaves]:
    """Pages of the same template that do not only say the same."""
    common = {id(each): sum(each.has(page, at) for at in range(len(page.leaves))) for each in pages}
    some = [each for each in pages if common[id(each)]]
    least = 0.03 * max((common[id(each)] for each in some), default=0)
    differ = [each for each in some if least <= common[id(each)] < copied(each, page)] or some
    ranked = sorted((common[id(each)] for each in differ), reverse=True)
    return [each for each in differ if common[id(each)] >= 0.2 * ranked[len(ranked) // 4]]


def copied(one: Leaves, two: Leaves) -> float:
    """Leaves in common from which one of two pages is a copy of the other."""
    leaves = max(len(one.leaves), len(two.leaves))
    return min(0.95 * leaves, leaves - 1)


def scores(page: Leaves, pages: list[Leaves]) -> dict[Node, float]:
    """The F1 of the template to be expected for each element as the holder."""
    used = alike(page, pages)
    own = sums(page, likely(page, shares(page, used)))
    theirs = [
        sums(
            each,
            likely(each, shares(each, [page, *(other for other in used if other is not each)])),
        )
        for each in used
    ]
    elements = [node for node in page.rows if not is_leaf(node)]
    at_place = Counter(place(node) for node in elements)
    found = {}
    whole = totals(own[page.rows[0]], [each[rows[0]] for each, rows in with_rows(theirs, used)])
    for node in elements:
        others = [
            (total / at_place[place(node)] for total in same_place(each, node)) for each in theirs
        ]
        leaves, shared = totals(own[node], [tuple(part) for part in others])
        outside = max(whole[0] - leaves, 0)
        found[node] = 2 * (whole[1] - shared) / max(outside + whole[1], 1e-9)
    return found


def with_rows(theirs: list, used: list[Leaves]) -> list:
    return [(each, page.rows) for each, page in zip(theirs, used, strict=True)]


def totals(own: tuple[float, float], others: list) -> tuple[float, float]:
    weight = 2 / len(others) if others else 0
    return tuple(own[part] + weight * sum(each[part] for each in others) for part in (0, 1))


def sums(page: Leaves, values: list[float]) -> dict[Node, tuple[float, float]]:
    """Leaves below each row and the sum of their values, scaled by the size of the page."""
    value = dict(zip(page.leaves, values, strict=True))
    scale = sqrt(len(page.leaves) + 1)
    found = {}
    for node in page.rows:
        below = leaves_of(node)
        found[node] = (len(below) / scale, sum(value[leaf] for leaf in below) / scale)
    return found


def same_place(summed: dict[Node, tuple[float, float]], node: Node) -> tuple[float, float]:
    wanted = place(node)
    same = [
        total for other, total in summed.items() if not is_leaf(other) and place(other) == wanted
    ]
    return sum(each[0] for each in same), sum(each[1] for each in same)
