"""Command lines in the documentation, also those that are not run: commands and flags exist."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from scripts.command_reference import commands

from pagelet.cli import app
from tests.cases import case
from tests.places import ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
#: Code of a page: a block of a shell or of no language, or a phrase in backticks.
CODE = re.compile(r"^ *```(?:sh|console|text|)\n(.*?)^ *```$|(?<!`)`([^`\n]+)`(?!`)", re.M | re.S)
FENCE = re.compile(
    r"^ *```(?:python|json|toml|html|sql|markdown|dockerfile)\n.*?^ *```$", re.M | re.S
)
LINE = re.compile(r"(?:^|[|$&;] ?|\bexec )\s*pagelet (?P<rest>(?:\\\n|[^\n|>#&;…])*)", re.M)
FLAG = re.compile(r"(?<![\w-])(?P<flag>--?[a-zA-Z][\w-]*)")
WORD = re.compile(r"[a-z]+")


@pytest.fixture(scope="module")
def flags() -> dict[tuple[str, ...], set[str]]:
    """The flags of every command, by its words."""
    return {
        words: {
            "--help",
            "-h",
            *(flag for each in command.params for flag in (*each.opts, *each.secondary_opts)),
        }
        for words, command in commands(typer.main.get_command(app))
    }


def faults(rest: str, flags: dict[tuple[str, ...], set[str]]) -> Iterator[str]:
    """What a command line names that does not exist."""
    words: tuple[str, ...] = ()
    parts = rest.replace("\\\n", " ").split()
    while parts and (*words, parts[0]) in flags:
        words = (*words, parts.pop(0))
    is_group = any(each[:-1] == words for each in flags if each)
    if is_group and parts and WORD.fullmatch(parts[0]):
        yield f"no command {' '.join((*words, parts[0]))}"
        return
    quoted = re.sub(r"'[^']*'|\"[^\"]*\"", "", " ".join(parts))
    yield from (flag for flag in FLAG.findall(quoted) if flag not in flags[words])


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_and_flags_exist(path: Path, flags: dict[tuple[str, ...], set[str]]) -> None:
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    for code in CODE.finditer(text):
        for line in LINE.finditer(code[1] or code[2]):
            with case(line[0]):
                assert list(faults(line["rest"], flags)) == []


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ("content page.html --format markdown -f text", []),
        ("evaluate menu DIR --fit", []),
        ("evaluate DIR --fit", ["--fit"]),
        ("content page.html --fromat text", ["--fromat"]),
        ("train clutter", ["no command train clutter"]),
        ("contents page.html", ["no command contents"]),
        ("content page.html --drop 'div.--x'", []),
    ],
)
def test_what_does_not_exist_is_noticed(rest, expected, flags) -> None:
    assert list(faults(rest, flags)) == expected
