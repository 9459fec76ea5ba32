"""Bulk runs over many broken files, and on a disk that fills up."""

import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from pagelet.bulk import engine as engines
from pagelet.bulk.engine import InlineEngine, LocalEngine
from pagelet.bulk.options import BulkOptions
from pagelet.bulk.run import bulk
from tests.bulk.archives import page, rows, write_warc
from tests.bulk.fuzz import KINDS, check, check_places, write_broken
from tests.bulk.test_readers import noise

pytestmark = pytest.mark.soak

ARCHIVES = 100
OPTIONS = BulkOptions(columns=("id", "text", "error"), chunk_records=5)
COMMAND = [str(Path(sys.executable).parent / "pagelet"), "bulk"]
HANG_SECONDS = 300


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    folder = tmp_path_factory.mktemp("broken")
    kinds = [KINDS[at % len(KINDS)] for at in range(ARCHIVES)]
    return [write_broken(folder / f"{at}.{kind}", kind, 1000 + at) for at, kind in enumerate(kinds)]


@pytest.mark.parametrize("engine", [LocalEngine(2), InlineEngine()], ids=["workers", "no workers"])
def test_no_whole_record_of_100_broken_archives_is_lost(
    tmp_path, broken, engine, monkeypatch, capsys
):
    deaths = []
    monkeypatch.setattr(engines.LocalRun, "_blame_page", lambda *given: deaths.append(given))
    done = bulk([each.path for each in broken], tmp_path / "out", OPTIONS, engine=engine)
    whole, touched = check(broken, rows(tmp_path / "out"), done)
    assert not deaths
    with capsys.disabled():
        print(f"\n{ARCHIVES} broken archives: {whole:,} whole records, all there once;")
        print(f"{touched:,} touched, {sum(done.errors.values()):,} of them error rows;")
        print(f"{sum(done.damaged.values()):,} damaged places, {len(done.failed)} inputs unread")


def test_broken_archives_read_the_same_from_any_place_on(broken):
    for at, each in enumerate(broken):
        check_places(each.path, OPTIONS, Random(at))


SCRIPT = """
mount -t tmpfs -o size=400k tmpfs "$1" || exit 77
shift; folder=$1; shift
"$@"; echo "ended with $?" >&2
mount -o remount,size=100m "$folder"
"$@" --resume
"""


@pytest.mark.skipif(shutil.which("unshare") is None, reason="mounts a small disk of its own")
@pytest.mark.parametrize("jobs", [0, 2])
@pytest.mark.parametrize("format", ["parquet", "jsonl", "jsonl.gz", "jsonl.zst"])
def test_a_disk_that_fills_up_ends_a_run_with_one_line(tmp_path, format, jobs):
    pages = [page(at, f"<p>{noise(3000, at)}") for at in range(400)]
    archive, disk = write_warc(tmp_path / "x.warc", pages), tmp_path / "disk"
    disk.mkdir()
    names = ["--format", format, "-j", str(jobs), "--file-rows", "50", "--columns", "id,text"]
    command = [*COMMAND, str(archive), "-o", str(disk / "out"), *names]
    script = ["unshare", "-rm", "sh", "-c", SCRIPT, "sh", str(disk), str(disk), *command]
    done = subprocess.run(script, capture_output=True, text=True, timeout=HANG_SECONDS, check=False)
    if done.returncode == 77:
        pytest.skip("this user may not mount")
    lines = done.stderr.splitlines()
    first, second, *more = [line for line in lines if "pages, " not in line]  # without progress
    assert first.startswith(f"pagelet: {disk}/out cannot be written: no space left on device")
    assert second == "ended with 1"
    assert not more
    assert done.returncode == 0
    assert "400 rows, 0 of them errors" in done.stdout
