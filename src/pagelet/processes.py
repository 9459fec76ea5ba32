"""Worker processes that can be ended; bulk runs and the HTTP service do their work in them.

A worker is a new Python process at the other end of a pipe. It receives a handler, prepares it,
reports that it is ready, and then handles one job after another until the pipe is closed or it is
sent None. On Linux a worker ends with the thread that started it.
"""

import ctypes
import gc
import os
import signal
import socket
import struct
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from multiprocessing.connection import Connection, Pipe
from threading import Lock
from time import monotonic
from typing import Any, Protocol

from pagelet.errors import NoWorkers, OverTime, WorkerCrashed

PROGRAM = "from pagelet.processes import main; main({0}, {1})"  #: pipe and parent are filled in
READY = "ready"  #: first message of a worker; any other text is a traceback
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
#: A page on which workers do their work once before they are ready.
WARM_PAGE = "<title>a</title><ul><li><a href=/>b</a><li><a href=/c>c</a></ul><p>words of a page"
START_SECONDS = 120.0  #: time within which a worker must be ready
STOP_SECONDS = 5.0  #: time within which an idle worker must end by itself
MAX_JOBS = 5_000  #: jobs after which a pool replaces a worker, since its memory is fragmented
SEND_SECONDS = 10  #: time without progress after which a worker that is sent a job is given up
CHECK_SECONDS = 0.1  #: time between two looks at whether a job is still wanted
DEATH_SIGNAL = 1  #: PR_SET_PDEATHSIG


Spent = Callable[[Any], bool]


class JobHandler(Protocol):
    """Handles jobs in a worker process; it is pickled on its way there."""

    def prepare(self) -> None:
        """Load what all jobs need, and limit what a job may use."""

    def handle(self, job: Any, send: Callable[[Any], None]) -> None:
        """Do a job, and send its results to the parent."""

    def close(self) -> None:
        """Release what was opened for the jobs."""


# -- in the parent ----------------------------------------------------------------------------


@dataclass(slots=True)
class JobLimit:
    """How long a job may take; it can be shortened while the job runs."""

    seconds: float
    grace_seconds: float = 0.0  #: time beyond the limit in which the job may fail by itself
    end: float = inf  #: when the job is ended, by the monotonic clock
    cancelled_end: float = inf  #: the same for a job that nobody waits for any more

    def start(self) -> None:
        """Begin to count."""
        self.end = monotonic() + self.seconds + self.grace_seconds

    def cancel(self, seconds: float = 0.0) -> None:
        """Nobody waits for the job any more; it has so many seconds left, if it has begun."""
        self.cancelled_end = monotonic() + seconds

    @property
    def cancelled(self) -> bool:
        """Whether nobody waits for the job any more."""
        return self.cancelled_end < inf

    @property
    def remaining(self) -> float:
        """Seconds that are left."""
        return min(self.end, self.cancelled_end) - monotonic()


class JobCancelled(Exception):
    """A job was cancelled before it was done."""


class Worker:
    """A worker process, as its parent sees it."""

    def __init__(
        self, handler: JobHandler, *, files: Sequence[int] = (), quiet: bool = False
    ) -> None:
        """Start the process, which inherits `files`; if `quiet`, its error output is dropped."""
        self.ready = False
        self.jobs = 0  #: jobs done so far
        self.pipe, remote = Pipe()
        with remote:
            try:
                self.process = _start_process(remote.fileno(), files, quiet=quiet)
            except OSError as error:
                self.close()
                raise NoWorkers(str(error)) from error
        try:
            self.pipe.send(handler)
        except OSError as error:
            self.kill()
            self.close()
            raise NoWorkers(str(error)) from error

    @property
    def alive(self) -> bool:
        """Whether the process is running."""
        return self.process.poll() is None

    @property
    def idle(self) -> bool:
        """Whether the process waits for a job."""
        return self.ready

    def confirm_start(self, message: str) -> None:
        """Note the first message of the process; NoWorkers if it is not ready."""
        if message != READY:
            raise NoWorkers(message.strip().splitlines()[-1])
        self.ready = True

    def wait_until_ready(self) -> None:
        """Wait for the first message; a process that does not start is killed."""
        if self.ready:
            return
        try:
            started = self.pipe.poll(START_SECONDS)
            self.confirm_start(self.pipe.recv() if started else "the process took too long")
        except (EOFError, OSError):
            raise NoWorkers(f"the process ended with {self.exit_description()}") from None
        finally:
            if not self.ready:
                self.kill()

    def call(self, job: Any, limit: JobLimit) -> Any:
        """Have a job done that sends one result; TimeoutError, EOFError or OSError if it fails."""
        limit.start()
        limit_sending(self.pipe, SEND_SECONDS)
        self.pipe.send(job)
        while not self.pipe.poll(max(min(limit.remaining, CHECK_SECONDS), 0)):
            if limit.remaining <= 0:
                raise TimeoutError
        self.jobs += 1
        return self.pipe.recv()

    def kill(self) -> None:
        """End the process at once, and wait until it is gone."""
        self.process.kill()
        self.process.wait()

    def reap(self, seconds: float = STOP_SECONDS) -> None:
        """Wait for a process that is ending; kill it if it does not."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()

    def close(self) -> None:
        """Close the files that are shared with the process."""
        self.pipe.close()

    def exit_description(self) -> str:
        """How the process ended: a signal or an exit code."""
        try:
            code = self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            return "no answer"
        return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"


def limit_sending(pipe: Connection, seconds: int) -> None:
    """Raise OSError when the other process takes nothing for so long, instead of waiting."""
    with socket.socket(fileno=os.dup(pipe.fileno())) as end:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", seconds, 0))


def _start_process(pipe: int, files: Sequence[int], *, quiet: bool) -> "subprocess.Popen[bytes]":
    paths = dict.fromkeys(path or os.getcwd() for path in sys.path)
    return subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "-c", PROGRAM.format(pipe, os.getpid())],
        pass_fds=(pipe, *files),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL if quiet else None,
        env=os.environ | ONE_THREAD | {"PYTHONPATH": os.pathsep.join(paths)},
        process_group=0,  # an interrupt typed at the terminal is for the parent alone
    )


def stop_workers(workers: Iterable[Worker]) -> None:
    """End workers: idle ones by themselves, the others at once."""
    ending = list(workers)
    for worker in ending:
        try:
            if worker.idle:
                worker.pipe.send(None)
            else:
                worker.process.kill()
        except OSError:
            worker.process.kill()
    deadline = monotonic() + STOP_SECONDS
    for worker in ending:
        worker.reap(max(deadline - monotonic(), 0.01))
        worker.close()


class WorkerPool:
    """Workers of one kind, and a thread for each that starts it and waits for it."""

    def __init__(
        self, handler: JobHandler, size: int, *, lazy: bool = False, grace_seconds: float = 0.0
    ) -> None:
        """Workers start when `lazy` ones are needed; a job may fail by itself in its grace time."""
        self.handler, self.size, self.lazy = handler, size, lazy
        self.grace_seconds = grace_seconds
        self.threads = ThreadPoolExecutor(size, "pagelet-worker")
        self.idle: list[Worker] = []
        self.started = 0  #: workers that are idle or have a job
        self.closed = False
        self._lock = Lock()

    def start(self) -> None:
        """Start all workers, and wait until they are ready; in a thread of the pool."""
        workers = [self._start_worker() for _ in range(self.size)]
        for worker in workers:
            worker.wait_until_ready()
            self._give_back(worker, reusable=True)

    def _start_worker(self) -> Worker:
        worker = Worker(self.handler)
        with self._lock:
            self.started += 1
        return worker

    def limit(self, seconds: float) -> JobLimit:
        """The limit of a job of this pool."""
        return JobLimit(seconds, self.grace_seconds)

    def run(self, job: Any, name: str, limit: JobLimit, *, spent: Spent = lambda _: False) -> Any:
        """Have a job done by a free worker; in a thread of the pool.

        `spent` tells from the result whether the worker has to be replaced. JobCancelled if nobody
        waits for the result.
        """
        worker, reusable = self._take(), False
        try:
            if worker is None:
                worker = self._start_worker()
            worker.wait_until_ready()
            if limit.cancelled:
                reusable = True
                raise JobCancelled
            result = worker.call(job, limit)
            reusable = worker.jobs < MAX_JOBS and not spent(result)
            return result
        except TimeoutError:
            if limit.cancelled:
                raise JobCancelled from None
            raise OverTime(name, limit.seconds) from None
        except (EOFError, OSError) as error:
            how = worker.exit_description() if worker is not None else str(error)
            raise WorkerCrashed(name, how) from error
        finally:
            self._give_back(worker, reusable=reusable)

    def _take(self) -> Worker | None:
        """A worker that is idle; None if one has to be started."""
        while True:
            with self._lock:
                worker = self.idle.pop() if self.idle else None
            if worker is None or worker.alive:
                return worker
            self._give_back(worker, reusable=False)

    def _give_back(self, worker: Worker | None, *, reusable: bool) -> None:
        if worker is None:
            return
        with self._lock:
            kept = reusable and not self.closed
            if kept:
                self.idle.append(worker)
            else:
                self.started -= 1
        if reusable and not kept:
            stop_workers([worker])
        elif not kept:
            worker.kill()
            worker.close()

    @property
    def complete(self) -> bool:
        """Whether no worker has to be started in place of one that was ended."""
        return self.lazy or self.closed or self.started >= self.size

    def refill(self) -> None:
        """Start a worker in place of one that was ended, and wait for it; in a thread of the pool.

        What fails is tried again for the next job.
        """
        with suppress(NoWorkers):
            worker = self._start_worker()
            try:
                worker.wait_until_ready()
            finally:
                self._give_back(worker, reusable=worker.ready)

    def close(self) -> None:
        """End the workers once the jobs they were given are done."""
        self.closed = True
        self.threads.submit(self._stop_idle).result()
        self.threads.shutdown(wait=True)

    def _stop_idle(self) -> None:
        with self._lock:
            ending, self.idle = self.idle, []
            self.started -= len(ending)
        stop_workers(ending)


# -- in the worker process --------------------------------------------------------------------


def main(pipe_file: int, parent: int) -> None:
    """Handle jobs that arrive at an inherited pipe."""
    for number in (signal.SIGINT, signal.SIGTERM):  # the parent decides when to stop
        signal.signal(number, _ignore_signal)
    end_with_parent(parent)
    with Connection(pipe_file) as pipe, suppress(EOFError, ConnectionError):
        handler = _prepare(pipe)
        if handler is None:
            return
        try:
            while (job := pipe.recv()) is not None:
                handler.handle(job, pipe.send)
        finally:
            handler.close()


def _ignore_signal(_number: int, _frame: object) -> None:
    """Do nothing; unlike SIG_IGN, this is not inherited by a browser."""


def _prepare(pipe: Connection) -> JobHandler | None:
    """Receive the handler and prepare it; None if that fails, which is reported."""
    try:
        handler: JobHandler = pipe.recv()
        handler.prepare()
        gc.collect()
        gc.freeze()  # what is loaded now stays; later collections need not look at it
    except Exception:  # noqa: BLE001 - the parent reports it
        pipe.send(traceback.format_exc())
        return None
    pipe.send(READY)
    return handler


def end_with_parent(parent: int) -> None:
    """Have the system end this process when its parent ends, where it can."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:  # the parent ended before that
        os._exit(1)


def limit_memory(megabytes: int) -> None:
    """Refuse this process more memory than it has now plus so many megabytes."""
    import resource  # noqa: PLC0415 - not everywhere

    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
    except OSError:  # not Linux, where the limit would have no effect
        return
    limit = now + megabytes * 1_000_000
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or limit < hard:
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
