"""The text blocks of a page with what is counted in them, by loops over plain nodes."""

from dataclasses import dataclass
from functools import cached_property

from tests.naive import textblocks as plain
from tests.naive.textblocks import Block
from tests.naive.tree import Node, chain, depth, in_link, own_chars, own_words, walk

HOLDER = {
    1: "p", 2: "li", 3: "td th", 4: "div", 5: "h1", 6: "h2", 7: "h3", 8: "h4 h5 h6", 9: "dt",
    10: "dd", 11: "pre", 12: "figcaption", 13: "section article main", 14: "label", 15: "option",
    16: "blockquote",
}  # fmt: skip


def look(node: Node) -> tuple[str, str | None]:
    return node.name, node.attrs.get("class")


def titles(nodes: list[Node]) -> list[str]:
    """The first title element, and what meta elements say the title is."""
    elements = [node for node in nodes if node.name == "title"][:1]
    found = [child.text for node in elements for child in node.children[:1]]
    for name in ("property", "name"):
        named = [node for node in nodes if node.attrs.get(name) in ("og:title", "twitter:title")]
        found += [node.attrs.get("content", "") for node in named]
    return [simple(title[:300]) for title in found[:4]]


@dataclass(eq=False)
class Measured:
    """One block with what is counted in it."""

    block: Block
    place: int

    @cached_property
    def words(self) -> int:
        return sum(own_words(text) for text in self.block.texts)

    @cached_property
    def linked(self) -> int:
        return sum(own_words(text) for text in self.block.texts if in_link(text))

    @cached_property
    def chars(self) -> int:
        return sum(own_chars(text) for text in self.block.texts)

    @cached_property
    def written(self) -> str:
        return " ".join(text.text.strip() for text in self.block.texts)

    @cached_property
    def block_begin(self) -> str:
        """The beginning of the text, as it is compared with titles."""
        return simple(self.written[:301])

    @cached_property
    def links(self) -> float:
        return self.linked / max(self.words, 1)

    @cached_property
    def tag(self) -> int:
        name = self.block.holder.name
        return next((at for at, names in HOLDER.items() if name in names.split()), 0)

    @cached_property
    def headed(self) -> bool:
        return self.block.holder.name in ("h1", "h2", "h3", "h4", "h5", "h6")

    @cached_property
    def depth(self) -> int:
        return depth(self.block.holder)

    @cached_property
    def looks(self) -> list[str]:
        """Tags and classes at and above the holder, in no order."""
        return sorted(repr(look(node)) for node in chain(self.block.holder))

    @cached_property
    def stops(self) -> int:
        return self.signs(plain.STOP)

    @cached_property
    def good(self) -> int:
        """Words of running text outside links."""
        return self.words - self.linked if self.words > 8 else 0

    def signs(self, kind: int) -> int:
        return sum(plain.kind(sign) == kind for sign in self.written)


def simple(text: str) -> str:
    """Lower case, one space between words."""
    return " ".join(text.lower().split())


class Sheet:
    """A page read for its blocks; every question is answered by a loop.

    `structured` is the text of the structured data of the page.
    """

    def __init__(self, root: Node, structured: str = "") -> None:
        self.structured = simple(structured).split()
        self.nodes = list(walk(root))
        self.row = {node: at for at, node in enumerate(self.nodes)}
        self.blocks = [Measured(block, at) for at, block in enumerate(plain.blocks_of(root))]
        self.words = max(sum(block.words for block in self.blocks), 1)
        self.below = {node: list(walk(node)) for node in self.nodes}
        self.held = {
            node: [each for each in self.blocks if each.block.texts[0] in set(below)]
            for node, below in self.below.items()
        }

    @cached_property
    def titles(self) -> list[str]:
        return titles(self.nodes)

    def total(self, node: Node | None, what: str) -> float:
        return sum(getattr(each, what) for each in self.held[node]) if node else 0

    def tags(self, node: Node | None, names: tuple[str, ...]) -> int:
        return sum(each.name in names for each in self.below[node]) if node else 0

    def number(self, node: Node | None) -> int:
        return len(self.held[node]) if node else 0
