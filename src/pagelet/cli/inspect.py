"""`pagelet inspect`: everything at once, as one self-contained HTML report."""

from pathlib import Path
from typing import Annotated, Any

import typer

from pagelet.analyse import analyse
from pagelet.cli import arguments as shared
from pagelet.cli.noise import QueryOption
from pagelet.cli.output import console, write_file
from pagelet.measures.query import Query
from pagelet.methods import METHODS
from pagelet.report import report
from pagelet.sources import load
from pagelet.sources.http import Limits

Output = Annotated[
    Path, typer.Option("--output", "-o", help="Where to write the report; - for standard output.")
]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("inspect")(inspect)


def _wanted(name: str, *, site: bool, query: bool) -> bool:
    """Whether a method has something to tell with what is known."""
    method = METHODS[name]
    return (site or "site" not in method.needs) and (query or "query" not in method.uses)


def _all(name: str) -> dict[str, Any]:
    """The option with which a method tells of what it left out too."""
    return {"explain": True} if METHODS[name].has_option("explain") else {}


def inspect(  # noqa: PLR0913 - what a command line takes
    page: shared.PageArgument,
    *,
    output: Output = Path("report.html"),
    profile: shared.ProfileOption = "default",
    site: shared.SiteOption = None,
    site_pages: shared.SitePagesOption = 20,
    query: QueryOption = None,
    url: shared.UrlOption = None,
    max_bytes: shared.BytesOption = Limits().max_bytes,
    timeout: shared.TimeoutOption = Limits().timeout,
    allow_private: shared.AllowPrivateOption = None,
) -> None:
    """Everything at once: one HTML report with the page drawn and every pagelet coloured.

    Noise is looked for where a query is given.
    """
    limits = Limits(max_bytes=max_bytes, timeout=timeout)
    read = load(page, url=url, limits=limits, allow_private=tuple(allow_private or ()))
    others = shared.read_site(site, page, site_pages, limits)
    asked = Query.of(query or ())
    wanted = [name for name in METHODS if _wanted(name, site=bool(others), query=bool(asked))]
    found = [
        analyse(read, name, profile=profile, site=others, query=asked, **_all(name))
        for name in wanted
    ]
    found.sort(key=len)  # the few first
    text = report(read, found, folder=None if page == "-" or "://" in page else Path(page).parent)
    if str(output) == "-":
        print(text)
    else:
        write_file(output, text)
        console().print(f"report: {output}")
