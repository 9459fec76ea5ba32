"""Text densities by definition: every count by a walk, every formula as it is printed."""

from __future__ import annotations

from math import e, log

from hypothesis import strategies as st

from tests.build import html, texts
from tests.naive.tree import Node, blank, body_of, chain, counted, hides, own_chars, walk

LINKS = ("a", "button", "select")

# -- pages with many links, also one inside another ----------------------------------------------

_hiding = st.sampled_from(({}, {}, {}, {}, {"hidden": ""}, {"style": "display:none"}))
_long = st.integers(1, 60).map(lambda length: "x" * length)
_names = st.sampled_from(("div", "p", "span", "img", *LINKS, *LINKS, "script"))


def _element(children: st.SearchStrategy) -> st.SearchStrategy:
    below = st.lists(children, max_size=4)
    return st.builds(lambda name, attrs, kids: (name, attrs, *kids), _names, _hiding, below)


_nodes = st.recursive(texts | _long, _element, max_leaves=24)
linked_pages = st.lists(_nodes, max_size=5).map(lambda nodes: html(*nodes))


# -- counts ----------------------------------------------------------------------------------


def visible(node: Node) -> bool:
    """Counted, and nothing below body hides it."""
    line = chain(node)
    body = body_of(line[-1])
    return counted(node) and not any(hides(x) for x in line[: line.index(body)])


def is_link(node: Node) -> bool:
    return node.name in LINKS


def elements(node: Node) -> list[Node]:
    """Children that are elements in sight."""
    return [child for child in node.children if child.name and visible(child)]


def chars(node: Node) -> int:
    return sum(own_chars(inner) for inner in walk(node) if visible(inner))


def tags(node: Node) -> int:
    return sum(1 + tags(child) for child in elements(node))


def link_chars(node: Node) -> int:
    texts = [inner for inner in walk(node) if visible(inner)]
    return sum(own_chars(text) for text in texts if any(map(is_link, chain(text))))


def link_tags(node: Node) -> int:
    if is_link(node):
        return tags(node)
    return sum(
        link_tags(child) + (is_link(child) or entirely_link(child)) for child in elements(node)
    )


def entirely_link(node: Node) -> bool:
    return link_tags(node) == tags(node) and link_chars(node) == chars(node) and link_tags(node) > 0


def share(body: Node) -> float:
    return link_chars(body) / chars(body) if chars(body) else 0.0


# -- densities -------------------------------------------------------------------------------


def plain(node: Node, r: float) -> float:
    return chars(node) / (tags(node) or 1)


def linkless(node: Node, r: float) -> float:
    return (chars(node) - link_chars(node)) / (tags(node) or 1)


def composite(node: Node, r: float) -> float:
    if chars(node) == 0:
        return 0.0
    c, t, lc, lt = chars(node), tags(node) or 1, link_chars(node) or 1, link_tags(node) or 1
    nlc = chars(node) - link_chars(node) or 1
    return c / t * log(c / lc * t / lt) / log(log(c / nlc * lc + r * c + e))


DENSITY = {"composite": composite, "plain": plain, "linkless": linkless}


def runs(node: Node) -> list[int]:
    """Lengths of the texts between the element children."""
    lengths = [0]
    for child in node.born:
        if child.name and visible(child):
            lengths.append(0)
        elif not child.name and not blank(child):
            lengths[-1] += own_chars(child)
    return [length for length in lengths if length > 0]


def of_run(length: int, r: float, *, smooth: bool) -> float:
    if smooth or r == 0:
        return length * log(length) / log(log(1 + r * length + e))
    return length * log(length) / log(log(r * length + e))


def density_sum(node: Node, r: float, density: str, *, smooth: bool) -> float:
    measure = DENSITY[density]
    if not elements(node):
        return measure(node, r)
    below = sum(measure(child, r) for child in elements(node))
    if density == "composite":
        return below + sum(of_run(length, r, smooth=smooth) for length in runs(node))
    if density == "linkless" and any(map(is_link, chain(node))):
        return below
    return below + sum(runs(node))
