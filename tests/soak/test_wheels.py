"""Wheels as they are released: built, repaired, and used where there is no compiler.

Packages that pagelet depends on are loaded from the registry.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import ROOT, SITE

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux has manylinux wheels"),
]

PAGE = SITE / "news" / "wall-repair.html"
CODE = "import sys, pagelet; print(pagelet.extract(open(sys.argv[1], 'rb').read()))"


def run(*command: str | Path, **variables: str) -> str:
    """What a command prints; its error output where it fails."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    programs = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    ended = subprocess.run(
        list(map(str, command)),
        env=kept | {"PATH": programs} | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout[-2_000:] + ended.stderr[-2_000:]
    return ended.stdout


def build(out: Path, *options: str, core: str) -> list[str]:
    """Build the package as `options` say, with or without the compiled core."""
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", out, *options, ROOT]
    run(*build, PAGELET_CORE=core)
    return sorted(path.name for path in out.iterdir())


def install(wheel: Path, folder: Path) -> Path:
    """The programs of a new environment that has the wheel, and no C compiler that works."""
    run(sys.executable, "-m", "venv", folder)
    pip = [folder / "bin" / "python", "-m", "pip", "install", "--quiet"]
    run(*pip, wheel, CC="false", CXX="false")
    return folder / "bin"


def check_wheel(wheel: Path, folder: Path, core: str) -> str:
    """What the installed wheel finds on a page, after a look at which core computes."""
    programs = install(wheel, folder)
    assert run(programs / "pagelet", "--version").endswith(f" ({core} core)\n")
    return run(programs / "python", "-c", CODE, PAGE)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """The wheel with the compiled core, built from the source archive and repaired."""
    if shutil.which("gcc") is None:
        pytest.skip("no gcc here")
    out = tmp_path_factory.mktemp("built")
    wheel, archive = build(out, core="compiled")
    assert archive.endswith(".tar.gz")
    assert "-cp311-abi3-linux_" in wheel
    repaired = tmp_path_factory.mktemp("repaired")
    run(sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", repaired, out / wheel)
    return next(repaired.iterdir())


@pytest.fixture(scope="module")
def pure(tmp_path_factory):
    """The wheel without it."""
    out = tmp_path_factory.mktemp("pure")
    (wheel,) = build(out, "--wheel", core="python")
    return out / wheel


def test_wheels_need_no_compiler_and_agree(compiled, pure, tmp_path):
    assert "-cp311-abi3-manylinux" in compiled.name
    assert pure.name.endswith("-py3-none-any.whl")
    text = check_wheel(compiled, tmp_path / "compiled", "compiled")
    assert text == check_wheel(pure, tmp_path / "pure", "Python")
    assert "wall" in text
