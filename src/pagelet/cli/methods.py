"""One command a method, made from its row in the registry."""

from typing import Any

import typer

from pagelet.analyse import analyse
from pagelet.cli import arguments as shared
from pagelet.cli.options import changes_of, option_parameters, with_parameters
from pagelet.cli.output import write
from pagelet.methods import METHODS, Method
from pagelet.sources.http import Limits


def add_to(app: typer.Typer) -> None:
    """Add a command for every method."""
    for method in METHODS.values():
        command = with_parameters(_runner(method), option_parameters(method))
        text = f"{method.summary[0].upper()}{method.summary[1:]}.\n\n{method.paper}"
        app.command(method.name, help=text)(command)


def _runner(method: Method) -> Any:
    def run(  # noqa: PLR0913 - what a command line takes
        page: shared.PageArgument,
        *,
        format: shared.FormatOption = "text",
        profile: shared.ProfileOption = "default",
        explain: shared.ExplainOption = False,
        site: shared.SiteOption = None,
        site_pages: shared.SitePagesOption = 20,
        url: shared.UrlOption = None,
        max_bytes: shared.BytesOption = Limits().max_bytes,
        timeout: shared.TimeoutOption = Limits().timeout,
        **options: Any,
    ) -> None:
        changes = changes_of(method, options)
        method.with_options(profile, changes)  # a wrong option is said before the page is read
        read = shared.read_page(page, url, max_bytes, timeout)
        others = shared.read_site(site, page, site_pages)
        write(
            analyse(read, method.name, profile=profile, site=others, **changes),
            format,
            explain=explain,
        )

    return run
