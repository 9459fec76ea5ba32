"""What the service answers when it does not do as asked: a status, a name, a sentence."""

import json
from collections.abc import Callable
from dataclasses import dataclass

from pagelet.errors import (
    NoWorkers,
    OverTime,
    PageletError,
    PageTooLarge,
    UnsafeAddress,
    WorkerCrashed,
)

#: errors of ours to statuses; the first that fits
STATUSES: dict[type[PageletError], int] = {
    PageTooLarge: 413,
    UnsafeAddress: 403,
    OverTime: 503,
    WorkerCrashed: 503,
    NoWorkers: 503,
    PageletError: 422,
}
MOST_SAID = 500  #: characters of a message, which may quote what was sent


@dataclass(frozen=True, slots=True)
class Reply:
    """What is sent back for one request."""

    status: int
    body: bytes
    kind: str = "application/json"  #: the content type
    retry: int = 0  #: seconds after which to come back; 0 when that is not said

    @property
    def headers(self) -> dict[str, str]:
        """Headers of its own; HTML written from a page is a download."""
        headers = {"content-type": self.kind}
        if self.kind.startswith("text/html"):
            headers["content-disposition"] = 'attachment; filename="page.html"'
        if self.retry:
            headers["retry-after"] = str(self.retry)
        return headers


class Refusal(Exception):
    """A request that is not done."""

    def __init__(self, status: int, error: str, message: str, retry: int = 0) -> None:
        super().__init__(status, error, message, retry)
        self.status, self.error, self.message, self.retry = status, error, message, retry

    def form(self) -> dict[str, str]:
        """Its name and its sentence."""
        return {"error": self.error, "message": self.message}

    def reply(self, request: str = "") -> Reply:
        """It as an answer, with the id of the request."""
        told = self.form() | ({"request": request} if request else {})
        return Reply(self.status, json_bytes(told), retry=self.retry)


def refusal_of(error: PageletError) -> Refusal:
    """An error of ours as a refusal."""
    status = next(status for kind, status in STATUSES.items() if isinstance(error, kind))
    message = str(error)
    if len(message) > MOST_SAID:
        message = message[: MOST_SAID - 1] + "…"
    return Refusal(status, type(error).__name__, message)


def answered(do: Callable[[], Reply], what: str, memory: int) -> Reply:
    """What is done, or why not; a page that takes more than so many megabytes is told as `what`."""
    try:
        return do()
    except PageletError as error:
        return refusal_of(error).reply()
    except Refusal as error:
        return error.reply()
    except MemoryError:
        why = f"{what} takes more than {memory:,} MB of memory; raise --memory"
        return Refusal(503, "WorkerCrashed", why).reply()


def json_bytes(form: object) -> bytes:
    """A form as JSON; what UTF-8 cannot write becomes a question mark."""
    return json.dumps(form, ensure_ascii=False).encode("utf-8", "replace")
