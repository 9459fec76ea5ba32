"""Write the generated parts of docs/ again: tables of options, of routes, and the commands.

A generated part stands between two comments, `<!-- options:begin NAME -->` (or `help:begin`)
and `<!-- options:end -->`; all else in the files is written by hand. `tests/test_docs.py`
fails when a file is not what this script would write. The palette is written whole, as the style
sheet and the scripts that the interfaces read.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scripts.command_reference import write_reference

from pagelet.annotator.routes import ANNOTATOR, API
from pagelet.methods import METHODS
from pagelet.methods.registry import Method, OptionField, option_fields
from pagelet.report.palette import WRITTEN
from pagelet.server.app import create_app
from pagelet.server.settings import Settings

ROOT = Path(__file__).parents[1]
CLI = ROOT / "docs" / "cli.md"
ANNOTATOR_PAGE = ROOT / "docs" / "annotator.md"
PLAIN = {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}  #: a terminal of fixed width


def wanted() -> dict[Path, str]:
    """Every file with generated parts, and the text it should have."""
    pages = {ROOT / "docs" / "methods" / f"{name}.md": method for name, method in METHODS.items()}
    files = {
        path: _filled(_read(path, method.name), "options", method.name, options_table)
        for path, method in pages.items()
    }
    files[CLI] = _filled(
        CLI.read_text(encoding="utf-8"), "help", "all", lambda _: write_reference()
    )
    files[ANNOTATOR_PAGE] = _filled(
        ANNOTATOR_PAGE.read_text(encoding="utf-8"), "routes", "annotator", routes_table
    )
    return files | {ROOT / path: write() for path, write in WRITTEN.items()}


def _read(path: Path, name: str) -> str:
    """The page of a method, which is begun by hand."""
    if not path.is_file():
        markers = f"<!-- options:begin {name} --> and <!-- options:end -->"
        raise SystemExit(f"{path.relative_to(ROOT)} is missing; write it with {markers} in it")
    return path.read_text(encoding="utf-8")


def _filled(text: str, part: str, name: str, write: Callable[[str], str]) -> str:
    """The text with what stands between the markers of one part written anew."""
    begin, end = f"<!-- {part}:begin {name} -->", f"<!-- {part}:end -->"
    found = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    if len(found.findall(text)) != 1:
        raise SystemExit(f"expected {begin} … {end} exactly once")
    return found.sub(lambda _: f"{begin}\n\n{write(name)}\n\n{end}", text)


# -- options ------------------------------------------------------------------------------


def options_table(name: str) -> str:
    """The options of a method: flag, values, the value of each profile, what it does."""
    method = METHODS[name]
    head = ["option", "values", *method.profiles, "what it is"]
    rows = [_option_row(field, method) for field in option_fields(method.options)]
    return "\n".join(_line(cells) for cells in (head, ["---"] * len(head), *rows))


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _option_row(field: OptionField, method: Method) -> list[str]:
    flag = "--" + field.name.replace("_", "-")
    flags = f"`{flag}`, `--no-{flag[2:]}`" if field.type is bool else f"`{flag}`"
    values = [getattr(profile.options, field.name) for profile in method.profiles.values()]
    return [flags, _values(field), *map(_shown, values), field.description]


def _values(field: OptionField) -> str:
    if field.choices:
        return ", ".join(f"`{choice}`" for choice in field.choices)
    if field.type is bool:
        return "yes or no"
    if field.repeatable:
        return "text, repeatable"
    word = {float: "number", int: "whole number", str: "text"}[field.type]
    if field.low is not None and field.high is not None:
        return f"{word}, {field.low:g} to {field.high:g}"
    return word if field.low is None else f"{word}, {field.low:g} or more"


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value in ("", ()):
        return "none"
    return f"`{value}`" if isinstance(value, str) else f"{value:g}"


# -- routes -------------------------------------------------------------------------------


def routes_table(tag: str) -> str:
    """The requests of a part of the service: method and path, what it does."""
    lines = ["| request | does |", "| --- | --- |"]
    for path, methods in create_app(Settings(), [ANNOTATOR]).openapi()["paths"].items():
        for method, form in methods.items():
            if tag in form.get("tags", ()):
                does = " ".join(form["description"].split()).replace("|", "\\|")
                lines.append(_line([f"`{method.upper()} {path.removeprefix(API)}`", does]))
    return "\n".join(lines)


def main() -> None:
    """Write the files that are not up to date."""
    for path, text in wanted().items():
        if path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
