"""One command per method, made from its row in the registry."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import typer

from pagelet.cli.inputs import input_parameters, open_context, rendering
from pagelet.cli.options import (
    changes_of,
    format_parameter,
    option_parameters,
    raw_parameters,
    read_options,
    with_parameters,
)
from pagelet.cli.output import print_listing, print_result, report
from pagelet.context import read_files
from pagelet.errors import NO_VALUE, OptionError
from pagelet.methods import METHODS
from pagelet.methods.registry import Evidence, Method, ignored_options
from pagelet.methods.registry import run as answer
from pagelet.pagelets import Pagelets


def add_to(app: typer.Typer, name: str | None = None) -> None:
    """Add a command for every method, or for one."""
    for method in map(METHODS.__getitem__, METHODS if name is None else [name]):
        inputs, options = input_parameters(method), option_parameters(method)
        written = [format_parameter(method), *raw_parameters(method)]
        command = with_parameters(partial(run, method), [*inputs, *written, *options])
        page = f"See docs/methods/{method.name}.md."
        text = f"{method.summary[0].upper()}{method.summary[1:]}.\n\n{method.paper}\n\n{page}"
        app.command(method.name, help=text)(command)


def run(method: Method, /, page: str, format: str, **arguments: Any) -> None:
    """Answer one command: options, then the page and what belongs to it, then the result."""
    saved = read_options(method, arguments["options"])
    changes = {**saved.changes, **changes_of(method, arguments)}
    if memory := arguments.get("memory"):
        changes = remembering().DEFAULTS | changes
    options = method.with_options(arguments["profile"] or saved.profile, changes)
    for field in ignored_options(options, changes):
        flag, where = field.name.replace("_", "-"), field.applies_to
        where = f"in the {where}" if where.endswith("profile") else f"with {where}"
        report(f"warning: --{flag} is ignored; it acts only {where}")
    check(method, options, arguments)
    check_site(method, page, arguments)
    with open_context(method, page, options, arguments) as context:
        request = context.request(method, options)
        result = remembering().run_remembering(request, memory) if memory else answer(request)
    if picture := arguments.get("picture"):
        rendering().draw_picture(picture, context, result)
    emit(method, result, options, format, raw=arguments.get("raw", False))


def check(method: Method, options: Any, arguments: Mapping[str, Any]) -> None:
    """Refuse what cannot work before a page is read."""
    method.check(options, Evidence(files=read_files(options)))
    if picture := arguments.get("picture"):
        rendering().check_picture(picture)
    if memory := arguments.get("memory"):
        remembering().check_memory(memory, options)


def check_site(method: Method, page: str, arguments: Mapping[str, Any]) -> None:
    """Refuse a page without its site, where a method compares the two."""
    given = arguments.get("site") or arguments.get("template") or "://" in page
    if "site" in method.needs and not given:
        why = (
            "nothing to compare the page with; give --site DIR|WARC|URL with other pages of its"
            " site, or --template FILE"
        )
        raise OptionError("site", NO_VALUE, why)


def remembering() -> Any:
    """The module for `--memory`; most commands need none of it."""
    from pagelet.cli import memory as module  # noqa: PLC0415 - brings the ways to segment

    return module


def emit(method: Method, result: Pagelets, options: Any, format: str, *, raw: bool) -> None:
    """Print a result on standard output, and lines about it on standard error."""
    text = method.write(result, options, format, raw=raw)
    notes = method.notes(result, options, format)
    if text and format == "text":
        print_listing(text)
    elif text:
        print_result(text)
    elif not notes:
        report(f"no {method.name}")
    for line in notes:
        report(line)
