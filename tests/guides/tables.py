"""Tables and fenced blocks of a guide."""

import re
from pathlib import Path

from tests.places import ROOT

GUIDES = ROOT / "docs" / "guides"
NAME = re.compile(r"`([^`]+)`")


def section(path: Path, heading: str) -> str:
    """The text below a heading, up to the next one of its level."""
    level = heading.split(maxsplit=1)[0]
    _, found, rest = path.read_text(encoding="utf-8").partition(f"\n{heading}\n")
    assert found, heading
    return re.split(rf"^{level} ", rest, maxsplit=1, flags=re.MULTILINE)[0]


def rows(path: Path, heading: str) -> list[tuple[set[str], str]]:
    """The names in the first cell of each row of a section's table, and its second cell."""
    lines = [line for line in section(path, heading).splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    return [(set(NAME.findall(first)), second) for first, second, *_ in cells]


def names(path: Path, heading: str) -> set[str]:
    """All names in the first cells of a section's table, each in one row alone."""
    each = [name for found, _ in rows(path, heading) for name in found]
    assert len(each) == len(set(each))
    return set(each)


def code(path: Path, kind: str, heading: str) -> str:
    """The first block of a kind below a heading."""
    block = re.search(rf"^```{kind}\n(.*?)^```$", section(path, heading), re.DOTALL | re.MULTILINE)
    assert block, heading
    return block[1]
