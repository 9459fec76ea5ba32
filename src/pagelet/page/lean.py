"""Pages that are parsed to be read once, as for their text: few attributes are kept.

A LeanPage answers everything that a Page does. What was not kept is read from its source again when
somebody asks for it, which what reads the main content hardly ever does.
"""

import sys
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from pagelet import core
from pagelet.page.builder import CompiledBuilder
from pagelet.page.expansion import MAX_NODES
from pagelet.page.html import fill_builder, parse, pause_collector, read_source
from pagelet.page.table import WANTED, Page, Pairs

if TYPE_CHECKING:
    from pagelet.page.builder import PageBuilder


class LeanPage(Page):
    """A page of which only some attributes were kept."""

    if not TYPE_CHECKING:

        @cached_property
        def attrs(self) -> tuple[Pairs, ...]:
            """The attributes, one entry per element row; read from the source again."""
            return parse(self.source or "", max_nodes=sys.maxsize).attrs  # it was let through

    def attribute(self, name: str) -> dict[int, str]:
        """Map each row that has the attribute to its value, in document order."""
        if name not in WANTED:
            return super().attribute(name)
        if name not in self._values:
            rows, numbers, values = self.distinct(name)
            paired = zip(rows.tolist(), numbers.tolist(), strict=True)
            self._values[name] = {row: values[number] for row, number in paired}
        return self._values[name]

    @cached_property
    def _values(self) -> dict[str, dict[int, str]]:
        """Results of `attribute` by name."""
        return {}

    def __getstate__(self) -> dict[str, Any]:
        raise TypeError("a LeanPage stays in its process; parse the page")


class LeanBuilder(CompiledBuilder):
    """Collects the nodes of a LeanPage."""

    collector = "LeanCollector"

    def page(
        self, url: str | None = None, source: str | None = None, charset: str | None = None
    ) -> LeanPage:
        """The page; its arrays are the memory that the nodes were collected in."""
        page = LeanPage.__new__(LeanPage)
        page.__dict__.update(self._fields(url, source, charset), wanted=self._nodes.wanted)
        page.__post_init__()
        return page


def parse_lean(
    html: str | bytes,
    url: str | None = None,
    *,
    charset: str | None = None,
    max_nodes: int = MAX_NODES,
) -> Page:
    """Parse a page to be read once; without the compiled core it is a page as any other."""
    if not core.compiled:
        return parse(html, url, charset=charset, max_nodes=max_nodes)
    name = url or "the page"
    read = read_source(html, charset, max_nodes, name)
    builder = LeanBuilder(max_nodes, name)
    with pause_collector():
        fill_builder(read, cast("PageBuilder", builder))
        return builder.page(url, read.tags.source, read.charset)
