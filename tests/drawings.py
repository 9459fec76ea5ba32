"""Pages with their layouts: written by hand, and strategies for any small one.

A tree is as in build.py; what lies where is told by row, in document order.
"""

from typing import Any

from hypothesis import strategies as st

from pagelet.page.layout import Layout, empty_layout
from pagelet.page.table import Page
from pagelet.page.tags import TEXT
from tests.build import Tree, page_of

Edges = tuple[float, float, float, float]
Drawing = tuple[Page, Layout]

SIDES = ("left", "top", "right", "bottom")
NORMAL, BOLD = 400, 700


def drawing(
    tree: Tree | Page,
    place: dict[int, Edges],
    *,
    size: tuple[float, float] | None = None,
    lines: dict[int, list[Edges]] | None = None,
    **columns: dict[int, Any],
) -> Drawing:
    """A page and its layout: what has no place is not drawn, a text without lines has one.

    Other columns are told by row, too: inline, background, colour, font_size, paint and so on.
    """
    page = tree if isinstance(tree, Page) else page_of(tree)
    texts = sorted(row for row in place if page.tag[row] == TEXT)
    split = [(row, edges) for row in texts for edges in (lines or {}).get(row, [place[row]])]
    reach = [max((edges[side] for edges in place.values()), default=0) for side in (2, 3)]
    made = empty_layout(len(page), size or (reach[0], reach[1]), len(split))
    made["font_size"][:], made["font_weight"][:] = 16, NORMAL
    for row, edges in place.items():
        put(made, row, edges)
        made["drawn"][row], made["paint"][row] = True, row
    for at, (row, edges) in enumerate(split):
        put(made, at, edges, "line_")
        made["line_row"][at], made["line_chars"][at] = row, int(page.chars[row])
    for name, values in columns.items():
        for row, value in values.items():
            made[name][row] = value
    return page, Layout(**made)


def put(columns: dict[str, Any], at: int, edges: Edges, kind: str = "") -> None:
    """Write down where something lies."""
    for side, edge in zip(SIDES, edges, strict=True):
        columns[f"{kind}{side}"][at] = edge


# -- strategies -------------------------------------------------------------------------------

WIDTH, HEIGHT = 1000, 1200
NAMES = ("div", "div", "p", "span", "a", "b", "table", "tr", "td", "th", "hr", "code", "section")
EMPTY = (
    *(("img",), ("hr",), ("iframe",), ("svg", ("g", "t")), ("i",), ("div",)),
    *(("input", {"type": "image"}), ("input", {"type": "text"}), ("input",), ("select",)),
    *(("object", "instead"), ("object",), ("canvas",)),
)
COLOURS = ((0, 0, 0, 0), (0, 0, 0, 0), (255, 255, 255, 255), (200, 0, 0, 255), (0, 0, 99, 128))
GAPS = (0, 0, 1, 2, 7, 12, 20, 40, 60)

_leaves = st.sampled_from(("text", "more text", *EMPTY))


def _below(children: st.SearchStrategy) -> st.SearchStrategy:
    inner = st.lists(children, min_size=1, max_size=4)
    return st.builds(lambda name, below: (name, *below), st.sampled_from(NAMES), inner)


_nodes = st.recursive(_leaves, _below, max_leaves=12)
_bodies = (st.lists(_nodes, max_size=2) | st.lists(_nodes, min_size=3, max_size=6)).map(
    lambda below: ("body", *below)
)
small_trees = _bodies.map(lambda body: ("html", ("head", ("title", "t")), body)) | _bodies

_look = st.fixed_dictionaries(
    {
        "shown": st.integers(0, 9).map(lambda number: number < 9),
        "corner": st.tuples(st.integers(-2, 9), st.integers(-2, 9)),
        "size": st.tuples(st.integers(0, 6), st.integers(0, 6)),
        "down": st.booleans(),
        "gap": st.sampled_from(GAPS),
        "lines": st.integers(1, 3),
        "inline": st.booleans(),
        "background": st.sampled_from(COLOURS),
        "pictured": st.sampled_from((False, False, False, True)),
        "font_size": st.sampled_from((12, 16)),
        "font_weight": st.sampled_from((NORMAL, BOLD)),
        "paint": st.integers(0, 3),
    }
)
COLUMNS = ("inline", "background", "pictured", "font_size", "font_weight", "paint")


@st.composite
def drawings(draw: st.DrawFn) -> Drawing:
    """A small page whose rows lie in each other in order, or anywhere."""
    page = page_of(draw(small_trees))
    looks = draw(st.lists(_look, min_size=len(page), max_size=len(page)))
    place = scattered(looks) if draw(st.integers(0, 2)) == 2 else flowing(page, looks)
    shown = {row: edges for row, edges in place.items() if looks[row]["shown"]}
    lines = {row: sliced(edges, looks[row]["lines"]) for row, edges in shown.items()}
    columns = {name: {row: look[name] for row, look in enumerate(looks)} for name in COLUMNS}
    return drawing(page, shown, size=(WIDTH, HEIGHT), lines=lines, **columns)


def scattered(looks: list[dict[str, Any]]) -> dict[int, Edges]:
    """Every row somewhere, some of them off the page."""
    place = {}
    for row, look in enumerate(looks):
        (x, y), (width, height) = look["corner"], look["size"]
        place[row] = (x * 150.0, y * 150.0, (x + width) * 150.0, (y + height) * 150.0)
    return place


def flowing(page: Page, looks: list[dict[str, Any]]) -> dict[int, Edges]:
    """Children share out the place of their parent, one below the other or side by side."""
    place: dict[int, Edges] = {}
    for row, look in enumerate(looks):
        left, top, right, bottom = place.setdefault(row, (0.0, 0.0, WIDTH, HEIGHT))
        below = [child for child in page.subtree(row) if page.parent[child] == row]
        for at, child in enumerate(below):
            low, high = at / len(below), (at + 1) / len(below)
            if look["down"]:
                step = (bottom - top) * low, (bottom - top) * high - look["gap"]
                place[child] = (left, top + step[0], right, max(top + step[1], top + step[0]))
            else:
                step = (right - left) * low, (right - left) * high - look["gap"]
                place[child] = (left + step[0], top, max(left + step[1], left + step[0]), bottom)
    return place


def sliced(edges: Edges, lines: int) -> list[Edges]:
    """A place as so many lines."""
    left, top, right, bottom = edges
    cuts = [top + (bottom - top) * line / lines for line in range(lines + 1)]
    return [(left, cuts[line], right, cuts[line + 1]) for line in range(lines)]
