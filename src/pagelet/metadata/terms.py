"""Categories, tags, licence, paywall and number of comments of a page."""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from pagelet import core
from pagelet.metadata import vocabulary
from pagelet.metadata.lookup import (
    NO_FACT,
    WEB_PAGE,
    Fact,
    StructuredData,
    as_list,
    clean_text,
    first_fact,
    rows_by_property,
    rows_by_relation,
)
from pagelet.metadata.naming import ATTRIBUTES, MAX_NAME_CHARS, NamePattern
from pagelet.metadata.patterns import CATEGORY_BOX, TAG_BOX, AnyCase
from pagelet.metadata.shown import short_text, short_texts
from pagelet.page.dom import anchors_below
from pagelet.page.table import Page

MAX_TERMS = 50  #: categories or tags of a page
MAX_TERM_CHARS = 80  #: characters of the longest category or tag
LAST_TEXTS = 200  #: texts at the end of a page that may name a licence
MAX_LICENCE_CHARS = 1000  #: characters that such a text does not reach
MAX_COMMENTS = 10_000_000  #: highest number of comments that is believed

COMMENT_COUNT = AnyCase(r"comments?[_-]?(?:count|number|link|total)|count[_-]?comments?")
COUNT = re.compile(
    r"(?<![\d.,])(\d{1,3}(?:[., ]\d{3})+|\d{1,7})\s*(?:comments?|repl(?:y|ies)|responses?"
    r"|kommentare?|commentaires?|comentarios?|comentários?|commenti|reacties?|komentarz\w*"
    r"|комментари\w*|коментар\w*|条评论|件のコメント)|^\s*(\d{1,7})\s*$",
    re.I,
)
CREATIVE_COMMONS = re.compile(
    r"creativecommons\.org/(?:licen[sc]es/(by(?:-nc)?(?:-nd|-sa)?)/(\d\.\d)(?:/([a-z]{2})(?![a-z]))?"
    r"|publicdomain/(zero|mark)/(\d\.\d))",
    re.I,
)
NAMED_LICENCE = re.compile(
    r"\bCC[ -]?(BY(?:[ -]NC)?(?:[ -](?:ND|SA))?)(?![A-Za-z-])(?:[ -](\d\.\d))?(?: ([A-Z]{2})\b)?"
)


def find_tags(data: StructuredData) -> Fact:
    """The keywords of the page, from the first source that has some."""
    return first_fact(_tags(data))


def _tags(data: StructuredData) -> Iterator[Fact]:
    page = data.page
    links = set(rows_by_relation(page, "tag")).difference(rows_by_relation(page, "category"))
    yield Fact(_terms(_texts(page, sorted(links))), "rel tag", 0.8)
    for name in filter(data.meta.__contains__, vocabulary.TAG):
        yield Fact(_terms(data.meta[name]), f"meta {name}", 0.7)
    yield Fact(_terms(_in_items(data, "keywords")), "json-ld", 0.7)
    yield Fact(_terms(_in_box(data, TAG_BOX)), "class", 0.6)
    for name in filter(data.meta.__contains__, vocabulary.KEYWORDS):
        yield Fact(_terms(data.meta[name], split=True), f"meta {name}", 0.5)


def find_categories(data: StructuredData) -> Fact:
    """The sections of the site that the page is filed under, from the first source with some."""
    return first_fact(_categories(data))


def _categories(data: StructuredData) -> Iterator[Fact]:
    page = data.page
    yield Fact(_terms(_texts(page, rows_by_relation(page, "category"))), "rel category", 0.8)
    for name in filter(data.meta.__contains__, vocabulary.CATEGORY):
        yield Fact(_terms(data.meta[name]), f"meta {name}", 0.6)
    yield Fact(_terms(_in_items(data, "articleSection")), "json-ld", 0.6)
    yield Fact(_terms(_in_box(data, CATEGORY_BOX)), "class", 0.5)


def _texts(page: Page, rows: list[int]) -> list[str]:
    return short_texts(page, rows[:MAX_TERMS]) if rows else []


def _in_items(data: StructuredData, key: str) -> list[str]:
    """The words of a key in the first item that has it; one text holds several, with commas."""
    for rank, item in data.items:
        if rank <= WEB_PAGE and item.get(key):
            values = [clean_text(one) or "" for one in as_list(item[key])]
            if len(values) == 1:
                return values[0].split(",")
            return values
    return []


def _in_box(data: StructuredData, pattern: NamePattern) -> list[str]:
    """The links in the first small element that is named as a place of tags or categories."""
    page = data.page
    for row in data.rows_by_name(pattern)[:MAX_TERMS]:
        if page.size[row] > MAX_NAME_CHARS:
            continue
        inner = anchors_below(page, row)
        if inner and not page.hidden[row]:
            return _texts(page, inner)
    return []


def _terms(values: list[str], *, split: bool = False) -> tuple[str, ...]:
    """Each word or phrase once, without marks around it; what is too long is none."""
    if not values:
        return ()
    parts = (part for value in values for part in (value.split(",") if split else [value]))
    words = (" ".join(part.split()).strip(" ,;|#•·") for part in parts)
    kept = [word for word in words if 1 < len(word) <= MAX_TERM_CHARS]
    return tuple(dict.fromkeys(kept))[:MAX_TERMS]


# -- licence ----------------------------------------------------------------------------------


def find_licence(data: StructuredData) -> Fact:
    """The licence: its short name where it is one of Creative Commons, else what the page says."""
    return first_fact(_licences(data))


def _licences(data: StructuredData) -> Iterator[Fact]:
    page = data.page
    for row in (*rows_by_relation(page, "license"), *rows_by_relation(page, "licence")):
        address = page.value_of(row, "href")
        yield Fact(licence_name(address), "rel license", 0.9)
    written = [value for value in data.in_items("license") if value]
    yield from (Fact(licence_name(value), "json-ld", 0.9) for value in written)
    for fact in data.meta_facts(vocabulary.LICENCE, 0.8):
        yield Fact(licence_name(fact.value), fact.source, fact.confidence)
    names = {name for href in _licence_links(page) if (name := licence_name(href))}
    yield Fact(names.pop() if len(names) == 1 else None, "link", 0.7)
    yield from (Fact(value, "json-ld", 0.6) for value in written)
    yield from (Fact(licence_name(text), "text", 0.6) for text in _licence_texts(page))


def _licence_links(page: Page) -> list[str]:
    host = "creativecommons.org/"
    if not page.may_hold("href", host):  # spares most pages the rest
        return []
    return [href for href in page.hrefs.values() if host in href]


def _licence_texts(page: Page) -> list[str]:
    """The texts at the end of a page that may name a licence."""
    if core.compiled:
        with suppress(UnicodeEncodeError):  # lone surrogates are left to Python
            return core.kernels.find_holding(page.texts, LAST_TEXTS, MAX_LICENCE_CHARS, b"CC")
    last = page.texts[-LAST_TEXTS:]
    return [text for text in last if len(text) < MAX_LICENCE_CHARS and "CC" in text]


def licence_name(text: str) -> str | None:
    """The short name of a licence of Creative Commons by its address or in a text."""
    if match := CREATIVE_COMMONS.search(text):
        kind, version, country, public, public_version = match.groups()
        if public:
            name = "CC0" if public.lower() == "zero" else "PDM"
            return f"{name} {public_version}"
        return " ".join(filter(None, ("CC", kind.upper(), version, (country or "").upper())))
    if match := NAMED_LICENCE.search(text):
        kind, version, country = match.groups()
        return " ".join(filter(None, ("CC", kind.replace(" ", "-"), version, country)))
    return None


# -- paywall, comments ------------------------------------------------------------------------

FREE = {"true": True, "false": False, "1": True, "0": False, "yes": True, "no": False}
TIERS = {"free": False, "locked": True}  #: values of article:content_tier; metered pages are both


def find_paywall(data: StructuredData) -> Fact:
    """Whether the page says that its text is not free to read."""
    for rank, item in data.items:
        if rank <= WEB_PAGE and "isAccessibleForFree" in item:
            free = FREE.get(str(item["isAccessibleForFree"]).strip().lower())
            if free is not None:
                return Fact(not free, "json-ld", 0.9)
    for fact in data.meta_facts(vocabulary.TIER, 0.9):
        if fact.value.lower() in TIERS:
            return Fact(TIERS[fact.value.lower()], fact.source, fact.confidence)
    return NO_FACT


def find_comments_count(data: StructuredData) -> Fact:
    """The number of comments, where the page states it."""
    for rank, item in data.items:
        if rank <= WEB_PAGE and (count := _item_count(data, item)) is not None:
            return Fact(count, "json-ld", 0.9)
    page = data.page
    rows = [*rows_by_property(page, "commentcount", "interactioncount")]
    rows += _counting_rows(page)
    for row in rows[:MAX_TERMS]:
        text = page.value_of(row, "content") or short_text(page, row)
        if (count := _count(text)) is not None:
            return Fact(count, "class", 0.7)
    return NO_FACT


def _counting_rows(page: Page) -> list[int]:
    """The rows that are named as a number of comments, in document order."""
    named = (page.rows_with(name, _names_count, "comment") for name in ATTRIBUTES)
    return sorted(set().union(*named))


def _names_count(name: str) -> bool:
    return COMMENT_COUNT.search(name[:MAX_NAME_CHARS]) is not None


def _item_count(data: StructuredData, item: dict[str, Any]) -> int | None:
    if (count := _number(item.get("commentCount"))) is not None:
        return count
    for one in as_list(item.get("interactionStatistic")):
        if isinstance(one, dict) and "comment" in str(one.get("interactionType", "")).lower():
            return _number(data.whole(one).get("userInteractionCount"))
    return None


def _count(text: str) -> int | None:
    match = COUNT.search(text[:MAX_NAME_CHARS])
    return _number(re.sub(r"\D", "", match[1] or match[2])) if match else None


def _number(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    try:
        number = int(value)
    except ValueError:
        return None
    return number if 0 <= number <= MAX_COMMENTS else None
