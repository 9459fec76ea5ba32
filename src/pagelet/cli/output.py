"""Results and progress on a terminal or in a pipe.

A page may hold control characters. On a terminal, and in lines for people, they are escaped; in
files and pipes the text stays as it is. No other module of the command line prints.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pagelet.errors import OptionError
from pagelet.terminal import escape_controls
from pagelet.wording import NO_FOLDER, describe_os_error

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import TaskID


def console(*, error: bool = False) -> "Console":
    """A console that colours and escapes on a terminal, and stays plain in a pipe."""
    from rich.console import Console  # noqa: PLC0415 - most results need no console
    from rich.text import Text  # noqa: PLC0415

    class EscapingConsole(Console):
        def render_str(self, text: str, **styles: Any) -> Text:
            """Every string that is printed, in tables too."""
            shown = escape_controls(text) if error or self.is_terminal else text
            return super().render_str(shown, **styles)

    return EscapingConsole(stderr=error, highlight=False, soft_wrap=True, emoji=False)


def print_result(text: str) -> None:
    """Print a result on standard output."""
    print(escape_controls(text) if sys.stdout.isatty() else text)


def print_bytes(data: bytes) -> None:
    """Write a result that is no text on standard output, unless that is a terminal."""
    refuse_terminal()
    sys.stdout.buffer.write(data)


def refuse_terminal() -> None:
    """Refuse to print a result that is no text on a terminal."""
    if sys.stdout.isatty():
        raise OptionError("format", "parquet", "no text; write it to a file with -o FILE")


def report(line: str) -> None:
    """Print a line for people on standard error."""
    print(escape_controls(line), file=sys.stderr)


def write_file(path: Path, text: str) -> None:
    """Write a file that a user named."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes, *, make_folder: bool = False) -> None:
    """Write a file that a user named, or one in a folder that is made for it."""
    try:
        if make_folder:
            path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise OptionError("output", str(path), describe_os_error(error, NO_FOLDER)) from error


Advance = Callable[[str, int, int], None]  #: takes a task, the units done, and their total or 0
Reporters = tuple[Callable[[str], None], Advance]
LINES_VARIABLE = "PAGELET_PROGRESS"  #: of the environment; `lines` for programs that read them
LINES = 20  #: lines per task at most, for programs
_REPORTERS: ContextVar[Reporters | None] = ContextVar("reporters", default=None)


@contextmanager
def progress(out: "Console | None" = None) -> Iterator[Reporters]:
    """Two functions for long work: one prints a line, one moves the bar of a task.

    Bars show what is done, of how much, and the time that is left; only a terminal has them.
    Programs that start a command can have lines instead. `out` is a console for standard error.
    Work within other work shows its bars with those of the other.
    """
    if outer := _REPORTERS.get():
        yield outer
        return
    from rich.markup import escape  # noqa: PLC0415 - as above

    shown = out or console(error=True)

    def say(line: str) -> None:
        shown.print(f"[dim]{escape(line)}[/dim]")

    with _bars(shown) if shown.is_terminal else nullcontext(_lines(say)) as advance:
        token = _REPORTERS.set((say, advance))
        try:
            yield say, advance
        finally:
            _REPORTERS.reset(token)


@contextmanager
def _bars(out: "Console") -> Iterator[Advance]:
    """A bar for each task that is not done, below all lines that are printed meanwhile."""
    from rich import progress as rich_progress  # noqa: PLC0415 - as above

    columns = (
        rich_progress.TextColumn("{task.description}", markup=False),
        rich_progress.BarColumn(),
        rich_progress.MofNCompleteColumn(),
        rich_progress.TimeRemainingColumn(compact=True, elapsed_when_finished=True),
    )
    with rich_progress.Progress(*columns, console=out, transient=True) as bars:
        tasks: dict[str, TaskID] = {}

        def advance(task: str, done: int, total: int) -> None:
            if task not in tasks:
                for each in bars.tasks:
                    bars.update(each.id, visible=not each.finished)
                tasks[task] = bars.add_task(escape_controls(task), total=total or None)
            bars.update(tasks[task], completed=done, total=total or None)

        yield advance


def _lines(say: Callable[[str], None]) -> Advance:
    """A line whenever another part of a task is done, where a program wants lines."""
    wanted = os.environ.get(LINES_VARIABLE) == "lines"
    last: dict[str, int] = {}

    def advance(task: str, done: int, total: int) -> None:
        part = LINES * done // total if total else done
        if wanted and last.get(task) != part:
            last[task] = part
            say(f"{task}: {done:,} of {total:,}" if total else f"{task}: {done:,}")

    return advance
