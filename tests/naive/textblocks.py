"""Text blocks and kinds of characters, by one walk over plain nodes."""

import unicodedata
from dataclasses import dataclass, field

import numpy as np

from pagelet.page.table import Page
from tests.naive.tree import SHADOW_ATTRIBUTE, Node, chain, walk

BLOCK = """
address article aside blockquote body caption center dd details dialog dir div dl dt fieldset
figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing
main menu nav ol optgroup option p plaintext pre search section summary table tbody td tfoot th
thead tr ul xmp svg math noscript template
""".split()

OTHER, SPACE, DIGIT, CAPITAL, STOP, COMMA, SIGN, MONEY = range(8)


@dataclass(eq=False)
class Block:
    holder: Node
    texts: list[Node] = field(default_factory=list)


def nodes_of(page: Page) -> Node:
    """A page read back as plain nodes; blank texts are gone."""
    nodes: list[Node] = []
    for row in range(len(page)):
        parent = nodes[page.parent[row]] if row else None
        node = Node(page.name(row), parent, page.attributes_of(row), page.text(row))
        nodes.append(node)
        if parent is not None:
            parent.born.append(node)
    return nodes[0]


def is_readable(text: Node) -> bool:
    for node in chain(text):
        if node.name in ("script", "style", "head"):
            return False
        if node.name == "template" and SHADOW_ATTRIBUTE not in node.attrs:
            return False
    return True


def holds(node: Node) -> bool:
    """Whether a new line begins with the node; the root always counts."""
    return node.name in BLOCK or node.parent is None


def holder_of(text: Node) -> Node:
    return next(node for node in chain(text) if holds(node))


def blocks_of(root: Node) -> list[Block]:
    blocks: list[Block] = []
    broken = True  # whether a block element began since the last readable text
    for node in walk(root):
        if node.name:
            broken = broken or holds(node)
            continue
        if not is_readable(node):
            continue
        holder = holder_of(node)
        if broken or blocks[-1].holder is not holder:
            blocks.append(Block(holder))
        blocks[-1].texts.append(node)
        broken = False
    return blocks


def rows_of(root: Node) -> list[tuple[int, list[int]]]:
    """Each block as the row of its holder and the rows of its texts."""
    row = {node: at for at, node in enumerate(walk(root))}
    return [(row[block.holder], [row[text] for text in block.texts]) for block in blocks_of(root)]


def kind(sign: str) -> int:
    """The kind of a character by its Unicode category; other beyond the basic plane."""
    if ord(sign) >= 0x10000:
        return OTHER
    if sign.isspace():
        return SPACE
    if sign in ".!?…‼⁇。．｡！？؟۔।॥։።":
        return STOP
    if sign in ",;:،、，；：､؛":
        return COMMA
    category = unicodedata.category(sign)
    by_category = {"Nd": DIGIT, "Lu": CAPITAL, "Lt": CAPITAL, "Sc": MONEY}
    return by_category.get(category, SIGN if category[0] in "PS" else OTHER)


def kinds(text: str) -> np.ndarray:
    return np.array([kind(sign) for sign in text], np.uint8)
