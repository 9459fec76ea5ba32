"""Words that models learn weights for: those in names above rows, and those many sites use."""

from collections import Counter
from collections.abc import Iterable, Iterator

from pagelet.models.lexicon import page_values, tokens
from pagelet.page.table import Page


class NameWords:
    """The words in the names (classes, ids, roles) of a page's elements."""

    def __init__(self, page: Page) -> None:
        self._parent = page.parent.tolist()
        self._own: dict[int, list[str]] = {}
        for name, values in page_values(page):
            for row, value in values.items():
                self._own.setdefault(row, []).extend(tokens(name, value))

    def above(self, row: int) -> Iterator[str]:
        """The words at a row and above it; a word may come several times."""
        while row >= 0:
            yield from self._own.get(row, ())
            row = self._parent[row]


def common_words(by_site: Iterable[tuple[str, Iterable[str]]], min_sites: int) -> list[str]:
    """Words that so many sites use, sorted."""
    pairs = {(word, site) for site, words in by_site for word in words}
    sites = Counter(word for word, _ in pairs)
    return sorted(word for word, count in sites.items() if count >= min_sites)
