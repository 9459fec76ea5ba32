"""Settings of the service, and the file that keeps its token."""

import ipaddress
import math
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from pagelet.errors import NO_VALUE, OptionError
from pagelet.page.expansion import MAX_NODES

DEFAULT_PORT = 8707
TOKEN_BYTES = 24  #: random bytes of a new token
MIN_TOKEN_CHARS = 16
MIN_HELD_BYTES = 64_000_000  #: limit of bytes in memory where requests are small


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How the service runs, who may use it, and how much a request may cost."""

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT  #: 0 for any free port
    token: str = ""  #: secret that clients send; empty if no token is accepted
    require_token: bool = False  #: whether all clients need the token; always so off loopback
    hosts: tuple[str, ...] = ()  #: further host names of the service
    allow_fetch: bool = False  #: whether pages are loaded from the web
    allow_private: tuple[str, ...] = ()  #: HOST:PORT of non-public servers that may be contacted
    render: bool = True  #: whether pages may be drawn, if there is a browser
    max_bytes: int = 16_000_000  #: bytes of a request, and of a page that is loaded
    max_nodes: int = MAX_NODES  #: elements and attributes of a page
    timeout: float = 20.0  #: seconds of work per request
    queue_timeout: float = 30.0  #: seconds that a request may wait for a worker
    head_timeout: float = 10.0  #: seconds in which the head of a request must arrive
    body_timeout: float = 30.0  #: seconds in which a body, or one line of a batch, must arrive
    batch_timeout: float = 600.0  #: seconds from the first line of a batch to its last answer
    max_waiting: int = 64  #: requests that may wait for a worker
    max_connections: int = 1_000
    held_bytes: int = 0  #: bytes of requests in memory at once; 0 for 16 times max_bytes
    client_share: float = 0.5  #: share of waiting requests, connections and bytes of one address
    workers: int = 0  #: worker processes; 0 for one per processor
    memory: int = 2_000  #: megabytes of memory per page
    database: Path | None = None  #: file of the annotator; None for the user's data folder

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
