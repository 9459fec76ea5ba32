"""The worker processes of an engine: started, watched, ended."""

import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, Pipe
from time import monotonic

from pagelet.bulk.chunk import Work
from pagelet.bulk.worker import BOARD_BYTES, Board, Task
from pagelet.errors import NoWorkers
from pagelet.sources.warc.reader import Place

#: the program of a worker; what goes wrong before it begins is told too
START = """
try:
    from pagelet.bulk.worker import main
except Exception:
    import multiprocessing.connection, traceback
    multiprocessing.connection.Connection({0}).send(traceback.format_exc())
else:
    main({0}, {1}, {2})
"""
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
START_SECONDS = 120.0  #: in which a worker must be ready
PATIENCE = 2.0  #: seconds that workers are given to end by themselves


@dataclass(eq=False)
class Member:
    """One worker process, and what it is at."""

    process: "subprocess.Popen[bytes]"
    pipe: Connection
    board: Board
    ready: bool = False
    task: Task | None = None
    late: float | None = None  #: the time it may take, once it has taken longer
    note: int = -1  #: number of its last note
    since: float = field(default_factory=monotonic)  #: when that was seen first

    def give(self, task: Task) -> bool:
        """Hand a task over; False when the process is gone."""
        self.task, self.since = task, monotonic()
        try:
            self.pipe.send(task)
        except OSError:
            return False
        return True

    def where(self) -> tuple[Place, int]:
        """The place it is at, and the phase."""
        _, place, phase = self.board.read()
        return place, phase

    def stands(self) -> float:
        """Seconds since its note changed."""
        number, _, _ = self.board.read()
        if number != self.note:
            self.note, self.since = number, monotonic()
        return monotonic() - self.since

    def kill(self) -> None:
        """End it at once, and wait until it is gone."""
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        """Give its files back."""
        self.pipe.close()
        self.board.memory.close()

    def how(self) -> str:
        """How it ended, in words."""
        code = self.process.wait()
        return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"


def started(work: Work) -> Member:
    """A new worker; it says by itself when it is ready."""
    ours, theirs = Pipe()
    with tempfile.TemporaryFile() as file:
        file.truncate(BOARD_BYTES)
        command = START.format(theirs.fileno(), file.fileno(), os.getpid())
        process = subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, "-c", command],
            pass_fds=(theirs.fileno(), file.fileno()),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | ONE_THREAD | {"PYTHONPATH": _paths()},
        )
        member = Member(process, ours, Board(file.fileno()))
    theirs.close()
    try:
        ours.send(work)
    except OSError as error:
        member.kill()
        raise NoWorkers(str(error)) from error
    return member


def _paths() -> str:
    """Where this process finds packages, for a process that begins elsewhere."""
    return os.pathsep.join(dict.fromkeys(path or os.getcwd() for path in sys.path))


def ended(members: list[Member]) -> None:
    """End workers: those that wait by themselves, the others at once."""
    for member in members:
        try:
            if member.task is None and member.ready:
                member.pipe.send(None)
            else:
                member.process.kill()
        except OSError:
            member.process.kill()
    deadline = monotonic() + PATIENCE
    for member in members:
        reaped(member, max(deadline - monotonic(), 0.01))
        member.close()


def reaped(member: Member, seconds: float = PATIENCE) -> None:
    """Wait for a worker that is ending; end it if it does not."""
    try:
        member.process.wait(seconds)
    except subprocess.TimeoutExpired:
        member.kill()
