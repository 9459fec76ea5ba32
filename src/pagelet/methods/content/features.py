"""Features of text blocks: one row a feature, one column a block.

Everything is a prefix sum, a gather or a shift over the columns of the page; nothing loops over
blocks. Names stand beside the values they name, so that a model and a reason speak of the same.
"""

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Ints, Mask, Singles
from pagelet.metadata.structured import structured_text
from pagelet.methods.content.counts import (
    HOLDERS,
    INNER,
    KNOWN_BITS,
    LONG,
    OUTER,
    Counts,
    Named,
    bits_of,
)
from pagelet.methods.content.structure import structure
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER
from pagelet.page.textblocks import TextBlocks
from pagelet.page.tree import join_path, sum_path
from pagelet.page.words import character_kinds, count_kinds

# -- Features of text blocks: neighbours, windows and headings --------------------------------


SHIFTS = (1, 2, -1, -2)  #: neighbours that are looked at
WINDOWS = (3, 8, 20)  #: blocks to either side
LINKED = 0.3  #: link density of running text is below this
FAR = 999  #: further than anything


def around(counts: Counts) -> Named:
    """Neighbours, and sums over windows and over what stands under one heading."""
    blocks = len(counts.blocks)
    depth = counts.page.depth[counts.blocks.holder]
    own = np.array((counts.words, counts.density, counts.kinds[2], counts.tag, depth))
    padded = np.zeros((len(own), blocks + 6))
    padded[:, 3:-3] = own
    for shift in SHIFTS:
        words, density, stops, tag, deep = padded[:, 3 - shift : 3 - shift + blocks]
        side = f"{'before' if shift > 0 else 'after'}{abs(shift)}"
        yield f"{side}_words", words
        yield f"{side}_links", density
        yield f"{side}_stops", stops
        yield f"{side}_tag", tag
        yield f"{side}_depth", deep - depth
    prefix = np.zeros((3, blocks + 1))
    np.cumsum(np.array((counts.words, counts.linked, counts.kinds[2])), axis=1, out=prefix[:, 1:])
    place = np.arange(blocks)
    for width in WINDOWS:
        low, high = np.maximum(place - width, 0), np.minimum(place + width + 1, blocks)
        words, linked, stops = prefix[:, high] - prefix[:, low]
        yield f"window{width}_mean", words / (high - low)
        yield f"window{width}_links", linked / np.maximum(words, 1)
        yield f"window{width}_stops", stops / np.maximum(words, 1)
    headed = (counts.tag >= HOLDERS["h1"]) & (counts.tag <= HOLDERS["h4"])
    section = np.cumsum(headed)
    words, linked = np.bincount(section, counts.words), np.bincount(section, counts.linked)
    yield "section_words", words[section]
    yield "section_links", (linked / np.maximum(words, 1))[section]
    yield from _headings(counts, headed, place)


def _headings(counts: Counts, headed: Mask, place: Ints) -> Named:
    blocks = len(place)
    last = np.maximum.accumulate(np.where(headed, place, -1))
    following = np.minimum.accumulate(np.where(headed, place, blocks + 50)[::-1])[::-1]
    yield "since_heading", np.where(last >= 0, place - last, -1)
    yield "heading", np.where(last >= 0, counts.tag[last], 0)
    yield "until_heading", following - place
    firsts = np.flatnonzero(counts.tag == HOLDERS["h1"])
    yield "since_h1", place - firsts[0] if len(firsts) else np.full(blocks, -FAR)
    long = np.flatnonzero((counts.words >= LONG) & (counts.density < LINKED))
    at = np.searchsorted(long, place, side="right")
    padded = np.concatenate(([-FAR], long, [FAR + blocks]))
    yield "since_long", place - padded[at]
    yield "until_long", padded[np.searchsorted(long, place) + 1] - place


# -- Features of text blocks: what the page says of itself in its title and in structured data


RUN = 4  #: words by which a text is recognised in structured data
TELLING = 12  #: characters from which on a text can be recognised in a title
LONGEST = 300  #: characters of a title, or of a block, that are looked at
MOST_TITLES = 4
MOST_TOLD = 200_000  #: characters of structured data that are looked at
TITLE_PROPERTIES = ("og:title", "twitter:title")
COOKIE, COOKIE_IN_KANA = "cookie", "クッキー"
NEAR = 8  #: blocks to either side in which cookies are spoken of


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


# -- Features of text blocks: one row a feature, one column a block ---------------------------


COPIED = 80  #: characters by which two blocks are taken for copies


def content_features(page: Page, blocks: TextBlocks, scores: Floats) -> tuple[list[str], Singles]:
    """Names and values of all features that the page alone decides; `scores` is the lexicon's."""
    counts, texts, own = _counted(page, blocks)
    parts = [
        *own,
        *said(counts, texts),
        *_tags(counts),
        *structure(counts),
        *around(counts),
        *_place(counts),
        *_lexicon(counts, scores),
    ]
    return [name for name, _ in parts], np.array([values for _, values in parts], np.float32)


def _counted(
    page: Page, blocks: TextBlocks
) -> tuple[Counts, list[str], list[tuple[str, NDArray[Any]]]]:
    rows, first = blocks.rows, blocks.first
    last = np.append(first[1:], len(rows)) - 1
    columns = np.array((page.words[rows], page.chars[rows], page.words[rows] * page.link[rows]))
    words, chars, linked = np.add.reduceat(columns, first, axis=1).astype(np.float64)
    texts = [text.strip() for text in blocks.texts(page)]
    bounds = np.zeros(len(texts) + 1, np.intp)
    np.cumsum(np.fromiter(map(len, texts), np.intp, len(texts)), out=bounds[1:])
    kind = character_kinds("".join(texts))
    kinds = count_kinds(kind, bounds[first])
    tag = HOLDERS_BY_TAG.take(page.tag[blocks.holder], mode="clip")
    density = linked / np.maximum(words, 1)
    counts = Counts(
        page, blocks, words, linked, chars, kinds, density, tag, rows[first], max(words.sum(), 1.0)
    )
    whole = _whole(texts, first, last)
    shares = kinds / np.maximum(chars, 1)
    own = [
        ("words", words),
        ("chars", chars),
        ("chars_per_word", chars / np.maximum(words, 1)),
        ("link_density", density),
        *zip(("digits", "capitals", "stops", "commas", "signs", "money"), shares, strict=True),
        ("stop_count", kinds[2]),
        ("comma_count", kinds[3]),
        ("last_kind", kind[bounds[last + 1] - 1]),
        ("first_kind", kind[bounds[first]]),
        ("texts", last - first + 1),
        ("copies", _copies(whole)),
    ]
    return counts, whole, own


def _whole(texts: list[str], first: Ints, last: Ints) -> list[str]:
    """The text of each block, its pieces joined by one space."""
    bounds = zip(first.tolist(), last.tolist(), strict=True)
    return [texts[one] if one == two else " ".join(texts[one : two + 1]) for one, two in bounds]


def _copies(texts: list[str]) -> Ints:
    """How often each block's beginning occurs in the page."""
    begun = [text[:COPIED] for text in texts]
    seen = Counter(begun)
    return np.fromiter(map(seen.__getitem__, begun), np.intp, len(begun))


IN, HAS = ([f"{how}_{name}" for name in tags] for how, tags in (("in", OUTER), ("has", INNER)))
IS = [f"is_{name}" for name in KNOWN_BITS]
OUTER_BITS, INNER_BITS = (np.array(list(tags.values()))[:, None] for tags in (OUTER, INNER))
IS_TAGS = np.array([HOLDERS[name] for name in KNOWN_BITS])[:, None]
HOLDERS_BY_TAG = np.zeros(max(NUMBER.values()) + 2)
for _name, _number in HOLDERS.items():
    HOLDERS_BY_TAG[NUMBER[_name]] = _number


def _tags(counts: Counts) -> Named:
    """Which tags hold a block, which are inside it, and whether it is out of sight."""
    page, blocks = counts.page, counts.blocks
    bits = bits_of(page)
    deepest = int(page.depth.max()) if len(page) else 0
    path = join_path(page.parent, deepest, bits, np.bitwise_or, 0)
    above = path[blocks.holder]
    inner = np.bitwise_or.reduceat(path[blocks.rows], blocks.first) & ~above
    yield from zip(IN, above & OUTER_BITS != 0, strict=True)
    yield from zip(HAS, inner & INNER_BITS != 0, strict=True)
    yield from zip(IS, counts.tag == IS_TAGS, strict=True)
    yield "depth", page.depth[blocks.holder]


def _place(counts: Counts) -> Named:
    """Where a block stands, and the page as a whole."""
    blocks = len(counts.blocks)
    place = np.arange(blocks)
    before = np.cumsum(counts.words) - counts.words
    yield "place", place / blocks
    yield "words_before", before / counts.total
    yield "blocks_before", place
    yield "blocks_after", blocks - place
    words = counts.words
    totals = {
        "words": counts.total,
        "blocks": blocks,
        "links": counts.linked.sum() / counts.total,
        "mean": counts.total / blocks,
        "paragraphs": words[counts.tag == HOLDERS["p"]].sum() / counts.total,
        "long": words[words > LONG].sum() / counts.total,
        "stops": counts.kinds[2].sum() / counts.total,
        "plain": words[counts.density < 0.5].sum(),
        "money": counts.kinds[5].sum() / counts.total,
    }
    yield from ((f"page_{name}", np.full(blocks, value)) for name, value in totals.items())


def _lexicon(counts: Counts, scores: Floats) -> Named:
    """What classes and ids above a block say."""
    page, holder = counts.page, counts.blocks.holder
    for at, own in enumerate(scores):
        path = sum_path(page.end, own)[holder]
        yield f"lexicon{at}", path
        yield f"lexicon{at}_before", np.concatenate(([0.0], path[:-1]))
        yield f"lexicon{at}_after", np.concatenate((path[1:], [0.0]))
