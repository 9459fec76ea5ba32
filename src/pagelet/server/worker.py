"""Requests in a worker process: whatever goes wrong with one is a reply too."""

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from pagelet.methods import METHODS
from pagelet.processes import limit_memory
from pagelet.server.bodies import Job
from pagelet.server.errors import Reply, json_bytes
from pagelet.server.work import Desk, DrawnElsewhere, reply_to

NEEDS_BROWSER = "needs browser"  #: sent in place of a reply where no pages are drawn
TRACEBACK = "traceback"  #: content type of a reply that is logged, not sent to the client
WARM_PAGE = "<title>a</title><ul><li><a href=/>b</a><li><a href=/c>c</a></ul><p>words of a page"


class NamedJob(Protocol):
    """Anything that a worker is to do; it is pickled on its way there."""

    @property
    def name(self) -> str:
        """Name of the page or method, for messages."""


@dataclass(frozen=True, slots=True)
class Call:
    """A job, and the function that does it; the function is pickled by reference."""

    function: Callable[[Any, Desk], Reply]
    job: NamedJob


@dataclass
class RequestHandler:
    """Answers requests, one after another."""

    desk: Desk

    def prepare(self) -> None:
        """Load the models, for which no request is to be charged, and limit memory."""
        body = json_bytes({"html": WARM_PAGE})
        for name, method in METHODS.items():
            if "boxes" not in method.needs:
                answer_call(Call(reply_to, Job(name, body)), self.desk)
        if not self.desk.draws:  # a browser reserves more than any limit
            limit_memory(self.desk.settings.memory)

    def handle(self, job: Call, send: Callable[[Any], None]) -> None:
        """Send the reply to a call."""
        send(answer_call(job, self.desk))

    def close(self) -> None:
        """End the browser, if there is one."""
        self.desk.close()


def answer_call(call: Call, desk: Desk) -> Reply | str:
    """The reply to a call; an unexpected error is a reply with its traceback."""
    try:
        return call.function(call.job, desk)
    except DrawnElsewhere:
        return NEEDS_BROWSER
    except Exception:  # noqa: BLE001 - logged by the parent
        return Reply(500, traceback.format_exc().encode("utf-8", "replace"), TRACEBACK)
