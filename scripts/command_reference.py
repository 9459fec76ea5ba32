"""The reference of all commands as Markdown: usage, options in tables, examples.

A table that several commands have in common, such as the options for loading pages, is written
once and linked to.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import typer

from pagelet.cli import app

COMMON = "Common"  #: group of options that name no other
HELP = {"--help", "--help-all", "--install-completion", "--show-completion"}  #: told once, by hand
SHARED_TITLE = "Options of several commands"
LAST_GROUP = "Loading"
#: What options take that do not say it, by the type of their values.
KINDS = {"int": "N", "integer": "N", "float": "NUMBER", "path": "FILE", "directory": "DIR"}
MARKUP = re.compile(r"\[/?[a-z]+\]")
PAGE = re.compile(r"See docs/(?P<path>\S+)\.md\.")
CODE = re.compile(r"(`[^`]*`)")

Row = tuple[str, str, str]  #: names of an option, what it takes, what it does
Table = tuple[str, tuple[Row, ...]]  #: title and rows


def write_reference() -> str:
    """A section for each command, groups before what is in them."""
    root = typer.main.get_command(app)
    found = [(words, command, tables_of(command)) for words, command in commands(root)]
    shared = shared_tables([tables for _, _, tables in found])
    sections = [_section(words, command, tables, shared) for words, command, tables in found]
    parts = [f"### {title}\n\n{_table(rows)}" for title, rows in shared]
    return "\n\n".join([*sections, f"## {SHARED_TITLE}", *parts])


def commands(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command with its words."""
    yield words, command
    for name, below in getattr(command, "commands", {}).items():
        yield from commands(below, (*words, name))


# -- one command --------------------------------------------------------------------------


def _section(words: tuple[str, ...], command: Any, tables: list[Table], shared: list[Table]) -> str:
    """Usage, description, tables and examples of a command."""
    name = " ".join(("pagelet", *words))
    context = command.make_context(name, [], resilient_parsing=True)
    usage = " ".join((name, *command.collect_usage_pieces(context)))
    parts = [f"## `{name}`", *_description(command.help or ""), f"```text\n{usage}\n```"]
    for title, rows in tables:
        if (title, rows) not in shared:
            parts += [*([] if title == COMMON else [f"**{title}**"]), _table(rows)]
    links = [f"[{title}](#{_anchor(title)})" for title, rows in tables if (title, rows) in shared]
    if links:
        parts.append(f"And the options of: {', '.join(links)}.")
    parts += _below(words, command)
    return "\n\n".join(part for part in parts if part)


def _description(text: str) -> Iterator[str]:
    for paragraph in text.split("\n\n"):
        line = " ".join(paragraph.split())
        page = PAGE.fullmatch(line)
        yield (
            f"Details: [{page['path'].split('/')[-1]}]({page['path']}.md)."
            if page
            else _plain(line)
        )


def _below(words: tuple[str, ...], command: Any) -> list[str]:
    """What stands below the options: commands of a group, or examples."""
    below = getattr(command, "commands", {})
    if below:
        path = "-".join(("pagelet", *words))
        rows = (
            f"| [`{name}`](#{path}-{name}) | {cell(each.help)} |" for name, each in below.items()
        )
        return ["\n".join(["| command | what it does |", "| --- | --- |", *rows])]
    return [f"```sh\n{command.epilog}\n```"] if command.epilog else []


def _anchor(title: str) -> str:
    return title.lower().replace(" ", "-")


# -- tables -------------------------------------------------------------------------------


def tables_of(command: Any) -> list[Table]:
    """The options of a command by their groups, loading last; arguments come first."""
    context = command.make_context("pagelet", [], resilient_parsing=True)
    groups: dict[str, list[Row]] = {COMMON: []}
    for parameter in command.get_params(context):
        if not getattr(parameter, "hidden", False) and not HELP & set(parameter.opts):
            title = getattr(parameter, "rich_help_panel", None) or COMMON
            groups.setdefault(title, []).append(_row(parameter))
    titles = sorted(groups, key=lambda title: title == LAST_GROUP)
    return [(title, tuple(groups[title])) for title in titles if groups[title]]


def shared_tables(lists: list[list[Table]]) -> list[Table]:
    """Tables with a title that several commands have alike, one for each title."""
    counts = Counter(table for tables in lists for table in tables if table[0] != COMMON)
    titles: dict[str, Table] = {}
    for table, count in counts.most_common():
        if count > 1:
            titles.setdefault(table[0], table)
    return sorted(titles.values())


def _table(rows: tuple[Row, ...]) -> str:
    head = ("option", "takes", "what it does")
    lines = [head, ("---",) * 3, *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _row(parameter: Any) -> Row:
    if parameter.param_type_name == "argument":
        return f"`{parameter.metavar or parameter.name.upper()}`", "", cell(parameter.help)
    names = [*sorted(parameter.opts, key=len, reverse=True), *parameter.secondary_opts]
    return ", ".join(f"`{name}`" for name in names), _takes(parameter), _meaning(parameter)


def _takes(parameter: Any) -> str:
    if parameter.is_flag:
        return ""
    choices = getattr(parameter.type, "choices", None) or ()
    written = parameter.metavar or KINDS.get(parameter.type.name.split()[0], "TEXT")
    values = tuple(map(str, choices)) or tuple(written.split("|"))
    return ", ".join(f"`{value}`" for value in values)


def _meaning(parameter: Any) -> str:
    """The help text, and the default where the text has none."""
    text = cell(parameter.help)
    if not parameter.show_default or "default:" in text or "by default" in text:
        return text
    stated = parameter.show_default if isinstance(parameter.show_default, str) else None
    value = stated or parameter.default
    if value is None or value is False or value in ("", ()):
        return text
    return f"{text} (default: {_shown(value)})"


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes"
    return f"{value:,g}" if isinstance(value, int | float) else _plain(str(value))


def cell(text: str | None) -> str:
    """The first paragraph of a help text as a cell of a table."""
    first = (text or "").split("\n\n")[0]
    return _plain(" ".join(MARKUP.sub("", first).split())).replace("|", r"\|")


def _plain(text: str) -> str:
    """Text whose signs mean nothing in Markdown, but for code in backticks."""
    return "".join(
        part if part.startswith("`") else re.sub(r"([*_<\[\]])", r"\\\1", part)
        for part in CODE.split(text)
    )
