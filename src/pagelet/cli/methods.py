"""One command per method, made from its row in the registry."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import typer

from pagelet.cli.batch import ResultWriter, answer_pages
from pagelet.cli.inputs import input_parameters, open_context, rendering
from pagelet.cli.listing import print_listing, print_reasons
from pagelet.cli.loading import loader_for
from pagelet.cli.options import (
    JSON_LINES,
    changes_of,
    format_parameter,
    list_formats,
    option_parameters,
    raw_parameters,
    read_options,
    with_parameters,
)
from pagelet.cli.output import print_result, report
from pagelet.cli.pages import NamedPages, name_pages
from pagelet.cli.streams import Written, format_for
from pagelet.context import Context, read_files
from pagelet.errors import NO_VALUE, OptionError, PageError
from pagelet.methods import METHODS
from pagelet.methods.registry import DEFAULT, Evidence, Method, Request, ignored_options
from pagelet.methods.registry import run as answer
from pagelet.pagelets import Pagelets
from pagelet.wording import must_be_one_of

METADATA = "metadata"  #: an answer that is no method

MAX_TOGETHER = 200  #: pages given together from which is learned what they have in common


def add_to(app: typer.Typer, name: str | None = None) -> None:
    """Add a command for every method, or for one."""
    for method in map(METHODS.__getitem__, METHODS if name is None else [name]):
        inputs, options = input_parameters(method), option_parameters(method)
        written = [format_parameter(method), *raw_parameters(method)]
        command = with_parameters(partial(run, method), [*inputs, *written, *options])
        page = f"See docs/methods/{method.name}.md."
        text = f"{method.summary[0].upper()}{method.summary[1:]}.\n\n{method.paper}\n\n{page}"
        app.command(method.name, help=text, epilog="\n".join(method.examples))(command)


def run(method: Method, /, pages: list[str] | None, format: str | None, **arguments: Any) -> None:
    """Answer one command: options, then each page and what belongs to it, then its result."""
    wanted = format or format_for(arguments["output"], list_formats(method))
    options = read_changes(method, arguments)
    check(method, options, arguments)
    named = name_pages(pages, arguments["input_file"])
    if named.several and arguments.get("picture"):
        raise OptionError("picture", NO_VALUE, "one picture is drawn of one page; give one page")
    also = read_also(arguments.get("also"), wanted)
    written = "json" if also and wanted == "text" else wanted
    chosen = written if written in (*method.formats, *method.binary) else "json"
    writer = ResultWriter(
        format=written,
        to=arguments["output"],
        nothing=f"no {method.name}",
        show=chosen_printer(chosen, options),
    )
    if named.several:
        writer.check_several()
    with loader_for(named, arguments) as loader:
        given = {**arguments, "format": chosen, "loader": loader, "also": also}
        given["parts"] = learn_together(method, named, options, given)
        answer_pages(named, writer, lambda page: answer_page(method, page.source, options, given))


def chosen_printer(format: str, options: Any) -> Callable[[str], None]:
    """The function that prints results: text as a listing, with reasons wrapped by words."""
    if format != "text":
        return print_result
    return print_reasons if getattr(options, "explain", False) else print_listing


def learn_together(
    method: Method, named: NamedPages, options: Any, arguments: Mapping[str, Any]
) -> dict[str, Any]:
    """What pages that are given together have in common, where the method learns that."""
    if method.learn is None or not named.several or arguments.get("template"):
        return {}
    pages = []
    for each in named.pages[:MAX_TOGETHER]:
        with suppress(PageError), open_context(method, each.source, options, arguments) as context:
            pages.append(context.page)
    return {method.name: method.learn(pages, options, Evidence(files=read_files(options)))}


def read_changes(method: Method, arguments: Mapping[str, Any]) -> Any:
    """The options of a command: those of its profile, its file, its flags."""
    saved = read_options(method, arguments["options"])
    changes = {**saved.changes, **changes_of(method, arguments)}
    if arguments.get("memory"):
        changes = remembering().DEFAULTS | changes
    options = method.with_options(arguments["profile"] or saved.profile, changes)
    for field in ignored_options(options, changes):
        flag, where = field.name.replace("_", "-"), field.applies_to
        where = f"in the {where}" if where.endswith("profile") else f"with {where}"
        report(f"warning: --{flag} is ignored; it acts only {where}")
    return options


def answer_page(method: Method, source: str, options: Any, arguments: Mapping[str, Any]) -> Written:
    """Read a page and what belongs to it, and write what the method says of it."""
    check_site(method, source, arguments)
    with open_context(method, source, options, arguments) as context:
        request = with_parts(context.request(method, options), arguments.get("parts") or {})
        memory = arguments.get("memory")
        result = remembering().run_remembering(request, memory) if memory else answer(request)
        if also := arguments.get("also"):
            return Written(form={**result.to_dict(), "also": answer_others(context, also)})
    if picture := arguments.get("picture"):
        rendering().draw_picture(picture, context, result)
    return write(method, result, options, arguments)


def read_also(names: str | None, format: str) -> tuple[str, ...]:
    """The further answers that a user wants, by name."""
    chosen = tuple(filter(None, (name.strip() for name in (names or "").split(","))))
    if not chosen:
        return ()
    allowed = (METADATA, *(name for name, row in METHODS.items() if row.needs == ("page",)))
    for name in chosen:
        if name not in allowed:
            raise OptionError("also", name, must_be_one_of(allowed))
    if format not in ("text", "json", JSON_LINES):
        raise OptionError("also", names, f"all answers are one JSON object, not {format}")
    return chosen


def answer_others(context: Context, names: tuple[str, ...]) -> dict[str, Any]:
    """What other methods say of the same page, by name."""
    from pagelet.api import read_metadata  # noqa: PLC0415 - few commands want several answers

    forms: dict[str, Any] = {}
    for name in names:
        if name == METADATA:
            forms[name] = read_metadata(context.page).to_dict()
        else:
            forms[name] = context.run(
                METHODS[name], METHODS[name].profile(DEFAULT).options
            ).to_dict()
    return forms


def with_parts(request: Request, parts: Mapping[str, Any]) -> Request:
    """The request with what was learned of pages that are given together."""
    if not parts:
        return request
    return replace(request, evidence=replace(request.evidence, parts=parts))


def write(method: Method, result: Pagelets, options: Any, arguments: Mapping[str, Any]) -> Written:
    """A result in the format of the command, with lines for people about it."""
    chosen = arguments["format"]
    notes = method.notes(result, options, chosen)
    if chosen in method.binary:
        return Written(notes=notes, data=method.binary[chosen](result, options))
    if (form := method.form(result, options, chosen)) is not None:
        return Written(notes=notes, form=form)
    return Written(method.write(result, options, chosen, raw=arguments.get("raw", False)), notes)


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
