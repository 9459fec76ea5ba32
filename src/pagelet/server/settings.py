"""Settings of the service, and the file that keeps its token."""

import ipaddress
import math
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from pagelet.errors import NO_VALUE, OptionError
from pagelet.methods.registry import option
from pagelet.page.expansion import MAX_NODES

DEFAULT_PORT = 8707
TOKEN_BYTES = 24  #: random bytes of a new token
MIN_TOKEN_CHARS = 16
MIN_HELD_BYTES = 64_000_000  #: limit of bytes in memory where requests are small


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How the service runs, who may use it, and how much a request may cost."""

    host: str = option("127.0.0.1", "the address to listen on")
    port: int = option(DEFAULT_PORT, "the port; 0 for any that is free", 0, 65535)
    token: str = option("", "token that clients must send; created if none is given")
    require_token: bool = option(
        default=False, help="require the token on loopback too; always so elsewhere"
    )
    hosts: tuple[str, ...] = option((), "another host name of this service")
    allow_fetch: bool = option(default=False, help="load pages from the web for clients")
    allow_private: tuple[str, ...] = option(
        (), "a host that may be loaded from though its address is not public"
    )
    render: bool = option(default=True, help="draw pages in a browser, where there is one")
    database: Path | None = option(  # noqa: RUF009 - it makes a field
        None, "where the annotator keeps its marks; without it, in the user's data folder"
    )
    verbose: bool = option(default=False, help="log every request; files of the service never are")
    max_bytes: int = option(16_000_000, "maximum bytes of a request or a fetched page", 1)
    max_nodes: int = option(MAX_NODES, "maximum elements and attributes of a page", 1)
    timeout: float = option(20.0, "maximum seconds of work per request", 0.1)
    max_waiting: int = option(64, "maximum requests that wait for a worker", 1)
    workers: int = option(0, "worker processes; 0: one per processor", 0)
    memory: int = option(2_000, "maximum megabytes of memory per page", 200)
    head_timeout: float = option(10.0, "seconds in which the head of a request must arrive", 0.1)
    body_timeout: float = option(
        30.0,
        "seconds in which a body or a line of a batch must arrive, or an answer be read on",
        0.1,
    )
    batch_timeout: float = option(
        600.0, "maximum seconds from the first line of a batch to its last answer", 0.1
    )
    queue_timeout: float = option(30.0, "maximum seconds that a request waits for a worker", 0.1)
    max_connections: int = option(1_000, "maximum connections at a time", 2)
    held_bytes: int = option(
        0, "maximum bytes of all requests in memory; 0: 16 times --max-bytes", 0
    )
    client_share: float = option(
        0.5, "share of connections, waiting requests and bytes that one address may take", 0.01, 1
    )

    def __post_init__(self) -> None:
        if self.token and (len(self.token) < MIN_TOKEN_CHARS or not self.token.isascii()):
            raise OptionError(
                "token", NO_VALUE, f"give at least {MIN_TOKEN_CHARS} ASCII characters"
            )
        if self.needs_token and not self.token:
            why = "other machines can reach this address; give a token, or use 127.0.0.1"
            raise OptionError("host", self.host, why)

    @property
    def needs_token(self) -> bool:
        """Whether all clients need the token."""
        return self.require_token or not is_loopback(self.host)

    @property
    def worker_count(self) -> int:
        """Number of worker processes."""
        return self.workers or os.cpu_count() or 1

    @property
    def max_held_bytes(self) -> int:
        """Bytes of requests that may be in memory at once."""
        return max(self.held_bytes or max(16 * self.max_bytes, MIN_HELD_BYTES), self.max_bytes)

    @property
    def max_client_bytes(self) -> int:
        """Bytes of the requests of one client that may be in memory; one request always fits."""
        return max(int(self.max_held_bytes * self.client_share), self.max_bytes)

    @property
    def max_requests(self) -> int:
        """Requests that may wait or be processed at once."""
        return self.worker_count + self.max_waiting

    @property
    def max_client_requests(self) -> int:
        """Requests of one client that may wait or be processed at once."""
        return self.worker_count + math.ceil(self.max_waiting * self.client_share)

    @property
    def max_client_connections(self) -> int:
        """Connections that one client may have."""
        return math.ceil(self.max_connections * self.client_share)


def is_loopback(host: str) -> bool:
    """Whether an address can be reached from this machine only."""
    if host.lower().rstrip(".") == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def load_token(path: Path) -> str:
    """Read the token from a private file, which is created if there is none."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            with os.fdopen(os.open(path, flags, 0o600), "w", encoding="ascii") as file:
                file.write(secrets.token_urlsafe(TOKEN_BYTES) + "\n")
        if path.stat().st_mode & 0o077 and os.name == "posix":
            raise OptionError(
                "token", str(path), "other users can read this file; run chmod 600 on it"
            )
        return path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "not a text file"
        raise OptionError("token", str(path), why) from error
