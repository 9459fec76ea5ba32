"""`pagelet inspect`: everything at once, as one self-contained HTML report."""

from pathlib import Path
from typing import Annotated, Any

import typer

from pagelet.analyse import analyse
from pagelet.cli import arguments as shared
from pagelet.cli.output import console, write_file
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
    url: shared.UrlOption = None,
    max_bytes: shared.BytesOption = Limits().max_bytes,
    timeout: shared.TimeoutOption = Limits().timeout,
    allow_private: shared.AllowPrivateOption = None,
) -> None:
    """Everything at once: one HTML report with the page drawn and every pagelet coloured."""
    limits = Limits(max_bytes=max_bytes, timeout=timeout)
    read = load(page, url=url, limits=limits, allow_private=tuple(allow_private or ()))
    others = shared.read_site(site, page, site_pages, limits)
    found = [analyse(read, name, profile=profile, site=others, **_all(name)) for name in METHODS]
    found.sort(key=len)  # the few first
    text = report(read, found, folder=None if page == "-" or "://" in page else Path(page).parent)
    if str(output) == "-":
        print(text)
    else:
        write_file(output, text)
        console().print(f"report: {output}")
