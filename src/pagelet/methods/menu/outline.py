"""A menu as a tree of labels and links, submenus nested.

An entry is a hyperlink, or the plain text at the start of a list item with links below it. The
item of an entry is the highest element that begins with it and holds something else than
more of the same; every later entry inside the item is below the first.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pagelet.methods.listing import list_reason
from pagelet.methods.menu.options import MenuOptions
from pagelet.page.dom import link_of
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, TEXT
from pagelet.pagelets import Pagelets
from pagelet.wording import count_of


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """An entry of the menu: the row of its link or label, and where its item ends."""

    row: int
    end: int


def menu_tree(page: Page, menu: int) -> list[dict[str, Any]]:
    """Labels and links of a menu, each with the entries of its submenu."""
    tree: list[dict[str, Any]] = []
    open_items: list[tuple[int, list[dict[str, Any]]]] = [(int(page.end[menu]), tree)]
    for entry in list_entries(page, menu):
        while entry.row >= open_items[-1][0]:
            open_items.pop()
        node = _node(page, entry.row)
        open_items[-1][1].append(node)
        open_items.append((entry.end, node["children"]))
    return tree


def _node(page: Page, row: int) -> dict[str, Any]:
    if page.tag[row] == TEXT:
        return {"text": " ".join(page.text(row).split()), "href": None, "children": []}
    return {**link_of(page, row)._asdict(), "children": []}


def list_entries(page: Page, menu: int) -> list[MenuEntry]:
    """Entries of a menu in document order."""
    rows = _entry_rows(page, menu)
    marked = np.zeros(len(page) + 1, np.int64)
    marked[rows] = 1
    before = np.concatenate(([0], np.cumsum(marked[:-1])))
    return [MenuEntry(row, _item_end(page, menu, row, before)) for row in rows]


def _entry_rows(page: Page, menu: int) -> list[int]:
    inside = slice(menu, int(page.end[menu]))
    anchors = np.zeros(len(page), np.bool_)
    anchors[page.anchors] = True
    links = np.flatnonzero(anchors[inside] & page.counted[inside]) + menu
    texts = np.flatnonzero((page.tag[inside] == TEXT) & page.counted[inside] & ~page.link[inside])
    items = np.flatnonzero(page.tag[inside] == NUMBER["li"]) + menu
    links_in = np.searchsorted(links, page.end[items]) - np.searchsorted(links, items)
    labels = []
    for item in items[links_in > 0].tolist():
        first_link = links[np.searchsorted(links, item)]
        at = np.searchsorted(texts + menu, item)
        if at < len(texts) and texts[at] + menu < first_link:
            labels.append(int(texts[at] + menu))
    return sorted({*links.tolist(), *labels})


def _item_end(page: Page, menu: int, row: int, before: np.ndarray[Any, Any]) -> int:
    """End of the highest element that this entry opens and that is an item of its own."""
    end = int(page.end[row])
    branch, above = row, int(page.parent[row])
    while above > menu and before[above] == before[row]:
        outside = before[page.end[page.parent[above]]] - before[page.parent[above]]
        has_peers = outside > before[page.end[above]] - before[above]
        if has_peers and _differs_from_rest(page, branch, above, before):
            end = int(page.end[above])
        branch, above = above, int(page.parent[above])
    return end


def _differs_from_rest(page: Page, branch: int, item: int, before: np.ndarray[Any, Any]) -> bool:
    """Whether the branch of the entry has another tag than the rest of the item's entries."""
    child, tags = int(page.end[branch]), set()
    while child < page.end[item]:
        if before[page.end[child]] > before[child]:
            tags.add(int(page.tag[child]))
        child = int(page.end[child])
    return bool(tags) and int(page.tag[branch]) not in tags


def write_outline(result: Pagelets, options: MenuOptions) -> str:
    """A menu as an indented list of labels and links, and below it the places of its copies."""
    lines = []
    for menu in result:
        lines.append(f"menu {menu.score:.2f}  {menu.path}")
        for depth, label, href in _flat(result.extra.get("tree", [])):
            lines.append(f"{'  ' * (depth + 1)}{label}  {href}")
        lines += [
            f"copy  {copy['path']}  {count_of(copy['links'], 'link')}"
            for copy in result.extra.get("copies", ())
        ]
        if options.explain:
            lines += list_reason(menu)
    return "\n".join(lines)


def report_rejected(result: Pagelets, options: MenuOptions, _format: str) -> Sequence[str]:
    """That there is no menu; with `explain`, also what came closest."""
    if result:
        return ()
    best = result.extra.get("rejected") if options.explain else None
    close = f"; {best['path']} came closest, with {best['score']:.2f}" if best else ""
    least = f" of the {options.min_score:g} that --min-score asks for" if best else ""
    return [f"no menu{close}{least}"]


def _flat(tree: Iterable[dict[str, Any]]) -> Iterator[tuple[int, str, str]]:
    stack = [(0, node) for node in reversed(list(tree))]
    while stack:
        depth, node = stack.pop()
        yield depth, node["text"] or "(no words)", node["href"] or ""
        stack += [(depth + 1, child) for child in reversed(node["children"])]
