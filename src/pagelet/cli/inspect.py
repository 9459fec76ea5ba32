"""`pagelet inspect`: everything at once, as one self-contained HTML report."""

from pathlib import Path
from typing import Annotated, Any

import typer

from pagelet.cli import options as shared
from pagelet.cli.noise import QueryOption
from pagelet.cli.options import with_parameters
from pagelet.cli.output import console, write_file
from pagelet.cli.rendering import read_rendering, render_options, render_parameters
from pagelet.cli.site import (
    CacheOption,
    Known,
    NoCacheOption,
    Said,
    SiteOption,
    SitePagesOption,
    TemplateOption,
    read_known,
)
from pagelet.methods import METHODS
from pagelet.methods.template import TemplateOptions, listed
from pagelet.page.query import Query
from pagelet.pagelets import Pagelets
from pagelet.report import report
from pagelet.sources.limits import Limits

Output = Annotated[
    Path, typer.Option("--output", "-o", help="Where to write the report; - for standard output.")
]


RenderOption = Annotated[
    bool,
    typer.Option(
        "--render", help="Draw the page in a browser: with its picture and visual segments."
    ),
]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("inspect")(with_parameters(inspect, render_parameters()))


def _wanted(name: str, known: Known, asked: Query) -> bool:
    """Whether a method has something to tell with what is known."""
    method = METHODS[name]
    there = {
        "page": True,
        "site": known.template is not None,
        "boxes": known.rendering is not None,
        "query": bool(asked),
    }
    return all(there[need] for need in method.needs) and (bool(asked) or "query" not in method.uses)


def _all(name: str) -> dict[str, Any]:
    """The option with which a method tells of what it left out too."""
    return {"explain": True} if METHODS[name].has_option("explain") else {}


def _found(name: str, known: Known, profile: str, asked: Query) -> Pagelets:
    """What one method says with all that is known."""
    if name == "template" and known.template is not None:
        return listed(known.template, TemplateOptions(explain=True), profile)
    return known.analysed(name, profile, query=asked, **_all(name))


def inspect(  # noqa: PLR0913 - what a command line takes
    page: shared.PageArgument,
    *,
    output: Output = Path("report.html"),
    render: RenderOption = False,
    profile: shared.ProfileOption = "default",
    site: SiteOption = None,
    site_pages: SitePagesOption = 20,
    template: TemplateOption = "",
    cache: CacheOption = None,
    no_cache: NoCacheOption = False,
    query: QueryOption = None,
    url: shared.UrlOption = None,
    max_bytes: shared.BytesOption = Limits().max_bytes,
    timeout: shared.TimeoutOption = Limits().timeout,
    allow_private: shared.AllowPrivateOption = None,
    **drawing: Any,
) -> None:
    """Everything at once: one HTML report with the page drawn and every pagelet coloured.

    Noise is looked for where a query is given, the template where something is known of the site,
    segments where the page is rendered.
    """
    limits = Limits(max_bytes=max_bytes, timeout=timeout)
    allowed = tuple(allow_private or ())
    said = Said(site=site, template=template, site_pages=site_pages, url=url, limits=limits,
                allow_private=allowed, cache=cache, no_cache=no_cache)  # fmt: skip
    options = render_options(drawing, picture=True, allow_private=allowed)
    rendering = read_rendering(page, options, limits, url=url) if render else None
    known = read_known(page, said, profile, rendering)
    asked = Query.of(query or ())
    wanted = [name for name in METHODS if _wanted(name, known, asked)]
    found = [_found(name, known, profile, asked) for name in wanted]
    found.sort(key=len)  # the few first
    text = report(
        rendering or known.page,
        found,
        folder=None if page == "-" or "://" in page else Path(page).parent,
    )
    if str(output) == "-":
        print(text)
    else:
        write_file(output, text)
        console().print(f"report: {output}")
