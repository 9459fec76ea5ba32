"""The versions that are installed: each in the range that is declared, and from any registry."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from scripts.write_constraints import declared

PINNED = Path("constraints.txt")
LINE = re.compile(r"[a-z0-9-]+==[0-9][0-9a-z.!+]*")
#: Packages whose next major version may change what pagelet does.
LEANED_ON = {
    "numpy", "httpx", "httpcore", "hishel", "turbohtml", "typer", "rich", "pyarrow", "playwright",
    "ray", "fastapi", "uvicorn", "mcp", "pillow", "fastwarc", "scrapy", "datatrove", "lightgbm",
    "scipy", "pypdfium2",
}  # fmt: skip


def pins() -> dict[str, str]:
    lines = PINNED.read_text().splitlines()[1:]
    return dict(line.split("==") for line in lines)


def test_every_line_is_a_name_and_a_version():
    assert all(LINE.fullmatch(line) for line in PINNED.read_text().splitlines()[1:])


@pytest.mark.parametrize("need", sorted(set(map(str, declared()))))
def test_every_dependency_is_pinned_within_its_range(need):
    wanted = Requirement(need)
    assert wanted.specifier.contains(pins()[canonicalize_name(wanted.name)])


def test_what_pagelet_leans_on_ends_at_the_next_major_version():
    project = tomllib.loads(Path("pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    lists = [project["dependencies"], *(extras[name] for name in extras if name != "peers")]
    needs = [Requirement(each) for needs in lists for each in needs]
    bounded = {need.name for need in needs if any(part.operator == "<" for part in need.specifier)}
    assert bounded >= LEANED_ON


def test_everything_is_installed_from_the_file():
    lines = Path("Makefile").read_text().splitlines()
    installs = [line for line in lines if re.search(r"\binstall --(?:editable|group)", line)]
    assert installs == []
    assert sum(line.startswith("\t$(INSTALL) ") for line in lines) >= 7
    assert "INSTALL := $(PIP) install --constraint constraints.txt" in lines
