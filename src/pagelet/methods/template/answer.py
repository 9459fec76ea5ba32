"""A template once it is found, in every form people ask for."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pagelet.arrays import Ints, Mask
from pagelet.page.dom import build_dom, html_of
from pagelet.page.table import Page
from pagelet.write import write_html, write_markdown, write_text


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """What a page shares with its site, and what is its own."""

    page: Page
    own: Mask  #: counted rows that are the page's own; whole subtrees
    facts: Mapping[str, Any]  #: what is told of how it was found
    known: bool = True  #: whether anything was there to compare the page with
    votes: Ints | None = None  #: in how many pages each row stands likewise

    @property
    def slots(self) -> list[int]:
        """The top-most rows that are the page's own, in order."""
        rows = np.flatnonzero(self.own)
        above = self.page.parent[rows]
        tops = rows[(above < 0) | ~self.own[above]]
        return [int(row) for row in tops]

    @property
    def shared(self) -> Mask:
        """Counted rows that are template."""
        return self.page.counted & ~self.own if self.known else np.zeros_like(self.own)

    def share(self) -> dict[str, float]:
        """How much of the page is template: of its nodes, its characters, its bytes."""
        counted = self.page.counted
        chars = self.page.chars * counted
        return {
            "nodes": _ratio(int(self.shared.sum()), int(counted.sum())),
            "characters": _ratio(int(chars[self.shared].sum()), int(chars.sum())),
            "bytes": self._bytes() if self.known else 0.0,
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
        told: dict[str, Any] = {"known": self.known, "share": share, **self.facts}
        if explain and self.votes is not None:
            rows = np.flatnonzero(self.page.counted).tolist()
            votes = self.votes.tolist()
            told["votes"] = {self.page.path(row): votes[row] for row in rows}
        return told

    def text(self) -> str:
        """The page without its template, as plain text."""
        return write_text(self.page, self.own)

    def markdown(self) -> str:
        """The page without its template, as Markdown."""
        return write_markdown(self.page, self.own)

    def html(self) -> str:
        """The page without its template, as clean HTML."""
        return write_html(self.page, self.own)

    def emptied(self) -> str:
        """The template as a page: what is the page's own is taken out."""
        tree = build_dom(self.page)
        for row in self.slots:
            tree.nodes[row].extract()
        return tree.document.serialize()

    def written(self, format: str) -> str:
        """The page without its template as text, markdown or html; the template as `page`."""
        forms = {"markdown": self.markdown, "html": self.html, "page": self.emptied}
        return forms.get(format, self.text)()


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
