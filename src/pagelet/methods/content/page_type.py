"""Words about a page as a whole, by which its type is guessed."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

import numpy as np

from pagelet.arrays import Floats
from pagelet.metadata.structured import types
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER

WORD = re.compile(r"[a-z]{2,20}")
YEAR = re.compile(r"/(19|20)\d\d/")
NUMBERED = re.compile(r"\d{4,}")
LONGEST = 600  #: characters of an attribute or URL that are read
DEEPEST, MOST_HYPHENS, MOST_LOG = 6, 8, 6  #: higher counts are taken for these

#: Tags whose number is told, by the logarithm.
COUNTED = """article main time form table pre code iframe video select h1 h2 h3 figure dl blockquote
input button img li p label textarea""".split()

#: Features that are told by which of the steps they exceed.
STEPS: dict[str, tuple[float, ...]] = {
    "page_words": (50, 150, 300, 500, 800, 1200, 2000, 4000, 8000),
    "page_blocks": (20, 50, 100, 200, 400, 800),
    "page_links": (0.05, 0.1, 0.2, 0.3, 0.4, 0.55, 0.7),
    "page_mean": (2, 3, 4, 6, 9, 14, 20),
    "page_paragraphs": (0.02, 0.1, 0.2, 0.35, 0.5, 0.7),
    "page_long": (0.02, 0.1, 0.2, 0.35, 0.5, 0.7),
    "page_stops": (0.01, 0.02, 0.03, 0.045, 0.06, 0.08),
    "page_plain": (50, 150, 300, 600, 1000, 2000, 4000),
    "page_money": (0.0005, 0.002, 0.005, 0.01, 0.02, 0.04),
    "core30_share": (0.1, 0.2, 0.3, 0.45, 0.6),
    "core50_share": (0.1, 0.2, 0.3, 0.45, 0.6, 0.8),
    "core70_share": (0.2, 0.35, 0.5, 0.65, 0.8),
}


def page_words(page: Page, totals: Mapping[str, float]) -> set[str]:
    """What a page says of itself in its URL, head and body tag, and what it is made of."""
    said = {*_of_url(page.url or ""), *_of_roots(page), *_of_meta(page), *_of_tags(page)}
    said.update(f"is:{name}" for name in types(page))
    for name, steps in STEPS.items():
        said.add(f"{name}:{sum(totals[name] > step for step in steps)}")
    return said


def _of_url(url: str) -> Iterator[str]:
    if not url:
        yield "url:none"
        return
    try:
        parts = urlsplit(url[:LONGEST].lower())
    except ValueError:
        return
    names = [name for name in parts.path.split("/") if name]
    yield from (f"path:{word}" for word in WORD.findall(parts.path))
    yield from (f"query:{word}" for word in WORD.findall(parts.query))
    yield from (f"host:{name}" for name in (parts.hostname or "").split(".")[:-1][:-1])
    yield f"parts:{min(len(names), DEEPEST)}"
    last = names[-1] if names else ""
    yield f"hyphens:{min(last.count('-') + last.count('_'), MOST_HYPHENS)}"
    if YEAR.search(parts.path):
        yield "path:YEAR"
    if NUMBERED.search(parts.path):
        yield "path:NUMBER"


def _of_roots(page: Page) -> Iterator[str]:
    for row in dict.fromkeys((0, page.body)):
        if 0 <= row < len(page):
            attributes = page.attributes_of(row)
            for name in ("class", "id"):
                written = attributes.get(name, "")[:LONGEST].lower()
                yield from (f"body:{word}" for word in WORD.findall(written))


def _of_meta(page: Page) -> Iterator[str]:
    for name in page.attribute("property").values():
        if name.startswith(("article:", "product:")):
            yield f"meta:{name[:LONGEST]}"
    for row, name in page.attribute("name").items():
        if name.lower() == "generator":
            written = page.attributes_of(row).get("content", "")[:LONGEST].lower()
            yield from (f"made:{word}" for word in WORD.findall(written)[:3])


def _of_tags(page: Page) -> Iterator[str]:
    count = np.bincount(page.tag, minlength=len(page.names))
    for name in COUNTED:
        logarithm = int(count[NUMBER[name]] + 1).bit_length() - 1
        yield f"{name}:{min(logarithm, MOST_LOG)}"


# -- What type of page it is, from words about the page: a softmax over learned weights -------


TYPES = ("article", "service", "product", "collection", "forum", "listing", "documentation")


@dataclass(frozen=True, slots=True, eq=False)
class PageTypes:
    """Weights of words, one for each type."""

    words: dict[str, int]  #: the place of each word
    weights: Floats  #: one row a word
    bias: Floats

    def probabilities(self, said: Iterable[str]) -> Floats:
        """How likely each type is, given what is said of the page, each word once."""
        known = sorted(self.words[word] for word in said if word in self.words)
        score = self.bias + self.weights[known].sum(axis=0)
        odds = np.exp(score - score.max())
        return np.asarray(odds / odds.sum())
