"""A site read over HTTP, politely, within one budget for all of it."""

from collections import Counter
from collections.abc import Sequence
from urllib.parse import urldefrag

from pagelet.columns.page import Page
from pagelet.errors import PageError
from pagelet.parse.html import parse
from pagelet.sources.answers import Fetched, web_address
from pagelet.sources.http import Loader, Politeness
from pagelet.sources.politeness import Clock, in_scope
from pagelet.sources.site import begins_like_a_page

#: for a handful of pages of one site: enough for any that answers at all
VISIT = Politeness(pages=200, bytes=200_000_000, seconds=300.0)


class WebSite:
    """Pages of the site of a start address; what cannot be had is None, and counted by reason.

    The pages and seconds of the politeness hold for the whole visit, whatever hosts the site has.
    """

    def __init__(self, start: str, loader: Loader, clock: Clock = Clock()) -> None:
        self.start, self.problems = web_address(start), Counter[str]()
        self._loader, self._clock = loader, clock
        self._asked, self._ends = 0, clock.now() + loader.politeness.seconds

    def load(self, url: str) -> Page | None:
        """The page at an address of the site."""
        try:
            found = self._fetched(url)
        except PageError as error:
            self.problems[type(error).__name__] += 1
            return None
        if found is None:
            return None
        if not begins_like_a_page(found.body):
            self.problems["NotHtml"] += 1
            return None
        return parse(found.body, url=found.url, charset=found.charset)

    def addresses(self) -> Sequence[str]:
        """None: only links tell what there is."""
        return ()

    def _fetched(self, url: str) -> Fetched | None:
        address = urldefrag(url).url
        politeness = self._loader.politeness
        if not in_scope(web_address(address).host, self.start.host, politeness.scope):
            self.problems["OutOfScope"] += 1
            return None
        if self._asked >= politeness.pages or self._clock.now() >= self._ends:
            self.problems["BudgetSpent"] += 1
            return None
        self._asked += 1
        return self._loader.load(address)
