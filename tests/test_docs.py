"""The documentation: its code runs, its links lead somewhere, and it names what there is."""

import inspect
import os
import re
import subprocess
import sys
import tomllib
from contextlib import redirect_stdout
from io import StringIO
from os import environ
from pathlib import Path

import pytest
import typer
from scripts import command_reference, write_docs

import pagelet
from pagelet import errors
from pagelet.cli import EXIT_CODES, app
from pagelet.methods import METHODS
from pagelet.methods.registry import option_fields
from pagelet.report.palette import WRITTEN
from tests.cases import case
from tests.places import ROOT

DOCS = ROOT / "docs"
README = ROOT / "README.md"
RUN = [README, *sorted(DOCS.glob("*.md")), *sorted((DOCS / "methods").glob("*.md"))]
GUIDES = sorted((DOCS / "guides").glob("*.md"))
FOLDERS = ("docs", "examples", "scripts", "src", "tests")
ALL = sorted(
    {*ROOT.glob("*.md"), *(path for name in FOLDERS for path in (ROOT / name).rglob("*.md"))}
)

FENCE = re.compile(r"^```(?P<kind>\w*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)\s]+)\)")
ANYTHING = "…"
PROGRAMS = ("pagelet", "python", "trafilatura")  #: programs that documents show


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def blocks(path: Path) -> list[tuple[str, str, bool]]:
    """Kind and body of each fenced block, and whether only blank lines part it from the last."""
    text, last, found = path.read_text(encoding="utf-8"), 0, []
    for match in FENCE.finditer(text):
        found.append((match["kind"], match["body"], not text[last : match.start()].strip()))
        last = match.end()
    return found


def tidy(text: str) -> str:
    """The text without white space at the ends of lines and without blank lines at its end."""
    return "".join(line.rstrip() + "\n" for line in text.rstrip().splitlines())


def matches(expected: str, actual: str) -> bool:
    """Whether the text is as expected; a line that is only … stands for any lines, or none."""
    lines = tidy(expected).splitlines()
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == ANYTHING else re.escape(line) + r"\n" for line in lines
    )
    return re.fullmatch(pattern, tidy(actual)) is not None


@pytest.mark.parametrize(
    ("expected", "actual", "alike"),
    [
        ("a\nb", "a\nb\n", True),
        ("a\nb", "a\nc", False),
        ("a", "a\nb", False),
        ("a\n…", "a\nb\nc", True),
        ("a\n…", "a", True),
        ("…\nc", "a\nb\nc", True),
        ("a\n…\nc", "a\nb\nd", False),
        ("a …", "a b", False),
        ("", "a", False),
        ("", "", True),
    ],
)
def test_how_output_is_compared(expected, actual, alike):
    assert matches(expected, actual) is alike


def test_every_public_name_is_described():
    text = (DOCS / "python.md").read_text(encoding="utf-8")
    assert [name for name in pagelet.__all__ if f"`{name}" not in text] == []


def test_the_readme_is_short():
    text = README.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 200
    assert len(text.split()) <= 1000


INSTALLED = re.compile(r"pip install (?:-\S+ )?'(?P<name>[^'\[]*)\[(?P<extras>[^\]]+)\]'")


def test_packages_are_installed_from_a_checkout():
    """pagelet is not on PyPI: `.[bulk]` works in a checkout, and only of extras that there are."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = {*project["project"]["optional-dependencies"]}
    found = [
        (named(path), match["name"], match["extras"])
        for path in [README, *sorted(DOCS.rglob("*.md"))]
        for match in INSTALLED.finditer(path.read_text(encoding="utf-8"))
    ]
    assert len(found) > 15
    assert {extra for *_, several in found for extra in several.split(",")} <= extras
    others = {(path, name) for path, name, _ in found if name != "."}
    assert others == {  # a container, and what the messages of a running pagelet say
        ("docs/guides/put-it-behind-a-service.md", "/src"),
        ("docs/start.md", "pagelet"),
    }


def test_the_extras_are_all_described():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    text = (DOCS / "start.md").read_text(encoding="utf-8")
    described = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.+?) \|", text, re.M))))
    assert {*project["project"]["optional-dependencies"]} <= described


def test_the_example_of_the_methods_over_http_has_their_defaults():
    text = (DOCS / "api.md").read_text(encoding="utf-8")
    shown = re.findall(r'"(?:min_score|default)": (0\.\d+)', text.split('"name": "menu",\n')[1])
    assert {float(value) for value in shown} == {METHODS["menu"].options().min_score}
    assert len(shown) == 3


# -- what is run --------------------------------------------------------------------------


@pytest.mark.parametrize("path", RUN, ids=named)
def test_python_prints_what_is_written(path, monkeypatch):
    monkeypatch.chdir(ROOT)
    namespace = {"__name__": "docs"}
    for kind, body, expected in steps(path):
        if kind == "python":
            run_python(body, expected, namespace)


def steps(path: Path) -> list[tuple[str, str, str]]:
    """Kind and body of each block, and the output that is shown right below it."""
    found = blocks(path)
    following = [*found, ("", "", False)][1:]
    return [
        (kind, body, expected if next_kind == "text" and next_to else "")
        for (kind, body, _), (next_kind, expected, next_to) in zip(found, following, strict=True)
    ]


def run_python(body: str, expected: str, namespace: dict[str, object]) -> None:
    """Run a block; what it prints is shown below it, and nothing else is."""
    output = StringIO()
    with redirect_stdout(output):
        exec(compile(body, "docs", "exec"), namespace)
    assert matches(expected, output.getvalue()), output.getvalue()


def commands(body: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with the output written below it."""
    assert body.startswith("$ "), body
    parts = re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]
    return [
        (command, expected) for command, _, expected in (part.partition("\n") for part in parts)
    ]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        pytest.param(command, expected, id=f"{named(path)}: {command}")
        for path in RUN
        for kind, body, _ in blocks(path)
        if kind == "console"
        for command, expected in commands(body)
    ],
)
def test_commands_print_what_is_written(command, expected):
    (ROOT / "build").mkdir(exist_ok=True)
    run_command(command, expected, ROOT)


#: A block that is the contents of a file, whose name ends the line above it.
NAMED_FILE = re.compile(
    r"`(?P<name>[\w-]+\.\w+)`:\n\n```(?:toml|json)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL
)


@pytest.mark.parametrize("path", GUIDES, ids=named)
def test_a_guide_can_be_followed(path, monkeypatch, tmp_path):
    """From top to bottom, in a folder with the examples and the files that the guide shows."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for file in NAMED_FILE.finditer(path.read_text(encoding="utf-8")):
        (tmp_path / file["name"]).write_text(file["body"], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "docs"}
    for kind, body, expected in steps(path):
        with case(body):
            if kind == "python":
                run_python(body, expected, namespace)
            elif kind == "console":
                for command, output in commands(body):
                    run_command(command, output, tmp_path)


def run_command(command: str, expected: str, folder: Path) -> None:
    """Run a command in a folder; it prints what is written below it."""
    assert command.split(maxsplit=1)[0] in PROGRAMS
    path = f"{Path(sys.executable).parent}{os.pathsep}{environ['PATH']}"
    done = subprocess.run(
        command,
        shell=True,  # as a reader would type it
        cwd=folder,
        env={**environ, **write_docs.PLAIN, "PATH": path, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert matches(expected, done.stdout), done.stdout


def test_something_is_run():
    kinds = [kind for kind, _, _ in blocks(README)]
    shown = "".join(body for kind, body, _ in blocks(README) if kind == "console")
    assert kinds.count("python") >= 1
    assert len(re.findall(r"^\$ ", shown, flags=re.MULTILINE)) >= 3


# -- what is generated --------------------------------------------------------------------


@pytest.mark.parametrize("path", [DOCS / "methods" / f"{name}.md" for name in METHODS], ids=named)
def test_options_are_up_to_date(path):
    assert path.read_text(encoding="utf-8") == write_docs.wanted()[path], "run make docs"


@pytest.mark.parametrize("name", WRITTEN)
def test_palette_is_up_to_date(name):
    path = write_docs.ROOT / name
    assert path.read_text(encoding="utf-8") == write_docs.wanted()[path], "run make docs"


def test_help_is_up_to_date():
    assert write_docs.CLI.read_text(encoding="utf-8") == write_docs.wanted()[write_docs.CLI], (
        "run make docs"
    )


def flags(text: str) -> dict[str, set[str]]:
    """The flags in each section."""
    sections = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    return {
        part.partition("\n")[0]: set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", part))
        for part in sections
    }


def test_every_option_of_a_command_is_in_its_section():
    found = flags(write_docs.wanted()[write_docs.CLI])
    shared = found[command_reference.SHARED_TITLE]
    for words, command in command_reference.commands(typer.main.get_command(app)):
        name = " ".join(("pagelet", *words))
        shown = [each for each in command.params if not getattr(each, "hidden", False)]
        options = {flag for each in shown for flag in (*each.opts, *each.secondary_opts)}
        long = {flag for flag in options if flag.startswith("--")} - command_reference.HELP
        with case(name):
            assert long <= found[f"`{name}`"] | shared
    assert {"--min-score", "--profile", "--format"} <= found["`pagelet menu`"]
    assert "--delay" in shared - found["`pagelet menu`"]
    assert {"`pagelet`", "`pagelet inspect`", "`pagelet evaluate clutter`"} <= set(found)


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("A|B [dim](default: 1)[/dim]", r"A\|B (default: 1)"),
        ("*all* of `x_y`,\nin <b>", r"\*all\* of `x_y`, in \<b>"),
        ("First.\n\nSecond.", "First."),
        (None, ""),
    ],
)
def test_a_cell_holds_nothing_that_markdown_reads(text, cell):
    assert command_reference.cell(text) == cell


# -- what is named ------------------------------------------------------------------------


def test_readme_is_short():
    text = README.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 200
    assert len(text.split()) <= 1000


def test_links_lead_somewhere():
    for path in ALL:
        with case(path):
            text = FENCE.sub("", path.read_text(encoding="utf-8"))
            for target in LINK.findall(text):
                if "://" in target or target.startswith("mailto:"):
                    continue
                name, _, heading = target.partition("#")
                there = path.parent / name if name else path
                assert there.exists(), target
                assert not heading or heading in headings(there), target


def headings(path: Path) -> set[str]:
    """Headings of a page as its links name them."""
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    titles = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_a_method_has_a_page_with_its_options():
    for name in METHODS:
        with case(name):
            text = (DOCS / "methods" / f"{name}.md").read_text(encoding="utf-8")
            for field in option_fields(METHODS[name].options):
                assert f"`--{field.name.replace('_', '-')}`" in text


def test_readme_lists_every_method():
    for name in METHODS:
        with case(name):
            assert f"[{name}](docs/methods/{name}.md)" in README.read_text(encoding="utf-8")


def test_every_exit_code_is_explained():
    text = (DOCS / "errors.md").read_text(encoding="utf-8")
    for code in sorted({0, *EXIT_CODES.values()}):
        with case(code):
            assert re.search(rf"^\| {code} \|", text, flags=re.MULTILINE)


def test_the_index_leads_to_every_page():
    text = (DOCS / "README.md").read_text(encoding="utf-8")
    linked = {target.partition("#")[0] for target in LINK.findall(text)}
    pages = [path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")]
    without = [name for name in pages if not name.startswith("decisions/") and name not in linked]
    assert without == ["README.md"]


def test_every_decision_is_listed_with_its_title():
    """Also in the order of their numbers, each of which exists once."""
    listed = re.findall(
        r"^- \[(.+)\]\((.+)\)$", (DOCS / "decisions" / "README.md").read_text(), flags=re.MULTILINE
    )
    files = sorted((DOCS / "decisions").glob("0*.md"))
    titles = [
        path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ") for path in files
    ]
    assert listed == [(title, path.name) for title, path in zip(titles, files, strict=True)]
    numbers = [int(path.name[:4]) for path in files]
    assert numbers == list(range(1, len(files) + 1))
    assert [int(title.partition(".")[0]) for title in titles] == numbers


def test_the_version_is_the_same_everywhere():
    """The manifest of the extension is compared in its own tests."""
    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(), flags=re.MULTILINE)
    assert cited
    assert cited[1] == pagelet.__version__
    assert f"## [{pagelet.__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_every_error_is_explained():
    for error in [value for value in vars(errors).values() if inspect.isclass(value)]:
        with case(error):
            text = (DOCS / "errors.md").read_text(encoding="utf-8")
            row = re.search(rf"^\| `{error.__name__}` \|.*\| (\d) \|$", text, flags=re.MULTILINE)
            assert row, error.__name__
            code = next(code for kind, code in EXIT_CODES.items() if issubclass(error, kind))
            assert int(row[1]) == code
