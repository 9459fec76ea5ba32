"""Middleware: access checks, security headers, request ids, metrics and the log."""

import asyncio
import ipaddress
import logging
import re
import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import ClientDisconnect

from pagelet.server.admission import Admission, client_key
from pagelet.server.errors import HttpError
from pagelet.server.intake import Intake
from pagelet.server.metrics import Metrics
from pagelet.server.pages import FILE
from pagelet.server.settings import Settings, is_loopback

REQUEST_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
EXTENSION_SCHEMES = ("chrome-extension", "moz-extension", "safari-web-extension")
PUBLIC_PATHS = ("/health",)  #: data that needs no token
ROUTE = re.compile(r"/(?:v1/[a-z]+(?:/batch)?|annotate/[a-z]+|health|metrics)")
CLIENT_LEFT = 499  #: status in log and metrics of a request whose client left before the answer
MAX_LOGGED_CHARS = 200  #: characters of a path in the log

#: headers of every answer
SECURITY_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
#: headers of pages and files, which load files of the service only; cross-origin because the
#: scripts of the sandboxed frame are among them, and its origin is opaque
STATIC_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " img-src 'self' data: blob:; connect-src 'self'; frame-src 'self'; form-action 'none';"
    " base-uri 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "cross-origin",
    "cache-control": "no-cache",
}
#: headers of data
DATA_HEADERS = {
    "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}

log = logging.getLogger("pagelet.server")


@dataclass(slots=True)
class IncomingRequest:
    """Method, path and headers of a request, and the status it is answered with."""

    method: str
    path: str
    headers: dict[str, str]
    id: str
    static: bool  #: whether it reads a page or a file of the service, which hold no user data
    status: int = 0
    start: float = field(default_factory=perf_counter)

    @classmethod
    def from_scope(cls, scope: dict[str, Any], pages: Collection[str]) -> "IncomingRequest":
        """Read an ASGI scope; the last of repeated headers counts."""
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        given = headers.get("x-request-id", "")
        request_id = given if REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
        method, path = scope["method"], scope["path"]
        static = method in ("GET", "HEAD") and (path in pages or bool(FILE.fullmatch(path)))
        return cls(method, path, headers, request_id, static)

    @property
    def log_level(self) -> int:
        """What the service could not do is a warning; all else is for those who ask for it."""
        return logging.WARNING if self.status >= 500 else logging.INFO

    @property
    def route(self) -> str:
        """Label in the metrics."""
        route = ROUTE.match(self.path)
        return "static" if self.static else route[0] if route and self.status != 404 else "other"


class Guard:
    """ASGI middleware around the application."""

    def __init__(
        self, app: Any, admission: Admission, metrics: Metrics, pages: Collection[str]
    ) -> None:
        self.app, self.admission, self.metrics, self.pages = app, admission, metrics, pages
        self.settings = admission.settings

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Check a request, pass it to the application, count and log it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # no web sockets here
            await send({"type": "websocket.close", "code": 1008})
            return
        request = IncomingRequest.from_scope(scope, self.pages)
        client = client_key((scope.get("client") or ("",))[0])
        self.metrics.in_flight += 1
        try:
            with self.admission.open_request(client) as held:
                intake = Intake(receive, held, self.settings, request.headers)
                state = {"request_id": request.id, "client": client, "intake": intake}
                scope.setdefault("state", {}).update(state)
                await self._answer(request, scope, intake, send)
        finally:
            self.metrics.in_flight -= 1
            seconds = perf_counter() - request.start
            self.metrics.observe(request.route, request.status, seconds)
            path = request.path.encode("unicode_escape").decode("ascii")[:MAX_LOGGED_CHARS]
            fields = (request.id, request.method, path, request.status, seconds)
            if not request.static:
                log.log(request.log_level, "%s %s %s %d %.3f s", *fields)

    async def _answer(
        self, request: IncomingRequest, scope: Any, intake: Intake, send: Any
    ) -> None:
        """Answer a request, unless its client leaves before."""
        send = _add_headers(request, intake, send, scope["app"].state.stopping)
        try:
            await self._handle(request, scope, intake.receive, send)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if not intake.abandoned or task is None or task.uncancel():
                raise
        finally:
            intake.close()
            if intake.abandoned:
                request.status = CLIENT_LEFT

    async def _handle(self, request: IncomingRequest, scope: Any, receive: Any, send: Any) -> None:
        try:
            check_access(request, self.settings)
            if is_preflight(request):
                await send({"type": "http.response.start", "status": 204, "headers": []})
                await send({"type": "http.response.body"})
                return
            await self.app(scope, receive, send)
        except HttpError as error:
            self.metrics.refused[error.error] += 1
            await send_error(error, request, send)
        except ClientDisconnect:  # nobody is left to be answered
            return
        except Exception:  # details are for the log, not for the client
            log.exception("%s internal error", request.id)
            if request.status:  # the answer has begun
                raise
            await send_error(internal_error(), request, send)


def _add_headers(
    request: IncomingRequest, intake: Intake, send: Any, stopping: Callable[[], bool]
) -> Any:
    """Wrap `send` so that every answer has the usual headers, unless it sets them itself."""

    async def send_with_headers(message: Any) -> None:
        if message["type"] == "http.response.start":
            request.status = message["status"]
            headers = {"x-request-id": request.id, **SECURITY_HEADERS, **cors_headers(request)}
            headers |= STATIC_HEADERS if request.static else DATA_HEADERS
            if stopping():  # a connection accepted this late would be kept open for ever
                headers["connection"] = "close"
            own = {name.lower() for name, _ in message["headers"]}
            added = [pair for pair in _encode_headers(headers) if pair[0] not in own]
            message["headers"] = [*message["headers"], *added]
        intake.answered |= message["type"] == "http.response.body" and not message.get("more_body")
        await send(message)

    return send_with_headers


def _encode_headers(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]


def internal_error() -> HttpError:
    """The error that clients see when pagelet itself is at fault."""
    return HttpError(500, "Mistake", "internal error; look up the request id in the log")


async def send_error(error: HttpError, request: IncomingRequest, send: Any) -> None:
    """Answer with an error."""
    reply = error.reply(request.id)
    headers = {**reply.headers, "content-length": str(len(reply.body))}
    if error.status == 401:
        headers["www-authenticate"] = "Bearer"
    start = {"status": reply.status, "headers": _encode_headers(headers)}
    await send({"type": "http.response.start", **start})
    body = b"" if request.method == "HEAD" else reply.body
    await send({"type": "http.response.body", "body": body})


# -- access -----------------------------------------------------------------------------------


def check_access(request: IncomingRequest, settings: Settings) -> None:
    """Raise HttpError for a wrong host, a foreign origin, or a missing or wrong token."""
    if not is_own_host(request.headers.get("host", ""), settings):
        why = "the Host is not a name of this service; add it with --allow-host"
        raise HttpError(421, "UnknownHost", why)
    if request.static or request.path in PUBLIC_PATHS or is_preflight(request):
        return
    authorised = has_token(request, settings)
    origin = request.headers.get("origin")
    if origin is not None and not is_same_origin(origin, request.headers["host"]):
        if urlsplit(origin).scheme not in EXTENSION_SCHEMES:
            raise foreign_origin()
        if not authorised:
            raise token_needed()
    site = request.headers.get("sec-fetch-site", "none")
    if site not in ("none", "same-origin") and not authorised:
        raise foreign_origin()
    if settings.needs_token and not authorised:
        raise token_needed()


def foreign_origin() -> HttpError:
    """The error for a request from a page of another site."""
    return HttpError(403, "ForeignOrigin", "pages of other sites may not use this service")


def token_needed() -> HttpError:
    """The error for a missing or wrong token."""
    return HttpError(401, "TokenNeeded", "send the token that `pagelet serve` prints")


def has_token(request: IncomingRequest, settings: Settings) -> bool:
    """Whether the token was sent; a wrong one raises HttpError."""
    authorization = request.headers.get("authorization")
    if authorization is None:
        return False
    scheme, _, token = authorization.partition(" ")
    right = secrets.compare_digest(token.strip().encode("latin-1"), settings.token.encode())
    if scheme.lower() != "bearer" or not settings.token or not right:
        raise token_needed()
    return True


def is_own_host(host: str, settings: Settings) -> bool:
    """Whether a Host header names this service; prevents DNS rebinding."""
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return False
    if name in ("localhost", settings.host.strip("[]").lower(), *map(str.lower, settings.hosts)):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return is_loopback(name) or not is_loopback(settings.host)


def is_same_origin(origin: str, host: str) -> bool:
    """Whether a request comes from a page of the service."""
    return origin.lower() in (f"http://{host.lower()}", f"https://{host.lower()}")


# -- browser extensions -----------------------------------------------------------------------


def is_preflight(request: IncomingRequest) -> bool:
    """Whether a browser checks if an extension may send a request."""
    preflight = request.method == "OPTIONS" and "access-control-request-method" in request.headers
    return preflight and bool(cors_headers(request))


def cors_headers(request: IncomingRequest) -> dict[str, str]:
    """The headers that let an extension read the answer; it still needs the token."""
    origin = request.headers.get("origin", "")
    if urlsplit(origin).scheme not in EXTENSION_SCHEMES:
        return {}
    return {
        "access-control-allow-origin": origin,
        "access-control-allow-headers": "authorization, content-type, x-request-id",
        "access-control-allow-methods": "GET, POST, PUT, DELETE",
        "access-control-allow-private-network": "true",
        "access-control-expose-headers": "x-request-id, retry-after",
        "vary": "origin",
    }
