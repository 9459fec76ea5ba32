"""Short help of a command: options in groups, one or two lines each, and examples at the end.

`--help-all` prints the long form, whose options docs/cli.md has as tables.
"""

import re
from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import Any

import typer

MAX_WIDTH = 80  #: columns of the text
NAMES_WIDTH = 21  #: columns of the names of options, with the gap behind them
COMMON = "Common"  #: group of options that name no other
TEXT_WIDTH = MAX_WIDTH - NAMES_WIDTH - 2  #: columns of the help texts
IMPLIED_DEFAULTS = ("no", "yes", "shipped")  #: defaults that need no note
GAP = 2  #: spaces between names and text, at least
CLAUSE = re.compile(r"(; | \(|\. |: )")  #: what stands between two clauses of a help text
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
    "file": "FILE",
    "directory": "DIR",
}
MARKUP = re.compile(r"\[/?[a-z]+\]")
NOTE = re.compile(r" \(((?:[^()]|\([^()]*\))*)\)$")  #: where an option acts, and its default
DEFAULT = re.compile(r"default: ([^,]+|[\d,]+)$")
TURNED_ON = "default: yes"  #: in the help text of a flag that is to be turned off


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
        names = _names(parameter)
        lines = wrap(_brief(parameter), TEXT_WIDTH, break_on_hyphens=False) or [""]
        if len(names) > NAMES_WIDTH - GAP:
            yield f"  {names}"
        else:
            yield f"  {names:<{NAMES_WIDTH}}{lines.pop(0)}".rstrip()
        yield from (" " * (NAMES_WIDTH + 2) + line for line in lines)


def _names(parameter: Any) -> str:
    """The names of an option, the short one first, and what it takes."""
    if parameter.param_type_name == "argument":
        return str(parameter.metavar or parameter.name)
    names = ", ".join(sorted(parameter.opts, key=len))
    takes = parameter.metavar or ""
    if parameter.secondary_opts and (parameter.default is True or TURNED_ON in parameter.help):
        return names.replace("--", "--[no-]")
    if parameter.is_flag or "|" in takes:
        return names
    long = f"{names} {takes or KINDS.get(parameter.type.name, 'TEXT')}"
    return long if len(long) <= NAMES_WIDTH - GAP else names


def _brief(parameter: Any) -> str:
    """The beginning of a help text, and the values to choose from or the default.

    As many clauses as fit one line, at least one; what a colon announces belongs to it.
    """
    text, note = _split_note(MARKUP.sub("", parameter.help or ""))
    takes = getattr(parameter, "metavar", None) or ""
    clause, *rest = CLAUSE.split(text)
    if "|" in takes:
        return f"{clause.strip()}: {takes.replace('|', ', ')}"
    for gap, more in zip(rest[::2], rest[1::2], strict=True):
        longer = clause + gap + more
        if gap != ": " and len(longer) > TEXT_WIDTH:
            break
        clause = longer
    with_note = f"{clause} ({note})"
    return with_note if note and len(with_note) <= TEXT_WIDTH else clause


def _split_note(text: str) -> tuple[str, str]:
    """A help text without its note, and the default that the note tells."""
    note = NOTE.search(text)
    if note is None:
        return text.rstrip("."), ""
    default = DEFAULT.search(note[1])
    shown = default[0] if default and default[1] not in IMPLIED_DEFAULTS else ""
    return text[: note.start()].rstrip("."), shown
