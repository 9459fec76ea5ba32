"""Reads dates as people and machines write them, and gives them in ISO 8601."""

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime
from typing import Literal, NamedTuple

from pagelet import core
from pagelet.metadata.months import month_number

MAX_DATE_CHARS = 200  #: characters of a text that are searched for a date
BEFORE_YEAR, BEHIND_YEAR = 50, 80  #: characters from a year on where its date begins and ends
MAX_TWO_DIGIT_YEAR = 69  #: last year of two digits that is of this century

Order = Literal["", "day first", "month first"]  #: how 5/6/2024 is read; empty: not at all
NamedDate = tuple[re.Pattern[str], tuple[int, int, int]]
LateOrder = Order | Callable[[], Order]  #: an order, or what finds it where a date needs one

#: 2024-05-06, 2024/5/6, 20240506, with or without a time and its zone.
YEAR_FIRST = re.compile(
    r"(?<!\d)(?P<year>[12]\d{3})(?P<mark>[-/.]?)(?P<month>\d\d?)(?P=mark)(?P<day>\d\d?)"
    r"(?:[T ]{1,3}(?P<hour>\d\d):?(?P<minute>\d\d)(?::?(?P<second>\d\d))?(?:[.,]\d{1,9})?"
    r" ?(?P<zone>Z|UTC|GMT|[+-]\d\d:?\d\d)?(?! ?[AaPp]\.?[Mm]))?(?!\d)"
)
#: 6.5.2024, 6/5/2024, 06.05.24; two digits of the year only after two of day and month.
DAY_FIRST = re.compile(
    r"(?<![\d.,/-])(\d\d?)( ?[./-] ?| \| )(\d\d?)\2([12]\d{3}|(?<=\d\d[./-])\d\d)(?![\d/-]|[.,]\d)"
)
#: 2024. 5. 6., as in Hungary and Korea.
YEAR_SPACED = re.compile(r"(?<!\d)([12]\d{3})\. (\d\d?)\. (\d\d?)(?!\d)")
YEAR_MONTH_DAY = re.compile(
    r"(?<!\d)([12]\d{3})\.?,? ([^\W\d_]{3,14})\.? (\d\d?)(?:\.|\b)(?!\d)"
)  #: 2024. május 6., 2024 May 6
MONTH_DAY = re.compile(
    r"(?<![^\W\d_])([^\W\d_]{3,14})\.?,?[ -](\d\d?)(?:st|nd|rd|th|\.)?,?[ -]{1,2}([12]\d{3})(?!\d)"
)
DAY_MONTH = re.compile(
    r"(?<![\d.,:])(\d\d?)(?:st|nd|rd|th|er|\.|º|°|ª)?,?(?: de| of|-a| d[’'])?[ ./-]{0,2}"
    r"([^\W\d_]{3,14})[.,]{0,2}(?: de[l]?)?[ ./,-]{1,2}([12]\d{3})(?!\d)"
)
#: Jan 28 15:28:56 CET 2020, as programs print it.
MONTH_DAY_TIME = re.compile(
    r"(?<![^\W\d_])([A-Z][a-z]{2}) (\d\d?) \d\d:\d\d:\d\d"
    r"(?: [A-Z]{3,4}| [+-]\d{4})? ([12]\d{3})(?!\d)"
)
HAN = re.compile(r"(?<!\d)([12]\d{3}) ?[年년] ?(\d\d?) ?[月월] ?(\d\d?) ?[日일]")
#: Patterns with the name of a month, and their groups of year, month and day.
MONTH_DAY_GROUPS: NamedDate = (MONTH_DAY, (3, 1, 2))
DAY_MONTH_GROUPS: NamedDate = (DAY_MONTH, (3, 2, 1))
YEAR_MONTH_DAY_GROUPS: NamedDate = (YEAR_MONTH_DAY, (1, 2, 3))
MONTH_DAY_TIME_GROUPS: NamedDate = (MONTH_DAY_TIME, (3, 1, 2))
DATE_MARKS = frozenset("-/.")  #: behind a year that comes first
NAME_MARKS = frozenset(" ./,-")  #: before a year that comes after the name of a month
YEAR_MARKS = frozenset(" .,")  #: behind a year that comes before the name of a month
ORDINALS = ("st", "nd", "rd", "th")
DIGIT = re.compile(r"\d")
NUMERIC = re.compile(r"\d(?:\d{3}| ?[./|-] ?\d)")  #: what a text with a date has
YEAR = re.compile(r"[12]\d{3}")  #: what every date has but one in numbers alone
SECONDS_CHARS = (10, 13)
SECONDS = re.compile(r"[12]\d{9}(?:\d{3})?")  #: seconds or milliseconds since 1970
IN_PATH = re.compile(r"/((?:19|20)\d\d)([/-]?)(\d\d?)\2(\d\d?)(?=[/_-]|$)")
DAY_IN_PATH = re.compile(r"(?<!\d)(\d\d)([-._])(\d\d)\2((?:19|20)\d\d)(?!\d)")  #: 06-05-2024
COMPACT_DAY = re.compile(r"(?<=[/_-])(\d\d)()(\d\d)((?:19|20)\d\d)(?=[/_-]|$)")  #: 06052024
COMPACT_IN_PATH = re.compile(r"(?<!\d)((?:19|20)\d\d)(-?)([01]\d)\2([0-3]\d)(?!\d)")  #: 20240506


class DateMatch(NamedTuple):
    """A date in a text."""

    value: str  #: ISO 8601, with time and zone where they are written
    start: int  #: where it begins in the text
    end: int

    @property
    def day(self) -> str:
        """The day alone."""
        return self.value[:10]


def iso_date(text: str, order: LateOrder = "", language: str = "") -> str | None:
    """The first date in a text as YYYY-MM-DD, its time and zone kept when it is an ISO time."""
    found = find_date(fold(text), order, language)
    return found.value if found else None


def fold(text: str) -> str:
    """The beginning of a text, in which a date is looked for, with white space folded."""
    return " ".join(text[:MAX_DATE_CHARS].split())


def find_date(text: str, order: LateOrder = "", language: str = "") -> DateMatch | None:
    """The first date in a text whose white space is folded."""
    if NUMERIC.search(text) is None:  # spares most texts the rest
        return None
    if len(text) in SECONDS_CHARS and SECONDS.fullmatch(text):
        moment = datetime.fromtimestamp(int(text[:10]), UTC).isoformat()
        return DateMatch(moment, 0, len(text))
    years = [match.start() for match in YEAR.finditer(text)]
    first: DateMatch | None = None
    for read in (_year_first, _words, _plain) if years else ():
        first = _earlier(first, read(text, years, language))
        if first is not None and not first.start:  # none comes before it
            return first
    return _earlier(first, _numbers(text, order))


def _earlier(one: DateMatch | None, other: DateMatch | None) -> DateMatch | None:
    """Which of two dates begins first; the one, if both do."""
    if one is None or other is None:
        return one or other
    return other if other.start < one.start else one


def maybe_dated(texts: list[str]) -> list[int]:
    """Which of some texts may hold a date, by their places."""
    if core.compiled:
        return core.kernels.find_dated(texts)
    return [at for at, text in enumerate(texts) if NUMERIC.search(text)]


def date_in_path(address: str) -> str | None:
    """The date in a URL, such as /2024/05/06/, news-20240506 or 06-05-2024."""
    path = address.partition("?")[0].partition("#")[0]
    path = path.partition("://")[2].partition("/")[2] or (path if "://" not in path else "")
    for pattern, places in ((IN_PATH, (1, 3, 4)), (COMPACT_IN_PATH, (1, 3, 4)),
                            (DAY_IN_PATH, (4, 3, 1)), (COMPACT_DAY, (4, 3, 1))):  # fmt: skip
        if (match := pattern.search("/" + path)) and (day := _day(*match.group(*places))):
            return day
    return None


def day_order(texts: Iterable[str]) -> Order:
    """The order that the dates in some texts have, where one of them leaves no choice."""
    for text in texts:
        if "/" not in text and "-" not in text:
            continue
        for match in DAY_FIRST.finditer(text):
            if match[2] in "/-" and int(match[1]) > 12 >= int(match[3]):
                return "day first"
            if match[2] in "/-" and int(match[3]) > 12 >= int(match[1]):
                return "month first"
    return ""


def _day(year: str, month: str | int, day: str) -> str | None:
    """A day of the calendar, or None."""
    full = int(year) if len(year) > 2 else _century(int(year)) + int(year)
    try:
        return date(full, int(month), int(day)).isoformat()
    except ValueError:
        return None


def _century(year: int) -> int:
    return 2000 if year <= MAX_TWO_DIGIT_YEAR else 1900


def _match_date(match: re.Match[str], value: str | None) -> DateMatch | None:
    return DateMatch(value, match.start(), match.end()) if value else None


def _year_first(text: str, years: list[int], _language: str) -> DateMatch | None:
    """A date that begins with its year, in numbers, which a mark or digit follows."""
    last, past = years[-1] + BEHIND_YEAR, 0
    for year in years:
        behind = text[year + 4 : year + 5]
        if year < past or not (behind in DATE_MARKS or behind.isdecimal()):
            continue
        if (match := YEAR_FIRST.match(text, year, last)) is not None:
            past = match.end()
            written, mark, month, day = match.group("year", "mark", "month", "day")
            if (mark or len(month + day) == 4) and (full := _day(written, month, day)) is not None:
                return DateMatch(_with_time(full, match), year, past)
    return None


def _with_time(day: str, match: re.Match[str]) -> str:
    hour, minute, second, zone = match.group("hour", "minute", "second", "zone")
    if hour is None:
        return day
    zone = (zone or "").replace("UTC", "Z").replace("GMT", "Z")
    time = f"{hour}:{minute}:{second or '00'}{zone}"
    try:
        return datetime.fromisoformat(f"{day}T{time}").isoformat()
    except ValueError:
        return day


def _numbers(text: str, order: LateOrder) -> DateMatch | None:
    """Day, month, year in numbers; with slashes or dashes in the order that is usual."""
    for match in DAY_FIRST.finditer(text):
        first, mark, second, year = match.groups()
        if (
            found := _match_date(match, _ordered(first, second, year, mark.strip(), order))
        ) is not None:
            return found
    return None


def _ordered(first: str, second: str, year: str, mark: str, order: LateOrder) -> str | None:
    if len(year) == 2 and mark != "." and not _order_of(order):
        return None
    if mark in ".|" or int(first) > 12 or first == second:
        return _day(year, second, first)
    if int(second) > 12 or _order_of(order) == "month first":
        return _day(year, first, second)
    return _day(year, second, first) if _order_of(order) == "day first" else None


def _order_of(order: LateOrder) -> Order:
    return order() if callable(order) else order


def _words(text: str, years: list[int], language: str) -> DateMatch | None:
    """A date with the name of its month."""
    first, span = None, (max(years[0] - BEFORE_YEAR, 0), years[-1] + BEHIND_YEAR)
    for pattern, (year, month, day) in _maybe_named(text, years, span[0]):
        for match in pattern.finditer(text, *span):
            number = month_number(match[month], language)
            if number and (value := _day(match[year], number, match[day])):
                first = _earlier(first, DateMatch(value, match.start(), match.end()))
                break
        if first is not None and not first.start:
            break
    return first


def _maybe_named(text: str, years: list[int], start: int) -> Iterator[NamedDate]:
    """The patterns with the name of a month that may match, by what stands around the years."""
    day = month = False  # whether a year follows one
    for year in years:
        if text[year - 1 : year] in NAME_MARKS and DIGIT.search(text, start, year):
            head = text[start:year].rstrip(" ./,-")
            numeric = head[-1:].isdecimal()
            day = day or numeric or head.endswith(ORDINALS)
            month = month or not numeric
    if day:
        yield MONTH_DAY_GROUPS
    if month:
        yield DAY_MONTH_GROUPS
    if any(text[year + 4 : year + 5] in YEAR_MARKS for year in years):
        yield YEAR_MONTH_DAY_GROUPS
    if (day or month) and ":" in text:
        yield MONTH_DAY_TIME_GROUPS


def _plain(text: str, years: list[int], _language: str) -> DateMatch | None:
    """A date with its year first, with characters or points between the parts."""
    span = (max(years[0] - BEFORE_YEAR, 0), years[-1] + BEHIND_YEAR)
    patterns = [HAN] if "年" in text or "년" in text else []
    for pattern in patterns + ([YEAR_SPACED] if ". " in text else []):
        for match in pattern.finditer(text, *span):
            if (found := _match_date(match, _day(match[1], match[2], match[3]))) is not None:
                return found
    return None
