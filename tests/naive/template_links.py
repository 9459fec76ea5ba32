"""Distances and complete subdigraphs by definition."""

from itertools import combinations

from tests.naive.tree import Node, chain


def dom_distance(one: Node, other: Node) -> int:
    """Edges up to the nearest node above both, and down again."""
    ups, downs = chain(one), chain(other)
    shared = next(node for node in ups if node in downs)
    return ups.index(shared) + downs.index(shared)


def farthest_first(nodes: list[Node]) -> list[int]:
    """The first, then always the one whose nearest chosen node is farthest."""
    chosen: list[int] = []
    left = list(range(len(nodes)))
    while left:
        best = max(
            left,
            key=lambda at: (
                min((dom_distance(nodes[at], nodes[each]) for each in chosen), default=0),
                -at,
            ),
        )
        chosen.append(best)
        left.remove(best)
    return chosen


def largest_complete(links: dict[int, set[int]], loaded: int, size: int) -> int:
    """How many of the first pages, `size` at most, link each other."""
    for count in range(min(size, loaded), 0, -1):
        for chosen in combinations(range(loaded), count):
            if all(b in links[a] and a in links[b] for a, b in combinations(chosen, 2)):
                return count
    return 0
