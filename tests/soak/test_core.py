"""The compiled core under AddressSanitizer and UBSan, and where allocations fail."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.soak

SECONDS = 7_200  #: only a hang takes longer


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    """The core, built with sanitizers."""
    if shutil.which("gcc") is None:
        pytest.skip("no gcc here")
    folder = tmp_path_factory.mktemp("core")
    build = [sys.executable, "scripts/build_core.py", "--sanitize", "--folder", str(folder)]
    subprocess.run(build, check=True)
    return folder / "_core.abi3.so"


def run_sanitized(module: Path, what: str) -> subprocess.CompletedProcess[str]:
    library = subprocess.run(
        ["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True
    )
    changes = {
        "LD_PRELOAD": library.stdout.strip(),
        "ASAN_OPTIONS": "detect_leaks=0",  # Python itself leaves memory to the end of the process
        "PYTHONMALLOC": "malloc",
        "PAGELET_CORE": "compiled",
    }
    return subprocess.run(
        [sys.executable, "-m", "tests.soak.sanitized", str(module), what],
        env=os.environ | changes,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def test_pages_touch_no_memory_but_their_own(module):
    ended = run_sanitized(module, "pages")
    assert ended.returncode == 0, ended.stderr[-4_000:]
    assert "Sanitizer" not in ended.stderr
    assert int(ended.stdout) > 300


def test_an_allocation_that_fails_is_a_memory_error(module):
    ended = run_sanitized(module, "failures")
    assert ended.returncode == 0, ended.stderr[-4_000:]
    assert int(ended.stdout) > 50
