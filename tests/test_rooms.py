"""The rooms: sizes, public names, and who may import whom."""

import ast
import re
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import pagelet

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "pagelet"
FILES = sorted(SOURCE.rglob("*.py"))
FILE_LINES, FUNCTION_LINES, WANTED_LINES = 300, 40, 25


def named(path: Path) -> str:
    return str(path.relative_to(SOURCE))


def test_public_names_are_sorted_and_complete():
    imported = {name for name, value in vars(pagelet).items() if is_public(name, value)}
    assert set(pagelet.__all__) == imported | set(pagelet._LATER)
    assert all(callable(getattr(pagelet, name)) for name in pagelet._LATER)
    constants = [name for name in pagelet.__all__ if name.isupper()]
    classes = [name for name in pagelet.__all__ if name[0].isupper() and not name.isupper()]
    functions = [name for name in pagelet.__all__ if name[0].islower()]
    assert pagelet.__all__ == [*sorted(constants), *sorted(classes), *sorted(functions)]


def is_public(name: str, value: object) -> bool:
    """Whether a name of the package was imported for its users; its rooms are no names."""
    return not name.startswith("_") and not isinstance(value, type(sys))


@pytest.mark.parametrize("path", FILES, ids=named)
def test_a_file_fits(path):
    assert len(path.read_text().splitlines()) <= FILE_LINES


@pytest.mark.parametrize("path", FILES, ids=named)
def test_a_function_fits(path):
    for function in functions(path):
        first = (
            function.body[1]
            if ast.get_docstring(function) and function.body[1:]
            else function.body[0]
        )
        lines = (function.end_lineno or 0) - first.lineno + 1
        assert lines <= FUNCTION_LINES, f"{function.name}: {lines} lines"
        if lines > WANTED_LINES:
            with warnings.catch_warnings():
                warnings.simplefilter("default")
                warnings.warn(f"{path}: {function.name} has {lines} lines", stacklevel=1)


def functions(path: Path) -> list[ast.FunctionDef]:
    return [
        node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)
    ]


@pytest.mark.parametrize("path", FILES, ids=named)
def test_no_file_names_a_place_on_a_machine(path):
    found = re.findall(
        r"""["'(\s](/(?:home|root|tmp|work|usr|opt|mnt|var|Users)/[^\s"')]*)""", path.read_text()
    )
    assert found == []


@pytest.mark.parametrize("path", FILES, ids=named)
def test_a_module_says_what_it_is_for(path):
    assert ast.get_docstring(ast.parse(path.read_text()))


def test_imports_point_one_way():
    command = shutil.which("lint-imports", path=str(Path(sys.executable).parent))
    if command is None:
        pytest.skip("import-linter is not installed")
    done = subprocess.run(
        [command, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
