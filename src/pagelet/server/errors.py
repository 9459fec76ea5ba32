"""Replies of the service, and errors that become replies: a status, a name, a message."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace

from pagelet.errors import (
    NoWorkers,
    OverTime,
    PageletError,
    PageTooLarge,
    UnsafeAddress,
    WorkerCrashed,
)

#: HTTP status by error; the first class that fits counts
STATUSES: dict[type[PageletError], int] = {
    PageTooLarge: 413,
    UnsafeAddress: 403,
    OverTime: 503,
    WorkerCrashed: 503,
    NoWorkers: 503,
    PageletError: 422,
}
MAX_MESSAGE_CHARS = 500  #: a message may quote the request


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to one request."""

    status: int
    body: bytes
    kind: str = "application/json"  #: content type
    retry: int = 0  #: seconds after which the client may try again; 0 for no such header
    spent: bool = False  #: whether the worker has run out of memory, and must not be used again

    @property
    def headers(self) -> dict[str, str]:
        """Headers of this reply; HTML written from a page is a download."""
        headers = {"content-type": self.kind}
        if self.kind.startswith("text/html"):
            headers["content-disposition"] = 'attachment; filename="page.html"'
        if self.retry:
            headers["retry-after"] = str(self.retry)
        return headers


class HttpError(Exception):
    """A request that fails with an HTTP status."""

    def __init__(self, status: int, error: str, message: str, retry: int = 0) -> None:
        super().__init__(status, error, message, retry)
        self.status, self.error, self.message, self.retry = status, error, message, retry

    def to_dict(self) -> dict[str, str]:
        """Name and message."""
        return {"error": self.error, "message": self.message}

    def reply(self, request: str = "") -> Reply:
        """The reply, with the id of the request."""
        fields = self.to_dict() | ({"request": request} if request else {})
        return Reply(self.status, json_bytes(fields), retry=self.retry)


def http_error(error: PageletError) -> HttpError:
    """The HTTP error for an error of the library."""
    status = next(status for kind, status in STATUSES.items() if isinstance(error, kind))
    message = str(error)
    if len(message) > MAX_MESSAGE_CHARS:
        message = message[: MAX_MESSAGE_CHARS - 1] + "…"
    return HttpError(status, type(error).__name__, message)


def reply_or_error(run: Callable[[], Reply], subject: str, megabytes: int) -> Reply:
    """Run a job; errors become replies, and `subject` is named if the memory runs out."""
    try:
        return run()
    except PageletError as error:
        return http_error(error).reply()
    except HttpError as error:
        return error.reply()
    except MemoryError:
        why = f"{subject} takes more than {megabytes:,} MB of memory; raise --memory"
        return replace(HttpError(503, "WorkerCrashed", why).reply(), spent=True)


def is_spent(result: object) -> bool:
    """Whether the worker that sent this has to be replaced."""
    return isinstance(result, Reply) and result.spent


def json_bytes(value: object) -> bytes:
    """A value as JSON; what UTF-8 cannot encode becomes a question mark."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
