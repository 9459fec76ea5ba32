"""The compiled core under AddressSanitizer and UBSan, and where allocations fail."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.soak

SECONDS = 7_200  #: only a hang takes longer
SHARES = os.cpu_count() or 1  #: processes that divide the pages among them


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    """The core, built with sanitizers."""
    if shutil.which("gcc") is None:
        pytest.skip("no gcc here")
    folder = tmp_path_factory.mktemp("core")
    build = [sys.executable, "scripts/build_core.py", "--sanitize", "--folder", str(folder)]
    subprocess.run(build, check=True)
    return folder / "_core.abi3.so"


def start_sanitized(module: Path, log: Path, *what: str) -> subprocess.Popen[str]:
    library = subprocess.run(
        ["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True
    )
    changes = {
        "LD_PRELOAD": library.stdout.strip(),
        "ASAN_OPTIONS": "detect_leaks=0",  # Python itself leaves memory to the end of the process
        "PYTHONMALLOC": "malloc",
        "PAGELET_CORE": "compiled",
    }
    command = [sys.executable, "-m", "tests.soak.sanitized", str(module), *what]
    with log.open("w") as errors:
        return subprocess.Popen(
            command, env=os.environ | changes, stdout=subprocess.PIPE, stderr=errors, text=True
        )


def finish(process: subprocess.Popen[str], log: Path) -> int:
    """The number that a process prints; whatever it had to say where it failed."""
    printed, _ = process.communicate(timeout=SECONDS)
    said = log.read_text(errors="replace")
    assert process.returncode == 0, said[-4_000:]
    assert "Sanitizer" not in said
    return int(printed)


def test_pages_touch_no_memory_but_their_own(module, tmp_path):
    logs = [tmp_path / f"{share}.log" for share in range(SHARES)]
    processes = [
        start_sanitized(module, log, "pages", f"{share}/{SHARES}") for share, log in enumerate(logs)
    ]
    try:
        assert sum(map(finish, processes, logs)) > 2_000
    finally:
        for process in processes:
            process.kill()


def test_an_allocation_that_fails_is_a_memory_error(module, tmp_path):
    log = tmp_path / "failures.log"
    assert finish(start_sanitized(module, log, "failures"), log) > 50
