"""Worker processes behind threads that wait for them; one that takes too long is ended."""

import asyncio
import logging
import math
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, Pipe
from queue import SimpleQueue
from time import monotonic

from pagelet.annotator.jobs import Task
from pagelet.bulk.crew import ONE_THREAD
from pagelet.errors import NoWorkers, OverTime, WorkerCrashed
from pagelet.server.bodies import Job
from pagelet.server.refusals import Refusal, Reply, refusal_of
from pagelet.server.settings import Settings
from pagelet.server.work import Desk
from pagelet.server.worker import ELSEWHERE, READY

START = "from pagelet.server.worker import main; main({0}, {1})"
START_SECONDS = 120.0  #: in which a worker must be ready
STOP_SECONDS = 5.0  #: in which a worker that waits must end
GRACE = 2.0  #: seconds beyond those of a request in which it may fail by itself
OLD = 5_000  #: requests after which a worker is replaced, since memory falls to pieces
DRAWERS = 1  #: workers that draw pages, each with a browser

log = logging.getLogger("pagelet.server")


@dataclass(eq=False)
class Member:
    """One worker process."""

    process: "subprocess.Popen[bytes]"
    pipe: Connection
    ready: bool = False
    done: int = 0

    @property
    def alive(self) -> bool:
        """Whether the process is there."""
        return self.process.poll() is None

    def ask(self, job: Job | Task, seconds: float) -> Reply | str:
        """Have a request done; TimeoutError, EOFError when it is not."""
        self.pipe.send(job)
        if not self.pipe.poll(seconds):
            raise TimeoutError
        self.done += 1
        told: Reply | str = self.pipe.recv()
        return told

    def wait(self) -> None:
        """Wait until it is ready."""
        if self.ready:
            return
        try:
            self.ready = self.pipe.poll(START_SECONDS) and self.pipe.recv() == READY
        except (EOFError, OSError):
            self.ready = False
        if not self.ready:
            self.kill()
            raise NoWorkers("the process ended, or took too long")

    def how(self) -> str:
        """How it ended, in words."""
        try:
            code = self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            return "no answer"
        return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"

    def kill(self) -> None:
        """End it at once, and wait until it is gone."""
        self.process.kill()
        self.process.wait()
        self.pipe.close()

    def stop(self) -> None:
        """Let it end by itself, for some seconds."""
        try:
            self.pipe.send(None)
            self.process.wait(STOP_SECONDS)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        self.pipe.close()


def started(desk: Desk) -> Member:
    """A new worker; it says by itself when it is ready."""
    ours, theirs = Pipe()
    process = subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "-c", START.format(theirs.fileno(), os.getpid())],
        pass_fds=(theirs.fileno(),),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        env=os.environ | ONE_THREAD | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        process_group=0,  # an interrupt typed at the service is not for it
    )
    theirs.close()
    ours.send(desk)
    return Member(process, ours)


@dataclass
class Crew:
    """Workers of one kind, and a thread for each that waits for it."""

    desk: Desk
    size: int
    idle: "SimpleQueue[Member | None]" = field(default_factory=SimpleQueue)

    def __post_init__(self) -> None:
        self.threads = ThreadPoolExecutor(self.size, f"pagelet-{'draw' * self.desk.draws}")
        for _ in range(self.size):
            self.idle.put(None)

    def start(self) -> None:
        """Start all workers, and wait until they are ready."""
        members = [self.idle.get() or started(self.desk) for _ in range(self.size)]
        for member in members:
            member.wait()
            self.idle.put(member)

    def work(self, job: Job | Task, deadline: float, seconds: float) -> Reply | str:
        """Have a request done by the next worker that is free; in a thread."""
        if monotonic() > deadline:
            raise Refusal(503, "Waited", "others came first for too long; try again later", 5)
        member, kept = self.idle.get(), False
        try:
            if member is None or not member.alive:
                member = started(self.desk)
            member.wait()
            told = member.ask(job, seconds + GRACE * self.desk.draws)
            kept = member.done < OLD
            return told
        except TimeoutError:
            raise refusal_of(OverTime(job.name, seconds)) from None
        except (EOFError, OSError) as error:
            how = member.how() if member is not None else str(error)
            log.warning("a worker ended with %s", how)
            raise refusal_of(WorkerCrashed(job.name, how)) from error
        finally:
            self.idle.put(member if kept else self._replaced(member))

    def _replaced(self, member: Member | None) -> Member | None:
        """A new worker for one that is of no more use; None when it is not needed at once."""
        if member is not None:
            member.kill()
        try:
            return None if self.desk.draws else started(self.desk)
        except OSError:  # tried again when there is something to do
            return None

    def close(self) -> None:
        """End the workers once what they were given is done; each by a thread that started some."""
        for ending in [self.threads.submit(self._end_one) for _ in range(self.size)]:
            ending.result()
        self.threads.shutdown(wait=True)

    def _end_one(self) -> None:
        if (member := self.idle.get()) is not None:
            member.stop()


class Pool:
    """Does requests in worker processes, so many at a time; others wait, but not too many."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.plain = Crew(Desk(settings), settings.processes)
        self.drawing = Crew(Desk(settings, draws=True), DRAWERS)
        self.inside = 0  #: requests that wait or are worked on
        self.held = 0  #: bytes of them
        self.most = settings.processes + settings.waiting
        self.closed = False

    async def start(self) -> None:
        """Start the workers; those that draw start when they are needed."""
        await asyncio.get_running_loop().run_in_executor(self.plain.threads, self.plain.start)

    async def close(self) -> None:
        """End the workers once what was accepted is done."""
        self.closed = True  # in the event loop, so nothing is given to a crew from here on
        loop = asyncio.get_running_loop()
        for crew in (self.plain, self.drawing):
            await loop.run_in_executor(None, crew.close)

    @contextmanager
    def place(self, size: int) -> Iterator[None]:
        """A place for a request of so many bytes among those that wait, if there is one."""
        if self.inside >= self.most or self.held + size > self.settings.held_bytes:
            raise self.busy()
        self.inside, self.held = self.inside + 1, self.held + size
        try:
            yield
        finally:
            self.inside, self.held = self.inside - 1, self.held - size

    def busy(self) -> Refusal:
        """What those are told for whom there is no place."""
        seconds = max(1, math.ceil(self.settings.waiting / self.settings.processes / 50))
        return Refusal(429, "Busy", "too many requests are waiting; try again later", seconds)

    async def done(self, job: Job | Task) -> Reply:
        """Have a request done."""
        deadline = monotonic() + self.settings.patience
        told = await self._by(self.plain, job, deadline)
        if told == ELSEWHERE:
            told = await self._by(self.drawing, job, deadline)
        assert isinstance(told, Reply)
        return told

    async def _by(self, crew: Crew, job: Job | Task, deadline: float) -> Reply | str:
        if self.closed:
            raise Refusal(503, "Stopping", "the service is being stopped; try again later", 5)
        loop, seconds = asyncio.get_running_loop(), self.settings.timeout
        return await loop.run_in_executor(crew.threads, crew.work, job, deadline, seconds)
