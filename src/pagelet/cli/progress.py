"""How far long work is, on standard error: lines, and a bar where it is a terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.markup import escape
from rich.progress import Progress, TaskID

from pagelet.cli.output import console

Told = tuple[Callable[[str], None], Callable[[str, int, int], None]]


@contextmanager
def progress() -> Iterator[Told]:
    """Two functions: one prints a line, one moves the bar of what is being done."""
    with Progress(console=console(error=True), transient=True) as bars:
        tasks: dict[str, TaskID] = {}

        def say(line: str) -> None:
            bars.console.print(f"[dim]{escape(line)}[/dim]")

        def each(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(what)
            bars.update(tasks[what], completed=done, total=total)

        yield say, each
