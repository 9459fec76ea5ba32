"""What each segment is for: header, navigation, main, side bar and so on, where it can be told.

Evidence adds up: names and tags of a segment and of what is around it, its place on the page, the
roles of the links in it, how much running text it has, form fields, segments alike beside it, and
what other pages of the site repeat. The role with most evidence wins, if that is enough.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.methods.links import decide_links
from pagelet.methods.links.options import ROLES as LINK_ROLES
from pagelet.methods.segments.geometry.partition import (
    Segments,
    members_of_segments,
    rows_of_segments,
)
from pagelet.page.site import SharedRows
from pagelet.page.table import Page
from pagelet.page.tags import numbers
from pagelet.page.tree import nearest

#: Roles of segments, in the order in which ties are broken.
SEGMENT_ROLES = (
    "main", "header", "footer", "navigation", "side bar", "advertisement", "comments", "form",
    "listing", "item",
)  # fmt: skip
#: Words in names of elements, by the role they tell of.
NAMES = {
    "header": r"(?:site|page|global|main)?header|masthead|topbar|head|cabecera|kopf",
    "footer": r"(?:site|page|global|main)?footer|colophon|copyright|foot|pie|fuss",
    "navigation": r"nav|navigation|navbar|menu|mainnav|topnav|breadcrumbs?|pagination",
    "side bar": r"sidebar|side|aside|widgets?",
    "advertisement": r"ads?|advert\w*|sponsor\w*|banner-?ad|adsense|dfp|promo",
    "comments": r"comments?|disqus|replies|commentlist",
    "form": r"search\w*|login|signup|newsletter|contact-?form",
    "main": r"main|content|article|maincontent|primary",
}
NAME_PATTERN = re.compile(
    "|".join(
        f"(?P<{role.replace(' ', '_')}>(?<![a-z])(?:{words})(?![a-z]))"
        for role, words in NAMES.items()
    )
)
CAMEL = re.compile(r"([a-z0-9])([A-Z])")
MAX_NAME_CHARS = 200  #: characters of a name that are read
TAGS = {"header": "header", "footer": "footer", "nav": "navigation", "aside": "side bar",
        "main": "main", "article": "main", "form": "form"}  # fmt: skip
#: Roles of links, by the role of a segment that they speak for, and how much.
LINK_EVIDENCE = {
    "menu": ("navigation", 1.5), "section": ("navigation", 1.3), "breadcrumb": ("navigation", 1.5),
    "pagination": ("navigation", 1.5), "toc": ("navigation", 1.3), "utility": ("header", 0.5),
    "footer": ("footer", 1.5), "ads": ("advertisement", 2.0), "related": ("listing", 1.2),
    "content": ("listing", 1.2),
}  # fmt: skip
FIELD_TAGS = numbers("input select textarea button")
ITEM_TAGS = numbers("li article")
ALIKE_PX = 50.0  #: pixels within which items are equally wide
OWN_NAME, OUTER_NAME = 2.0, 1.0  #: evidence of a name of the segment, and of one around it
MIN_EVIDENCE = 1.0  #: evidence below which a role is not told
MIN_NAMED_SHARE = 0.6  #: share of a segment's boxes that named rows must hold
HEADER_SHARE, HEADER_PX = 0.2, 250.0  #: a header ends above one of these
FOOTER_SHARE = 0.75  #: share of the page below which a footer begins
MAX_SIDE_SHARE = 0.4  #: widest side bar, as a share of the page
MAX_OFF_CENTRE = 0.1  #: distance of a narrow footer from the middle, as a share of the page
MIN_ALIKE = 3  #: segments of one kind under one element that are items
MIN_PROSE_SHARE = 0.3  #: share of the page's running text that the main segment has
SHARED, OWN = 0.8, 0.3  #: shares of repeated rows that tell of the site, and of the page


def find_segment_roles(
    page: Page, segments: Segments, template: SharedRows | None = None
) -> list[str | None]:
    """The role of each segment; None where it cannot be told."""
    if not len(segments):
        return []
    evidence = _SegmentEvidence(page, segments, template)
    return [_strongest(evidence.of(at)) for at in range(len(segments))]


def _strongest(evidence: Counter[str] | dict[str, float]) -> str | None:
    best = max(SEGMENT_ROLES, key=lambda role: evidence.get(role, 0.0))
    return best if evidence.get(best, 0.0) >= MIN_EVIDENCE else None


@dataclass(eq=False)
class _SegmentEvidence:
    """Columns that all segments of a page share."""

    page: Page
    segments: Segments
    template: SharedRows | None

    def __post_init__(self) -> None:
        boxes = self.segments.boxes
        self.rows = rows_of_segments(self.page, self.segments)
        self.members = members_of_segments(self.segments)
        self.mass = boxes.chars + 1.0
        self.prose = self._prose()
        self.alike = self._count_alike()

    def of(self, at: int) -> dict[str, float]:
        """The evidence for each role of one segment."""
        total: dict[str, float] = defaultdict(float)
        parts = (self._names(at), self._place(at), self._links(at), self._text(at), self._site(at))
        for part in parts:
            for role, amount in part:
                total[role] += amount
        return total

    # -- names --------------------------------------------------------------------------------

    @cached_property
    def named(self) -> dict[int, frozenset[str]]:
        """The roles that names and tags of rows tell of."""
        roles: dict[int, set[str]] = defaultdict(set)
        for attribute in ("id", "class", "role"):
            for row, value in self.page.attribute(attribute).items():
                roles[row] |= _roles_of_name(value)
        for row in np.flatnonzero(self.page.is_tag(*numbers(" ".join(TAGS)))).tolist():
            roles[row].add(TAGS[self.page.name(row)])
        return {row: frozenset(found) for row, found in roles.items() if found}

    def _names(self, at: int) -> Iterator[tuple[str, float]]:
        """Names of the segment's rows, then the nearest name around them."""
        page, rows = self.page, self.rows[at]
        held: Counter[str] = Counter()
        total = 0
        for row in rows:
            size = int(page.size[row])
            total += size
            for role in self._inner_names(row):
                held[role] += size
        own = [role for role, size in held.items() if size >= MIN_NAMED_SHARE * total]
        yield from ((role, OWN_NAME) for role in own)
        if not own and rows:
            yield from ((role, OUTER_NAME) for role in self._outer_names(rows[0]))

    def _inner_names(self, row: int) -> frozenset[str]:
        """What a row is named, or the only element in it."""
        page, end = self.page, int(self.page.end[row])
        while row not in self.named and row + 1 < end and int(page.end[row + 1]) == end:
            row += 1
        return self.named.get(row, frozenset())

    def _outer_names(self, row: int) -> frozenset[str]:
        row = int(self.page.parent[row])
        while row > self.page.body:
            if found := self.named.get(row, frozenset()) - {"main", "form"}:
                return found
            row = int(self.page.parent[row])
        return frozenset()

    # -- place --------------------------------------------------------------------------------

    def _place(self, at: int) -> Iterator[tuple[str, float]]:
        left, top, right, bottom = self.segments.edges[at].tolist()
        boxes = self.segments.boxes
        width, height = max(boxes.page_width, 1.0), max(boxes.page_height, 1.0)
        narrow = right - left <= MAX_SIDE_SHARE * width
        alone = not self._overlaps(at).any()
        centred = alone and abs(left + right - width) <= 2 * MAX_OFF_CENTRE * width
        if bottom <= max(HEADER_PX, HEADER_SHARE * height) and (alone or not narrow):
            yield "header", 1.0 + 0.6 * bool(top <= self.segments.edges[:, 1].min() + 1)
        if top >= FOOTER_SHARE * height and (centred or not narrow):
            yield "footer", 0.8 + 0.8 * bool(bottom >= self.segments.edges[:, 3].max() - 1)
        if narrow and self._is_beside_larger(at):
            yield "side bar", 1.2
        if self.alike[at] >= MIN_ALIKE:
            yield "item", 1.6

    def _overlaps(self, at: int) -> Mask:
        """Mark the other segments that lie at the height of at least half of this one."""
        edges = self.segments.edges
        shared = np.minimum(edges[:, 3], edges[at, 3]) - np.maximum(edges[:, 1], edges[at, 1])
        level = shared >= 0.5 * (edges[at, 3] - edges[at, 1])
        level[at] = False
        return np.asarray(level)

    def _is_beside_larger(self, at: int) -> bool:
        """Whether a wider segment with more text lies beside at least half of this one."""
        edges = self.segments.edges
        beside = self._overlaps(at)
        beside &= (edges[:, 0] >= edges[at, 2] - 2) | (edges[:, 2] <= edges[at, 0] + 2)
        wider = edges[:, 2] - edges[:, 0] > edges[at, 2] - edges[at, 0]
        return bool((beside & wider & (self.prose > self.prose[at])).any())

    def _count_alike(self) -> list[int]:
        """For each segment of one element, how many are alike: parent, tag, class and width."""
        page, names = self.page, self.page.attribute("class")
        usual = page.is_tag(*ITEM_TAGS)
        width = np.rint((self.segments.edges[:, 2] - self.segments.edges[:, 0]) / ALIKE_PX)
        keys: list[tuple[int, int, str, float]] = []
        for at, rows in enumerate(self.rows):
            row, name = (rows[0], names.get(rows[0], "")) if len(rows) == 1 else (-1, "")
            alike = row >= 0 and (bool(name) or bool(usual[row]))
            place = (int(page.parent[row]), int(page.tag[row])) if alike else (-1, -1 - at)
            keys.append((*place, name, float(width[at])))
        counts = Counter(keys)
        return [counts[key] for key in keys]

    # -- links, text, fields, site ------------------------------------------------------------

    @cached_property
    def linked(self) -> tuple[Mask, Ints]:
        """Whether each box lies in a link, and the role of that link, -1 for none."""
        roles = decide_links(self.page, self.template)
        links, groups = roles.groups.links.rows, roles.groups
        anchor = np.zeros(len(self.page), np.bool_)
        anchor[links] = True
        row = np.append(nearest(self.page.parent, anchor), -1)[self.segments.boxes.row]
        place = np.searchsorted(links, np.maximum(row, 0)) if len(links) else np.zeros_like(row)
        group = np.append(groups.smallest, -1)[np.where(row >= 0, place, -1)]
        inline = np.append(roles.inline, False)[np.where(row >= 0, place, -1)]
        role = np.append(roles.role, -1)[group]
        return np.asarray((row >= 0) & ~inline), np.where((row >= 0) & ~inline, role, -1)

    def _links(self, at: int) -> Iterator[tuple[str, float]]:
        members = self.members[at]
        mass = self.mass[members]
        total = float(mass.sum())
        role = self.linked[1][members]
        for number in np.unique(role[role >= 0]).tolist():
            share = float(mass[role == number].sum()) / total
            if number < len(LINK_ROLES) and LINK_ROLES[number] in LINK_EVIDENCE:
                target, amount = LINK_EVIDENCE[LINK_ROLES[number]]
                yield target, amount * share

    def _prose(self) -> Floats:
        """Characters outside links, per segment."""
        chars = np.where(self.linked[0], 0, self.segments.boxes.chars)
        return np.array([float(chars[members].sum()) for members in self.members])

    def _text(self, at: int) -> Iterator[tuple[str, float]]:
        prose, total = float(self.prose[at]), float(self.prose.sum())
        if prose and prose >= MIN_PROSE_SHARE * total and prose == self.prose.max():
            yield "main", 1.5
        fields = self.page.is_tag(*FIELD_TAGS)
        count = sum(int(fields[row : int(self.page.end[row])].sum()) for row in self.rows[at])
        if count > 1 and prose < 20 * count:
            yield "form", 1.3

    def _site(self, at: int) -> Iterator[tuple[str, float]]:
        """What other pages of the site repeat."""
        if self.template is None:
            return
        rows = self.segments.boxes.row[self.members[at]]
        share = float(np.average(self.template.rows[rows], weights=self.mass[self.members[at]]))
        if share >= SHARED:
            yield "main", -1.0
            yield from ((role, 0.3) for role in ("header", "footer", "navigation", "side bar"))
        elif share <= OWN:
            yield "main", 0.3


def _roles_of_name(value: str) -> set[str]:
    """The roles that the words of a name tell of; main-menu is a menu."""
    spaced = CAMEL.sub(r"\1 \2", value[:MAX_NAME_CHARS]).lower()
    roles = {str(match.lastgroup).replace("_", " ") for match in NAME_PATTERN.finditer(spaced)}
    return roles - {"main"} if len(roles) > 1 else roles
