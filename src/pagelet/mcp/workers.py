"""Calls of tools in worker processes: limited in time and memory, and ended when cancelled."""

import sys
import traceback
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from pagelet.errors import PageletError
from pagelet.mcp.tools import Permission, call
from pagelet.methods import METHODS
from pagelet.processes import JobLimit, WorkerPool, limit_memory

MISTAKE = "Mistake: internal error; standard error of the server has the details"


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """The answer of a tool; an error is an answer too."""

    text: str
    form: dict[str, Any] | None = None  #: the JSON form, where the answer has one
    error: bool = False
    spent: bool = False  #: whether the worker has run out of memory


@dataclass(frozen=True)
class ToolHandler:
    """Answers calls in a worker process, one after another."""

    allowed: Permission
    draws: bool = False  #: whether pages are rendered in this worker

    def prepare(self) -> None:
        """Limit memory; a browser reserves more than any limit."""
        if not self.draws:
            limit_memory(self.allowed.memory)

    def handle(self, job: tuple[str, dict[str, Any]], send: Callable[[Any], None]) -> None:
        """Send the answer to a call."""
        send(answer_call(*job, self.allowed))

    def close(self) -> None:
        """Nothing is kept between calls."""


def answer_call(name: str, arguments: dict[str, Any], allowed: Permission) -> ToolAnswer:
    """The answer of a tool; what goes wrong is answered in one line."""
    try:
        text, form = call(name, arguments, allowed)
    except PageletError as error:
        return ToolAnswer(describe_error(error), error=True)
    except MemoryError:
        why = f"WorkerCrashed: the page takes more than {allowed.memory:,} MB of memory"
        return ToolAnswer(f"{why}; start the server with more --memory", error=True, spent=True)
    except Exception:  # noqa: BLE001 - details are for the log, not for the client
        traceback.print_exc(file=sys.stderr)
        return ToolAnswer(MISTAKE, error=True)
    return ToolAnswer(text, form)


def describe_error(error: PageletError) -> str:
    """Name and message, in what UTF-8 can encode."""
    return f"{type(error).__name__}: {error}".encode("utf-8", "replace").decode()


class ToolWorkers:
    """One worker for most tools, and one with a browser; each starts with the first call."""

    def __init__(self, allowed: Permission) -> None:
        self.allowed = allowed
        self.plain = WorkerPool(ToolHandler(allowed), 1, lazy=True)
        self.drawing = WorkerPool(ToolHandler(allowed, draws=True), 1, lazy=True)

    def submit(self, name: str, arguments: dict[str, Any]) -> tuple["Future[ToolAnswer]", JobLimit]:
        """Begin a call; cancel its limit if the answer is not wanted any more."""
        pool = self.drawing if "boxes" in METHODS[name].needs else self.plain
        limit = pool.limit(self.allowed.call_timeout)
        return pool.threads.submit(_run, pool, name, arguments, limit), limit

    def close(self) -> None:
        """End the workers."""
        self.plain.close()
        self.drawing.close()


def _run(pool: WorkerPool, name: str, arguments: dict[str, Any], limit: JobLimit) -> ToolAnswer:
    try:
        answer: ToolAnswer = pool.run(
            (name, arguments), name, limit, spent=lambda result: result.spent
        )
    except PageletError as error:
        return ToolAnswer(describe_error(error), error=True)
    return answer
