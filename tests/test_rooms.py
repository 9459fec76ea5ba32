"""The rooms: sizes, public names, and who may import whom."""

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pagelet
from tests.places import ROOT

SOURCE = ROOT / "src" / "pagelet"
FILES = sorted(SOURCE.rglob("*.py"))
FILE_LINES, FUNCTION_LINES = 500, 40


def named(path: Path) -> str:
    return str(path.relative_to(SOURCE))


def test_public_names_are_sorted_and_complete():
    assert set(pagelet.__all__) == set(pagelet._WHERE) == set(dir(pagelet)) - {"__version__"}
    assert all(getattr(pagelet, name) is not None for name in pagelet.__all__)
    constants = [name for name in pagelet.__all__ if name.isupper()]
    classes = [name for name in pagelet.__all__ if name[0].isupper() and not name.isupper()]
    functions = [name for name in pagelet.__all__ if name[0].islower()]
    assert pagelet.__all__ == [*sorted(constants), *sorted(classes), *sorted(functions)]


def test_every_file_fits():
    lines = {named(path): len(path.read_text().splitlines()) for path in FILES}
    assert {name: count for name, count in lines.items() if count > FILE_LINES} == {}


def test_every_function_fits():
    lines = {
        f"{named(path)}: {function.name}": body_lines(function)
        for path in FILES
        for function in functions(path)
    }
    assert {name: count for name, count in lines.items() if count > FUNCTION_LINES} == {}


def body_lines(function: ast.FunctionDef) -> int:
    documented = ast.get_docstring(function) and function.body[1:]
    first = function.body[1] if documented else function.body[0]
    return (function.end_lineno or 0) - first.lineno + 1


def functions(path: Path) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(tree_of(path)) if isinstance(node, ast.FunctionDef)]


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def test_no_file_names_a_place_on_a_machine():
    place = re.compile(r"""["'(\s](/(?:home|root|tmp|work|usr|opt|mnt|var|Users)/[^\s"')]*)""")
    found = {named(path): place.findall(path.read_text()) for path in FILES}
    assert {name: places for name, places in found.items() if places} == {}


def test_every_module_says_what_it_is_for():
    assert [named(path) for path in FILES if not ast.get_docstring(tree_of(path))] == []


def test_no_prefix_is_shared_by_three_files_of_a_folder():
    families = Counter(
        (path.parent, path.stem.split("_")[0])
        for path in FILES
        if "_" in path.stem and path.stem != "__init__"
    )
    assert [
        f"{named(folder)}/{prefix}_*" for (folder, prefix), n in families.items() if n > 2
    ] == []


def test_imports_point_one_way():
    """Needs import-linter, which the set-up of the tests installs."""
    command = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run(
        [command, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


NOTHING_WORDS = {"said", "told", "asked", "known", "found", "heard"}  #: words that name nothing


def named_things() -> Iterator[tuple[str, str]]:
    """Names of classes, functions and fields, each with its place."""
    for path in FILES:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield node.name, f"{named(path)}:{node.lineno}"
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                yield node.target.id, f"{named(path)}:{node.lineno}"


def test_names_are_made_of_words_that_say_something():
    parts = re.compile(r"_|(?<=[a-z])(?=[A-Z])")
    found = [
        f"{place} {name}"
        for name, place in named_things()
        if NOTHING_WORDS & {part.lower() for part in parts.split(name)}
    ]
    assert found == []


def test_a_class_name_exists_once():
    places: dict[str, list[str]] = {}
    for path in FILES:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(named(path))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}
