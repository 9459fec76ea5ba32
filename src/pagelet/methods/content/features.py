"""Features of text blocks.

Everything is a prefix sum, a gather or a shift over the columns of the page; nothing loops over
blocks. Names stand beside the values they name, so that a model and a reason use the same ones.
"""

from bisect import bisect_right
from collections import Counter
from itertools import accumulate

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.metadata.structured import item_names, structured_text
from pagelet.methods.content.structure import (
    HOLDER_FEATURES,
    HOLDERS,
    INNER,
    LONG_BLOCK_WORDS,
    OUTER,
    BlockCounts,
    count_blocks,
    structure_features,
    tag_bits,
)
from pagelet.methods.content.threads import find_threads
from pagelet.methods.vocabulary import TEXT_KINDS, text_bits
from pagelet.models.features import Features, FeatureTable
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER
from pagelet.page.textblocks import TextBlocks
from pagelet.page.tree import join_path, sum_path


def content_features(page: Page, blocks: TextBlocks, scores: Floats) -> FeatureTable:
    """All features that the page alone decides; `scores` are those of the lexicon."""
    counts = count_blocks(page, blocks)
    features: Features = {
        **_own_features(counts),
        **_page_text_features(counts),
        **_tag_features(counts),
        **structure_features(counts),
        **_neighbour_features(counts),
        **_heading_features(counts),
        **_thread_features(counts),
        **_place_features(counts),
        **_lexicon_features(counts, scores),
    }
    return FeatureTable.of(features, len(blocks))


COPY_CHARS = 80  #: characters by which two blocks are taken for copies


def _own_features(counts: BlockCounts) -> Features:
    """Words and characters of a block."""
    kinds, chars = counts.kinds, counts.chars
    digits, capitals, stops, commas, signs, money = kinds / np.maximum(chars, 1)
    begun = [text[:COPY_CHARS] for text in counts.texts]
    copies = Counter(begun)
    return {
        "words": counts.words,
        "chars": chars,
        "chars_per_word": chars / np.maximum(counts.words, 1),
        "link_density": counts.density,
        "digits": digits,
        "capitals": capitals,
        "stops": stops,
        "commas": commas,
        "signs": signs,
        "money": money,
        "stop_count": kinds[2],
        "comma_count": kinds[3],
        "last_kind": counts.last_kind,
        "first_kind": counts.first_kind,
        "texts": counts.pieces,
        "copies": np.fromiter(map(copies.__getitem__, begun), np.intp, len(begun)),
    }


# Titles, structured data and notices: what the page states about itself

MATCH_WORDS = 4  #: words by which a text is recognised in structured data
MIN_TITLE_CHARS = 12  #: characters from which on a text can be recognised in a title
MAX_TITLE_CHARS = 300  #: characters of a title, or of a block, that are compared
MAX_TITLES = 4
MAX_STRUCTURED_CHARS = 200_000  #: characters of structured data that are read
TITLE_PROPERTIES = ("og:title", "twitter:title")
COOKIE, COOKIE_IN_KANA, RIGHTS = "cookie", "クッキー", ("©",)
COOKIE_BLOCKS = 8  #: blocks to either side in which cookies are counted
MISSING = 999  #: distance to something that the page does not have


def _page_text_features(counts: BlockCounts) -> Features:
    """Whether the title or structured data hold a block's text, and what came before it."""
    page, texts = counts.page, counts.texts
    place = np.arange(len(texts))
    lower = [text[: MAX_TITLE_CHARS + 1].lower() for text in texts]
    structured = structured_text(page)[:MAX_STRUCTURED_CHARS].lower().split()
    inside = _inside(lower, structured) if structured else np.zeros(len(texts))
    titles = _titles(page)
    titled = np.array([_is_title(text, titles) for text in lower], np.bool_)
    last = np.maximum.accumulate(np.where(titled, place, -1))
    first = int(np.argmax(titled)) if titled.any() else -MISSING
    articles = np.cumsum(page.tag == NUMBER["article"])
    names = item_names(page)
    return {
        "told": inside,
        "named": [text in names for text in lower] if names else 0,
        "page_told": (inside * counts.words).sum() / counts.total,
        "telling": len(structured),
        "title": titled,
        "since_title": np.where(last >= 0, place - last, -1),
        "since_first_title": place - first,
        "h1_before": np.cumsum(counts.tag == HOLDERS["h1"]),
        **_notice_features(lower),
        "articles_before": articles[counts.row],
        "page_articles": articles[-1],
        **_title_features(counts, titled, articles[counts.row]),
    }


def _title_features(counts: BlockCounts, titled: Mask, articles: Ints) -> Features:
    """The smallest element that holds both a block and the title: a heading, or else any copy."""
    headed = titled & (counts.tag >= HOLDERS["h1"]) & (counts.tag <= HOLDERS["h4"])
    title = headed if headed.any() else titled
    if not title.any():
        return {"title_levels": -1, "title_share": 0, "title_articles": 0}
    page, at = counts.page, int(np.argmax(title))
    around = [int(counts.blocks.holder[at])]  # the elements above the title, the lowest first
    while page.parent[around[-1]] >= 0:
        around.append(int(page.parent[around[-1]]))
    ends = page.end[around]
    begins = -np.array(around)
    row = counts.row
    before = np.searchsorted(begins, -row)  # first of them that begins at or before the block
    after = np.searchsorted(ends, row, side="right")  # first that ends behind it
    level = np.minimum(np.maximum(before, after), len(around) - 1)
    words = np.append(0, np.cumsum(counts.words))
    held = words[np.searchsorted(row, ends)] - words[np.searchsorted(row, around)]
    return {
        "title_levels": level,
        "title_share": held[level] / counts.total,
        "title_articles": articles - articles[at],
    }


def _inside(lower: list[str], structured: list[str]) -> Floats:
    """Mark the texts whose first words stand together in the structured data."""
    begun = [tuple(text.split(None, MATCH_WORDS)[:MATCH_WORDS]) for text in lower]
    later = (structured[at:] for at in range(MATCH_WORDS))
    runs = set(begun).intersection(zip(*later, strict=False))
    return np.array([words in runs for words in begun], np.float64)


def _titles(page: Page) -> str:
    """The titles that the page states, in lower case, one per line."""
    rows = np.flatnonzero(page.tag == NUMBER["title"])[:1].tolist()
    titles = [page.text(row + 1) for row in rows if page.size[row] > 1]
    for attribute in ("property", "name"):
        titles += [
            page.attributes_of(row).get("content", "")
            for row, name in page.attribute(attribute).items()
            if name in TITLE_PROPERTIES
        ]
    short = (title[:MAX_TITLE_CHARS].lower().split() for title in titles[:MAX_TITLES])
    return "\n".join(map(" ".join, short))


def _is_title(lower: str, titles: str) -> bool:
    if lower.split(None, 1)[0] not in titles:  # spares most blocks the rest
        return False
    text = " ".join(lower.split())
    return MIN_TITLE_CHARS <= len(text) <= MAX_TITLE_CHARS and text in titles


#: Parts of words about newsletters, subscriptions, rights and commissions, in lower case.
NOTICE_WORDS = (
    *("newsletter", "subscri", "sign up", "abonn", "suscri", "iscriv", "inscri", "подпи"),
    *("メルマガ", "订阅", "affiliate", "commission", "all rights", "privacy policy", "javascript"),
)
#: Beginnings of lines that lead to other pages, in lower case.
SEE_ALSO = (
    *("read more", "read also", "also read", "see also", "see more", "related:", "related stor"),
    *("related art", "more on", "more from", "more:", "read next", "read:", "you may also"),
    *("you might also", "recommended", "don't miss", "don’t miss", "watch:", "further reading"),
    *("auch interessant", "lesen sie", "mehr zum", "mehr dazu", "mehr:", "siehe auch", "lies auch"),
    *("passend dazu", "weiterlesen", "das könnte", "à lire", "a lire", "lire aussi", "lire la"),
    *("voir aussi", "sur le même", "à voir", "lea también", "lee también", "lea tambien"),
    *("te puede", "leer más", "ver más", "también te", "además:", "leia também", "leia mais"),
    *("veja também", "saiba mais", "leggi anche", "leggi pure", "ti potrebbe", "lees ook"),
    *("lees verder", "zie ook", "czytaj też", "czytaj także", "czytaj również", "czytaj więcej"),
    *("zobacz też", "zobacz także", "przeczytaj", "читайте", "смотрите также", "подробнее"),
    *("читать", "ilgili haber", "läs också", "läs mer", "läs även", "læs også", "les også"),
    *("les mer", "čtěte také", "přečtěte", "関連記事", "あわせて読", "相关阅读", "延伸阅读"),
    *("推荐阅读", "baca juga", "xem thêm", "đọc thêm"),
)
SEE_ALSO_STARTS = frozenset(phrase[:2] for phrase in SEE_ALSO)


def _notice_features(lower: list[str]) -> Features:
    """Words about the site itself in any language: cookies, newsletters, other pages, rights."""
    cookies = np.zeros(len(lower))
    notices, rights = cookies.copy(), cookies.copy()
    whole = "\0".join(lower)
    bounds = list(accumulate((len(text) + 1 for text in lower), initial=0))
    kinds = (((COOKIE, COOKIE_IN_KANA), cookies), (NOTICE_WORDS, notices), (RIGHTS, rights))
    for words, count in kinds:
        for word in words:
            if word in whole:
                count[_find(whole, word, bounds)] += 1
    before = np.append(0, np.cumsum(cookies > 0))
    place = np.arange(len(lower))
    last = np.minimum(place + COOKIE_BLOCKS + 1, len(lower))
    leads = [text[:2] in SEE_ALSO_STARTS and text.startswith(SEE_ALSO) for text in lower]
    return {
        "cookies": cookies > 0,
        "cookies_near": before[last] - before[np.maximum(place - COOKIE_BLOCKS, 0)],
        "rights": rights,
        "notices": notices,
        "see_also": leads,
        "see_also_before": [False, *leads[:-1]],
    }


def _find(whole: str, word: str, bounds: list[int]) -> list[int]:
    """The texts, each once, of the whole that hold a word; texts begin at the bounds."""
    found, at = [], whole.find(word)
    while at >= 0:
        found.append(bisect_right(bounds, at) - 1)
        at = whole.find(word, bounds[found[-1] + 1])
    return found


# Tags at, above and inside a block

IN, HAS = ([f"{how}_{name}" for name in tags] for how, tags in (("in", OUTER), ("has", INNER)))
IS = [f"is_{name}" for name in HOLDER_FEATURES]
OUTER_BITS, INNER_BITS = (np.array(list(tags.values()))[:, None] for tags in (OUTER, INNER))
IS_TAGS = np.array([HOLDERS[name] for name in HOLDER_FEATURES])[:, None]


def _tag_features(counts: BlockCounts) -> Features:
    """Tags that hold a block and tags inside it, hidden ones too."""
    page, blocks = counts.page, counts.blocks
    deepest = int(page.depth.max()) if len(page) else 0
    path = join_path(page.parent, deepest, tag_bits(page), np.bitwise_or, 0)
    above = path[blocks.holder]
    inner = np.bitwise_or.reduceat(path[blocks.rows], blocks.first) & ~above
    return {
        **dict(zip(IN, above & OUTER_BITS != 0, strict=True)),
        **dict(zip(HAS, inner & INNER_BITS != 0, strict=True)),
        **dict(zip(IS, counts.tag == IS_TAGS, strict=True)),
        "depth": page.depth[blocks.holder],
    }


# Neighbours, windows and headings

NEIGHBOURS = {
    "before1": 1,
    "before2": 2,
    "after1": -1,
    "after2": -2,
}  #: blocks from one to the other
WINDOWS = (3, 8, 20)  #: blocks to either side
MAX_LINK_DENSITY = 0.3  #: link density below which a block can be running text
THREAD_WORDS = 15  #: words of a block from which on comments can be about it


def _neighbour_features(counts: BlockCounts) -> Features:
    """Neighbours, and sums over windows of blocks."""
    blocks = len(counts.blocks)
    depth = counts.page.depth[counts.blocks.holder]
    own = np.array((counts.words, counts.density, counts.kinds[2], counts.tag, depth))
    padded = np.zeros((len(own), blocks + 6))
    padded[:, 3:-3] = own
    features: Features = {}
    for side, shift in NEIGHBOURS.items():
        words, density, stops, tag, deep = padded[:, 3 - shift : 3 - shift + blocks]
        features[f"{side}_words"] = words
        features[f"{side}_links"] = density
        features[f"{side}_stops"] = stops
        features[f"{side}_tag"] = tag
        features[f"{side}_depth"] = deep - depth
    prefix = np.zeros((3, blocks + 1))
    np.cumsum(np.array((counts.words, counts.linked, counts.kinds[2])), axis=1, out=prefix[:, 1:])
    place = np.arange(blocks)
    for width in WINDOWS:
        low, high = np.maximum(place - width, 0), np.minimum(place + width + 1, blocks)
        words, linked, stops = prefix[:, high] - prefix[:, low]
        features[f"window{width}_mean"] = words / (high - low)
        features[f"window{width}_links"] = linked / np.maximum(words, 1)
        features[f"window{width}_stops"] = stops / np.maximum(words, 1)
    return features


def _heading_features(counts: BlockCounts) -> Features:
    """The text under the same heading, and the distance to headings and to running text."""
    blocks, place = len(counts.blocks), np.arange(len(counts.blocks))
    headed: Mask = (counts.tag >= HOLDERS["h1"]) & (counts.tag <= HOLDERS["h4"])
    section: Ints = np.cumsum(headed)
    words, linked = np.bincount(section, counts.words), np.bincount(section, counts.linked)
    last = np.maximum.accumulate(np.where(headed, place, -1))
    following = np.minimum.accumulate(np.where(headed, place, blocks + 50)[::-1])[::-1]
    firsts = np.flatnonzero(counts.tag == HOLDERS["h1"])
    long = np.flatnonzero((counts.words >= LONG_BLOCK_WORDS) & (counts.density < MAX_LINK_DENSITY))
    padded = np.concatenate(([-MISSING], long, [MISSING + blocks]))
    return {
        "section_words": words[section],
        "section_links": (linked / np.maximum(words, 1))[section],
        "since_heading": np.where(last >= 0, place - last, -1),
        "heading": np.where(last >= 0, counts.tag[last], 0),
        "heading_links": np.where(last >= 0, counts.density[last], 0),
        **_heading_kinds(counts, np.flatnonzero(headed), section),
        "until_heading": following - place,
        "since_h1": place - firsts[0] if len(firsts) else -MISSING,
        "since_long": place - padded[np.searchsorted(long, place, side="right")],
        "until_long": padded[np.searchsorted(long, place) + 1] - place,
    }


#: Kinds of headings by their words, of which each is a feature.
HEADING_KINDS = {
    "under_related": ("related", "more"),
    "under_promotion": ("letter", "ad", "account", "share"),
    "under_company": ("company", "legal", "by"),
    "under_lists": ("tags", "archive", "contents"),
}
HEADING_BITS = {
    name: sum(1 << TEXT_KINDS.index(kind) for kind in kinds)
    for name, kinds in HEADING_KINDS.items()
}


def _heading_kinds(counts: BlockCounts, headings: Ints, section: Ints) -> Features:
    """What the heading above a block says about what follows, in many languages."""
    bits = np.append(0, text_bits(counts.texts[at] for at in headings.tolist()))[section]
    return {name: bits & mask != 0 for name, mask in HEADING_BITS.items()}


def _thread_features(counts: BlockCounts) -> Features:
    """Comment threads, and the distance to them."""
    running = (counts.words >= THREAD_WORDS) & (counts.density < MAX_LINK_DENSITY)
    inside = find_threads(counts.page, counts.blocks, counts.texts, running)
    place = np.arange(len(inside))
    first = int(np.argmax(inside)) if inside.any() else len(inside) + MISSING
    return {
        "in_thread": inside,
        "since_thread": place - first,
        "page_thread": counts.words[inside].sum() / counts.total,
    }


def _place_features(counts: BlockCounts) -> Features:
    """Where a block stands, and the page as a whole."""
    blocks, words, total = len(counts.blocks), counts.words, counts.total
    place = np.arange(blocks)
    return {
        "place": place / blocks,
        "words_before": (np.cumsum(words) - words) / total,
        "blocks_before": place,
        "blocks_after": blocks - place,
        "page_words": total,
        "page_blocks": blocks,
        "page_links": counts.linked.sum() / total,
        "page_mean": total / blocks,
        "page_paragraphs": words[counts.tag == HOLDERS["p"]].sum() / total,
        "page_long": words[words > LONG_BLOCK_WORDS].sum() / total,
        "page_stops": counts.kinds[2].sum() / total,
        "page_plain": words[counts.density < 0.5].sum(),
        "page_money": counts.kinds[5].sum() / total,
    }


def _lexicon_features(counts: BlockCounts, scores: Floats) -> Features:
    """Weights of the class names and ids above a block, and above its neighbours."""
    page, holder = counts.page, counts.blocks.holder
    features: Features = {}
    for at, own in enumerate(scores):
        path = sum_path(page.end, own)[holder]
        features[f"lexicon{at}"] = path
        features[f"lexicon{at}_before"] = np.concatenate(([0.0], path[:-1]))
        features[f"lexicon{at}_after"] = np.concatenate((path[1:], [0.0]))
    return features
