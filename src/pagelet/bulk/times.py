"""Times of capture, within the years that every reader of Parquet can hold.

pandas and others keep nanoseconds in 64 bits, which reach from 1677 to 2262. A time outside, or
one that cannot be read, is left out, and a note says so.
"""

from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
EARLIEST = datetime(1677, 9, 22, tzinfo=UTC)
LATEST = datetime(2262, 4, 11, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
EPOCH_BOUNDS = ((EARLIEST - EPOCH) // MICROSECOND, (LATEST - EPOCH) // MICROSECOND)
#: microseconds of each unit of a column, as a fraction
MICROSECONDS = {
    "D": (86_400_000_000, 1),
    "s": (1_000_000, 1),
    "ms": (1_000, 1),
    "us": (1, 1),
    "ns": (1, 1_000),
}
MAX_VALUE_CHARS = 60  #: characters of a value that a note repeats


class CaptureTime(NamedTuple):
    """A time of capture; without one, the notes say what was wrong."""

    time: datetime | None = None
    notes: tuple[str, ...] = ()


NO_TIME = CaptureTime()


def parse_time(value: object, name: str) -> CaptureTime:
    """A date or time in UTC, of a text or of Python's types; without a zone it is taken as UTC."""
    found = value
    if isinstance(value, str):
        if not value.strip():
            return NO_TIME
        try:
            found = datetime.fromisoformat(value.strip())
        except ValueError:
            return _note(name, value, "is no date")
    if isinstance(found, date) and not isinstance(found, datetime):
        found = datetime(found.year, found.month, found.day)
    if not isinstance(found, datetime):
        return NO_TIME
    try:
        return check_time(found, name)
    except OverflowError:  # in UTC, it is before the first or behind the last year
        return _note(name, value, "is outside 1677 to 2262")


def check_time(time: datetime, name: str) -> CaptureTime:
    """The time in UTC, or a note that it is outside the years that can be held."""
    there = time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    if EARLIEST <= there <= LATEST:
        return CaptureTime(there)
    return _note(name, time.isoformat(), "is outside 1677 to 2262")


def time_since_epoch(count: int, unit: str, name: str) -> CaptureTime:
    """The time so many units after 1970, or before it."""
    times, by = MICROSECONDS[unit]
    whole = count * times // by
    if EPOCH_BOUNDS[0] <= whole <= EPOCH_BOUNDS[1]:
        return CaptureTime(EPOCH + whole * MICROSECOND)
    return _note(name, f"{count} {unit} since 1970", "is outside 1677 to 2262")


def _note(name: str, value: object, what: str) -> CaptureTime:
    shown = str(value)[:MAX_VALUE_CHARS].encode("utf-8", "replace").decode()
    return CaptureTime(None, (f"{name} {shown!r} {what}",))
