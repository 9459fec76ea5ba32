"""Features of text blocks: what the page says of itself in its title and in structured data."""

import numpy as np

from pagelet.columns.page import Page
from pagelet.methods.content_counts import Counts, Floats, Named
from pagelet.methods.content_tags import HOLDERS
from pagelet.parse.structured import structured_text
from pagelet.tags import NUMBER

RUN = 4  #: words by which a text is recognised in structured data
TELLING = 12  #: characters from which on a text can be recognised in a title
LONGEST = 300  #: characters of a title, or of a block, that are looked at
MOST_TITLES = 4
MOST_TOLD = 200_000  #: characters of structured data that are looked at
TITLE_PROPERTIES = ("og:title", "twitter:title")
COOKIE, COOKIE_IN_KANA = "cookie", "クッキー"
NEAR = 8  #: blocks to either side in which cookies are spoken of
FAR = 999  #: further than anything


def said(counts: Counts, texts: list[str]) -> Named:
    """Whether the title or structured data hold a block's text, and what came before it."""
    page, place = counts.page, np.arange(len(texts))
    lower = [text[: LONGEST + 1].lower() for text in texts]
    told, titles = structured_text(page)[:MOST_TOLD].lower().split(), _titles(page)
    inside = _inside(lower, told) if told else np.zeros(len(texts))
    titled = np.array([_is_title(text, titles) for text in lower], np.bool_)
    yield "told", inside
    yield "page_told", np.full(len(texts), (inside * counts.words).sum() / counts.total)
    yield "telling", np.full(len(texts), float(len(told)))
    yield "title", titled
    last = np.maximum.accumulate(np.where(titled, place, -1))
    yield "since_title", np.where(last >= 0, place - last, -1)
    first = int(np.argmax(titled)) if titled.any() else -FAR
    yield "since_first_title", place - first
    yield "h1_before", np.cumsum(counts.tag == HOLDERS["h1"])
    yield from _notices(lower)
    articles = np.cumsum(page.tag == NUMBER["article"])
    yield "articles_before", articles[counts.row]
    yield "page_articles", np.full(len(texts), articles[-1])


def _inside(lower: list[str], told: list[str]) -> Floats:
    """Mark the texts whose first words stand together in what is told."""
    begun = [tuple(text.split(None, RUN)[:RUN]) for text in lower]
    first = {words[0] for words in begun}
    runs = {tuple(told[at : at + RUN]) for at, word in enumerate(told) if word in first}
    return np.array([words in runs and len(words) == RUN for words in begun], np.float64)


def _notices(lower: list[str]) -> Named:
    """Words that speak of the site wherever it is written: cookies, and the sign of rights."""
    whole = "\0".join(lower)
    cookies = np.zeros(len(lower))
    for word in (COOKIE, COOKIE_IN_KANA):
        if word in whole:
            cookies[[word in text for text in lower]] = 1
    yield "cookies", cookies
    before = np.append(0, np.cumsum(cookies))
    place = np.arange(len(lower))
    last = np.minimum(place + NEAR + 1, len(lower))
    yield "cookies_near", before[last] - before[np.maximum(place - NEAR, 0)]
    rights = ["©" in text for text in lower] if "©" in whole else np.zeros(len(lower))
    yield "rights", np.asarray(rights)


def _titles(page: Page) -> str:
    """What the page says its titles are, in lower case, one a line."""
    rows = np.flatnonzero(page.tag == NUMBER["title"])[:1].tolist()
    found = [page.text(row + 1) for row in rows if page.size[row] > 1]
    for attribute in ("property", "name"):
        named = page.attribute(attribute).items()
        found += [
            page.attributes_of(row).get("content", "")
            for row, name in named
            if name in TITLE_PROPERTIES
        ]
    return "\n".join(" ".join(title[:LONGEST].lower().split()) for title in found[:MOST_TITLES])


def _is_title(lower: str, titles: str) -> bool:
    if lower.split(None, 1)[0] not in titles:  # spares most blocks the rest
        return False
    text = " ".join(lower.split())
    return TELLING <= len(text) <= LONGEST and text in titles
