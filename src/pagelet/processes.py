"""Worker processes that can be ended; bulk runs and the HTTP service do their work in them.

A worker is a new Python process at the other end of a pipe. It receives a handler, prepares it,
reports that it is ready, and then handles one job after another until the pipe is closed or it is
sent None. On Linux a worker ends with the thread that started it.
"""

import ctypes
import gc
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe
from queue import SimpleQueue
from time import monotonic
from typing import Any, Protocol

from pagelet.errors import NoWorkers, OverTime, WorkerCrashed

PROGRAM = "from pagelet.processes import main; main({0}, {1})"  #: pipe and parent are filled in
READY = "ready"  #: first message of a worker; any other text is a traceback
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
START_SECONDS = 120.0  #: time within which a worker must be ready
STOP_SECONDS = 5.0  #: time within which an idle worker must end by itself
MAX_JOBS = 5_000  #: jobs after which a pool replaces a worker, since its memory is fragmented
DEATH_SIGNAL = 1  #: PR_SET_PDEATHSIG


class JobHandler(Protocol):
    """Handles jobs in a worker process; it is pickled on its way there."""

    def prepare(self) -> None:
        """Load what all jobs need, and limit what a job may use."""

    def handle(self, job: Any, send: Callable[[Any], None]) -> None:
        """Do a job, and send its results to the parent."""

    def close(self) -> None:
        """Release what was opened for the jobs."""


# -- in the parent ----------------------------------------------------------------------------


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

    def call(self, job: Any, seconds: float) -> Any:
        """Have a job done that sends one result; TimeoutError, EOFError or OSError if it fails."""
        self.pipe.send(job)
        if not self.pipe.poll(seconds):
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
        self.idle: SimpleQueue[Worker | None] = SimpleQueue()  #: None is started when needed
        for _ in range(size):
            self.idle.put(None)

    def start(self) -> None:
        """Start all workers, and wait until they are ready; in a thread of the pool."""
        workers = [self.idle.get() or Worker(self.handler) for _ in range(self.size)]
        for worker in workers:
            worker.wait_until_ready()
            self.idle.put(worker)

    def run(self, job: Any, name: str, seconds: float) -> Any:
        """Have a job done by the next free worker; in a thread of the pool."""
        worker, reusable = self.idle.get(), False
        try:
            if worker is None or not worker.alive:
                worker = Worker(self.handler)
            worker.wait_until_ready()
            result = worker.call(job, seconds + self.grace_seconds)
            reusable = worker.jobs < MAX_JOBS
            return result
        except TimeoutError:
            raise OverTime(name, seconds) from None
        except (EOFError, OSError) as error:
            how = worker.exit_description() if worker is not None else str(error)
            raise WorkerCrashed(name, how) from error
        finally:
            self.idle.put(worker if reusable else self._replace(worker))

    def _replace(self, worker: Worker | None) -> Worker | None:
        """End a worker that is of no more use, and start another if the pool is not lazy."""
        if worker is not None:
            worker.kill()
            worker.close()
        try:
            return None if self.lazy else Worker(self.handler)
        except NoWorkers:  # tried again for the next job
            return None

    def close(self) -> None:
        """End the workers once the jobs they were given are done."""
        for ending in [self.threads.submit(self._end_one) for _ in range(self.size)]:
            ending.result()
        self.threads.shutdown(wait=True)

    def _end_one(self) -> None:
        if (worker := self.idle.get()) is not None:
            stop_workers([worker])


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
