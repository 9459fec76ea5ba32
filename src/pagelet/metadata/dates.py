"""Reads dates as people and machines write them, and gives them in ISO 8601."""

import re
from datetime import UTC, date, datetime

MAX_DATE_CHARS = 200  #: characters of a text that are searched for a date

#: 2024-05-06, 2024/5/6, 20240506, with or without a time and its zone.
YEAR_FIRST = re.compile(
    r"(?<!\d)(?P<year>[12]\d{3})(?P<mark>[-/.]?)(?P<month>\d\d?)(?P=mark)(?P<day>\d\d?)"
    r"(?:[T ]{1,3}(?P<hour>\d\d):?(?P<minute>\d\d)(?::?(?P<second>\d\d))?(?:[.,]\d{1,9})?"
    r" ?(?P<zone>Z|UTC|GMT|[+-]\d\d:?\d\d)?(?! ?[AaPp]\.?[Mm]))?(?!\d)"
)
DAY_FIRST = re.compile(r"(?<!\d)(\d\d?)([./-])(\d\d?)\2([12]\d{3})(?!\d)")  #: 6.5.2024, 6/5/2024
MONTH_DAY = re.compile(r"([^\W\d_]{3,12})\.? (\d\d?)(?:st|nd|rd|th)?,? ([12]\d{3})(?!\d)")
DAY_MONTH = re.compile(
    r"(?<!\d)(\d\d?)(?:st|nd|rd|th|\.|º)?(?: de| of)? ([^\W\d_]{3,12})[.,]{0,2}(?: de)? "
    r"([12]\d{3})(?!\d)"
)
HAN = re.compile(r"(?<!\d)([12]\d{3}) ?[年년] ?(\d\d?) ?[月월] ?(\d\d?) ?[日일]")
SECONDS = re.compile(r"[12]\d{9}(?:\d{3})?")  #: seconds or milliseconds since 1970
IN_PATH = re.compile(r"/((?:19|20)\d\d)([/-]?)(\d\d?)\2(\d\d?)(?=[/_-]|$)")

#: How the months begin in English, German, Dutch, French, Spanish, Italian, Portuguese.
MONTHS = {
    beginning: number
    for number, row in enumerate(
        "jan ene gen|feb fev fév|mar mär mrt maa|apr avr abr|may mai mag mei|jun juin giu"
        "|jul juil lug|aug aoû aou ago|sep set|oct okt ott out|nov|dec dez déc dic".split("|"),
        start=1,
    )
    for beginning in row.split()
}


def iso_date(text: str) -> str | None:
    """The first date in a text as YYYY-MM-DD, its time and zone kept when it is an ISO time."""
    text = " ".join(text[:MAX_DATE_CHARS].split())
    if SECONDS.fullmatch(text):
        return datetime.fromtimestamp(int(text[:10]), UTC).isoformat()
    for pattern, read in READERS:
        if (match := pattern.search(text)) is not None and (day := read(match)):
            return day
    return None


def date_in_path(address: str) -> str | None:
    """The date in a URL, such as /2024/05/06/."""
    match = IN_PATH.search(address.partition("?")[0])
    return _day(match[1], match[3], match[4]) if match else None


def _day(year: str, month: str | int, day: str) -> str | None:
    """A day of the calendar, or None."""
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return None


def _year_first(match: re.Match[str]) -> str | None:
    if not match["mark"] and len(match["month"] + match["day"]) < 4:
        return None
    day = _day(match["year"], match["month"], match["day"])
    if day is None or match["hour"] is None:
        return day
    zone = (match["zone"] or "").replace("UTC", "Z").replace("GMT", "Z")
    time = f"{match['hour']}:{match['minute']}:{match['second'] or '00'}{zone}"
    try:
        return datetime.fromisoformat(f"{day}T{time}").isoformat()
    except ValueError:
        return day


def _day_first(match: re.Match[str]) -> str | None:
    """Day, month, year; with slashes or dashes only where it cannot be month, day, year."""
    first, mark, second, year = match.groups()
    if mark == "." or int(first) > 12 or first == second:
        return _day(year, second, first)
    return _day(year, first, second) if int(second) > 12 else None


def _month(word: str) -> int:
    """Number of a month by the beginning of its name; 0 for any other word."""
    word = word.lower()
    return MONTHS.get(word[:4]) or MONTHS.get(word[:3]) or 0


#: Patterns of dates and what reads their matches, in the order in which they are tried.
READERS = (
    (YEAR_FIRST, _year_first),
    (MONTH_DAY, lambda match: _day(match[3], _month(match[1]), match[2])),
    (DAY_MONTH, lambda match: _day(match[3], _month(match[2]), match[1])),
    (HAN, lambda match: _day(match[1], match[2], match[3])),
    (DAY_FIRST, _day_first),
)
