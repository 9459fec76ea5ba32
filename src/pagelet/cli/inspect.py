"""`pagelet inspect`: everything at once, as one self-contained HTML report."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from pagelet.cli import inputs
from pagelet.cli.inputs import SiteArguments, open_site_context, warn_unknown
from pagelet.cli.loading import loader_for, loading_parameters
from pagelet.cli.options import changed, with_parameters
from pagelet.cli.output import console, print_result, write_file
from pagelet.cli.pages import name_pages
from pagelet.cli.rendering import read_rendering, render_options, render_parameters
from pagelet.context import Context
from pagelet.errors import OptionError
from pagelet.methods import list_profiles
from pagelet.methods.registry import Method
from pagelet.methods.template import TEMPLATE
from pagelet.page.query import Query
from pagelet.pagelets import Pagelets
from pagelet.report import report
from pagelet.sources.options import Limits
from pagelet.wording import must_be_one_of

Output = Annotated[
    Path, typer.Option("--output", "-o", help="Where to write the report; - for standard output.")
]


RenderOption = Annotated[
    bool,
    typer.Option(
        "--render", help="Render the page in a browser: with its picture and visual segments."
    ),
]

EXAMPLES = "pagelet inspect page.html\npagelet inspect https://example.org --render -o report.html"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("inspect", epilog=EXAMPLES)(
        with_parameters(inspect, [*loading_parameters(), *render_parameters()])
    )


def _run(context: Context, method: Method, profile: str) -> Pagelets:
    """The result of a method, with what it left out where it can report that."""
    changes = {"explain": True} if method.has_option("explain") else {}
    return context.run(method, method.with_options(method.profile_or_default(profile), changes))


def inspect(  # noqa: PLR0913 - what a command line takes
    page: inputs.PageArgument,
    *,
    output: Output = Path("report.html"),
    render: RenderOption = False,
    profile: inputs.ProfileOption = "default",
    site: inputs.SiteOption = None,
    site_pages: inputs.SitePagesOption = 20,
    template: inputs.TemplateOption = "",
    cache: inputs.CacheOption = None,
    no_cache: inputs.NoCacheOption = False,
    query: inputs.QueryOption = None,
    url: inputs.UrlOption = None,
    **arguments: Any,
) -> None:
    """Everything at once: one HTML report with the page drawn and every pagelet coloured.

    Noise needs a query, the template a site or a learned template, segments a rendering.
    """
    if profile not in list_profiles():
        raise OptionError("profile", profile, must_be_one_of(list_profiles()))
    named = {"site": site, "template": template, "site_pages": site_pages, "url": url,
             "cache": cache, "no_cache": no_cache}  # fmt: skip
    allowed = tuple(arguments["allow_private"] or ())
    options = render_options(arguments, picture=True, allow_private=allowed)
    limits = changed(Limits(), arguments)
    rendering = read_rendering(page, options, limits, url=url) if render else None
    read = rendering.page if rendering else None
    chosen = TEMPLATE.profile(TEMPLATE.profile_or_default(profile)).options
    with (
        loader_for(name_pages([page]), arguments) as loader,
        open_site_context(
            page, SiteArguments.of({**arguments, **named, "loader": loader}), chosen, read
        ) as opened,
    ):
        warn_unknown(opened)
        context = replace(opened, rendering=rendering, query=Query.of(query or ()))
        found = [_run(context, method, profile) for method in context.runnable()]
    found.sort(key=len)  # the few first
    text = report(
        rendering or context.page,
        found,
        folder=None if page == "-" or "://" in page else Path(page).parent,
    )
    if str(output) == "-":
        print_result(text)
    else:
        write_file(output, text)
        console().print(f"report: {output}")
