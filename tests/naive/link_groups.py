"""Groups of links and the smallest group around each link, by sets of links over the tree."""

from dataclasses import dataclass, field

from pagelet.page.table import SHADOW_ATTRIBUTE
from tests.build import Tree, parts

SKIPPED = ("script", "style", "noscript", "template")


@dataclass
class Group:
    """An element with two or more links whose set of links no child of it has."""

    row: int
    links: frozenset[int]
    within: "Group | None"


@dataclass
class Walk:
    """Rows in document order; sets of the rows of links below each element."""

    row: int = -1
    groups: list[Group] = field(default_factory=list)

    def visit(self, node: Tree, *, counted: bool) -> tuple[frozenset[int], frozenset[int]]:
        """The links below a node, without and with itself; its groups are kept."""
        if isinstance(node, str):
            self.row += bool(node.strip())
            return frozenset(), frozenset()
        self.row += 1
        row = self.row
        name, attrs, children = parts(node)
        shadow = name == "template" and SHADOW_ATTRIBUTE in attrs
        counted = (counted or name == "body") and (name not in SKIPPED or shadow)
        below = [self.visit(child, counted=counted) for child in children]
        links = frozenset().union(*(each for _, each in below))
        if counted and len(links) >= 2 and all(links != each for each, _ in below):
            self.groups.append(Group(row, links, None))
        is_link = counted and name == "a" and "href" in attrs
        return links, links | {row} if is_link else links


def find_groups(tree: Tree) -> list[Group]:
    """The groups of a tree in document order, each with the smallest group around it."""
    walk = Walk()
    walk.visit(tree, counted=False)
    groups = sorted(walk.groups, key=lambda group: group.row)
    for group in groups:
        around = [each for each in groups if each.row < group.row and group.links < each.links]
        group.within = min(around, key=lambda each: len(each.links), default=None)
    return groups


def smallest_group(groups: list[Group], link: int) -> int | None:
    """The row of the smallest group that has a link."""
    around = [group for group in groups if link in group.links]
    return min(around, key=lambda group: len(group.links)).row if around else None
