"""The queue of requests and the worker processes that answer them.

A limited number of requests waits, for a limited time. Whatever goes wrong with one is a reply too.
"""

import asyncio
import logging
import math
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from time import monotonic
from typing import Any, Protocol, TypeVar

from pagelet.errors import OverTime, WorkerCrashed
from pagelet.methods import METHODS
from pagelet.processes import WorkerPool, limit_memory
from pagelet.server.bodies import Job
from pagelet.server.errors import HttpError, Reply, http_error, json_bytes
from pagelet.server.settings import Settings
from pagelet.server.work import NeedsBrowser, WorkerContext, reply_to

DRAWING_GRACE_SECONDS = 2.0  #: time beyond the limit in which drawing a page may fail by itself
DRAWING_WORKERS = 1  #: workers that draw pages, each with a browser
REPLIES_PER_SECOND = 50  #: rate at which one worker is expected to empty the queue

NEEDS_BROWSER = "needs browser"  #: sent in place of a reply where no pages are drawn
TRACEBACK = "traceback"  #: content type of a reply that is logged, not sent to the client
WARM_PAGE = "<title>a</title><ul><li><a href=/>b</a><li><a href=/c>c</a></ul><p>words of a page"

log = logging.getLogger("pagelet.server")


# -- in a worker process ----------------------------------------------------------------------


class NamedJob(Protocol):
    """A job for a worker; it is pickled on its way there."""

    @property
    def name(self) -> str:
        """Name of the page or method, for messages."""


@dataclass(frozen=True, slots=True)
class Call:
    """A job, and the function that does it; the function is pickled by reference."""

    function: Callable[[Any, WorkerContext], Reply]
    job: NamedJob


@dataclass
class RequestHandler:
    """Answers requests, one after another."""

    context: WorkerContext
    modules: Sequence[str] = ()  #: modules of plugins, imported before the first request

    def prepare(self) -> None:
        """Load modules and models before the first request, and limit memory."""
        for name in self.modules:
            import_module(name)
        body = json_bytes({"html": WARM_PAGE})
        for name, method in METHODS.items():
            if "boxes" not in method.needs:
                answer_call(Call(reply_to, Job(name, body)), self.context)
        if not self.context.draws:  # a browser reserves more than any limit
            limit_memory(self.context.settings.memory)

    def handle(self, job: Call, send: Callable[[Any], None]) -> None:
        """Send the reply to a call."""
        send(answer_call(job, self.context))

    def close(self) -> None:
        """Close the browser, if it was started."""
        self.context.close()


def answer_call(call: Call, context: WorkerContext) -> Reply | str:
    """The reply to a call; an unexpected error is a reply with its traceback."""
    try:
        return call.function(call.job, context)
    except NeedsBrowser:
        return NEEDS_BROWSER
    except Exception:  # noqa: BLE001 - logged by the parent
        return Reply(500, traceback.format_exc().encode("utf-8", "replace"), TRACEBACK)


# -- in the service ---------------------------------------------------------------------------

AnyJob = TypeVar("AnyJob", bound=NamedJob)


class RequestQueue:
    """Runs requests in worker processes; a limited number of others waits."""

    def __init__(self, settings: Settings, modules: Sequence[str] = ()) -> None:
        self.settings = settings
        plain = RequestHandler(WorkerContext(settings), modules)
        self.plain = WorkerPool(plain, settings.worker_count)
        self.drawing = WorkerPool(
            RequestHandler(WorkerContext(settings, draws=True), modules),
            DRAWING_WORKERS,
            lazy=True,
            grace_seconds=DRAWING_GRACE_SECONDS,
        )
        self.inside = 0  #: requests waiting or being processed
        self.held = 0  #: bytes of those requests
        self.max_inside = settings.worker_count + settings.max_waiting
        self.closed = False

    async def start(self) -> None:
        """Start the workers; those that draw start when they are needed."""
        await asyncio.get_running_loop().run_in_executor(self.plain.threads, self.plain.start)

    async def close(self) -> None:
        """End the workers once all accepted requests are done."""
        self.closed = True  # in the event loop, so no pool is given a job from here on
        loop = asyncio.get_running_loop()
        for pool in (self.plain, self.drawing):
            await loop.run_in_executor(None, pool.close)

    @contextmanager
    def place(self, size: int) -> Iterator[None]:
        """A place in the queue for a request of so many bytes; 429 if there is none."""
        if self.inside >= self.max_inside or self.held + size > self.settings.max_held_bytes:
            raise self._busy()
        self.inside, self.held = self.inside + 1, self.held + size
        try:
            yield
        finally:
            self.inside, self.held = self.inside - 1, self.held - size

    def _busy(self) -> HttpError:
        rate = self.settings.worker_count * REPLIES_PER_SECOND
        seconds = max(1, math.ceil(self.settings.max_waiting / rate))
        return HttpError(429, "Busy", "too many requests are waiting; try again later", seconds)

    async def run(self, function: Callable[[AnyJob, WorkerContext], Reply], job: AnyJob) -> Reply:
        """Call a function with a job in a worker process, and return its reply."""
        call, deadline = Call(function, job), monotonic() + self.settings.queue_timeout
        reply = await self._submit(self.plain, call, deadline)
        if reply == NEEDS_BROWSER:
            reply = await self._submit(self.drawing, call, deadline)
        assert isinstance(reply, Reply)
        return reply

    async def _submit(self, pool: WorkerPool, call: Call, deadline: float) -> Reply | str:
        if self.closed:
            raise HttpError(503, "Stopping", "the service is stopping; try again later", 5)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(pool.threads, self._run, pool, call, deadline)

    def _run(self, pool: WorkerPool, call: Call, deadline: float) -> Reply | str:
        """Run a call in a thread of the pool, unless it has waited for too long."""
        if monotonic() > deadline:
            raise HttpError(503, "Waited", "no worker was free in time; try again later", 5)
        try:
            reply: Reply | str = pool.run(call, call.job.name, self.settings.timeout)
        except OverTime as error:
            raise http_error(error) from None
        except WorkerCrashed as error:
            log.warning("a worker ended with %s", error.how)
            raise http_error(error) from error
        return reply
