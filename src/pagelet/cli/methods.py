"""One command a method, made from its row in the registry."""

from typing import Any

import typer

from pagelet.cli import content, noise, segments, template
from pagelet.cli import options as shared
from pagelet.cli import site as sites
from pagelet.cli.options import changes_of, format_parameter, option_parameters, with_parameters
from pagelet.cli.output import write
from pagelet.methods import METHODS, Method
from pagelet.methods.content import ContentOptions
from pagelet.sources.limits import Limits


def add_to(app: typer.Typer) -> None:
    """Add a command for every method."""
    for method in METHODS.values():
        run = with_parameters(_runner(method), sites.site_parameters(method.uses))
        if method.name == "template":
            run = template.runner(method)
        if method.name == "segments":
            run = segments.runner(method)
        if "query" in method.uses:
            run = with_parameters(run, noise.query_parameters())
        command = with_parameters(run, [format_parameter(method), *option_parameters(method)])
        text = f"{method.summary[0].upper()}{method.summary[1:]}.\n\n{method.paper}"
        app.command(method.name, help=text)(command)


def _runner(method: Method) -> Any:
    """A command that looks at one page alone."""

    def run(  # noqa: PLR0913 - what a command line takes
        page: shared.PageArgument,
        *,
        format: str = "text",
        profile: shared.ProfileOption = "default",
        explain: shared.ExplainOption = False,
        url: shared.UrlOption = None,
        max_bytes: shared.BytesOption = Limits().max_bytes,
        timeout: shared.TimeoutOption = Limits().timeout,
        allow_private: shared.AllowPrivateOption = None,
        **options: Any,
    ) -> None:
        changes = changes_of(method, {**options, "explain": explain})
        chosen = method.with_options(profile, changes)  # a mistake is told before a page is read
        if isinstance(chosen, ContentOptions):
            content.check(chosen)
        asked = noise.read_query(**{name: options.get(name) for name in noise.ASKED})
        limits = Limits(max_bytes=max_bytes, timeout=timeout)
        known = sites.read_known(
            page,
            sites.Said(
                url=url,
                limits=limits,
                allow_private=tuple(allow_private or ()),
                **sites.said_of_site(options),
            ),
        )
        if isinstance(chosen, ContentOptions):
            content.answer_content(known, format, chosen, profile)
        elif method.name == "noise":
            records = bool(options.get("records"))
            noise.answer_noise(known.page, format, profile, asked, {**changes, "records": records})
        else:
            write(known.analysed(method.name, profile, **changes), format, explain=bool(explain))

    return run
