"""`pagelet bulk`: many pages in, a table out; archives, folders, lists, tables."""

import os
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from pagelet.cli.options import Flag, Parameter, changed, flag_parameters, with_parameters
from pagelet.cli.output import console
from pagelet.errors import OptionError
from pagelet.wording import count_of

if TYPE_CHECKING:
    from pagelet.bulk.engine import Engine
    from pagelet.bulk.run import Progress as RunProgress
    from pagelet.bulk.run import Summary

STOPPED = 130  #: what shells expect of a command that was stopped from the keyboard
MAX_WARNINGS = 10  #: inputs named twice that are listed
UNREAD = 3  #: some input could not be read, or is damaged
EVERY = 10.0  #: seconds between two lines where there is no terminal
PANEL = "Results and limits per page"

HELP = {
    "templates": Flag("", "DIR"),
    "allow_private": Flag("", "HOST:PORT"),
}

Inputs = Annotated[
    list[str],
    typer.Argument(
        metavar="INPUT…",
        help="WARC files, folders of HTML, lists as .txt, JSONL, Parquet; globs; fsspec addresses.",
    ),
]
Output = Annotated[
    Path, typer.Option("--output", "-o", metavar="DIR", help="The folder to write the table to.")
]
Format = Annotated[
    str,
    typer.Option(
        "--format",
        "-f",
        metavar="parquet|jsonl|jsonl.gz|jsonl.zst",
        help="Format of the output files.",
    ),
]
Columns = Annotated[
    str | None,
    typer.Option(
        "--columns", metavar="NAMES", help="Comma-separated columns; +NAME adds to the defaults."
    ),
]
Resume = Annotated[bool, typer.Option("--resume", help="Continue the run in the output folder.")]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        min=0,
        help="Worker processes; default: one per core; 0: work in this process."
        " With --engine ray: tasks at a time.",
    ),
]
EngineName = Annotated[
    Literal["local", "ray"],
    typer.Option(
        "--engine", metavar="local|ray", help="Processes of this machine, or tasks of a cluster."
    ),
]
Address = Annotated[
    str | None,
    typer.Option(
        "--address",
        metavar="HOST:PORT|auto",
        help="With --engine ray: connect to this cluster; otherwise start one locally.",
    ),
]
FileRows = Annotated[
    int, typer.Option("--file-rows", min=1, help="Maximum rows per file of the table.")
]
FileSeconds = Annotated[
    float, typer.Option("--file-seconds", min=0, help="Seconds after which a file is finished.")
]

Profile = Annotated[
    bool,
    typer.Option(
        "--profile", "--timings", help="Measure each stage, and print where the time went."
    ),
]

EXAMPLES = (
    "pagelet bulk crawl.warc.gz -o out/\npagelet bulk pages/ -o out/ --columns url,title,text"
)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    from pagelet.bulk.options import BulkOptions  # noqa: PLC0415 - beside its parameters

    extra: list[Parameter] = flag_parameters(BulkOptions, PANEL, HELP)
    app.command("bulk", epilog=EXAMPLES)(with_parameters(run, extra))


def run(  # noqa: PLR0913 - what a command line takes
    inputs: Inputs,
    *,
    output: Output,
    format: Format = "parquet",
    columns: Columns = None,
    engine: EngineName = "local",
    address: Address = None,
    jobs: Jobs = None,
    resume: Resume = False,
    file_rows: FileRows = 50_000,
    file_seconds: FileSeconds = 60.0,
    profile: Profile = False,
    **options: Any,
) -> None:
    """Read many pages and write a table with one row per page.

    A page that fails becomes a row with the error. Ctrl-C finishes what is in progress; a second
    one stops at once. The same command with --resume continues, also after a crash.
    """
    from pagelet.bulk.options import BulkOptions  # noqa: PLC0415 - other commands need none of it
    from pagelet.bulk.outputs import OutputOptions  # noqa: PLC0415
    from pagelet.bulk.run import bulk  # noqa: PLC0415

    named = {"columns": list(column_names(columns))} if columns is not None else {}
    chosen = changed(BulkOptions(), options | named)
    how = OutputOptions(format=format, rows=file_rows, seconds=file_seconds)  # type: ignore[arg-type]
    with (
        chosen_engine(engine, address, jobs) as runs,
        interrupts() as stop,
        shown(output) as on_progress,
    ):
        try:
            done = bulk(
                inputs,
                output,
                chosen,
                how=how,
                engine=runs,
                resume=resume,
                profile=profile,
                on_progress=on_progress,
                stop=stop,
            )
        except KeyboardInterrupt:
            console(error=True).print("stopped at once; --resume goes on from the last whole file")
            raise typer.Exit(STOPPED) from None
    _end(done, output)


@contextmanager
def chosen_engine(name: str, address: str | None, jobs: int | None) -> Iterator["Engine"]:
    """The chosen engine, ready before anything is written."""
    # other commands need none of it
    from pagelet.bulk.engine import InlineEngine, LocalEngine  # noqa: PLC0415
    from pagelet.bulk.ray_engine import RayEngine  # noqa: PLC0415

    if name == "ray":
        if jobs == 0:
            raise OptionError("jobs", jobs, "a cluster needs at least one; leave it out for all")
        with RayEngine(jobs, address).connected() as engine:
            yield engine
    elif address is not None:
        raise OptionError("address", address, "only a cluster has one; add --engine ray")
    else:
        yield InlineEngine() if jobs == 0 else LocalEngine(jobs or usable_cores())


def usable_cores() -> int:
    """Cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not Linux
        return os.cpu_count() or 1


def column_names(text: str) -> tuple[str, ...]:
    """The columns of a comma-separated list; + in front adds to the usual ones."""
    from pagelet.bulk.options import DEFAULT_COLUMNS  # noqa: PLC0415 - other commands need none of it

    more = text.startswith("+")
    names = tuple(name.strip() for name in text.removeprefix("+").split(",") if name.strip())
    if not names:
        raise OptionError("columns", text, "give names, such as id,url,text")
    return (*DEFAULT_COLUMNS, *names) if more else names


@contextmanager
def interrupts() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C was pressed; pressed twice, it is an exception."""
    presses = 0

    def count(_number: int, _frame: FrameType | None) -> None:
        nonlocal presses
        presses += 1
        if presses > 1:
            raise KeyboardInterrupt
        console(error=True).print("stopping; what is begun is finished. Again to end at once")

    before = signal.signal(signal.SIGINT, count)
    try:
        yield lambda: presses > 0
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def shown(output: Path) -> Iterator[Callable[["RunProgress"], None]]:
    """A bar on a terminal; else a line now and then."""
    say = console(error=True)
    if not say.is_terminal:
        yield _lines(lambda line: say.print(escape(line)))
        return
    parts = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    with Progress(*parts, TextColumn("{task.fields[state]}"), console=say, transient=True) as bars:
        task = bars.add_task(escape(str(output)), total=1.0, state="")
        yield lambda now: bars.update(task, completed=share(now), state=line(now))


def _lines(say: Callable[[str], None]) -> Callable[["RunProgress"], None]:
    last = monotonic()

    def report(now: "RunProgress") -> None:
        nonlocal last
        if monotonic() - last >= EVERY:
            last = monotonic()
            say(f"{share(now):.1%}, {line(now)}")

    return report


def share(now: "RunProgress") -> float:
    """How much of the inputs is done."""
    return min((now.done + now.resumed) / now.size, 1.0) if now.size else 0.0


def line(now: "RunProgress") -> str:
    """How far a run is, in words."""
    left = "" if now.left is None else f", {_clock(now.left)} left"
    return (
        f"{count_of(now.pages, 'page')}, {now.rate:,.0f}/s, {count_of(now.errors, 'error')}{left}"
    )


def _clock(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"


def _end(done: "Summary", output: Path) -> None:
    """Say what there is, and end as it went."""
    for text in warnings_of(done):
        console(error=True).print(escape(text))
    for text in (*summary(done, output), *(done.profile.list_lines() if done.profile else ())):
        console().print(escape(text))
    if done.stopped:
        console(error=True).print("stopped; the same command with --resume goes on from here")
        raise typer.Exit(STOPPED)
    if done.failed or done.damaged:
        raise typer.Exit(UNREAD)


def warnings_of(done: "Summary") -> list[str]:
    """Inputs that were named again; the first of them, if they are many."""
    shown, more = done.repeated[:MAX_WARNINGS], len(done.repeated) - MAX_WARNINGS
    lines = [f"warning: {name} is named twice, and read once" for name in shown]
    return [*lines, f"warning: so are {more:,} more"] if more > 0 else lines


def summary(done: "Summary", output: Path) -> list[str]:
    """What a run did, on a few lines."""
    rate = done.pages / max(done.seconds, 1e-9)
    wrong = sum(done.errors.values())
    lines = [
        f"{count_of(done.pages, 'page')} in {done.seconds:,.1f} seconds, {rate:,.1f} pages/s",
        f"{output / 'pages'}: {count_of(done.rows, 'row')}, {wrong:,} of them errors",
    ]
    if done.rows and not done.pages:
        lines[0] = "nothing left to do"
    if done.unsure:
        lines.append(f"without text: {count_of(done.unsure, 'row')} below --min-confidence")
    lines += _counts("error", done.errors)
    lines += _counts("skipped", done.skips)
    lines += [f"damaged: {name}: {_places(count)}" for name, count in done.damaged.items()]
    lines += [f"not read: {name}: {error}: {why}" for name, error, why in done.failed]
    return lines


def _places(count: int) -> str:
    return f"{count_of(count, 'place')}; all else in it was read"


def _counts(what: str, counts: Mapping[str, int]) -> list[str]:
    return [f"{what}: {name}: {count:,}" for name, count in counts.items()]
