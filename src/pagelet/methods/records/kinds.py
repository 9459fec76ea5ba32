"""Kinds of records on one page: results, and what is sponsored among them."""

import re
from collections.abc import Sequence

import numpy as np

from pagelet.methods.records.places import Span
from pagelet.models.lexicon import split_words
from pagelet.page.table import Page
from pagelet.page.tags import TEXT

RESULT, SPONSORED = "result", "sponsored"
#: Words in class names and ids of sponsored records.
SPONSORED_WORDS = frozenset(
    "ad ads advert advertisement advertising adlisting sponsor sponsored sponsoring promoted promo"
    " promotion paid".split()
)
#: Texts that say so, alone in their element.
SPONSORED_TEXT = re.compile(
    r"\W*(?:ads?|sponsored(?: (?:links?|results?|listings?|content|by.{0,40}))?|advert(?:isement)?"
    r"|promoted|paid|anzeigen?|gesponsert|werbung|annonces?|sponsoris[ée]e?s?|publicit[ée]|anuncios?"
    r"|patrocinad[oa]s?|publicidad|sponsorizzat[oi]|advertentie|reklama?|реклама|广告|広告|광고)\W*",
    re.I,
)
MAX_TEXT_CHARS = 60  #: characters of a text that may say so
MAX_CLIMBS = 4  #: elements above a record whose names are read


def find_kinds(page: Page, spans: Sequence[Span]) -> list[str]:
    """The kind of each record."""
    shared, named = _shared(page, spans), _named_rows(page)
    return [SPONSORED if _is_sponsored(page, span, shared, named) else RESULT for span in spans]


def _named_rows(page: Page) -> set[int]:
    """The rows whose class names or id call them sponsored."""
    named: set[int] = set()
    for name in ("class", "id"):
        rows, number, values = page.distinct(name)
        telling = [not SPONSORED_WORDS.isdisjoint(split_words([value])) for value in values]
        named.update(rows[np.array(telling, bool)[number]].tolist() if values else ())
    return named


def _shared(page: Page, spans: Sequence[Span]) -> int:
    """The innermost element above all records."""
    if not spans:
        return 0
    row, last = int(page.parent[spans[0].start]), spans[-1].stop
    while row > 0 and page.end[row] < last:
        row = int(page.parent[row])
    return row


def _is_sponsored(page: Page, span: Span, shared: int, named: set[int]) -> bool:
    row = span.start
    for _ in range(MAX_CLIMBS):
        if row <= shared:
            break
        if row in named:
            return True
        row = int(page.parent[row])
    return any(
        page.tag[row] == TEXT
        and page.chars[row] <= MAX_TEXT_CHARS
        and SPONSORED_TEXT.fullmatch(page.text(row).strip())
        for row in range(span.start, span.stop)
    )
