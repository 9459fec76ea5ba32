"""Features of elements: evidence whether people divide an element or mark it as a whole.

An element that holds nothing but another one goes with it, so chains of such elements are one
item. What is measured: its place and share of the page, what lies in it, how its parts lie, the
straight gaps between its boxes, backgrounds and borders, its siblings, and the words of its names.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Int32s, Ints, Mask
from pagelet.methods.segments.geometry.boxes import visible_background
from pagelet.methods.segments.visual.scene import bounding_area, find_strips
from pagelet.models.features import Features, FeatureTable
from pagelet.page.layout import TEXT, Boxes, Layout
from pagelet.page.table import Page
from pagelet.page.tags import FIRST_CUSTOM_TAG, numbers
from pagelet.page.tree import sum_path

#: Words in names of elements, by what they tell; a word matches from its beginning.
NAME_GROUPS = {
    "header": r"head|hdr|top|masthead|banner|branding|kopf|cabec|entete",
    "footer": r"foot|ftr|bottom|copyright|legal|colophon|fuss|rodape|pied|imprint",
    "navigation": r"nav|menu|breadcrumb|tabs?\b|toolbar",
    "main": r"main|content|article|body|primary|center|centre|middle|inhalt|conteudo|contenu",
    "side": r"side|aside|left|right|col|secondary|widget",
    "wrapper": r"wrap|contain|page|outer|inner|layout|site|root|app\b|holder|frame|grid|row|all\b",
    "item": r"item|post|entry|card|story|teaser|box|block|module|panel|news|product|list|tile",
    "logo": r"logo|brand|title|heading",
    "search": r"search|form|login|such|busca",
    "advert": r"ads?\b|advert|sponsor|promo|werb|publi",
    "picture": r"img|image|pic|photo|slide|carousel|gallery|hero|foto|video",
}
NAME_PATTERN = re.compile(
    "|".join(f"(?P<{name}>(?<![a-z])(?:{words}))" for name, words in NAME_GROUPS.items())
)
TAG_GROUPS = {
    "header": "header", "footer": "footer", "navigation": "nav", "main": "main article",
    "side": "aside", "item": "li dd dt", "search": "form", "logo": "h1 h2 h3 h4 h5 h6",
    "picture": "img picture figure video svg",
}  # fmt: skip
TAG_FEATURES = {
    "table": "table tbody tr", "cell": "td th", "list": "ul ol dl", "section": "section article",
    "paragraph": "p blockquote pre", "heading": "h1 h2 h3 h4 h5 h6",
}  # fmt: skip


def _tag_marks(tags: Mapping[str, str], names: Iterable[str]) -> Mask:
    """For each tag number, and one for all tags that HTML lacks, the names it belongs to."""
    rows = [[number in numbers(tags.get(name, "")) for name in names]
            for number in range(FIRST_CUSTOM_TAG + 1)]  # fmt: skip
    return np.array(rows)


NAME_MARKS = _tag_marks(TAG_GROUPS, NAME_GROUPS)  #: groups of names that a tag belongs to
TAG_MARKS = _tag_marks(TAG_FEATURES, TAG_FEATURES)  #: features of tags
MAX_NAME_CHARS = 200  #: characters of a name that are read
CAMEL = re.compile(r"([a-z0-9])([A-Z])")
HEADING_TAGS = numbers("h1 h2 h3 h4 h5 h6")
MAX_ITEM_DEPTH = 24  #: items within items that are looked at
EXTRA_BOX_CHARS = 3  #: characters that a box counts for beside its own
SAME_LINE_SHARE = 0.5  #: share of the lower part's height that lies beside the other


@dataclass(frozen=True, eq=False)
class Items:
    """The elements that can be divided, and texts and pictures beside them, in document order."""

    page: Page
    layout: Layout
    boxes: Boxes  #: in document order
    top: Ints  #: topmost row of each item
    row: Ints  #: row in which it branches, or the last one of its chain
    parent: Ints  #: item it is a part of; -1 for the whole page
    depth: Ints  #: items above it
    chain: Ints  #: all rows of the items, by item
    begin: Ints  #: where the rows of each item begin in `chain`
    first: Ints  #: first box
    last: Ints  #: box behind the last one
    edges: Floats  #: bounding box of its boxes

    def __len__(self) -> int:
        return len(self.row)

    @cached_property
    def parts(self) -> Ints:
        """Number of parts of each item."""
        return np.bincount(self.parent[self.parent >= 0], minlength=len(self))

    def sum(self, values: NDArray[Any]) -> Floats:
        """Sums of a value of boxes, per item."""
        total = np.append(0.0, np.cumsum(values))
        return np.asarray(total[self.last] - total[self.first])

    def any_in_chain(self, marks: Mask) -> Floats:
        """Whether any row of an item is marked; one column per column of marks."""
        if not len(self):
            return np.zeros((0, *marks.shape[1:]))
        return np.logical_or.reduceat(marks[self.chain], self.begin).astype(np.float64)

    def over_parts(self, best: np.ufunc, values: NDArray[Any]) -> Floats:
        """The greatest value, or the sum, over the parts of each item; 0 without parts.

        Values may have several columns.
        """
        result = np.zeros(values.shape)
        inner = self.parent >= 0
        best.at(result, self.parent[inner], values[inner])
        return result


def find_items(page: Page, layout: Layout, boxes: Boxes) -> Items:
    """The items of a page."""
    boxes = boxes.take(np.argsort(boxes.row, kind="stable"))
    own = np.bincount(boxes.row, minlength=len(page))
    drawn = page.sum_subtree(own) > 0
    children = np.bincount(page.parent[drawn] + 1, minlength=len(page) + 1)
    single = np.asarray((children[1:] == 1) & (own == 0) & drawn)  # goes with its only child
    ends = drawn & ~single
    depth = sum_path(page.end, ends.astype(np.float64)).astype(np.intp) - 1
    begins = drawn & ~np.append(single, False)[page.parent]
    rows = np.flatnonzero(drawn)  # a row that goes with its only child stands before it here
    begin = np.flatnonzero(begins[rows])
    kept = depth[np.flatnonzero(ends)] < MAX_ITEM_DEPTH
    top, row = np.flatnonzero(begins)[kept], np.flatnonzero(ends)[kept]
    item = np.full(len(page) + 1, -1, np.intp)
    item[row] = np.arange(len(row))
    first = np.searchsorted(boxes.row, top)
    last = np.searchsorted(boxes.row, page.end[top])
    edges = np.empty((len(row), 4))
    spans = np.stack((first, last), axis=1).ravel()
    padded = np.vstack((boxes.edges, np.zeros((1, 4))))
    edges[:, :2] = np.minimum.reduceat(padded[:, :2], spans)[::2]
    edges[:, 2:] = np.maximum.reduceat(padded[:, 2:], spans)[::2]
    chain, begin = _chains(rows, begin, kept)
    return Items(
        page, layout, boxes, top, row, item[page.parent[top]], depth[row], chain, begin, first,
        last, edges,
    )  # fmt: skip


def _chains(rows: Ints, begin: Ints, kept: Mask) -> tuple[Ints, Ints]:
    """The rows of the items that are kept, and where each begins among them."""
    counts = np.diff(np.append(begin, len(rows)))
    chain = rows[np.repeat(kept, counts)]
    return chain, np.cumsum(counts[kept]) - counts[kept]


def item_features(items: Items) -> FeatureTable:
    """The features of every item."""
    features = {
        **_places(items),
        **_contents(items),
        **_relations(items),
        **_arrangement(items),
        **_gaps(items),
        **_surfaces(items),
        **_names(items),
    }
    return FeatureTable.of(features, len(items), np.float64)


def _places(items: Items) -> Features:
    """Where an item lies on the page, and how much of the page it covers."""
    left, top, right, bottom = items.edges.T
    width, height = max(items.layout.page_width, 1.0), max(items.layout.page_height, 1.0)
    covered = bounding_area(items.boxes.edges)
    element = items.layout.area
    return {
        "depth": items.depth,
        "width": np.log1p(right - left),
        "height": np.log1p(bottom - top),
        "width_share": (right - left) / width,
        "height_share": (bottom - top) / height,
        "area_share": (right - left) * (bottom - top) / covered,
        "element_share": np.maximum(element[items.top], element[items.row]) / covered,
        "top": np.log1p(top),
        "to_bottom": np.log1p(np.maximum(height - bottom, 0)),
        "top_share": top / height,
        "bottom_share": bottom / height,
        "left_share": left / width,
        "right_share": right / width,
        "page_height": np.log1p(height),
        "page_boxes": np.log1p(len(items.boxes)),
    }


def _contents(items: Items) -> Features:
    """What lies in an item: texts, pictures, links, headings, fonts."""
    boxes, page = items.boxes, items.page
    chars = boxes.chars.astype(np.float64)
    link = page.inside(page.link)[boxes.row]
    heading = page.inside(page.is_tag(*HEADING_TAGS))
    size = items.layout.font_size[boxes.row]
    total, count = items.sum(chars), items.sum(np.ones(len(boxes)))
    area = items.sum(boxes.area)
    room = np.prod(items.edges[:, 2:] - items.edges[:, :2], axis=1)
    return {
        "boxes": np.log1p(count),
        "chars": np.log1p(total),
        "boxes_share": count / max(len(boxes), 1),
        "chars_share": total / max(chars.sum(), 1),
        "linked": items.sum(chars * link) / np.maximum(total, 1),
        "line": total / np.maximum(items.sum(boxes.kind == TEXT), 1),
        "pictures": items.sum(boxes.area * (boxes.kind != TEXT)) / np.maximum(area, 1),
        "density": area / np.maximum(room, 1),
        "font_size": items.sum(size * (chars + 0.01)) / np.maximum(total + 0.01 * count, 0.01),
        "headings": np.log1p(items.sum(_first_of_row(boxes.row) & heading[boxes.row])),
    }


def _first_of_row(row: Int32s) -> Mask:
    """Mark the first box of each row."""
    return np.append(True, row[1:] != row[:-1])[: len(row)]


def _relations(items: Items) -> Features:
    """An item among the parts of the item above, and its greatest part."""
    area = np.prod(items.edges[:, 2:] - items.edges[:, :2], axis=1)
    mass = items.sum(items.boxes.chars + EXTRA_BOX_CHARS)
    inner = items.parent >= 0
    largest = items.over_parts(np.maximum, mass)
    sizable = items.over_parts(np.add, (mass > 0.1 * mass[items.parent]) & inner)
    rank = _rank_among_siblings(items)
    above = np.where(inner, items.parent, 0)
    return {
        "parts": np.log1p(items.parts),
        "largest_part": largest / mass,
        "largest_area": items.over_parts(np.maximum, area) / np.maximum(area, 1),
        "sizable_parts": sizable,
        "siblings": np.log1p(items.parts[above]),
        "rank": rank,
        "rank_share": rank / np.maximum(items.parts[above], 1),
        "share_above": mass / mass[above],
        "area_above": area / np.maximum(area[above], 1),
        "largest_beside": largest[above] / mass[above],
    }


def _rank_among_siblings(items: Items) -> Floats:
    """Parts of the same item before each one."""
    order = np.lexsort((np.arange(len(items)), items.parent))
    rank = np.empty(len(items))
    parents = items.parent[order]
    rank[order] = np.arange(len(items)) - np.searchsorted(parents, parents)
    return rank


def _arrangement(items: Items) -> Features:
    """How the parts of an item lie: in rows or columns, alike or not."""
    order = np.lexsort((np.arange(len(items)), items.parent))
    one, other = order[:-1], order[1:]
    pair = (items.parent[one] == items.parent[other]) & (items.parent[one] >= 0)
    one, other = one[pair], other[pair]
    above = items.parent[one]
    a, b = items.edges[one], items.edges[other]
    heights = np.minimum(a[:, 3] - a[:, 1], b[:, 3] - b[:, 1])
    beside = np.minimum(a[:, 3], b[:, 3]) - np.maximum(a[:, 1], b[:, 1])
    columns = (beside > SAME_LINE_SHARE * heights).astype(np.float64)
    gap = np.where(columns > 0, b[:, 0] - a[:, 2], b[:, 1] - a[:, 3])
    tag, name = items.page.tag, _class_numbers(items.page)
    alike = (tag[items.top[one]] == tag[items.top[other]]) & (
        name[items.top[one]] == name[items.top[other]]
    )
    sizes = [np.abs(np.log((a[:, k + 2] - a[:, k] + 1) / (b[:, k + 2] - b[:, k] + 1)))
             for k in (0, 1)]  # fmt: skip
    widest = np.zeros(len(items))
    np.maximum.at(widest, above, gap)
    pairs = np.maximum(np.bincount(above, minlength=len(items)), 1)

    def mean(values: Floats) -> Floats:
        return np.bincount(above, values, minlength=len(items)) / pairs

    return {
        "columns": mean(columns),
        "part_gap": mean(np.log1p(np.maximum(gap, 0))),
        "widest_gap": np.log1p(widest),
        "alike_parts": mean(alike),
        "same_tag": mean(tag[items.top[one]] == tag[items.top[other]]),
        "width_difference": mean(sizes[0]),
        "height_difference": mean(sizes[1]),
        "inline_parts": items.over_parts(np.add, _is_inline(items)) / np.maximum(items.parts, 1),
    }


def _is_inline(items: Items) -> Mask:
    """Mark the items that are texts or inline elements."""
    return np.asarray(items.layout.inline[items.top] | ~items.page.element[items.top])


def _class_numbers(page: Page) -> Ints:
    """A number for the class of each row; 0 for none."""
    number = np.zeros(len(page), np.intp)
    seen: dict[str, int] = {}
    for row, value in page.attribute("class").items():
        number[row] = seen.setdefault(value, len(seen) + 1)
    return number


def _gaps(items: Items) -> Features:
    """Straight lines that cross no box of an item: how many, how wide, and where."""
    counts = np.where(items.parts > 0, items.last - items.first, 0)
    owner = np.repeat(np.arange(len(items)), counts)
    box = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts - items.first, counts)
    group = np.searchsorted(np.flatnonzero(counts), owner)
    names = np.flatnonzero(counts)
    features: Features = {}
    for axis, name in enumerate(("across", "down")):
        strips = find_strips(items.boxes.edges, box, group, axis)
        at = strips.gaps
        above = names[strips.group[at]]
        gap = strips.begin[at + 1] - strips.end[at]
        length = np.maximum(items.edges[above, axis + 2] - items.edges[above, axis], 1)
        widest = np.zeros(len(items))
        np.maximum.at(widest, above, gap)
        count = np.bincount(above, minlength=len(items))
        mean = np.bincount(above, np.maximum(gap, 0), minlength=len(items)) / np.maximum(count, 1)
        features |= {
            f"gaps_{name}": np.log1p(count),
            f"gap_{name}": np.log1p(widest),
            f"gap_{name}_to_mean": np.minimum(widest / np.maximum(mean, 1), 20),
            f"gap_{name}_share": np.bincount(above, gap / length, minlength=len(items)),
        }
    return features


def _surfaces(items: Items) -> Features:
    """Backgrounds and borders of an item and of its parts."""
    layout, page = items.layout, items.page
    filled = (layout.background[:, 3] > 0) | layout.pictured
    bordered = layout.border.max(axis=1, initial=0) > 0
    own = items.any_in_chain(np.stack((filled, bordered), axis=1)).T
    ground = visible_background(page, layout).astype(np.float64)
    shade = ground[items.boxes.row]
    means = np.stack([items.sum(shade[:, k] * items.boxes.area) for k in range(3)], axis=1)
    means /= np.maximum(items.sum(items.boxes.area), 1)[:, None]
    above = np.where(items.parent >= 0, items.parent, 0)
    step = np.abs(means - means[above]).mean(axis=1)
    parts = np.maximum(items.parts, 1)
    return {
        "filled": own[0],
        "bordered": own[1],
        "ground_step": step,
        "filled_parts": items.over_parts(np.add, own[0]) / parts,
        "bordered_parts": items.over_parts(np.add, own[1]) / parts,
        "part_ground_step": items.over_parts(np.maximum, step),
        "surfaces": np.log1p(_count_in_subtree(page, filled & layout.drawn, items.row)),
    }


def _count_in_subtree(page: Page, mask: Mask, rows: Ints) -> Floats:
    return np.asarray(page.sum_subtree(mask.astype(np.float64))[rows])


def _names(items: Items) -> Features:
    """What the names and tags of an item, of its parts and of those around it tell."""
    marks = _name_marks(items)
    parts = items.over_parts(np.maximum, marks)
    above = np.where(items.parent >= 0, items.parent, 0)
    features: Features = {f"is_{name}": marks[:, at] for at, name in enumerate(NAME_GROUPS)}
    features |= {f"has_{name}": parts[:, at] for at, name in enumerate(NAME_GROUPS)}
    features |= {f"in_{name}": marks[above, at] for at, name in enumerate(NAME_GROUPS)}
    tags = items.any_in_chain(TAG_MARKS.take(items.page.tag, axis=0, mode="clip"))
    return features | {f"tag_{name}": tags[:, at] for at, name in enumerate(TAG_FEATURES)}


def _name_marks(items: Items) -> Floats:
    """For each item and group of names, whether a name or tag of its chain belongs to it."""
    page = items.page
    marks = NAME_MARKS.take(page.tag, axis=0, mode="clip")
    for attribute in ("id", "class", "role"):
        for row, value in page.attribute(attribute).items():
            marks[row, _groups_of(value[:MAX_NAME_CHARS])] = True
    return items.any_in_chain(marks)


@lru_cache(maxsize=4096)
def _groups_of(value: str) -> list[int]:
    """The groups of names that a value belongs to."""
    spaced = CAMEL.sub(r"\1 \2", value).lower()
    found = {match.lastgroup for match in NAME_PATTERN.finditer(spaced)}
    return [at for at, name in enumerate(NAME_GROUPS) if name in found]
