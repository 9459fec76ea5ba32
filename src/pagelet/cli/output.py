"""Results and progress on a terminal or in a pipe.

A page may hold control characters. On a terminal, and in lines for people, they are escaped; in
files and pipes the text stays as it is. No other module of the command line prints.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
    if sys.stdout.isatty():
        raise OptionError("format", "parquet", "no text; redirect it to a file with > FILE")
    sys.stdout.buffer.write(data)


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


def print_listing(text: str) -> None:
    """Print a listing; on a terminal, kinds stand out and paths stand back."""
    if not sys.stdout.isatty():
        print(text)
        return
    from rich.highlighter import RegexHighlighter  # noqa: PLC0415 - as above
    from rich.theme import Theme  # noqa: PLC0415

    class ListingHighlighter(RegexHighlighter):
        base_style = "listing."
        highlights = (r"(?m)^(?P<kind>[a-z]+) +[\d.]+  (?P<place>\S+)", r"  (?P<address>\S+)$")

    theme = {"listing.kind": "bold", "listing.place": "dim", "listing.address": "dim"}
    out = console()
    with out.use_theme(Theme(theme)):
        out.print(ListingHighlighter()(escape_controls(text)))


Reporters = tuple[Callable[[str], None], Callable[[str, int, int], None]]


@contextmanager
def progress() -> Iterator[Reporters]:
    """Two functions for long work: one prints a line, one moves the bar of a task."""
    from rich.markup import escape  # noqa: PLC0415 - as above
    from rich.progress import Progress  # noqa: PLC0415

    out = console(error=True)
    with Progress(console=out, transient=True, disable=not out.is_terminal) as bars:
        tasks: dict[str, TaskID] = {}

        def say(line: str) -> None:
            bars.console.print(f"[dim]{escape(line)}[/dim]")

        def advance(task: str, done: int, total: int) -> None:
            if task not in tasks:
                tasks[task] = bars.add_task(escape_controls(task))
            bars.update(tasks[task], completed=done, total=total)

        yield say, advance
