"""Sites: where the pages of a site come from, and what a page shares with the others.

Content lies in the slot of a template and the menu outside it, so methods weigh their rows by the
template of the site where that is known.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable
from urllib.parse import urldefrag, urlsplit

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Mask
from pagelet.page.table import Page
from pagelet.page.textblocks import TextBlocks

#: Log-odds of being content that a text block gains or loses: when other pages have the same
#: words, when it lies in the template but no other page has its words, when it lies in the slot.
#: More for the slot helps more where all of it is content; others have comments and adverts there.
REPEATED_LOG_ODDS, TEMPLATE_LOG_ODDS, SLOT_LOG_ODDS = -5.0, -1.0, 2.0
TEMPLATE_MENU_GAIN = 0.05  #: score that a menu gains when the template is known
#: Second-level labels under which countries register names, as in example.co.uk.
PUBLIC_LABELS = frozenset(
    "ac co com edu go gob gouv gov gv ltd me mil ne net nom or org plc sch".split()
)


@runtime_checkable
class Site(Protocol):
    """Where other pages of a site come from: memory, a folder, an archive, the web."""

    def load(self, url: str) -> Page | None:
        """The page at an address; None when there is none, or it is no page."""

    def addresses(self) -> Sequence[str]:
        """Addresses that need no page to be loaded, in order; none where only links lead on."""


class MemorySite:
    """Pages held in memory; a page without an address is given one."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self._pages: dict[str, Page] = {}
        for at, page in enumerate(pages):
            address = urldefrag(page.url).url if page.url else f"page:{at}"
            self._pages.setdefault(address, page)

    def load(self, url: str) -> Page | None:
        """The page at an address; None when the site has none."""
        return self._pages.get(urldefrag(url).url)

    def addresses(self) -> Sequence[str]:
        """The addresses of all pages, in order."""
        return tuple(self._pages)


def host_of(url: str | None) -> str:
    """The host of a URL; empty when it has none."""
    if not url:
        return ""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def registered_domain(url: str | None) -> str:
    """The part of a host that someone registered: `b.example.co.uk` gives `example.co.uk`.

    Two labels, or three where the second last is one under which countries register names. Sites
    of one hosting service fall together, which keeps folds apart all the more.
    """
    return domain_of(host_of(url))


def domain_of(host: str) -> str:
    """The registered part of a host; an IP address is returned whole."""
    labels = host.lower().rstrip(".").split(".")
    if labels[-1].isdigit() or ":" in host:
        return host.lower()
    shared = len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in PUBLIC_LABELS
    return ".".join(labels[-3 if shared else -2 :])


# -- the template of a site, as other methods use it ------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class SharedRows:
    """What a page shares with its site."""

    rows: Mask  #: rows that are template
    repeat_ratio: Floats  #: share of the pages that have each row with the same words
    #: Finds rows of the slot that are tools around its content, such as page numbers.
    find_tools: Callable[[], Mask] | None = None

    def slot(self, page: Page) -> Mask:
        """Counted rows that are the page's own, tools around its content left out."""
        own = page.counted & ~self.rows
        return own & ~self.find_tools() if self.find_tools is not None else own


def content_log_odds(
    page: Page, blocks: TextBlocks, template: SharedRows | None, *, bare: bool
) -> Floats | float:
    """Log-odds that a template adds to each block; with `bare`, the slot adds nothing.

    Text that is not counted lies neither in the template nor in the slot.
    """
    if template is None:
        return 0.0
    repeated = template.rows * template.repeat_ratio
    slot = template.slot(page) * (0.0 if bare else SLOT_LOG_ODDS)
    once = TEMPLATE_LOG_ODDS * (template.rows - repeated)
    change = page.words * (REPEATED_LOG_ODDS * repeated + once + slot)
    sums = np.concatenate(([0.0], np.cumsum(change[blocks.rows])))
    last = np.append(blocks.first, len(blocks.rows))[1:]
    return np.asarray((sums[last] - sums[blocks.first]) / np.maximum(blocks.sum(page.words), 1))


def menu_weights(
    page: Page, rows: NDArray[np.integer], template: SharedRows | None
) -> tuple[Floats | float, float]:
    """The factor for the score of each menu candidate, and what the best one gains.

    A menu lies in the template: a candidate counts by the share of its rows that lie there.
    """
    if template is None:
        return 1.0, 0.0
    shared = page.sum_subtree(template.rows & page.counted)[rows]
    counted = page.sum_subtree(page.counted)[rows]
    return np.asarray(shared / np.maximum(counted, 1)), TEMPLATE_MENU_GAIN


def shared_link_ratio(page: Page, rows: NDArray[np.integer], template: SharedRows | None) -> Floats:
    """Share of the links of each row that are template; NaN without a link or a template."""
    if template is None:
        return np.full(len(rows), np.nan)
    anchors = page.anchors[page.counted[page.anchors]]
    marked = np.zeros((2, len(page)))
    marked[0, anchors] = 1
    marked[1, anchors] = template.rows[anchors]
    count, shared = (page.sum_subtree(line)[rows] for line in marked)
    return np.where(count > 0, shared / np.maximum(count, 1), np.nan)
