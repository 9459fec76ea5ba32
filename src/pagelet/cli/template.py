"""`pagelet template`: a page without its template, or the template without the page."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from pagelet.cli import arguments as shared
from pagelet.cli.options import changes_of
from pagelet.cli.output import console, write_list
from pagelet.columns.page import Page
from pagelet.columns.site import Site
from pagelet.methods.registry import Method
from pagelet.methods.template import (
    TemplateOptions,
    find_template,
    learned_template,
    listed,
)
from pagelet.methods.template_answer import Template
from pagelet.sources import load
from pagelet.sources.http import Limits
from pagelet.sources.site import folder_site

SiteOption = Annotated[
    Path | None,
    typer.Option("--site", help="A folder with the pages of the site.", metavar="DIR"),
]


def runner(method: Method) -> Any:
    """The command."""

    def run(  # noqa: PLR0913 - what a command line takes
        page: shared.PageArgument,
        *,
        format: str = "text",
        profile: shared.ProfileOption = "default",
        site: SiteOption = None,
        url: shared.UrlOption = None,
        max_bytes: shared.BytesOption = Limits().max_bytes,
        timeout: shared.TimeoutOption = Limits().timeout,
        allow_private: shared.AllowPrivateOption = None,
        **options: Any,
    ) -> None:
        chosen = method.with_options(profile, changes_of(method, options))
        if chosen.template:
            learned_template(chosen.template)  # a mistake is told before a page is read
        limits = Limits(max_bytes=max_bytes, timeout=timeout)
        known, address = folder_site(site, page, url, limits) if site else ((), url)
        read = load(page, url=address, limits=limits, allow_private=tuple(allow_private or ()))
        answer(read, known, format, chosen, profile)

    return run


def answer(
    page: Page, site: Site | tuple[()], format: str, options: TemplateOptions, profile: str
) -> None:
    """Write the answer to standard output, and what is told about it to standard error."""
    found = find_template(page, options, profile=profile, site=site)
    slots = listed(found, options, profile)
    if format == "json":
        print(slots.to_json(indent=2))
    elif format == "page":
        print(found.emptied())
    elif format == "text" and options.explain:
        write_list(slots, explain=True)
    else:
        print({"markdown": found.markdown, "html": found.html}.get(format, found.text)())
    console(error=True).print(escape(summary(found)))


def summary(found: Template) -> str:
    """One line: how much is template, and how that was found."""
    told = found.facts
    if not told.get("fits", True):
        return f"the page does not fit this template: fit {told['fit']:.2f}, 1 is usual"
    if not found.known:
        return "nothing to compare with; say --site DIR or --template FILE"
    share = found.share()
    parts = [f"template {share['nodes']:.0%} of nodes, {share['characters']:.0%} of characters"]
    if "fit" in told:
        return f"{parts[0]}; fit {told['fit']:.2f}"
    if told.get("guess"):
        parts.append("no page is like this one, so this is a guess by names")
    return "; ".join([*parts, f"{len(told['pages'])} pages compared, {told['loads']} loaded"])
