"""Running the service: socket, server, startup message, log."""

import errno
import logging
import signal
import socket
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TextIO

from pagelet.errors import MissingExtra, OptionError, hide_credentials
from pagelet.server.settings import Settings
from pagelet.terminal import escape_controls

if TYPE_CHECKING:
    from pagelet.server.app import Plugin

BACKLOG = 512  #: connections that may wait to be accepted
MAX_HEADER_BYTES = 32_768
SPARE_FILES = 256  #: files that may be open beside the connections


def require_extra() -> None:
    """Raise MissingExtra unless the packages for serving are installed."""
    try:
        import fastapi  # noqa: F401, PLC0415 - an extra
        import python_multipart  # noqa: F401, PLC0415
        import uvicorn  # noqa: F401, PLC0415
    except ImportError as error:
        raise MissingExtra("server", "serving over HTTP") from error


def serve(
    settings: Settings, announce: Callable[[str], None], plugins: Sequence["Plugin"] = ()
) -> None:
    """Answer requests until SIGTERM or SIGINT; accepted requests are finished first."""
    import uvicorn  # noqa: PLC0415 - an extra

    from pagelet.server.app import create_app  # noqa: PLC0415 - needs the extra
    from pagelet.server.connections import ConnectionTable  # noqa: PLC0415

    raise_file_limit(settings.max_connections + SPARE_FILES)
    with open_socket(settings) as listener:
        app = create_app(settings, plugins)
        connections = ConnectionTable(settings, closed=app.state.metrics.closed)
        app.state.pool.admission.unsent = connections.unsent
        config = uvicorn.Config(
            app,
            http=connections.protocol,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws="none",
            lifespan="on",
            h11_max_incomplete_event_size=MAX_HEADER_BYTES,
            timeout_graceful_shutdown=round(settings.queue_timeout + settings.timeout + 5),
        )
        announce(startup_message(settings, listener.getsockname()[1]))
        for number in (signal.SIGTERM, signal.SIGINT):  # uvicorn raises it again at the end
            signal.signal(number, lambda *_: None)
        server = uvicorn.Server(config)
        app.state.stopping = lambda: server.should_exit
        server.run(sockets=[listener])


def raise_file_limit(files: int) -> None:
    """Let this process open so many files, if the system allows it: a connection is one."""
    try:
        import resource  # noqa: PLC0415 - not everywhere
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = files if hard == resource.RLIM_INFINITY else min(files, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def open_socket(settings: Settings) -> socket.socket:
    """Listen at the address and port of the settings."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    host = settings.host.strip("[]")
    try:
        socket.getaddrinfo(host, settings.port, family)
        return socket.create_server((host, settings.port), family=family, backlog=BACKLOG)
    except (socket.gaierror, UnicodeError) as error:
        raise OptionError("host", settings.host, "no such address") from error
    except (OSError, OverflowError) as error:
        if getattr(error, "errno", None) == errno.EADDRNOTAVAIL:
            why = "this machine does not have this address"
            raise OptionError("host", settings.host, why) from error
        why = getattr(error, "strerror", None) or str(error)
        raise OptionError("port", settings.port, f"{why}; choose another --port") from error


def startup_message(settings: Settings, port: int) -> str:
    """The address of the service, and the token for it."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    address = f"http://{host}:{port}/"
    if settings.needs_token:
        return f"pagelet is at {address}#token={settings.token}"
    pairing = f"\nbrowser extension: pair with token {settings.token}" if settings.token else ""
    return f"pagelet is at {address}{pairing}"


class LogFormatter(logging.Formatter):
    """Writes lines that a terminal shows as they are, without passwords of URLs."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, and those of a traceback."""
        return escape_controls(hide_credentials(super().format(record)))


def log_to(stream: TextIO, *, verbose: bool = False) -> None:
    """Log to a stream: what went wrong, and if `verbose` one line per request."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(LogFormatter("%(asctime)s %(levelname)s %(message)s"))
    logger = logging.getLogger("pagelet.server")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO if verbose else logging.WARNING)
