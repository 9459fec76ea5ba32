"""What whoever starts the service decides."""

import ipaddress
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from pagelet.errors import OptionError

PORT = 8707
TOKEN_BYTES = 24  #: of chance in a token that is made
SHORTEST = 16  #: characters of a token


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How the service runs, whom it answers, and how much a request may cost."""

    host: str = "127.0.0.1"
    port: int = PORT  #: 0 for any that is free
    token: str = ""  #: what strangers have to know; empty when nobody is let in by one
    require_token: bool = False  #: whether everybody needs it; always so off loopback
    hosts: tuple[str, ...] = ()  #: more names under which the service is reached
    allow_fetch: bool = False  #: whether pages are loaded from the web
    allow_private: tuple[str, ...] = ()  #: HOST:PORT that may be asked though it is not public
    render: bool = True  #: whether pages may be drawn, where there is a browser
    max_bytes: int = 16_000_000  #: of a request, and of a page that is loaded
    timeout: float = 20.0  #: seconds of work for a request
    patience: float = 30.0  #: seconds that a request may wait for its turn
    waiting: int = 64  #: requests that may wait
    workers: int = 0  #: processes that look at pages; 0 for as many as there are processors
    memory: int = 2_000  #: megabytes that a page may take
    database: Path | None = None  #: where the annotator keeps marks; None for the user's folder

    def __post_init__(self) -> None:
        if self.token and (len(self.token) < SHORTEST or not self.token.isascii()):
            raise OptionError("token", "…", f"give at least {SHORTEST} ASCII characters")
        if self.guarded and not self.token:
            why = "other machines reach this address; give a token, or stay on 127.0.0.1"
            raise OptionError("host", self.host, why)

    @property
    def guarded(self) -> bool:
        """Whether everybody needs the token."""
        return self.require_token or not is_loopback(self.host)

    @property
    def processes(self) -> int:
        """How many processes look at pages."""
        return self.workers or os.cpu_count() or 1

    @property
    def held_bytes(self) -> int:
        """Most bytes of requests that are held at once."""
        return max(16 * self.max_bytes, 64_000_000)


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address."""
    if host.lower().rstrip(".") == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def kept_token(path: Path) -> str:
    """The token in a file that only its owner can read; made when there is none."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            made = secrets.token_urlsafe(TOKEN_BYTES)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            with os.fdopen(os.open(path, flags, 0o600), "w", encoding="ascii") as file:
                file.write(made + "\n")
        if path.stat().st_mode & 0o077 and os.name == "posix":
            raise OptionError("token", str(path), "others may read this file; chmod 600 it")
        return path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "not a text file"
        raise OptionError("token", str(path), why) from error
