"""The queue of requests and the worker processes that answer them.

A limited number of requests waits, for a limited time. Whatever goes wrong with one is a reply too.
"""

import asyncio
import logging
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from time import monotonic
from typing import Any, Protocol, TypeVar

from pagelet.errors import OverTime, WorkerCrashed
from pagelet.methods import METHODS
from pagelet.processes import WARM_PAGE, JobLimit, WorkerPool, limit_memory
from pagelet.server.admission import Admission
from pagelet.server.bodies import Job
from pagelet.server.errors import HttpError, Reply, http_error, is_spent, json_bytes
from pagelet.server.settings import Settings
from pagelet.server.turns import Turns
from pagelet.server.work import NeedsBrowser, WorkerContext, reply_to

DRAWING_GRACE_SECONDS = 2.0  #: time beyond the limit in which drawing a page may fail by itself
DRAWING_WORKERS = 1  #: workers that draw pages, each with a browser
#: time that a request whose client has left may go on: starting another worker takes longer
CANCELLED_SECONDS = 1.0

NEEDS_BROWSER = "needs browser"  #: sent in place of a reply where no pages are drawn
TRACEBACK = "traceback"  #: content type of a reply that is logged, not sent to the client

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
    except Exception as error:  # noqa: BLE001 - logged by the parent
        text = traceback.format_exc().encode("utf-8", "replace")
        return Reply(500, text, TRACEBACK, spent=isinstance(error, MemoryError))


# -- in the service ---------------------------------------------------------------------------

AnyJob = TypeVar("AnyJob", bound=NamedJob)


class Lane:
    """A pool of workers, and the requests that wait for it."""

    def __init__(self, pool: WorkerPool) -> None:
        self.pool, self.turns = pool, Turns(pool.size)

    async def run(self, work: Callable[[], Reply | str], client: str, seconds: float) -> Any:
        """Wait for a slot, then do the work in a thread of the pool.

        The slot is free again when the work is done and the pool is complete, even if nobody waits
        for the result any more.
        """
        await self.turns.take(client, seconds)
        task = asyncio.get_running_loop().run_in_executor(self.pool.threads, work)
        task.add_done_callback(partial(self._refill, client, monotonic()))
        await asyncio.wait([task])
        return task.result()

    def _refill(self, client: str, start: float, done: "asyncio.Future[Any]") -> None:
        """Start a worker in place of one that was ended, before the slot is used again."""
        if not done.cancelled():
            done.exception()  # seen, should nobody wait for it
        if self.pool.complete:
            self.turns.release(client, monotonic() - start)
            return
        loop = asyncio.get_running_loop()
        task = loop.run_in_executor(self.pool.threads, self.pool.refill)
        task.add_done_callback(lambda _: self.turns.release(client, monotonic() - start))


class RequestQueue:
    """Runs requests in worker processes; a limited number of others waits."""

    def __init__(self, settings: Settings, modules: Sequence[str] = ()) -> None:
        self.settings = settings
        self.admission = Admission(settings)
        plain = RequestHandler(WorkerContext(settings), modules)
        self.plain = Lane(WorkerPool(plain, settings.worker_count))
        drawing = RequestHandler(WorkerContext(settings, draws=True), modules)
        grace = DRAWING_GRACE_SECONDS
        self.drawing = Lane(WorkerPool(drawing, DRAWING_WORKERS, lazy=True, grace_seconds=grace))
        self.admission.make_room = self._make_room
        self.closed = False

    def _make_room(self, places: int) -> bool:
        error = self.admission.busy("others with fewer requests come first")
        return any(lane.turns.push_out(places, error) for lane in (self.plain, self.drawing))

    async def start(self) -> None:
        """Start the workers; those that draw start when they are needed."""
        pool = self.plain.pool
        await asyncio.get_running_loop().run_in_executor(pool.threads, pool.start)

    async def close(self) -> None:
        """End the workers once all accepted requests are done."""
        self.closed = True  # in the event loop, so no pool is given a job from here on
        loop = asyncio.get_running_loop()
        for lane in (self.plain, self.drawing):
            await loop.run_in_executor(None, lane.pool.close)

    async def run(
        self, function: Callable[[AnyJob, WorkerContext], Reply], job: AnyJob, client: str
    ) -> Reply:
        """Call a function with a job in a worker process, and return its reply.

        If this task is cancelled, a job that waits is dropped, and one that runs is ended.
        """
        call, deadline = Call(function, job), monotonic() + self.settings.queue_timeout
        reply = await self._submit(self.plain, call, client, deadline)
        if reply == NEEDS_BROWSER:
            reply = await self._submit(self.drawing, call, client, deadline)
        assert isinstance(reply, Reply)
        return reply

    async def _submit(self, lane: Lane, call: Call, client: str, deadline: float) -> Reply | str:
        if self.closed:
            raise HttpError(503, "Stopping", "the service is stopping; try again later", 5)
        limit = lane.pool.limit(self.settings.timeout)
        try:
            work = partial(self._run, lane.pool, call, limit)
            reply: Reply | str = await lane.run(work, client, max(deadline - monotonic(), 0))
        except asyncio.CancelledError:
            limit.cancel(CANCELLED_SECONDS)
            raise
        return reply

    def _run(self, pool: WorkerPool, call: Call, limit: JobLimit) -> Reply | str:
        """Run a call in a thread of the pool."""
        try:
            reply: Reply | str = pool.run(call, call.job.name, limit, spent=is_spent)
        except OverTime as error:
            raise http_error(error) from None
        except WorkerCrashed as error:
            log.warning("a worker ended with %s", error.how)
            raise http_error(error) from error
        return reply
