"""The steps of CONTRIBUTING.md, followed in a copy of the repository."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from textwrap import dedent, indent

import pytest

from tests.cases import case
from tests.places import ROOT, SITE

#: What a copy needs to run commands, tests and the generators of the docs.
FOLDERS = ("src", "docs", "scripts", "tests", "examples", "extension")
FILES = ("pyproject.toml", "README.md", "CONTRIBUTING.md")
STEP = re.compile(
    r"^\d+\. (?:Write `(?P<new>[^`]+)`|In `(?P<old>[^`]+)`, (?P<how>below|above|instead of) "
    r"`(?P<line>[^`]+)`, (?:add|write)):\n\n   ```\w*\n(?P<body>.*?)^   ```$",
    re.MULTILINE | re.DOTALL,
)
BUILT = shutil.ignore_patterns("__pycache__", "*.so", "pictures", "complaints")


def follow(text: str, folder: Path) -> list[str]:
    """Perform the steps that a text describes below a folder; the files that were touched."""
    touched = []
    for step in STEP.finditer(text):
        body = dedent(step["body"])
        path = folder / (step["new"] or step["old"])
        with case(path):
            if step["new"]:
                assert not path.exists(), "the file is there already"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(body, encoding="utf-8")
            else:
                change(path, step["how"], step["line"], body)
        touched.append(step["new"] or step["old"])
    return touched


def change(path: Path, how: str, line: str, body: str) -> None:
    """Put lines below, above or in place of the one line that reads like this."""
    lines = path.read_text(encoding="utf-8").splitlines()
    (at,) = (place for place, each in enumerate(lines) if each.strip() == line)
    margin = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    new = indent(body, margin).splitlines()
    before, after = {"below": (at + 1, at + 1), "above": (at, at), "instead of": (at, at + 1)}[how]
    path.write_text("\n".join([*lines[:before], *new, *lines[after:], ""]), encoding="utf-8")


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The repository after all steps."""
    folder = tmp_path_factory.mktemp("contributing")
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name, ignore=BUILT)
    for name in FILES:
        shutil.copy(ROOT / name, folder / name)
    touched = follow((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), folder)
    assert len(touched) == 19
    return folder


def run(copy: Path, *command: str) -> str:
    """What a Python command prints in the copy."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": f"{copy / 'src'}{os.pathsep}{copy}", "COLUMNS": "80"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_command_with_its_options(copy):
    page = str(SITE / "news" / "wall-repair.html")
    form = json.loads(
        run(copy, "-m", "pagelet", "headings", page, "-f", "json", "--min-words", "9")
    )
    assert (form["method"], form["pagelets"][0]["text"]) == (
        "headings",
        "The west wall is up again",
    )
    assert all(each["reason"]["words"] >= 9 for each in form["pagelets"])
    shown = run(copy, "-m", "pagelet", "headings", "--help")
    assert "--min-words" in shown
    assert "--max-level" in shown


ASK = """
import json
from pagelet.mcp.tools import input_schema
from pagelet.methods import METHODS
from pagelet.server.descriptions import describe_service
from pagelet.server.settings import Settings
from pagelet.server.requests import option_model
from scripts.build_docs import pages
from scripts.write_docs import CLI, ROOT, wanted

files = wanted()
print(json.dumps({
    "http": sorted(option_model("headings").model_fields),
    "described": [each["name"] for each in describe_service(Settings())["methods"]],
    "mcp": sorted(input_schema(METHODS["headings"], fetch=False)["properties"]),
    "page": files[ROOT / "docs" / "methods" / "headings.md"],
    "commands": files[CLI],
    "pages": pages(),
}))
"""


def test_a_place_in_every_interface_and_the_docs(copy):
    answer = json.loads(run(copy, "-c", ASK))
    assert answer["http"] == ["max_level", "min_words"]
    assert answer["described"][-1] == "headings"
    assert {"html", "max_level", "min_words"} <= set(answer["mcp"])
    row = "| `--min-words` | whole number, 0 or more | 0 | least words until the next heading |"
    assert row in answer["page"]
    assert "## `pagelet headings`" in answer["commands"]
    assert "docs/methods/headings.md" in answer["pages"]


def test_the_measure_and_the_shared_checks_pass(copy):
    """Those of the shared checks that look at a single method."""
    battery = ["tests/methods/test_headings.py", "tests/methods/test_registry.py"]
    chosen = ["-k", "headings", "-p", "no:xdist", "-p", "no:cacheprovider"]
    shown = run(copy, "-m", "pytest", "-q", "-rA", *chosen, *battery)
    assert shown.count("PASSED tests/methods/test_headings.py") == 3
    assert "test_registry.py::test_keywords_are_the_options[headings]" in shown


def test_the_layers_know_the_method(copy):
    """Layers are exhaustive: a method that the contract does not name would fail."""
    linter = Path(sys.executable).parent / "lint-imports"
    run(copy, str(linter), "--no-cache")


def test_a_source_that_the_command_line_opens(copy, tmp_path):
    with zipfile.ZipFile(tmp_path / "site.zip", "w") as archive:
        for path in SITE.rglob("*.html"):
            archive.write(path, path.relative_to(SITE).as_posix())
    url = "https://site.example/news/wall-repair.html"
    given = [str(SITE / "news" / "wall-repair.html"), "--url", url]
    command = ["template", *given, "--site", str(tmp_path / "site.zip"), "-f", "json"]
    template = json.loads(run(copy, "-m", "pagelet", *command))["template"]
    assert template["loads"] > 2
    assert template["share"]["nodes"] > 0.3
