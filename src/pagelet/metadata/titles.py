"""The title of a page and the name of its site."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, pairwise
from typing import NamedTuple

from pagelet import core
from pagelet.metadata import vocabulary
from pagelet.metadata.lookup import (
    ARTICLE,
    CONTENT,
    MAX_VALUES,
    NO_FACT,
    WEB_SITE,
    Fact,
    StructuredData,
    as_list,
    clean_text,
    first_fact,
    first_value,
    key_of,
)
from pagelet.metadata.naming import MAX_NAME_CHARS
from pagelet.metadata.patterns import AnyCase
from pagelet.metadata.shown import short_texts, shown_texts
from pagelet.metadata.structured import kind, read_once
from pagelet.page.dom import anchors_below
from pagelet.page.site import host_of
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, TEXT, numbers

MIN_LONE_CHARS = 15  #: characters of an only heading that is the title without a similar title
MAX_TITLE_CHARS = 1000  #: characters of a title that is divided at separators
MIN_LIKENESS = 0.5  #: likeness from which a title supports a heading
MIN_KEY_CHARS = 4  #: letters and digits of a part of a title that a lower heading may equal
MAX_HEADINGS = 40  #: headings that are compared with the titles
MAX_WRAPPERS = 3  #: elements around the text of a heading that are looked through

#: What parts a title; one set of characters first makes it fast.
SEPARATOR = re.compile(r"(?=[\s|»])(?:\s+[|\-–—·•»«:]{1,3}\s+|\s--(?=\w)|[|»])")
WORD = re.compile(r"\w+")
#: Class names of a line above or below the title, inside the same heading.
KICKER = AnyCase(
    r"kicker|over-?line|top-?line|roof-?line|dachzeile|spitzmarke|eyebrow|vorzeile|title-?header"
    r"|(?:pre|super|sub)-?(?:title|head|line)|slogan|hidden|invisible|sr-only|screen-?reader"
    r"|badge|rubri[ck]|(?:^|[\s_-])(?:category|label|tag)(?:$|[\s_-])"
)
KICKERS = numbers("small style")  #: tags of such a line
FIRST, LOWER = numbers("h1"), numbers("h2 h3 h4")  #: tags of headings that may show the title
RUBRIC_END = re.compile(r"[:|–—]$")  #: end of a part of a heading that stands before the title


class Heading(NamedTuple):
    """A heading of the page."""

    row: int
    text: str  #: without a line above or below the title
    key: str  #: its letters and digits
    first: bool  #: whether it is an h1


class TitleKeys(dict[str, list[str]]):
    """The keys of titles and of their parts, the title itself first, each read when asked for."""

    def __missing__(self, title: str) -> list[str]:
        keys = self[title] = [*map(key_of, _title_parts(title))]
        return keys


@dataclass(frozen=True, slots=True)
class Title:
    """The title of a page, and its heading."""

    fact: Fact
    row: int = -1  #: row of the heading that shows it; -1 for none


def site_name(data: StructuredData) -> Fact:
    """The name of the site."""
    return first_fact(_site_names(data))


def _site_names(data: StructuredData) -> Iterator[Fact]:
    """The names of the site, the most trusted first."""
    yield from data.meta_facts(vocabulary.SITE, 0.9)
    sites = (item for rank, item in data.items if rank == WEB_SITE)
    for name in chain.from_iterable(map(data.names, sites)):
        yield Fact(name, "json-ld WebSite", 0.9)
    yield from data.meta_facts(vocabulary.PUBLISHER, 0.7)
    publishers = (item.get("publisher") for _, item in data.items)
    for name in chain.from_iterable(map(data.names, publishers)):
        yield Fact(name, "json-ld publisher", 0.7)


def site_keys(data: StructuredData) -> frozenset[str]:
    """Keys that name the site: its name, its host, the longest part of its host. Made once."""
    return read_once(data.page, "sites", lambda _: _make_site_keys(data))


def _make_site_keys(data: StructuredData) -> frozenset[str]:
    address = data.page.url or first_value(data.in_meta(vocabulary.OWN_ADDRESS)) or ""
    labels = host_of(address).split(".")
    labels = labels[1:] if labels[0] == "www" else labels
    name = site_name(data).value or ""
    keys = {key_of(name), key_of("".join(labels)), key_of(max(labels, key=len))}
    keys |= {key_of("".join(labels[at:])) for at in range(max(len(labels) - 1, 0))}
    keys |= {key.removeprefix("the") for key in keys if len(key) > MIN_KEY_CHARS + 3}
    return frozenset(key for name in keys - {""} for key in (name, f"the{name}"))


def find_title(data: StructuredData, sites: frozenset[str]) -> Title:
    """The heading that the machine-readable titles support, else the first of those titles.

    It is looked for once: the content and the metadata of a page both ask for it.
    """
    known = data.page.derived["title"]
    if sites not in known:
        known[sites] = _choose_title(data, sites)
    title: Title = known[sites]
    return title


def _choose_title(data: StructuredData, sites: frozenset[str]) -> Title:
    first = [one for one in find_headings(data.page, FIRST) if one.key not in sites]
    written, keys = list(_written_titles(data)), {one.key for one in first}
    values = dict.fromkeys(fact.value for fact in written)
    cut = {value: without_site(value, sites, keys) for value in values}
    titles, parts = list(dict.fromkeys(cut.values())), TitleKeys()
    heading = (
        _equal_heading(data.page, first, titles, parts, sites)
        or _equal_heading(data.page, find_headings(data.page, LOWER), titles, parts, sites)
        or _alike_heading(first, titles, sites)
    )
    if heading is not None:
        shorter = first_value(one for one in titles if _has_rubric(heading.text, one))
        return Title(Fact(shorter or heading.text, "heading", 0.9), heading.row)
    fact = next((fact._replace(value=cut[fact.value]) for fact in written), NO_FACT)
    if fact.value is None and first:
        fact = Fact(first[0].text, "heading", 0.7)
    return Title(fact, first[0].row if first and fact.source == "heading" else -1)


def _written_titles(data: StructuredData) -> Iterator[Fact]:
    """The machine-readable titles, the most trusted first."""
    for value in data.in_items("headline", ARTICLE):
        yield Fact(value, "json-ld", 0.8)
    for value in _names_of_content(data):
        yield Fact(value, "json-ld", 0.8)
    yield from data.meta_facts(vocabulary.TITLE, 0.8)
    for value in _title_element(data.page):
        yield Fact(value, "title element", 0.7)


def _names_of_content(data: StructuredData) -> Iterator[str]:
    """Names of items that are the content; of several of one type none is the page's title."""
    content = [item for rank, item in data.items if rank <= CONTENT]
    kinds = [*map(kind, content)]
    for name, item in zip(kinds, content, strict=True):
        if kinds.count(name) == 1:
            yield from filter(None, map(clean_text, as_list(item.get("name"))))


def _title_element(page: Page) -> list[str]:
    text = " ".join(page.title_element.split())
    return [text] if text else []


# -- headings ---------------------------------------------------------------------------------


def find_headings(page: Page, tags: tuple[int, ...]) -> list[Heading]:
    """The headings with one of the tags that may be the title, in document order.

    An h1 that leads to the front page is the name of the site.
    """
    rows, first = page.first_tagged(MAX_HEADINGS, *tags), tags == FIRST
    headings = []
    for row, whole, parts in zip(rows, short_texts(page, rows), _parts(page, rows), strict=True):
        if whole and not (first and _leads_away(page, row, lower=False)):
            text = _main_text(page, parts, whole) if len(parts) > 1 else whole
            headings.append(Heading(row, text, key_of(text), first))
    return headings


def _leads_away(page: Page, row: int, *, lower: bool) -> bool:
    """Whether a heading links to the front page, or a lower one to any other page."""
    own = _path(page.url or "")
    if not (own or lower):  # nobody knows which page is the front page
        return False
    if page.tag[page.parent[row]] == NUMBER["a"]:
        links = [int(page.parent[row])]
    else:
        links = anchors_below(page, row)
    paths = [_path(page.href_of(link) or "#") for link in links[:MAX_VALUES]]
    if lower:
        return any(path not in (None, own) for path in paths)
    return "" in paths


def _path(address: str) -> str | None:
    """The path of an address; None where it leads to a part of the page, or nowhere."""
    bare = address.strip().partition("?")[0].partition("#")[0]
    host, slash, path = bare.partition("://")[2].partition("/") if "://" in bare else ("", "", bare)
    return path.strip("/") if host or slash or path else None


def _main_text(page: Page, parts: list[int], whole: str) -> str:
    """The text of a heading without a line above or below the title in it."""
    texts = short_texts(page, [one for one in parts if not _is_kicker(page, one)])
    before = [at for at, text in enumerate(texts) if not key_of(text) or RUBRIC_END.search(text)]
    rest = " ".join(filter(None, texts[before[-1] + 1 if before else 0 :]))
    return rest or " ".join(filter(None, texts)) or whole


def _parts(page: Page, rows: list[int]) -> list[list[int]]:
    """The children of each heading, or of the only element in it."""
    if core.compiled:
        return shown_texts(page).find_parts(rows, MAX_WRAPPERS) if rows else []
    return [_parts_of(page, row) for row in rows]


def _parts_of(page: Page, row: int) -> list[int]:
    top, sizes = row, page.size[row : page.end[row]].tolist()
    for _ in range(MAX_WRAPPERS):
        parts, child = [], row + 1
        while child < row + sizes[row - top]:
            parts.append(child)
            child += sizes[child - top]
        if len(parts) != 1 or not page.tag[parts[0]]:
            return parts
        row = parts[0]
    return []


def _is_kicker(page: Page, row: int) -> bool:
    if (tag := page.tag.item(row)) in KICKERS or page.hidden.item(row):
        return True
    name = page.value_of(row, "class") if tag != TEXT else ""
    return bool(name) and KICKER.search(name[:MAX_NAME_CHARS]) is not None


def _equal_heading(
    page: Page, headings: list[Heading], titles: list[str], parts: TitleKeys, sites: frozenset[str]
) -> Heading | None:
    """The heading that equals a title or a part of it, for the most trusted title that has one."""
    by_key = {one.key: one for one in reversed(headings)}
    for title in titles if headings else ():
        for at, key in enumerate(parts[title]):
            heading = by_key.get(key)
            if heading is None or (at and (key in sites or len(key) < MIN_KEY_CHARS)):
                continue
            whole = heading.first or not at or len(key) * 2 > len(parts[title][0])
            if whole and (heading.first or not _leads_away(page, heading.row, lower=True)):
                return heading
    return None


def _title_parts(title: str) -> Iterator[str]:
    """A title, then what stands before, after and between its separators, the longest first."""
    yield title
    if len(title) > MAX_TITLE_CHARS:
        return
    cuts = list(SEPARATOR.finditer(title))[:MAX_VALUES]
    yield from (title[: cut.start()] for cut in reversed(cuts))
    yield from (title[cut.end() :] for cut in cuts)
    yield from (title[one.end() : two.start()] for one, two in pairwise(cuts))


def _alike_heading(
    headings: list[Heading], titles: list[str], sites: frozenset[str]
) -> Heading | None:
    """The heading most like a title; an only, long one that does not name the site needs none."""
    if (at := most_alike([one.text for one in headings], titles)) >= 0:
        return headings[at]
    if len({one.key for one in headings}) != 1 or len(headings[0].text) < MIN_LONE_CHARS:
        return None
    named = any(len(site) > 3 and site in headings[0].key for site in sites)
    return None if named else headings[0]


def most_alike(texts: list[str], titles: list[str]) -> int:
    """The place of the text that is most like one of some titles; -1 if none is like them."""
    theirs = [*map(_words_of, titles)] if texts else []
    alike = [max(map(partial(_likeness, _words_of(text)), theirs), default=0) for text in texts]
    best = max(alike, default=0)
    return alike.index(best) if best >= MIN_LIKENESS else -1


def _words_of(text: str) -> set[str]:
    return {*WORD.findall(text[:MAX_NAME_CHARS].casefold())}


def _likeness(mine: set[str], theirs: set[str]) -> float:
    """Share of the words that two texts have in common, from 0 to 1."""
    return 2 * len(mine & theirs) / max(1, len(mine) + len(theirs))


def _has_rubric(heading: str, title: str) -> bool:
    """Whether a heading is the title with a rubric before it: Opinion | What I think of it."""
    rubric = heading.removesuffix(title)
    return (
        len(title) >= MIN_LONE_CHARS
        and 0 < len(rubric) < len(heading)
        and not rubric.endswith(": ")
    )


def _names_site(text: str, sites: frozenset[str]) -> bool:
    """Whether a part of a title is the name of the site, or that with a word or two behind it."""
    if key_of(text) in sites:
        return True
    first, *more = text.split() or [""]
    known = (site for site in sites if len(site) > 2)
    return len(more) <= 2 and bool(more) and key_of(first) in known


def without_site(title: str, sites: frozenset[str], headings: set[str]) -> str:
    """A title without the name of the site before or after it.

    The part before the last separator is also the title when it is among the keys of headings.
    """
    cuts = list(SEPARATOR.finditer(title)) if len(title) <= MAX_TITLE_CHARS else []
    if not cuts:
        return title
    before, behind = title[: cuts[-1].start()].rstrip(), title[cuts[-1].end() :]
    if _names_site(behind, sites) or key_of(before) in headings:
        return before or title
    if key_of(title[: cuts[0].start()]) in sites:
        return title[cuts[0].end() :].lstrip() or title
    return title
