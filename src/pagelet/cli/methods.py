"""One command per method, made from its row in the registry."""

from functools import partial
from typing import Any

import typer

from pagelet.cli.inputs import input_parameters, open_context
from pagelet.cli.memory import check_memory, memory_defaults, run_remembering
from pagelet.cli.options import changes_of, format_parameter, option_parameters, with_parameters
from pagelet.cli.output import print_listing, report
from pagelet.cli.rendering import check_picture, draw_picture
from pagelet.context import read_files
from pagelet.methods import METHODS
from pagelet.methods.registry import Evidence, Method
from pagelet.pagelets import Pagelets


def add_to(app: typer.Typer, name: str | None = None) -> None:
    """Add a command for every method, or for one."""
    for method in METHODS.values():
        if name in (None, method.name):
            parameters = [
                *input_parameters(method), format_parameter(method), *option_parameters(method)
            ]  # fmt: skip
            text = f"{method.summary[0].upper()}{method.summary[1:]}.\n\n{method.paper}"
            app.command(method.name, help=text)(with_parameters(partial(run, method), parameters))


def run(method: Method, page: str, format: str, profile: str, **arguments: Any) -> None:
    """Answer one command: options, then the page and what belongs to it, then the result."""
    memory, picture = arguments.get("memory"), arguments.get("picture")
    changes = memory_defaults(memory) | changes_of(method, arguments)
    options = method.with_options(profile, changes)
    method.check(options, Evidence(files=read_files(options)))  # before a page is read
    check_picture(picture)
    check_memory(memory, options)
    with open_context(method, page, options, arguments) as context:
        result = run_remembering(context.request(method, options), memory)
    if picture is not None:
        draw_picture(picture, context, result)
    emit(method, result, options, format)


def emit(method: Method, result: Pagelets, options: Any, format: str) -> None:
    """Print a result on standard output, and lines about it on standard error."""
    text = method.write(result, options, format)
    notes = method.notes(result, options, format)
    if text and format == "text":
        print_listing(text)
    elif text:
        print(text)
    elif not notes:
        report(f"no {method.name}")
    for line in notes:
        report(line)
