"""The command line.

Data goes to standard output, everything for people to standard error. Exit codes: 0 done,
1 a bug in pagelet, 2 wrong usage or option, 3 the input cannot be read, 4 no labelled data,
5 packages are missing. Only the module of the command that runs is imported.
"""

import os
import sys
from importlib import import_module
from typing import Annotated, Any

import typer

from pagelet.errors import (
    BrowserMissing,
    MissingExtra,
    NoGold,
    OptionError,
    PageError,
    PageletError,
)

EXIT_CODES: dict[type[PageletError], int] = {
    OptionError: 2,
    PageError: 3,
    NoGold: 4,
    MissingExtra: 5,
    BrowserMissing: 5,
    PageletError: 1,
}
#: commands that are no methods, in the order of the help; each in a module of its name
COMMANDS = ("metadata", "urls", "forms", "probe", "learn", "inspect", "train", "evaluate", "bulk",
            "estimate", "mcp", "serve", "annotate")  # fmt: skip


def make_app(command: str | None = None) -> typer.Typer:
    """The application with all commands, or with the one that is run."""
    from pagelet.cli.options import CommandGroup  # noqa: PLC0415 - brings the registry

    app = CommandGroup(
        name="pagelet",
        help="Find out what every part of a web page is.",
        epilog="Exit codes: 0 done, 2 wrong usage, 3 input cannot be read, 4 no labelled data,"
        " 5 packages missing, 1 anything else.",
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(_root)
    if command not in COMMANDS:
        import_module("pagelet.cli.methods").add_to(app, command)
    for name in COMMANDS:
        if command in (None, name):
            import_module(f"pagelet.cli.{name}").add_to(app)
    return app


#: what `pagelet` alone prints
FIRST_STEPS = """\
pagelet: find out what every part of a web page is.

Try first
  pagelet content page.html              the main content as text
  pagelet content page.html -f markdown  the same as Markdown
  pagelet content pages/ -o all.jsonl    of many pages, one JSON object per line
  pagelet records shop/ -o shop.csv      the records of result pages as a table
  pagelet menu https://example.org       the main menu, with its links
  pagelet inspect page.html --open       everything, as a report in the browser
  pagelet serve                          the explorer, to try things out
  pagelet bulk crawl.warc.gz -o out/     a whole crawl, as a table

`pagelet --help` lists all commands, `pagelet COMMAND --help` its options."""


def _root(
    context: typer.Context,
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        from pagelet import __version__  # noqa: PLC0415 - read on demand
        from pagelet.core import describe_core  # noqa: PLC0415

        print(f"pagelet {__version__} ({describe_core()})")
        raise typer.Exit
    if context.invoked_subcommand is None:
        from pagelet.cli.output import print_result  # noqa: PLC0415 - brings nothing else

        print_result(FIRST_STEPS)


def chosen_command(arguments: list[str]) -> str | None:
    """The command that arguments name, as far as that can be told without the commands."""
    if "_PAGELET_COMPLETE" in os.environ or not arguments or arguments[0].startswith("-"):
        return None
    from pagelet.methods import METHODS  # noqa: PLC0415 - the help needs all anyway

    name = arguments[0]
    return name if name in COMMANDS or name in METHODS else None


def main() -> None:
    """Run the command line; errors of ours become one line and an exit code."""
    try:
        make_app(chosen_command(sys.argv[1:]))()
    except PageletError as error:
        code = next(code for kind, code in EXIT_CODES.items() if isinstance(error, kind))
        from pagelet.cli.output import report  # noqa: PLC0415 - errors are rare
        from pagelet.terminal import one_line  # noqa: PLC0415

        report(f"pagelet: {one_line(str(error))}")
        sys.exit(code)
    except BrokenPipeError:  # the reader of our output went away
        sys.stderr.close()
        sys.exit(0)


def __getattr__(name: str) -> Any:
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()["app"] = make_app()
    return globals()["app"]
