"""Who may ask, from where; and what every answer carries, is counted and logged with."""

import ipaddress
import logging
import re
import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

from pagelet.server.metrics import Metrics
from pagelet.server.pages import FILE
from pagelet.server.refusals import Refusal
from pagelet.server.settings import Settings, is_loopback

REQUEST_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
EXTENSIONS = ("chrome-extension", "moz-extension", "safari-web-extension")
OPEN = ("/health",)  #: data that anybody may have
ROUTE = re.compile(r"/(?:v1/[a-z]+(?:/batch)?|annotate/[a-z]+|health|metrics)")

#: headers of every answer
SECURITY_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
#: headers of pages and files: they load files of the service only; the scripts of the frame,
#: whose origin is opaque, are among them
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
class Call:
    """One request on its way through."""

    method: str
    path: str
    headers: dict[str, str]
    id: str
    static: bool  #: whether it reads a page or a file of the service, which hold nobody's data
    status: int = 0
    since: float = field(default_factory=perf_counter)

    @classmethod
    def of(cls, scope: dict[str, Any], pages: Collection[str]) -> "Call":
        """What the server tells of a request; of a header that is there twice, the last."""
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        said = headers.get("x-request-id", "")
        own = said if REQUEST_ID.fullmatch(said) else secrets.token_hex(8)
        method, path = scope["method"], scope["path"]
        static = method in ("GET", "HEAD") and (path in pages or bool(FILE.fullmatch(path)))
        return cls(method, path, headers, own, static)

    @property
    def route(self) -> str:
        """What it is counted as."""
        known = ROUTE.match(self.path)
        return "static" if self.static else known[0] if known and self.status != 404 else "other"


class Guard:
    """Stands before the application."""

    def __init__(
        self, app: Any, settings: Settings, metrics: Metrics, pages: Collection[str]
    ) -> None:
        self.app, self.settings, self.metrics, self.pages = app, settings, metrics, pages

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request, or let the application do it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # nothing here speaks over web sockets
            await send({"type": "websocket.close", "code": 1008})
            return
        call = Call.of(scope, self.pages)
        scope.setdefault("state", {})["request_id"] = call.id
        sender = self._sender(call, send, scope["app"].state.stopping)
        self.metrics.in_flight += 1
        try:
            await self._passed(call, scope, receive, sender)
        finally:
            self.metrics.in_flight -= 1
            seconds = perf_counter() - call.since
            self.metrics.observe(call.route, call.status, seconds)
            path = call.path.encode("unicode_escape").decode("ascii")[:200]
            log.info("%s %s %s %d %.3f s", call.id, call.method, path, call.status, seconds)

    async def _passed(self, call: Call, scope: Any, receive: Any, send: Any) -> None:
        try:
            checked(call, self.settings)
            if asks_leave(call):
                await send({"type": "http.response.start", "status": 204, "headers": []})
                await send({"type": "http.response.body"})
                return
            await self.app(scope, receive, send)
        except Refusal as refusal:
            self.metrics.refused[refusal.error] += 1
            await refuse(refusal, call, send)
        except Exception:  # a mistake of ours is told to whoever runs the service, not to who asks
            log.exception("%s mistake", call.id)
            if call.status:  # the answer has begun
                raise
            await refuse(mistake(), call, send)

    def _sender(self, call: Call, send: Any, stopping: Callable[[], bool]) -> Any:
        """Sends on, with the headers that every answer has."""

        async def sending(message: Any) -> None:
            if message["type"] == "http.response.start":
                call.status = message["status"]
                own = {name.lower() for name, _ in message["headers"]}
                said = {"x-request-id": call.id, **SECURITY_HEADERS, **crossing(call)}
                said |= STATIC_HEADERS if call.static else DATA_HEADERS
                if stopping():  # a connection that is taken late would be kept open for ever
                    said["connection"] = "close"
                added = [(name.encode(), text.encode("latin-1")) for name, text in said.items()]
                message["headers"] = [
                    *message["headers"], *(pair for pair in added if pair[0] not in own),
                ]  # fmt: skip
            await send(message)

        return sending


def mistake() -> Refusal:
    """What is told of a mistake in pagelet."""
    return Refusal(500, "Mistake", "a mistake in pagelet; the log has it under the request's id")


async def refuse(refusal: Refusal, call: Call, send: Any) -> None:
    """Answer with a refusal."""
    reply = refusal.reply(call.id)
    said = {**reply.headers, "content-length": str(len(reply.body))}
    if refusal.status == 401:
        said["www-authenticate"] = "Bearer"
    headers = [(name.encode(), text.encode("latin-1")) for name, text in said.items()]
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    body = b"" if call.method == "HEAD" else reply.body
    await send({"type": "http.response.body", "body": body})


# -- who asks ---------------------------------------------------------------------------------


def checked(call: Call, settings: Settings) -> None:
    """Refuse a request that comes from where none may come from."""
    if not is_ours(call.headers.get("host", ""), settings):
        why = "the Host is not one of this service; start it with --allow-host to add one"
        raise Refusal(421, "UnknownHost", why)
    if call.static or call.path in OPEN or asks_leave(call):
        return
    known = has_token(call, settings)
    origin = call.headers.get("origin")
    if origin is not None and not same_origin(origin, call.headers["host"]):
        if urlsplit(origin).scheme not in EXTENSIONS:
            raise Refusal(403, "ForeignOrigin", "pages of other sites may not ask")
        if not known:
            raise needed()
    site = call.headers.get("sec-fetch-site", "none")
    if site not in ("none", "same-origin") and not known:
        raise Refusal(403, "ForeignOrigin", "pages of other sites may not ask")
    if settings.guarded and not known:
        raise needed()


def needed() -> Refusal:
    """What is told to who has no token."""
    return Refusal(401, "TokenNeeded", "send the token that `pagelet serve` prints")


def has_token(call: Call, settings: Settings) -> bool:
    """Whether the token was sent; a wrong one is refused."""
    said = call.headers.get("authorization")
    if said is None:
        return False
    kind, _, token = said.partition(" ")
    right = secrets.compare_digest(token.strip().encode("latin-1"), settings.token.encode())
    if kind.lower() != "bearer" or not settings.token or not right:
        raise needed()
    return True


def is_ours(host: str, settings: Settings) -> bool:
    """Whether a Host is a name of this service, so that no other name leads to it."""
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


def same_origin(origin: str, host: str) -> bool:
    """Whether a page of the service itself asks."""
    return origin.lower() in (f"http://{host.lower()}", f"https://{host.lower()}")


# -- extensions -------------------------------------------------------------------------------


def asks_leave(call: Call) -> bool:
    """Whether a browser asks, for an extension, if it may send a request."""
    asks = call.method == "OPTIONS" and "access-control-request-method" in call.headers
    return asks and bool(crossing(call))


def crossing(call: Call) -> dict[str, str]:
    """The headers that let an extension read the answer; it needs the token all the same."""
    origin = call.headers.get("origin", "")
    if urlsplit(origin).scheme not in EXTENSIONS:
        return {}
    return {
        "access-control-allow-origin": origin,
        "access-control-allow-headers": "authorization, content-type, x-request-id",
        "access-control-allow-methods": "GET, POST, PUT, DELETE",
        "access-control-allow-private-network": "true",
        "access-control-expose-headers": "x-request-id, retry-after",
        "vary": "origin",
    }
