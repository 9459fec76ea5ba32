"""Cached responses: hishel decides by RFC 9111 what is stored and reused, SQLite stores it.

A request that the cache cannot serve goes to the transport below, which checks every address.
A file that is not a cache, or a damaged one, is replaced.
"""

import hashlib
import logging
import sqlite3
import time
from dataclasses import replace
from email.utils import formatdate, parsedate_to_datetime
from pathlib import Path

import httpx
from hishel import CacheOptions, Entry, SqliteStorage
from hishel.httpx import CacheTransport

from pagelet.errors import OptionError
from pagelet.sources.http.addresses import AllowList
from pagelet.sources.http.cache import ONLY_IF_CACHED, Cache, CacheMiss
from pagelet.sources.http.network import PORTS
from pagelet.wording import describe_os_error

CACHE_FILE = "http-2.sqlite"  #: file in the cache folder; the number is that of hishel's tables
MAX_CACHE_BYTES = 512 * 2**20  #: bytes of the whole cache; least recently used entries go first
MAX_ENTRY_BYTES = 16 * 2**20  #: bytes of one response; larger ones are not stored
MAX_ROBOTS_SECONDS = 86_400.0  #: age limit of a cached robots.txt, by RFC 9309
MAX_AGE_SECONDS = 315_360_000  #: ten years; no response is taken for older
CACHE_OPTIONS = CacheOptions(shared=False, supported_methods=["GET"], allow_stale=False)
DAMAGE_ERRORS = (sqlite3.Error, ValueError)  #: ValueError: names that are no text
UNUSABLE_CODES = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR)

logging.getLogger("hishel").addHandler(logging.NullHandler())  # a failing cache is no news


def open_cache(
    cache: Cache, transport: httpx.BaseTransport, allow_list: AllowList
) -> httpx.BaseTransport:
    """Put a cache over a transport; the default folder is not used if it cannot be written."""
    folder = cache.path()
    if folder is None:
        return transport
    try:
        store = open_store(folder / CACHE_FILE)
    except OSError as error:
        if cache.folder is None:
            return transport
        why = f"{describe_os_error(error)}; give a folder that can be written, or --no-cache"
        raise OptionError("cache", str(folder), why) from error
    return CachingTransport(transport, store, allow_list)


class ResponseStore(SqliteStorage):
    """Responses in a file; an entry that cannot be read whole is removed."""

    def get_entries(self, key: str) -> list[Entry]:
        """The entries stored under a key, with their bodies."""
        try:
            return [whole for entry in super().get_entries(key) if (whole := self._whole(entry))]
        except DAMAGE_ERRORS:
            return []

    def _whole(self, entry: Entry) -> Entry | None:
        try:
            body = b"".join(entry.response.stream or ())  # type: ignore[arg-type] # not async
        except (sqlite3.Error, RuntimeError, TypeError):  # gone, or no longer bytes
            self.remove_entry(entry.id)
            return None
        return replace(entry, response=replace(entry.response, stream=iter((body,))))


class CachingTransport(httpx.BaseTransport):
    """Returns cached responses, and stores those of the transport below."""

    def __init__(
        self, transport: httpx.BaseTransport, store: SqliteStorage, allow_list: AllowList
    ) -> None:
        self._allow_list, self._origin = allow_list, OriginTransport(transport)
        self._cache = CacheTransport(self._origin, store, rfc=CACHE_OPTIONS)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Serve one request from the cache or the network; passwords never come to a disk."""
        if "authorization" in request.headers:
            return self._origin.handle_request(request)
        caching: dict[str, object] = {"key": self._key(request.url)}
        if request.url.path == "/robots.txt":
            caching["ttl"] = MAX_ROBOTS_SECONDS
        keyed = httpx.Request(
            request.method,
            request.url.copy_with(fragment=None),
            headers=request.headers,
            stream=request.stream,
            extensions={**request.extensions, "caching": caching},
        )
        response = self._cache.handle_request(keyed)
        if response.has_redirect_location:
            response.read()  # it is empty, but stored only when it was read
        return response

    def _key(self, url: httpx.URL) -> str:
        """The cache key of an address; private hosts have keys of their own."""
        private = self._allow_list.includes(url.host, url.port or PORTS[url.scheme])
        text = f"{'private' if private else 'public'} {url.copy_with(fragment=None)}"
        return hashlib.sha256(text.encode()).hexdigest()

    def close(self) -> None:
        """Close all connections and the file."""
        self._cache.close()


class OriginTransport(httpx.BaseTransport):
    """Sends requests to the network unless only the cache may serve them; dates responses."""

    def __init__(self, transport: httpx.BaseTransport) -> None:
        self._transport = transport

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request to the network."""
        if request.extensions.get(ONLY_IF_CACHED):
            raise CacheMiss
        response = self._transport.handle_request(request)
        date = effective_date(response.headers, time.time())
        response.headers["date"] = formatdate(date, usegmt=True)
        if not response.has_redirect_location:
            return response
        response.close()  # its body is not used, and might have no end
        about = ("content-length", "content-encoding", "transfer-encoding")
        headers = [pair for pair in response.headers.multi_items() if pair[0].lower() not in about]
        return httpx.Response(response.status_code, headers=headers, stream=httpx.ByteStream(b""))

    def close(self) -> None:
        """Close all connections."""
        self._transport.close()


def effective_date(headers: httpx.Headers, now: float) -> float:
    """When a response was made, by RFC 9111, 4.2.3: its Date, or earlier if its Age is greater.

    hishel uses the date alone, and takes a response without one for new for ever.
    """
    value = headers.get("age", "").strip()
    age = min(int(value[:12]), MAX_AGE_SECONDS) if value.isdecimal() else 0
    try:
        date = parsedate_to_datetime(headers.get("date", "")).timestamp()
    except (ValueError, OverflowError):
        date = now
    return max(min(date, now - age), now - MAX_AGE_SECONDS)


def open_store(path: Path) -> SqliteStorage:
    """Open or create the cache file; OSError when that fails."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        return _open_file(path)
    except DAMAGE_ERRORS as error:
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF not in UNUSABLE_CODES:
            raise OSError(str(error)) from error
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        path.with_name(name).unlink(missing_ok=True)
    return _open_file(path)


def _open_file(path: Path) -> SqliteStorage:
    """Open a cache file and check that it can be read and written."""
    connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    store = ResponseStore(
        connection=connection, max_stream_size=MAX_ENTRY_BYTES, max_size=MAX_CACHE_BYTES
    )
    try:
        connection.execute("PRAGMA busy_timeout = 5000")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("SELECT count(*) FROM sqlite_master")
        connection.execute("ROLLBACK")
        SqliteStorage.get_entries(store, "")  # checks the tables, or creates them
        connection.execute("SELECT id FROM entries LIMIT 1")
    except RuntimeError as error:
        store.close()
        raise OSError("there are tables of something else in its file") from error
    except DAMAGE_ERRORS:
        store.close()
        raise
    return store
