"""What the texts of blocks state: copies, titles, structured data, notices, headings, threads."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np

from pagelet import core
from pagelet.arrays import Floats, Hashes, Int64s, Ints, Mask
from pagelet.metadata.structured import item_names, structured_text
from pagelet.methods.content.counts import HOLDERS, BlockCounts
from pagelet.methods.content.threads import find_threads
from pagelet.methods.vocabulary import phrase_bits
from pagelet.page.html import SURROGATE
from pagelet.page.table import WANTED, Page

COPY_CHARS = 80  #: characters by which two blocks are taken for copies
MATCH_WORDS = 4  #: words by which a text is recognised in structured data
MIN_TITLE_CHARS = 12  #: characters from which on a text can be recognised in a title
MAX_TITLE_CHARS = 300  #: characters of a title, or of a block, that are compared
MAX_TITLES = 4
MAX_STRUCTURED_CHARS = 200_000  #: characters of structured data that are read
TITLE_ATTRIBUTES = ("property", "name")
TITLE_PROPERTIES = frozenset(("og:title", "twitter:title"))
#: The same for the compiled core.
TITLE_NUMBERS = tuple(WANTED[name] for name in TITLE_ATTRIBUTES if name in WANTED)
TITLES_IN_UTF8 = tuple(name.encode() for name in TITLE_PROPERTIES)
COOKIE, COOKIE_IN_KANA, RIGHTS = "cookie", "クッキー", ("©",)
MAX_LINK_DENSITY = 0.3  #: link density below which a block can be running text
THREAD_WORDS = 15  #: words of a block from which on comments can be about it


@dataclass(frozen=True, slots=True, eq=False)
class Statements:
    """What the texts of all blocks of a page state, one value per block."""

    copies: Ints  #: blocks that begin with the same text, itself counted
    titled: Mask  #: whether it is the title of the page
    leads: Mask  #: whether it leads to other pages
    cookies: Floats  #: words about cookies
    notices: Floats  #: words about newsletters, subscriptions, rights and commissions
    rights: Floats  #: copyright signs
    stated: Floats  #: whether the structured data hold its first words
    named: Mask  #: whether it is the name of a thing in the structured data
    structured_words: float  #: words of the structured data
    heading_kinds: Int64s  #: what the heading above it says about what follows, as bits
    thread: Mask  #: whether it is part of a thread of comments


def read_statements(counts: BlockCounts) -> Statements:
    """Read the texts of the blocks of a page."""
    page, titles = counts.page, read_titles(counts.page)
    scanned = counts.scanned
    if scanned is None or SURROGATE.search(titles):
        sayings, lower = _read_texts(counts.texts, titles)
    else:
        sayings, lower = _scan_texts(scanned, len(counts.texts), titles), None
    structured = structured_text(page)[:MAX_STRUCTURED_CHARS].lower().split()
    names = item_names(page)
    if lower is None and scanned is not None and names:
        lower = scanned.texts_in_small()
    running = (counts.words >= THREAD_WORDS) & (counts.density < MAX_LINK_DENSITY)
    return Statements(
        *sayings,
        stated=_find_stated(counts, lower, structured),
        named=_among(lower, names) if lower and names else np.zeros(len(counts.texts), np.bool_),
        structured_words=len(structured),
        heading_kinds=_heading_kinds(counts),
        thread=find_threads(page, counts.blocks, counts.texts, running),
    )


class Sayings(NamedTuple):
    """What texts say by themselves."""

    copies: Ints
    titled: Mask
    leads: Mask
    cookies: Floats
    notices: Floats
    rights: Floats


def _read_texts(texts: Sequence[str], titles: str) -> tuple[Sayings, list[str]]:
    """What texts say, and their beginnings in small letters."""
    lower = [text[: MAX_TITLE_CHARS + 1].lower() for text in texts]
    titled = np.array([_is_title(text, titles) for text in lower], np.bool_)
    sayings = Sayings(_count_copies(texts), titled, _find_leads(lower), *_count_notices(lower))
    return sayings, lower


def _scan_texts(scanned: "core.kernels.BlockTexts", blocks: int, titles: str) -> Sayings:
    """What texts say, by the compiled core."""
    copies, counts = np.empty(blocks, np.intp), np.empty((len(WORD_GROUPS), blocks))
    titled, leads = np.empty((2, blocks), np.uint8)
    words, groups, phrases = compiled_phrases()
    scanned.count_copies(COPY_CHARS, copies)
    scanned.find_words(words, groups, counts)
    scanned.find_begun(phrases, leads)
    scanned.find_titles(titles.encode(), MIN_TITLE_CHARS, MAX_TITLE_CHARS, titled)
    return Sayings(copies, titled.view(np.bool_), leads.view(np.bool_), *counts)


@cache
def compiled_phrases() -> "tuple[core.kernels.Phrases, Hashes, core.kernels.Phrases]":
    """The words to search for, the bits of each group of them, and beginnings of texts."""
    words = tuple(word.encode() for group in WORD_GROUPS for word in group)
    bounds = list(accumulate(map(len, WORD_GROUPS), initial=0))
    bits = [(1 << last) - (1 << first) for first, last in pairwise(bounds)]
    see_also = tuple(phrase.encode() for phrase in SEE_ALSO)
    return (
        core.kernels.Phrases(words),
        np.array(bits, np.uint64),
        core.kernels.Phrases(see_also),
    )


def _count_copies(texts: Sequence[str]) -> Ints:
    begun = [text[:COPY_CHARS] for text in texts]
    copies = Counter(begun)
    return np.fromiter(map(copies.__getitem__, begun), np.intp, len(begun))


def _among(texts: list[str], names: frozenset[str]) -> Mask:
    return np.fromiter(map(names.__contains__, texts), np.bool_, len(texts))


def _find_stated(counts: BlockCounts, lower: list[str] | None, structured: list[str]) -> Floats:
    """Mark the texts whose first words stand together in the structured data."""
    stated = np.zeros(len(counts.texts))
    if not structured:
        return stated
    joined = " ".join(structured)
    if counts.scanned is None or SURROGATE.search(joined):
        small = lower or [text[: MAX_TITLE_CHARS + 1].lower() for text in counts.texts]
        return _inside(small, structured)
    counts.scanned.find_stated(joined.encode(), MATCH_WORDS, stated)
    return stated


def _inside(lower: list[str], structured: list[str]) -> Floats:
    """Mark the texts whose first words stand together in the structured data."""
    begun = [tuple(text.split(None, MATCH_WORDS)[:MATCH_WORDS]) for text in lower]
    later = (structured[at:] for at in range(MATCH_WORDS))
    runs = set(begun).intersection(zip(*later, strict=False))
    return np.array([words in runs for words in begun], np.float64)


def read_titles(page: Page) -> str:
    """The titles that the page states, in lower case, one per line."""
    titles = [page.title_element] if page.title_element else []
    titles += (_stated_titles_compiled if core.compiled else _stated_titles)(page)
    short = (title[:MAX_TITLE_CHARS].lower().split() for title in titles[:MAX_TITLES])
    return "\n".join(map(" ".join, short))


def _stated_titles(page: Page) -> Iterator[str]:
    """The titles in `meta` elements."""
    for attribute in TITLE_ATTRIBUTES:
        named = page.rows_with(attribute, TITLE_PROPERTIES.__contains__, "title")
        yield from (page.value_of(row, "content") for row in named)


def _stated_titles_compiled(page: Page) -> list[str]:
    """The same by the compiled core."""
    return core.kernels.read_contents(page.wanted, TITLE_NUMBERS, TITLES_IN_UTF8)


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
#: Words that are counted, by group: cookies, notices, rights.
WORD_GROUPS = ((COOKIE, COOKIE_IN_KANA), NOTICE_WORDS, RIGHTS)
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


def _count_notices(lower: list[str]) -> list[Floats]:
    """How many words about cookies, notices and rights each text has, in any language."""
    whole = "\0".join(lower)
    bounds = list(accumulate((len(text) + 1 for text in lower), initial=0))
    counts = []
    for words in WORD_GROUPS:
        count = np.zeros(len(lower))
        for word in words:
            if word in whole:
                count[_find(whole, word, bounds)] += 1
        counts.append(count)
    return counts


def _find_leads(lower: list[str]) -> Mask:
    """Mark the texts that begin as lines that lead to other pages do."""
    leads = [text[:2] in SEE_ALSO_STARTS and text.startswith(SEE_ALSO) for text in lower]
    return np.array(leads, np.bool_)


def is_headed(counts: BlockCounts) -> Mask:
    """Mark the blocks that are headings."""
    return np.asarray((counts.tag >= HOLDERS["h1"]) & (counts.tag <= HOLDERS["h4"]))


def _heading_kinds(counts: BlockCounts) -> Int64s:
    """The kinds of texts that the heading above each block is of, in many languages."""
    headed = is_headed(counts)
    kinds = phrase_bits(counts.texts[at] for at in np.flatnonzero(headed).tolist())
    return np.asarray(np.append(0, kinds)[np.cumsum(headed)])


def _find(whole: str, word: str, bounds: list[int]) -> list[int]:
    """The texts, each once, of the whole that hold a word; texts begin at the bounds."""
    found, at = [], whole.find(word)
    while at >= 0:
        found.append(bisect_right(bounds, at) - 1)
        at = whole.find(word, bounds[found[-1] + 1])
    return found
