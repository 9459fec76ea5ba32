"""The cache itself: hishel decides by RFC 9111 what is kept and given, SQLite keeps it.

Whatever the cache has not, or may not give, is asked for by the transport below, which checks
every address. A file that is no cache, or a broken one, is begun anew.
"""

import hashlib
import logging
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import replace
from email.utils import formatdate, parsedate_to_datetime
from pathlib import Path

import httpx
from hishel import CacheOptions, Entry, SqliteStorage
from hishel.httpx import CacheTransport

from pagelet.sources.http.addresses import Admission
from pagelet.sources.http.cache import ONLY_KEPT, NotKept
from pagelet.sources.http.network import PORTS

MAX_SIZE = 512 * 2**20  #: bytes of the whole cache; what was not used for longest goes first
MAX_ANSWER = 16 * 2**20  #: bytes of one answer; larger ones are not kept
ROBOTS_SECONDS = 86_400.0  #: RFC 9309: a robots.txt is not kept for longer than a day
OURS = CacheOptions(shared=False, supported_methods=["GET"], allow_stale=False)
TEN_YEARS = 315_360_000  #: no answer is taken for older
DAMAGED = (sqlite3.Error, ValueError)  #: ValueError: names that are no text
UNUSABLE = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR)

logging.getLogger("hishel").addHandler(logging.NullHandler())  # a failing cache is no news


class Store(SqliteStorage):
    """Answers in a file; what cannot be read whole is as if it were not there."""

    def get_entries(self, key: str) -> list[Entry]:
        """The answers kept under a key, bodies and all."""
        try:
            return [whole for entry in super().get_entries(key) if (whole := self._whole(entry))]
        except DAMAGED:
            return []

    def _whole(self, entry: Entry) -> Entry | None:
        try:
            body = b"".join(entry.response.stream or ())  # type: ignore[arg-type] # not async
        except (sqlite3.Error, RuntimeError, TypeError):  # gone, or no longer bytes
            self.remove_entry(entry.id)
            return None
        return replace(entry, response=replace(entry.response, stream=iter((body,))))


class Keeper(httpx.BaseTransport):
    """Gives kept answers, and keeps what the transport below answers."""

    def __init__(
        self, transport: httpx.BaseTransport, store: SqliteStorage, admission: Admission
    ) -> None:
        self._admission = admission
        self._cache = CacheTransport(Gate(transport), store, rfc=OURS)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Answer one request from the cache or by the network."""
        caching: dict[str, object] = {"key": self._key(request.url)}
        if request.url.path == "/robots.txt":
            caching["ttl"] = ROBOTS_SECONDS
        asked = httpx.Request(
            request.method,
            request.url.copy_with(fragment=None),
            headers=request.headers,
            stream=request.stream,
            extensions={**request.extensions, "caching": caching},
        )
        response = self._cache.handle_request(asked)
        if response.has_redirect_location:
            response.read()  # it is empty, but kept only when it was read
        return response

    def _key(self, url: httpx.URL) -> str:
        """The name of an address; answers of a private one are for those who admit it."""
        named = self._admission.named(url.host, url.port or PORTS[url.scheme])
        text = f"{'private' if named else 'public'} {url.copy_with(fragment=None)}"
        return hashlib.sha256(text.encode()).hexdigest()

    def close(self) -> None:
        """End all connections and close the file."""
        self._cache.close()


class Gate(httpx.BaseTransport):
    """Lets no request through that only the cache may answer, and dates every answer."""

    def __init__(self, transport: httpx.BaseTransport) -> None:
        self._transport = transport

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request to the network."""
        if request.extensions.get(ONLY_KEPT):
            raise NotKept
        response = self._transport.handle_request(request)
        response.headers["date"] = formatdate(made_at(response.headers, time.time()), usegmt=True)
        if not response.has_redirect_location:
            return response
        response.close()  # nobody reads its body, and that might have no end
        about = ("content-length", "content-encoding", "transfer-encoding")
        headers = [pair for pair in response.headers.multi_items() if pair[0].lower() not in about]
        return httpx.Response(response.status_code, headers=headers, stream=Nothing())

    def close(self) -> None:
        """End all connections."""
        self._transport.close()


class Nothing(httpx.SyncByteStream):
    """The body of an answer that has none."""

    def __iter__(self) -> Iterator[bytes]:
        return iter(())


def made_at(headers: httpx.Headers, now: float) -> float:
    """When an answer was made, by RFC 9111, 4.2.3: as its date says, or earlier if its age does.

    hishel looks at the date alone, and takes an answer without one for new for ever.
    """
    told = headers.get("age", "").strip()
    age = min(int(told[:12]), TEN_YEARS) if told.isdecimal() else 0
    try:
        date = parsedate_to_datetime(headers.get("date", "")).timestamp()
    except (ValueError, OverflowError):
        date = now
    return max(min(date, now - age), now - TEN_YEARS)


# -- the file ---------------------------------------------------------------------------------


def open_store(path: Path) -> SqliteStorage:
    """The cache in a file, made if there is none; OSError when that cannot be."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        return _opened(path)
    except DAMAGED as error:
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF not in UNUSABLE:
            raise OSError(str(error)) from error
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        path.with_name(name).unlink(missing_ok=True)
    return _opened(path)


def _opened(path: Path) -> SqliteStorage:
    """The cache in a file that can be read and written."""
    connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    store = Store(connection=connection, max_stream_size=MAX_ANSWER, max_size=MAX_SIZE)
    try:
        connection.execute("PRAGMA busy_timeout = 5000")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("SELECT count(*) FROM sqlite_master")
        connection.execute("ROLLBACK")
        SqliteStorage.get_entries(store, "")  # looks at the tables, or makes them
        connection.execute("SELECT id FROM entries LIMIT 1")
    except RuntimeError as error:
        store.close()
        raise OSError("there are tables of something else in its file") from error
    except DAMAGED:
        store.close()
        raise
    return store
