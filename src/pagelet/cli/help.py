"""Short help of a command: options in groups, one or two lines each, and examples at the end.

`--help-all` prints the long form, whose options docs/cli.md has as tables.
"""

import re
from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import Any

import typer

MAX_WIDTH = 80  #: columns of the text
NAMES_WIDTH = 20  #: columns of the names of options
COMMON = "Common"  #: group of options that name no other
CLAUSE = re.compile(r"; | \(|\. |: ")  #: where the first clause of a help text ends
SENTENCE = re.compile(r"; | \(|\. ")  #: where a text whose first clause says nothing ends
MIN_CLAUSE_CHARS = 12
#: groups in the order of the help; others stand before the last
FIRST_GROUPS, LAST_GROUP = (COMMON, "Input", "Output", "Method"), "Loading"
#: what options take that do not say it
KINDS = {
    "int": "N",
    "int range": "N",
    "integer": "N",
    "integer range": "N",
    "float": "X",
    "float range": "X",
    "path": "FILE",
}
MARKUP = re.compile(r"\[/?[a-z]+\]")


def brief_help(command: Any, context: Any) -> str:
    """The help of a command on as few lines as are needed."""
    usage = " ".join(command.collect_usage_pieces(context))
    about, *more = (command.help or "").split("\n\n")
    pointers = [text for text in more if text.startswith("See ")]
    text = " ".join(" ".join([about, *pointers]).split())
    parts = [f"Usage: {context.command_path} {usage}", "", *wrap(text, MAX_WIDTH)]
    groups: dict[str, list[Any]] = {}
    for parameter in command.get_params(context):
        if not getattr(parameter, "hidden", False):
            groups.setdefault(_group(parameter), []).append(parameter)
    for group in sorted(groups, key=_place):
        parts += ["", typer.style(group, bold=True), *_rows(groups[group])]
    if command.epilog:
        examples = (f"  {line}" for line in command.epilog.splitlines())
        parts += ["", typer.style("Examples", bold=True), *examples]
    return "\n".join(parts)


def _group(parameter: Any) -> str:
    return getattr(parameter, "rich_help_panel", None) or COMMON


def _place(group: str) -> int:
    """Where a group stands in the help."""
    if group in FIRST_GROUPS:
        return FIRST_GROUPS.index(group)
    return len(FIRST_GROUPS) + (group == LAST_GROUP)


def _rows(parameters: Iterable[Any]) -> Iterator[str]:
    for parameter in parameters:
        names, text = _names(parameter), _clause(parameter)
        lines = wrap(text, MAX_WIDTH - NAMES_WIDTH - 2) or [""]
        yield f"  {names:<{NAMES_WIDTH}}{lines.pop(0)}".rstrip()
        yield from (" " * (NAMES_WIDTH + 2) + line for line in lines)


def _names(parameter: Any) -> str:
    """The names of an option, the short one first, and what it takes."""
    if parameter.param_type_name == "argument":
        return str(parameter.metavar or parameter.name)
    names = ", ".join(sorted(parameter.opts, key=len))
    takes = parameter.metavar or ""
    if parameter.is_flag or "|" in takes:
        return names
    long = f"{names} {takes or KINDS.get(parameter.type.name, 'TEXT')}"
    return long if len(long) < NAMES_WIDTH else names


def _clause(parameter: Any) -> str:
    """The first clause of a help text, and the values to choose from."""
    text = MARKUP.sub("", parameter.help or "")
    clause = CLAUSE.split(text)[0]
    clause = clause if len(clause) >= MIN_CLAUSE_CHARS else SENTENCE.split(text)[0]
    clause = clause.strip().rstrip(".")
    takes = getattr(parameter, "metavar", None) or ""
    return f"{clause}: {takes.replace('|', ', ')}" if "|" in takes else clause
