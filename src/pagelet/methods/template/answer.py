"""The template of a page, and the formats it is written in."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from pagelet.arrays import Ints, Mask
from pagelet.methods.links import decide_links
from pagelet.methods.links.addresses import name_groups
from pagelet.methods.links.options import ROLES
from pagelet.methods.template.slot import Slot
from pagelet.page.dom import build_dom, html_of
from pagelet.page.site import SharedRows
from pagelet.page.table import Page
from pagelet.write import write_html, write_markdown, write_text

#: Roles of link groups that are tools around the content of a slot.
TOOL_ROLES = [ROLES.index(name) for name in ("utility", "breadcrumb", "pagination", "social")]
MIN_TOOL_SCORE = 0.5  #: probability of such a role
MIN_TOOL_LINK_RATIO = 0.6  #: share of the characters of a group that stand in links


class SlotFacts(Mapping[str, Any]):
    """How a template was found; the paths of its slots are looked up when somebody asks."""

    def __init__(self, facts: Mapping[str, Any], page: Page, slot: Slot) -> None:
        self._page, self._slot = page, slot
        guess = {} if slot.alike else {"guess": True}  # no page is alike: its names decided
        self._facts = {**facts, "holder": "", "expected_f1": round(slot.score, 4)}
        self._facts |= ({"holders": []} if slot.holders else {}) | guess

    def __getitem__(self, name: str) -> Any:
        if name == "holder":
            return self._page.path(self._slot.row)
        if name == "holders" and self._slot.holders:
            return [self._page.path(row) for row in (self._slot.row, *self._slot.holders)]
        return self._facts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """The rows that a page shares with its site, and those of its own."""

    page: Page
    own: Mask  #: counted rows that are the page's own; whole subtrees
    facts: Mapping[str, Any]  #: how the template was found, as in the JSON form
    determined: bool = True  #: whether there was anything to compare the page with
    votes: Ints | None = None  #: number of other pages that have each row
    parts: Mapping[str, Any] = field(default_factory=dict)  #: what else the learned template keeps

    @property
    def slots(self) -> list[int]:
        """The topmost rows that are the page's own, in order."""
        rows = np.flatnonzero(self.own)
        above = self.page.parent[rows]
        tops = rows[(above < 0) | ~self.own[above]]
        return [int(row) for row in tops]

    @property
    def shared(self) -> Mask:
        """Counted rows that are template."""
        return self.page.counted & ~self.own if self.determined else np.zeros_like(self.own)

    def to_shared(self) -> SharedRows | None:
        """The template as other methods take it; None when it is unknown or guessed.

        What is only guessed by names is unknown: other methods read names themselves.
        """
        if not self.determined or self.facts.get("guess") or self.votes is None:
            return None
        ratio = self.votes / max(int(self.votes.max(initial=0)), 1)
        return SharedRows(self.shared, ratio, partial(find_tools, self.page, self.own))

    def share(self) -> dict[str, float]:
        """The shares of the page's nodes, characters and bytes that are template."""
        counted = self.page.counted
        chars = self.page.chars * counted
        return {
            "nodes": _ratio(int(self.shared.sum()), int(counted.sum())),
            "characters": _ratio(int(chars[self.shared].sum()), int(chars.sum())),
            "bytes": self._bytes() if self.determined else 0.0,
        }

    def _bytes(self) -> float:
        if not len(self.page):
            return 0.0
        own = sum(len(html_of(self.page, row).encode()) for row in self.slots)
        whole = len(build_dom(self.page).document.serialize().encode())
        return max(1 - own / whole, 0.0) if whole else 0.0

    def to_dict(self, *, explain: bool = False) -> dict[str, Any]:
        """The JSON form."""
        share = {name: round(value, 6) for name, value in self.share().items()}
        form: dict[str, Any] = {"known": self.determined, "share": share, **self.facts}
        if explain and self.votes is not None:
            rows = np.flatnonzero(self.page.counted).tolist()
            votes = self.votes.tolist()
            form["votes"] = {self.page.path(row): votes[row] for row in rows}
        return form

    def text(self) -> str:
        """The page without its template, as plain text."""
        return write_text(self.page, self.own)

    def markdown(self) -> str:
        """The page without its template, as Markdown."""
        return write_markdown(self.page, self.own)

    def html(self) -> str:
        """The page without its template, as clean HTML."""
        return write_html(self.page, self.own)

    def template_page(self) -> str:
        """The template as an HTML page: the page without its slots."""
        tree = build_dom(self.page)
        for row in self.slots:
            tree.nodes[row].extract()
        return tree.document.serialize()


def find_tools(page: Page, own: Mask) -> Mask:
    """Rows of the slot in groups of links that are no content: page numbers, tools of a post.

    Only groups that lie in the slot whole, and whose text is mostly that of their links.
    """
    roles = decide_links(page)
    groups = roles.groups
    named = name_groups(roles, MIN_TOOL_SCORE).named & np.isin(roles.role, TOOL_ROLES)
    rows = groups.rows[named]
    chars = page.chars * page.counted
    links = page.inside(groups.links.rows)
    text, linked = (page.sum_subtree(values)[rows] for values in (chars, chars * links))
    tools = rows[own[rows] & (linked >= MIN_TOOL_LINK_RATIO * text)]
    return page.inside(tools.astype(np.int32))


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
