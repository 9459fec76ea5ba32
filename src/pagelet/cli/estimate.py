"""`pagelet estimate`: what a large crawl would cost, from what a sample does here and now."""

import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from pagelet.cli.bulk import (
    HELP,
    PANEL,
    Address,
    Columns,
    EngineName,
    chosen_engine,
    column_names,
    usable_cores,
)
from pagelet.cli.inputs import FormatOption
from pagelet.cli.options import Parameter, changed, flag_parameters, with_parameters
from pagelet.cli.output import console, print_result
from pagelet.wording import count_of

if TYPE_CHECKING:
    from pagelet.bulk.estimate import Costs, Estimate, Ratio

MIN_CHUNKS = 8  #: chunks below which their spread says little
BUSY = 1.5  #: load a core from which on processes are in each other's way
UNITS = ("B", "kB", "MB", "GB", "TB", "PB", "EB")

Sample = Annotated[
    list[str], typer.Argument(metavar="INPUT…", help="A sample of the crawl; as for pagelet bulk.")
]
Pages = Annotated[
    float, typer.Option("--pages", min=1, help="Pages of the crawl.", show_default="3,000,000,000")
]
Files = Annotated[
    float, typer.Option("--files", min=1, help="Files that hold them.", show_default="90,000")
]
Cores = Annotated[int, typer.Option("--cores", min=1, help="Cores that would process them.")]
FileRows = Annotated[
    int, typer.Option("--file-rows", min=1, help="Maximum rows per file of the table.")
]
Most = Annotated[int, typer.Option("--most", min=1, help="Maximum pages of the sample to process.")]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        min=1,
        help="Worker processes; default: one per core. With --engine ray: tasks at a time.",
    ),
]

EXAMPLES = "pagelet estimate sample.warc.gz"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    from pagelet.bulk.options import BulkOptions  # noqa: PLC0415 - beside its parameters

    extra: list[Parameter] = flag_parameters(BulkOptions, PANEL, HELP)
    app.command("estimate", epilog=EXAMPLES)(with_parameters(run, extra))


def run(  # noqa: PLR0913 - what a command line takes
    inputs: Sample,
    *,
    pages: Pages = 3e9,
    files: Files = 90_000,
    cores: Cores = 512,
    most: Most = 5_000,
    format: FormatOption = "text",
    engine: EngineName = "local",
    address: Address = None,
    jobs: Jobs = None,
    columns: Columns = None,
    file_rows: FileRows = 50_000,
    **options: Any,
) -> None:
    """Process a sample, and estimate what a large crawl of such pages would cost.

    Nothing is kept. With --templates there are two passes, as there would be; the folder named
    there is not touched.
    """
    from pagelet.bulk.estimate import Crawl, estimate, measure_passes  # noqa: PLC0415 - only here
    from pagelet.bulk.inputs import make_plan  # noqa: PLC0415
    from pagelet.bulk.options import BulkOptions  # noqa: PLC0415

    crawl = Crawl(pages=pages, files=files, cores=cores, file_rows=file_rows)
    named = {"columns": list(column_names(columns))} if columns is not None else {}
    chosen = changed(BulkOptions(), options | named)
    plan = make_plan(inputs)
    with chosen_engine(engine, address, jobs) as runs, tempfile.TemporaryDirectory() as out:
        costs = measure_passes(plan, chosen, runs, Path(out), most)
    figures = estimate(costs, crawl)
    if format == "json":
        print_result(json.dumps(as_json(costs, figures)))
        return
    for line in (*_sample(costs), *_figures(figures), *_assumed(figures)):
        console().print(escape(line), highlight=False, soft_wrap=True)


# -- in words -----------------------------------------------------------------------------------


def _sample(costs: "Sequence[Costs]") -> Iterator[str]:
    """What was measured."""
    last = costs[-1]
    count, chunks = int(last.pages.sum()), len(last.pages)
    seconds = sum(each.seconds for each in costs)
    yield (
        f"sample: {count_of(count, 'page')} in {count_of(chunks, 'chunk')};"
        f" inputs: {last.inputs:,},"
        f" passes: {len(costs)}, seconds: {seconds:,.1f}, error rows: {last.errors:,},"
        f" records skipped: {last.skips:,}"
    )
    if chunks < MIN_CHUNKS:
        sample = count_of(chunks, "chunk")
        yield f"warning: sample too small for an error estimate ({sample}); give more pages"
    load, cores = os.getloadavg()[0], usable_cores()
    if load > BUSY * cores:
        yield (
            f"warning: this machine is busy, with a load of {load:.1f} on"
            f" {count_of(cores, 'core')}; times are too long"
        )


def _figures(figures: "Estimate") -> Iterator[str]:
    """A page of the sample, and the crawl."""
    crawl = figures.crawl
    yield _row("", "per page", f"{crawl.pages:,.0f} pages")
    sizes = {
        "HTML": figures.html,
        "read from the store": figures.read,
        "digests sent to the writer": figures.digests,
        "rows sent to the writer": figures.made,
        "table": figures.table,
    }
    for name, each in sizes.items():
        if not each.value:  # without a first pass there are no digests
            continue
        yield _row(name, f"{size(each.value)} {_off(each)}", size(each.value * crawl.pages))
    for name, each in (("workers", figures.cpu), ("  of which reading", figures.reading)):
        yield _row(name, f"{each.value * 1000:.3g} ms {_off(each)}", _hours(each.value, figures))
    yield _row("writer", f"{figures.writing * 1000:.3g} ms", _hours(figures.writing, figures))
    yield _row("memory", f"{size(figures.memory)} per worker", size(figures.memory * crawl.cores))


def _row(name: str, one: str, whole: str) -> str:
    return f"{name:<28}{one:<22}{whole}"


def _off(each: "Ratio") -> str:
    """How far a ratio may be off."""
    share = each.off / each.value if each.value else 0.0
    return f"± {share:.0%}" if isfinite(share) else "± unknown"


def _hours(seconds: float, figures: "Estimate") -> str:
    return f"{rounded(seconds * figures.crawl.pages / 3600)} core-hours"


def _assumed(figures: "Estimate") -> Iterator[str]:
    """What follows, and what was taken for granted."""
    crawl, hours = figures.crawl, figures.hours
    low, high = max(hours.value - hours.off, 0.0), hours.value + hours.off
    between = f", {rounded(low)} to {rounded(high)}" if isfinite(high) else ""
    yield (
        f"time: {rounded(hours.value)} hours on {count_of(crawl.cores, 'core')}"
        f"{between};"
        f" {rounded(1 / figures.cpu.value)} pages/s per core,"
        f" {size(figures.rate)}/s read from the store"
    )
    yield (
        f"runs: {count_of(figures.runs, 'parallel run')} needed: one writer process at 50 % load"
        f" keeps up with {count_of(figures.kept_busy, 'worker')}"
    )
    yield (
        f"files: {figures.parts:,} of the table,"
        f" {size(figures.table.value * crawl.file_rows)} each;"
        f" {size(figures.manifest)} of manifests"
    )
    yield (
        f"slowest: a file that cannot be split takes one core {figures.whole_file:,.0f} seconds;"
        f" {crawl.files:,.0f} files"
    )
    yield "assumed: pages like the sample's, cores like this machine's, none idle, none lost;"
    yield "the store is fast enough. ± is chance alone: 95 of 100 samples like this one"


def size(amount: float) -> str:
    """Bytes in words."""
    for unit in UNITS[:-1]:
        if amount < 999.5:
            return f"{amount:.3g} {unit}"
        amount /= 1000
    return f"{amount:,.3g} {UNITS[-1]}"


def rounded(amount: float) -> str:
    """A number with three digits that count."""
    if not isfinite(amount):
        return "?"
    return f"{float(f'{amount:.3g}'):,.15g}"


# -- as JSON ------------------------------------------------------------------------------------


def as_json(costs: "Sequence[Costs]", figures: "Estimate") -> dict[str, Any]:
    """The figures by name; of a ratio, its value and how far it may be off."""
    last = costs[-1]
    follows = ("runs", "kept_busy", "parts", "manifest", "rate", "whole_file")
    return {
        "sample": {
            "pages": int(last.pages.sum()),
            "chunks": len(last.pages),
            "passes": len(costs),
            "seconds": sum(each.seconds for each in costs),
            "errors": last.errors,
            "skips": last.skips,
        },
        **{name: _plain(value) for name, value in asdict(figures).items()},
        "core_hours": _plain(asdict(figures.core_hours)),
        "hours": _plain(asdict(figures.hours)),
        **{name: getattr(figures, name) for name in follows},
    }


def _plain(value: Any) -> Any:
    """The same without what JSON cannot say."""
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    return None if isinstance(value, float) and not isfinite(value) else value
