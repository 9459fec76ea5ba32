"""Pages in files of their own, and pages on the web."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from pagelet.bulk.opening import is_local, opened
from pagelet.bulk.options import BulkOptions
from pagelet.bulk.records import Entry, Place, Record, Source
from pagelet.bulk.walk_warc import Watch
from pagelet.errors import OptionError, PageError, PageTooLarge, Unreachable
from pagelet.sources.http import Limits, Loader, Politeness


def file_entries(
    source: Source, start: Place, options: BulkOptions, watch: Watch
) -> Iterator[Entry]:
    """The files of a list or a folder, each a page."""
    for at in range(start.at, len(source.names)):
        place = Place(at)
        watch(place)
        yield Entry(_read(source.names[at], place, options), _after(at, source))


def _after(at: int, source: Source) -> Place | None:
    return Place(at + 1) if at + 1 < len(source.names) else None


def _read(name: str, place: Place, options: BulkOptions) -> Record:
    shown = name.encode("utf-8", "replace").decode()
    try:
        with opened(name) as file:
            body = file.read(options.max_bytes + 1)
        if len(body) > options.max_bytes:
            raise PageTooLarge(shown, options.max_bytes)
    except PageError as error:
        return _wrong(shown, place, error)
    except OSError as error:
        return _wrong(shown, place, Unreachable(shown, str(error)))
    captured = datetime.fromtimestamp(Path(name).stat().st_mtime, UTC) if is_local(name) else None
    return Record(shown, place, shown, captured=captured, body=body, before=-place.at)


def _wrong(name: str, place: Place, error: PageError) -> Record:
    return Record(
        source=name,
        place=place,
        id=name,
        error=type(error).__name__,
        reason=str(error),
        before=-place.at,  # a file has one page, number 0
    )


def url_entries(
    source: Source, start: Place, options: BulkOptions, watch: Watch
) -> Iterator[Entry]:
    """The web addresses of one host, loaded one after the other, politely."""
    if not options.load:
        raise OptionError(
            "load", options.load, "say --load if addresses on the web are to be loaded"
        )
    limits = Limits(max_bytes=options.max_bytes)
    politeness = Politeness(delay=options.delay, allow_private=options.allow_private)
    with Loader(limits, politeness) as loader:
        for at in range(start.at, len(source.names)):
            place = Place(at)
            watch(place)
            yield Entry(_loaded(source.names[at], place, loader), _after(at, source))


def _loaded(url: str, place: Place, loader: Loader) -> Record:
    try:
        found = loader.load(url)
    except PageError as error:
        return replace(_wrong(url, place, error), url=url)
    return Record(
        source=url,
        place=place,
        id=url,
        url=found.url,
        captured=datetime.now(UTC),
        body=found.body,
        charset=found.charset,
        before=-place.at,
    )
