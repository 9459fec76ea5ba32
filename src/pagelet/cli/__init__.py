"""The command line: arguments to `analyse`, pagelets to text, JSON or HTML.

Data goes to standard output, everything for people to standard error. Exit codes: 0 done,
1 a mistake in pagelet, 2 wrong usage or option, 3 the input cannot be read, 4 no labelled
data, 5 packages are missing.
"""

import sys
from typing import Annotated

import typer

from pagelet.cli import (
    annotate,
    bulk,
    estimate,
    evaluate,
    forms,
    inspect,
    learn,
    mcp,
    methods,
    probe,
    serve,
    train,
)
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

app = typer.Typer(
    name="pagelet",
    help="Says what every part of a web page is.",
    epilog="Exit codes: 0 done, 2 wrong usage, 3 input cannot be read, 4 no labelled data,"
    " 5 packages missing, 1 anything else.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
methods.add_to(app)
forms.add_to(app)
probe.add_to(app)
learn.add_to(app)
inspect.add_to(app)
train.add_to(app)
evaluate.add_to(app)
bulk.add_to(app)
estimate.add_to(app)
mcp.add_to(app)
serve.add_to(app)
annotate.add_to(app)


@app.callback(invoke_without_command=True)
def _root(
    *, version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False
) -> None:
    """Say what every part of a web page is: menu, clutter and more."""
    if version:
        from importlib.metadata import version as installed  # noqa: PLC0415 - read when asked

        print(f"pagelet {installed('pagelet')}")
        raise typer.Exit


def main() -> None:
    """Run the command line; errors of ours become one line and an exit code."""
    try:
        app()
    except PageletError as error:
        code = next(code for kind, code in EXIT_CODES.items() if isinstance(error, kind))
        print(f"pagelet: {error}", file=sys.stderr)
        sys.exit(code)
    except BrokenPipeError:  # the reader of our output went away
        sys.stderr.close()
        sys.exit(0)
