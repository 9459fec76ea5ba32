"""Listings for people: lines wrapped by words, what is kept and what is dropped in colours."""

import re
import shutil
import sys
from collections.abc import Iterator

from pagelet.cli.output import console, print_result
from pagelet.terminal import escape_controls

USUAL_COLUMNS = 80  #: width of lines where there is no terminal
HANGING_SPACES = 8  #: indent of what follows of a line about a pagelet
EFFECT = re.compile(r" *[+-]\d+\.\d+  ")  #: the effect of a reason, before its words
TOKEN = re.compile(r"\s*\S+")
#: kind, score, role and place of a pagelet; an effect; an address at the end of an outline's line
PATTERNS = (
    r"(?m)^(?P<kept>content) +[\d.]+",
    r"(?m)^(?P<dropped>dropped|noise) +[\d.]+",
    r"(?m)^(?!content |dropped |noise )(?P<kind>[a-z]+) +[\d.]+",
    r"(?m)^[a-z]+ +[\d.]+(?: [a-z]+)?  (?P<place>/\S+)",
    r"(?m)^ +(?P<against>-\d+\.\d+)  ",
    r"(?m)^ .*  (?P<address>\S+)$",
)
STYLES = {
    "kept": "bold green",
    "dropped": "bold red",
    "kind": "bold",
    "place": "dim",
    "against": "dim",
    "address": "dim",
}


def print_listing(text: str) -> None:
    """Print a listing; on a terminal, kinds stand out and paths stand back."""
    if not sys.stdout.isatty():
        print_result(text)
        return
    from rich.highlighter import RegexHighlighter  # noqa: PLC0415 - pipes need none of it
    from rich.theme import Theme  # noqa: PLC0415

    class ListingHighlighter(RegexHighlighter):
        base_style = "listing."
        highlights = PATTERNS

    out = console()
    with out.use_theme(Theme({f"listing.{name}": style for name, style in STYLES.items()})):
        out.print(ListingHighlighter()(escape_controls(text)))


def print_reasons(text: str) -> None:
    """Print a listing with reasons, wrapped by words."""
    print_listing(wrap_listing(text, line_width()))


def line_width() -> int:
    """Columns of the terminal, or of $COLUMNS; else the usual width."""
    return shutil.get_terminal_size((USUAL_COLUMNS, 24)).columns


def wrap_listing(text: str, width: int) -> str:
    """The lines of a listing, each at most so wide; a word that is wider stays whole."""
    shown = escape_controls(text) if sys.stdout.isatty() else text
    return "\n".join(part for line in shown.split("\n") for part in wrap_line(line, width))


def wrap_line(line: str, width: int) -> Iterator[str]:
    """One line as several; those that follow are indented below its words."""
    from rich.cells import cell_len  # noqa: PLC0415 - few commands list reasons

    effect = EFFECT.match(line)
    indent = " " * (effect.end() if effect else _leading(line) + HANGING_SPACES)
    made = ""
    for token in TOKEN.findall(line):
        if made.strip() and cell_len(made) + cell_len(token) > width:
            yield made
            made = indent + token.lstrip()
        else:
            made += token
    yield made


def _leading(line: str) -> int:
    return len(line) - len(line.lstrip())
