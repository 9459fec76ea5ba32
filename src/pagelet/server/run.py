"""The service as a program: it listens, says where, and ends when it is told to."""

import logging
import signal
import socket
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TextIO

from pagelet.errors import MissingExtra, OptionError
from pagelet.server.settings import Settings

if TYPE_CHECKING:
    from pagelet.server.app import Plugin

CONNECTIONS = 1_000  #: open at once, at most
BACKLOG = 512  #: connections that wait to be taken
HEADERS = 32_768  #: most bytes of a request's head


def require_extra() -> None:
    """Raise MissingExtra unless the packages for serving are installed."""
    try:
        import fastapi  # noqa: F401, PLC0415 - an extra
        import python_multipart  # noqa: F401, PLC0415
        import uvicorn  # noqa: F401, PLC0415
    except ImportError as error:
        raise MissingExtra("server", "serving over HTTP") from error


def serve(settings: Settings, say: Callable[[str], None], plugins: Sequence["Plugin"] = ()) -> None:
    """Answer requests until a signal says to stop; what was accepted is finished first."""
    import uvicorn  # noqa: PLC0415 - an extra

    from pagelet.server.app import create_app  # noqa: PLC0415 - needs the extra

    with listening(settings) as listener:
        app = create_app(settings, plugins)
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws="none",
            lifespan="on",
            limit_concurrency=CONNECTIONS,
            h11_max_incomplete_event_size=HEADERS,
            timeout_graceful_shutdown=round(settings.patience + settings.timeout + 5),
        )
        say(told(settings, listener.getsockname()[1]))
        for each in (signal.SIGTERM, signal.SIGINT):  # sent on once the service has ended
            signal.signal(each, lambda *_: None)
        server = uvicorn.Server(config)
        app.state.stopping = lambda: server.should_exit
        server.run(sockets=[listener])


def listening(settings: Settings) -> socket.socket:
    """A socket that listens where it is told to."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    host = settings.host.strip("[]")
    try:
        return socket.create_server((host, settings.port), family=family, backlog=BACKLOG)
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise OptionError("port", settings.port, f"{why}; say another --port") from error


def told(settings: Settings, port: int) -> str:
    """Where the service is, and the token that opens it."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    where = f"http://{host}:{port}/"
    if settings.guarded:
        return f"pagelet is at {where}#token={settings.token}"
    pairing = f"\nbrowser extension: pair with token {settings.token}" if settings.token else ""
    return f"pagelet is at {where}{pairing}"


def log_to(stream: TextIO) -> None:
    """Log requests, one line each."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    logger = logging.getLogger("pagelet.server")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
