"""Structural blocks and their scores by definition, in exact arithmetic."""

import re
from fractions import Fraction

from tests.naive.tree import (
    Node,
    ancestors,
    body_of,
    chain,
    chars,
    counted,
    in_link,
    is_anchor,
    own_chars,
    walk,
)

STRUCTURAL = {
    "body",
    "table",
    "thead",
    "tbody",
    "tfoot",
    "tr",
    "td",
    "th",
    "div",
    "ul",
    "ol",
    "li",
    "dl",
    "dt",
    "dd",
    "nav",
    "section",
    "article",
    "aside",
    "header",
    "footer",
    "main",
    "form",
    "fieldset",
}
COUNTS = ("anchors", "tags", "link_chars", "chars")


def blocks(root: Node) -> list[Node]:
    return [node for node in walk(root) if is_block(node)]


def is_block(node: Node) -> bool:
    return counted(node) and (node.name in STRUCTURAL or is_list(node))


def is_list(node: Node) -> bool:
    """Whether a paragraph holds hyperlinks and nothing but symbols between them."""
    inner = [each for each in walk(node) if counted(each) and each is not node]
    plain = [each.text for each in inner if not each.name and not in_link(each)]
    symbols = all(chars(text) <= 5 and not re.search(r"\w", text) for text in plain)
    return node.name == "p" and sum(map(is_anchor, inner)) >= 2 and symbols


def holder(node: Node) -> Node:
    """The nearest structural element at or above a counted node."""
    return next(above for above in chain(node) if is_block(above))


def text_below(node: Node) -> int:
    return sum(own_chars(inner) for inner in walk(node) if counted(inner))


def stand_in(node: Node) -> int:
    """Characters that stand in for a picture in a hyperlink that holds no text."""
    bare = any(is_anchor(above) and text_below(above) == 0 for above in ancestors(node))
    if node.name != "img" or not bare or not counted(node):
        return 0
    return max(1, chars(node.attrs.get("alt", "")))


def visible_chars(node: Node, *, pictures: bool) -> int:
    own = own_chars(node) if counted(node) else 0
    return own + (stand_in(node) if pictures else 0)


def attached(block: Node, *, pictures: bool) -> dict[str, int]:
    mine = [node for node in walk(block) if counted(node) and holder(node) is block]
    tags = [
        node
        for node in mine
        if node.name
        and node is not block
        and any(visible_chars(x, pictures=pictures) for x in walk(node))
    ]
    return {
        "anchors": sum(is_anchor(tag) for tag in tags),
        "tags": len(tags),
        "link_chars": sum(visible_chars(node, pictures=pictures) for node in mine if in_link(node)),
        "chars": sum(visible_chars(node, pictures=pictures) for node in mine),
    }


def factor(distance: int, decay: float, shape: str) -> Fraction:
    step = Fraction(str(decay))
    return max(Fraction(0), 1 - step * distance) if shape == "linear" else (1 - step) ** distance


def sums(root: Node, options) -> dict[Node, dict[str, Fraction]]:
    """For every block and every block above it: add what is left after the distance."""
    found = {block: dict.fromkeys(COUNTS, Fraction(0)) for block in blocks(root)}
    for block in found:
        own = attached(block, pictures=options.pictures)
        line = [above for above in chain(block) if is_block(above)]
        for distance, above in enumerate(line):
            left = factor(distance, options.decay, options.decay_shape)
            for name in COUNTS:
                found[above][name] += left * own[name]
    return found


def ratio(part: Fraction, whole: Fraction) -> Fraction:
    return part / whole if whole else Fraction(0)


def scores(root: Node, options) -> dict[Node, tuple[Fraction, Fraction, int]]:
    """Tag ratio, text ratio and score of every block."""
    found = {}
    for block, total in sums(root, options).items():
        tag = ratio(total["anchors"], total["tags"])
        text = ratio(total["link_chars"], total["chars"])
        points = int(tag >= Fraction(str(options.tag_threshold)))
        points += text >= Fraction(str(options.text_threshold))
        found[block] = tag, text, points
    return found


def plain_chars(node: Node) -> int:
    texts = [inner for inner in walk(node) if counted(inner) and not in_link(inner)]
    return sum(own_chars(text) for text in texts)


def links_below(node: Node) -> int:
    return sum(is_anchor(inner) and counted(inner) for inner in walk(node) if inner is not node)


def topmost(root: Node, options) -> list[Node]:
    body = body_of(root)
    found = {
        block
        for block, (_, _, points) in scores(root, options).items()
        if points >= options.min_score
        and block is not body
        and links_below(block) >= options.min_links
        and plain_chars(block) <= Fraction(str(options.max_plain_share)) * plain_chars(body)
    }
    return [block for block in walk(root) if block in found and not found & set(ancestors(block))]
