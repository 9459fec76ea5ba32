"""`pagelet probe`: fill in a search form, send it politely, keep the result pages."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from pagelet.cli.loading import loading_parameters, open_loader
from pagelet.cli.options import Flag, Parameter, changed, flag_parameters, with_parameters
from pagelet.cli.output import console, print_result, progress
from pagelet.errors import NO_VALUE, BudgetSpent, OptionError
from pagelet.page.addresses import strip_credentials
from pagelet.page.table import Page
from pagelet.sources.forms.filling import FilledForm
from pagelet.sources.forms.probe import PageReaders, ProbeOptions, Submission, dry_run, probe
from pagelet.sources.forms.submissions import SUBMISSIONS
from pagelet.sources.http.loader import Loader
from pagelet.wording import count_of

MAX_QUERIES_SHOWN = 60  #: queries whose new records the summary lists
STOPPED = 130  #: what shells expect of a command that was stopped from the keyboard
FILLING = {
    "value": Flag("", "FIELD=TEXT"),
    "values": Flag("", "FILE"),
    "each": Flag("", "FIELD"),
    "form_name": Flag("", "NAME"),
}
Url = Annotated[str, typer.Argument(metavar="URL", help="The page with the search form.")]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="DIR", help="Where pages and submissions.jsonl go."),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Print the requests; load the form page, send no form.")
]

EXAMPLES = (
    "pagelet probe https://example.org/search -o results/ --value q=tomato\n"
    "pagelet probe https://example.org/search --dry-run --value q=tomato"
)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    extra: list[Parameter] = [
        *flag_parameters(ProbeOptions, "What to fill in, and when to stop", FILLING),
        *loading_parameters(budgets=True),
    ]
    app.command("probe", epilog=EXAMPLES)(with_parameters(run, extra))


def run(url: Url, *, output: Output = None, dry_run: DryRun = False, **options: Any) -> None:
    """Fill in a search form, send it politely, keep the result pages.

    The same command again goes on where it stopped. Forms with a password, file, payment or
    e-mail field, and forms that do not search, are sent only when named.
    """
    chosen = changed(ProbeOptions(), options)
    with open_loader(options) as loader:
        if dry_run:
            _write_requests(url, loader, chosen)
        elif output is None:
            raise OptionError("output", NO_VALUE, "give --output DIR, or --dry-run")
        else:
            _run(url, output, loader, chosen)


def _write_requests(url: str, loader: Loader, options: ProbeOptions) -> None:
    """Write what would be sent, and nothing else, to standard output."""
    for filled in dry_run(url, loader, options, PageReaders(find_paging, find_records)):
        print_result(_request(filled))
    if options.harvests:
        console(error=True).print("further words come from the result pages")


def _request(filled: FilledForm) -> str:
    request = filled.request
    line = f"{request.method} {request.url}"
    if request.body is None:
        return line
    return f"{line}\n  {request.content_type}\n  {request.body.decode('utf-8', 'replace').rstrip()}"


def _run(url: str, output: Path, loader: Loader, options: ProbeOptions) -> None:
    """Probe, report each submission on a terminal, and summarise at the end."""
    out = console(error=True)
    submissions: list[Submission] = []
    code = 0
    try:
        with progress(out) as (say, advance):
            requests = count_of(options.submissions, "request")
            say(f"probing {strip_credentials(url)}: {requests} at most, to {output}")
            for one in probe(url, output, loader, options, PageReaders(find_paging, find_records)):
                submissions.append(one)
                advance("requests", len(submissions), options.submissions)
                if out.is_terminal:
                    _report(out, one)
    except BudgetSpent as spent:
        out.print(escape(str(spent)))
    except KeyboardInterrupt:
        code = STOPPED
        out.print("stopped; run the same command again to continue")
    for line in summary(submissions):
        console().print(escape(line))
    console().print(f"submissions: {escape(str(output / SUBMISSIONS))}")
    if code:
        raise typer.Exit(code)


def find_paging(page: Page) -> frozenset[int]:
    """The rows of links that lead from page to page, by the role of their group."""
    from pagelet.methods.links import decide_links  # noqa: PLC0415 - most runs have one page
    from pagelet.methods.links.addresses import iterate_links  # noqa: PLC0415

    return frozenset(row for row, _ in iterate_links(decide_links(page), ["pagination"]))


def find_records(page: Page, values: Iterable[str]) -> list[str]:
    """The text of each record that noise removal leaves of a result page."""
    from pagelet.api import analyse  # noqa: PLC0415 - a probe of own values needs it late
    from pagelet.page.query import Query  # noqa: PLC0415

    records = analyse(page, "noise", query=Query.of(values)).extra["records"]
    return [" ".join(record["fields"].values()) for record in records]


def _report(say: Console, one: Submission) -> None:
    row = one.row
    what = " ".join(f"{name}={value}" for name, values in row["values"].items() for value in values)
    brought = row["error"] or f"{row.get('new_records', 0)} new of {row.get('records', 0)} records"
    colour = "red" if row["error"] else "dim" if one.kept else "green"
    again = f" (page of {row['page_of']})" if row["page_of"] else ""
    kept = " [dim]kept[/dim]" if one.kept else ""
    say.print(f"{row['number']:>5}  [{colour}]{escape(brought):<24}[/{colour}]  "
              f"{escape(what)}{again}{kept}")  # fmt: skip


def summary(submissions: Iterable[Submission]) -> list[str]:
    """What a run did, on a few lines."""
    rows = [one.row for one in submissions]
    kept = sum(one.kept for one in submissions)
    failed = [row for row in rows if row["error"]]
    requests = count_of(len(rows), "request")
    counts = [
        requests + (f", {kept} of them from earlier runs" if kept else ""),
        count_of(len(rows) - len(failed), "page"),
        count_of(sum(row["new"] for row in rows), "new text"),
        f"{sum(row['bytes'] for row in rows):,} bytes",
    ]
    names = sorted({row["error"] for row in failed})
    lines = [", ".join(counts), *coverage(rows)]
    for name in names:
        same = [row for row in failed if row["error"] == name]
        lines.append(f"{name}: {len(same)}, such as {same[0]['message']}")
    return lines


def coverage(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """New records of each query, its further pages included; nothing for a folder without."""
    new: dict[int, int] = {}
    for row in rows:
        first = row["page_of"] or row["number"]
        new[first] = new.get(first, 0) + row.get("new_records", 0)
    if not any(new.values()):
        return []
    shown = " ".join(map(str, list(new.values())[:MAX_QUERIES_SHOWN]))
    more = " …" if len(new) > MAX_QUERIES_SHOWN else ""
    found, total = sum(map(bool, new.values())), sum(new.values())
    return [f"{count_of(total, 'record')} by {found} of {len(new)} queries; new: {shown}{more}"]
