"""The date of publication and of the last change: what machines are told, and what people see."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date

import numpy as np

from pagelet import core
from pagelet.arrays import Mask
from pagelet.metadata import vocabulary
from pagelet.metadata.dates import (
    MAX_DATE_CHARS,
    DateMatch,
    Order,
    date_in_path,
    day_order,
    find_date,
    iso_date,
    maybe_dated,
)
from pagelet.metadata.lookup import (
    ARTICLE,
    CONTENT,
    MAX_VALUES,
    NO_FACT,
    WEB_PAGE,
    Fact,
    StructuredData,
    as_list,
    clean_text,
    first_fact,
    first_value,
    rows_by_property,
)
from pagelet.metadata.opening import Opening, OpeningLines
from pagelet.metadata.patterns import DATED, ISSUED, NOT_PUBLISHED, UPDATED
from pagelet.metadata.shown import folded_texts, rows_within, short_text, shown_texts
from pagelet.metadata.structured import kind
from pagelet.page.lazy import lazy_property
from pagelet.page.site import host_of
from pagelet.page.table import Page, tag_table
from pagelet.page.tags import NUMBER, TEXT, numbers

VAGUE = ("meta dc.date", "meta dcterms.date", "meta date")  #: sources of any date of the page
IN_TEASERS = ("microdata", "meta datepublished")  #: sources that teasers of other pages have too

MAX_LINE_CHARS = 400  #: characters of a text near the heading that are searched for a date
MIN_DATE_CHARS = 6  #: characters of the shortest date in numbers
MAX_LABEL_CHARS = 70  #: characters of a text around a date that is no sentence
MAX_BYLINE_WORDS = 7  #: words around a date after which a full stop ends a sentence
MAX_ITEM_DEPTH = 20  #: elements around the end of an item of a list
MAX_LABEL_WORDS = 2  #: words of a text before a date that says what date it is
MAX_CITY_CHARS = 30  #: characters before a date at the beginning of a longer text
ENDS_OF_DATE = (*")-–—:|/.,", "")  #: characters after a date at the beginning of a text
NEAR_ROWS = 8  #: rows before an element in which the words for its date are looked for
MAX_ITEM_LEVELS = 7  #: elements around a date that may be an item of a list
MAX_ITEM_ROWS = 500  #: rows of the largest item of a list
MAX_DATED_CHARS = 100  #: characters of a text of an item that may be its date
OF_TEASERS = numbers("h2 h3 h4 a")  #: tags of which an item of a list has one
MAX_ITEM_CHARS = 3000  #: characters of an item that is searched for a date


class Reading:
    """How dates of the page are read: by its language and region, by dates that leave no choice."""

    def __init__(self, page: Page, language: str | None) -> None:
        self.page = page
        self.language, _, region = (language or "").partition("-")
        self._region = region.rpartition("-")[2]

    def order(self) -> Order:
        """How 5/6/2024 is read; it takes the texts of the page, so few dates should ask."""
        return self._order

    @lazy_property
    def _order(self) -> Order:
        written = day_order(_short_texts(self.page))
        return written or _usual_order(self.language, self._region, self.page.url or "")


def _short_texts(page: Page) -> Iterable[str]:
    """Short texts; the compiled core leaves out those whose dates leave day and month open."""
    if core.compiled:
        with suppress(UnicodeEncodeError):  # lone surrogates are left to Python
            return core.kernels.find_numbered(page.texts, MIN_DATE_CHARS, MAX_LABEL_CHARS)
    return (text for text in page.texts if MIN_DATE_CHARS <= len(text) <= MAX_LABEL_CHARS)


MONTH_FIRST_REGIONS = frozenset(("US", "PH", "FM", "PW"))


def _usual_order(language: str, region: str, address: str) -> Order:
    """The order of day and month that is usual in a region; unclear for English without one."""
    if region and language == "en":
        return "month first" if region in MONTH_FIRST_REGIONS else "day first"
    if language and language != "en":
        return "day first"
    ending = host_of(address).rpartition(".")[2]
    if ending in ("gov", "mil", "edu", "us"):
        return "month first"
    return "day first" if len(ending) == 2 and ending not in ("io", "ai", "co", "tv", "me") else ""


# -- what people see --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShownDate:
    """A date that people see near the heading."""

    day: str
    updated: bool  #: whether it is said to be the date of the last change
    named: bool  #: whether an element is named as a date
    distance: int
    issued: bool = False  #: whether words before it say that the page was published then


class ShownDates:
    """The dates near the heading that speak of the page, the nearest first, each read if needed."""

    def __init__(self, data: StructuredData, lines: OpeningLines, reading: Reading) -> None:
        self._data, self._lines = data, lines
        self._read: list[tuple[str, int, str]] = []  # day, place of its text, words before it
        self._left = _find_shown(lines, reading)

    def agree(self, day: str) -> bool:
        """Whether the page shows a day, or none at all."""
        for one in self._left if all(one[0] != day for one in self._read) else ():
            self._read.append(one)
            if one[0] == day:
                return True
        return not self._read or any(one[0] == day for one in self._read)

    @lazy_property
    def every(self) -> list[ShownDate]:
        """All of them."""
        self._read += self._left
        rows = [self._lines.rows[at] for _, at, _ in self._read]
        named = _named_as_date(self._data, rows)
        return [
            self._describe(*one, is_named) for one, is_named in zip(self._read, named, strict=True)
        ]

    def _describe(self, day: str, at: int, label: str, is_named: bool) -> ShownDate:  # noqa: FBT001
        updated = UPDATED.search(label) is not None
        issued = not updated and ISSUED.search(label) is not None
        return ShownDate(day, updated, is_named, self._lines.distances[at], issued)


def _find_shown(lines: OpeningLines, reading: Reading) -> Iterator[tuple[str, int, str]]:
    """The days near the heading, where their texts are among the lines, and the words before."""
    for at, match in _dates_of(lines, reading):
        if _stands_alone(lines.texts[at], match):
            label = _label(lines, at, match)
            if not NOT_PUBLISHED.search(label) and not _is_listed(lines.rows[at], reading):
                yield match.day, at, label


def _named_as_date(data: StructuredData, rows: list[int]) -> list[bool]:
    """Whether each of some rows is in an element that is named as a date."""
    if not rows:
        return []
    named, page = [*data.rows_by_name(DATED), *_times(data.page)], data.page
    if core.compiled:
        return core.kernels.find_inside(page.size, named, rows)
    return list(page.inside(np.array(named, np.int64))[rows].tolist())


def _dates_of(lines: OpeningLines, reading: Reading) -> Iterator[tuple[int, DateMatch]]:
    """The date in each text, or the one that its `time` element states: two hours ago."""
    page = reading.page
    timed = rows_within(page, lines.rows, NUMBER["time"], levels=1)
    for at in sorted({*maybe_dated(lines.texts), *timed}):
        match = find_date(lines.texts[at][:MAX_LINE_CHARS], reading.order, reading.language)
        if match is None and at in timed:
            value = iso_date(page.value_of(int(page.parent[lines.rows[at]]), "datetime"))
            match = DateMatch(value, 0, len(lines.texts[at])) if value else None
        if match is not None:
            yield at, match


def _label(lines: OpeningLines, at: int, found: DateMatch) -> str:
    """The words before a date: in its own text, else in the text before that if it is a label."""
    own = lines.texts[at][: found.start].strip(" :-–|,(")
    if own:
        return own
    distance = lines.distances[at]
    previous = lines.text_at(distance - 1 if distance != 1 else -1) or ""
    is_label = previous.endswith(":") or len(previous.split()) <= MAX_LABEL_WORDS
    return previous if is_label and len(previous) <= MAX_CITY_CHARS else ""


def _stands_alone(text: str, found: DateMatch) -> bool:
    """Whether a text is a date with a few words, or begins with a date, a city before it or not."""
    rest = f"{text[: found.start]} {text[found.end :]}".strip()
    is_sentence = rest.endswith((".", "!", "?")) and len(rest.split()) > MAX_BYLINE_WORDS
    if len(rest) <= MAX_LABEL_CHARS and not is_sentence:
        return True
    city = text[: found.start].strip(" (,")
    return (
        len(city) <= MAX_CITY_CHARS
        and (not city or (city[0].isupper() and " " not in city.strip()))
        and text[found.end : found.end + 3].strip(" ")[:1] in ENDS_OF_DATE
    )


def _is_listed(row: int, reading: Reading) -> bool:
    """Whether a date is part of an item of a list of which another item has a date."""
    page = reading.page
    return any(
        _is_alike(page, item, other) and _holds_date(other, reading)
        for item, other in _similar_items(page, row)
    )


def _similar_items(page: Page, row: int) -> list[tuple[int, int]]:
    """The elements around a row that may be an item of a list, each with one of its neighbours.

    An item has a link of its own or a heading: a teaser rather than part of a byline.
    """
    if core.compiled:
        columns, most = (page.tag, page.size, page.parent), (MAX_ITEM_LEVELS, MAX_ITEM_ROWS)
        return core.kernels.find_similar_items(
            columns, row, page.body, (*most, MAX_ITEM_DEPTH), tag_table(OF_TEASERS)
        )
    found = []
    for _ in range(MAX_ITEM_LEVELS):
        row = int(page.parent[row])
        if row <= page.body or page.size[row] > MAX_ITEM_ROWS:
            break
        if _holds_heading(page, row):
            neighbours = (one for one in _neighbours(page, row) if page.tag[one] == page.tag[row])
            found += [(row, other) for other in neighbours]
    return found


def _neighbours(page: Page, row: int) -> Iterator[int]:
    """The siblings after and before a row."""
    parent, after, before = page.parent[row], int(page.end[row]), row - 1
    if after < len(page) and page.parent[after] == parent:
        yield after
    for _ in range(MAX_ITEM_DEPTH):
        if before <= parent:
            return
        if page.parent[before] == parent:
            yield before
            return
        before = int(page.parent[before])


def _holds_heading(page: Page, row: int) -> bool:
    return not set(OF_TEASERS).isdisjoint(page.tag[row : page.end[row]].tolist())


def _is_alike(page: Page, row: int, other: int) -> bool:
    """Whether two elements have the same class names, or the same first ones by letters."""
    one, two = page.value_of(row, "class"), page.value_of(other, "class")
    return one == two or _first_names(one) == _first_names(two)


def _first_names(value: str) -> list[str]:
    return sorted(value.split())[:3]


def _holds_date(row: int, reading: Reading) -> bool:
    texts = _item_texts(reading.page, row)
    dated = (texts[at] for at in maybe_dated(texts))
    return any(find_date(text, reading.order, reading.language) for text in dated)


def _item_texts(page: Page, row: int) -> list[str]:
    """The short texts of an item, which may be dates; none of a long item."""
    if core.compiled:
        limits = (MAX_ITEM_CHARS, MAX_DATED_CHARS, MAX_DATE_CHARS)
        return shown_texts(page).read_inner(row, *limits)
    inner = slice(row, int(page.end[row]))
    chars = page.chars[inner]
    if chars.sum() > MAX_ITEM_CHARS:
        return []
    rows = row + np.flatnonzero((page.tag[inner] == TEXT) & (chars <= MAX_DATED_CHARS))
    return folded_texts(page, rows.tolist(), MAX_DATE_CHARS)


def _times(page: Page) -> list[int]:
    return page.first_tagged(len(page), NUMBER["time"])


# -- what machines are told -------------------------------------------------------------------


def written_dates(data: StructuredData, others: Mask, reading: Reading) -> Iterator[Fact]:
    """The dates of publication in JSON-LD, meta elements and properties, the most trusted first.

    Items about the web page itself do not count: many systems date every page, a shop's too.
    """
    for rank, item in data.items:
        if rank <= CONTENT:
            for key in ("datePublished", "dateCreated", "uploadDate"):
                for value in filter(None, map(clean_text, as_list(item.get(key)))):
                    yield _fact(value, "json-ld", 0.85 if rank == ARTICLE else 0.8, reading)
    for fact in data.meta_facts(vocabulary.PUBLISHED, 0.85):
        yield _fact(*fact, reading)
    page = data.page
    for row in rows_by_property(page, "datepublished", "datecreated", "pubdate")[:MAX_VALUES]:
        for text in _date_texts(page, row) if not others[row] else ():
            yield _fact(text, "microdata", 0.85, reading)


def _fact(text: str, source: str, confidence: float, reading: Reading) -> Fact:
    return Fact(iso_date(text, reading.order, reading.language), source, confidence)


def _date_texts(page: Page, row: int) -> Iterator[str]:
    """Texts of an element that may be a date, none of them empty."""
    yield from filter(None, (page.value_of(row, name) for name in ("datetime", "content")))
    if text := short_text(page, row):
        yield text


def marked_dates(data: StructuredData, others: Mask, reading: Reading) -> Iterator[Fact]:
    """Dates of `time` elements, then of elements named as a date, anywhere on the page."""
    page = data.page
    for rows, source in ((_times(page), "time element"), (data.rows_by_name(DATED), "class")):
        for row in [row for row in rows if not others[row]][:MAX_VALUES]:
            fact = first_fact(_fact(text, source, 0.6, reading) for text in _date_texts(page, row))
            if fact.value and not _says_otherwise(page, row):
                yield fact


def _says_otherwise(page: Page, row: int) -> bool:
    """Whether the name of a date, or the words before it, say that it is another date."""
    texts = [page.value_of(row, "class"), short_text(page, row)]
    before = row - 1
    while (
        before > 0
        and row - before < NEAR_ROWS
        and not (page.chars[before] and page.counted[before])
    ):
        before -= 1
    if page.chars[before] <= MAX_LABEL_CHARS:
        texts.append(page.text(before))
    return any(UPDATED.search(text) or NOT_PUBLISHED.search(text) for text in texts)


# -- the decision -----------------------------------------------------------------------------


def find_dates(data: StructuredData, opening: Opening, reading: Reading) -> tuple[Fact, Fact]:
    """The date of publication and that of the last change."""
    shown = ShownDates(data, opening.lines, reading)
    published = _find_published(data, opening, reading, shown)
    return published, _find_modified(data, reading, shown)


def _find_published(
    data: StructuredData, opening: Opening, reading: Reading, shown: ShownDates
) -> Fact:
    """The date of publication: what machines are told, corrected by what people see, else that.

    Front pages and products have none: what is dated there are other things.
    """
    if _is_undated(data):
        return NO_FACT
    written = (fact for fact in written_dates(data, opening.others, reading) if fact.value)
    first = next(written, NO_FACT)
    if first is not NO_FACT and shown.agree(first.value[:10]):
        return first
    in_url = date_in_path(data.page.url or first_value(data.in_meta(vocabulary.OWN_ADDRESS)) or "")
    if first is NO_FACT and (seen := _seen(shown.every, in_url)) is not NO_FACT:
        return seen
    marked = marked_dates(data, opening.others, reading)
    if first is not NO_FACT:
        return _corrected([first, *written], shown.every, marked, in_url)
    if (only := _only_day(marked)) is not NO_FACT:
        return only
    updated = [one for one in shown.every if one.updated]
    return Fact(updated[0].day, "text", 0.5) if updated else NO_FACT


def _only_day(facts: Iterator[Fact]) -> Fact:
    """The first date, if all are of one day; of the others no more than needed are read."""
    first = next(facts, NO_FACT)
    same = all(fact.value[:10] == first.value[:10] for fact in facts)
    return first if same else NO_FACT


def _seen(shown: list[ShownDate], in_url: str | None) -> Fact:
    """The date that people see near the heading, else the one in the address."""
    if (first := _first_shown(shown)) is not None:
        return Fact(first.day, "text", 0.85 if first.named else 0.75)
    return Fact(in_url, "url", 0.85) if in_url else NO_FACT


def _is_undated(data: StructuredData) -> bool:
    """Whether a page is the front page of its site, or sells something and is no article."""
    if any(rank == ARTICLE for rank, _ in data.items):
        return False
    address = data.page.url or ""
    if "://" in address and not address.partition("://")[2].partition("/")[2].strip("/#"):
        return True
    kinds = {kind(item) for _, item in data.items} | {*data.in_meta(vocabulary.PAGE_TYPE)}
    if not kinds.isdisjoint(("review", "recipe", "article")):
        return False
    return not kinds.isdisjoint(("product", "productgroup", "og:product", "product.item"))


def _first_shown(shown: list[ShownDate]) -> ShownDate | None:
    """The date of publication that people see: in an element named as a date, else the nearest."""
    dates = [one for one in shown if not one.updated]
    return min(dates, key=lambda one: (not one.named, _steps(one.distance)), default=None)


def _steps(distance: int) -> int:
    """Texts between a date and the heading; a date before the heading counts as further away."""
    return distance if distance > 0 else 2 - distance


def _corrected(
    written: list[Fact], dates: list[ShownDate], marked: Iterator[Fact], in_url: str | None
) -> Fact:
    """The date that machines are told, unless the page shows another one and only that.

    A day more or less is the time zone: people see the day where the page was made.
    """
    fact = written[0]
    others = {other.value[:10] for other in written[1:] if other.source not in IN_TEASERS}
    shown = _first_shown(dates) or next((one for one in dates if one.day in others), None)
    if shown is None:
        return fact
    near = abs(date.fromisoformat(shown.day) - date.fromisoformat(fact.value[:10])).days <= 1
    twice = shown.day in others
    stated = shown.issued and fact.source in VAGUE
    certain = stated or twice or (near and in_url != fact.value[:10])
    if certain or (shown.named and _is_day(_only_day(marked), shown.day)):
        return Fact(shown.day, "text", 0.8)
    return fact


def _is_day(fact: Fact, day: str) -> bool:
    return fact.value is not None and fact.value[:10] == day


def _find_modified(data: StructuredData, reading: Reading, shown: ShownDates) -> Fact:
    """The date of the last change."""
    for rank, item in data.items:
        if rank <= WEB_PAGE:
            for value in filter(None, map(clean_text, as_list(item.get("dateModified")))):
                if (fact := _fact(value, "json-ld", 0.9, reading)).value:
                    return fact
    metas = data.meta_facts(vocabulary.CHANGED, 0.9)
    if (fact := first_fact(_fact(*one, reading) for one in metas)).value:
        return fact
    rows = rows_by_property(data.page, "datemodified")[:MAX_VALUES]
    texts = (text for row in rows for text in _date_texts(data.page, row))
    if (fact := first_fact(_fact(text, "microdata", 0.85, reading) for text in texts)).value:
        return fact
    updated = [one for one in shown.every if one.updated]
    return Fact(updated[0].day, "text", 0.8) if updated else NO_FACT
