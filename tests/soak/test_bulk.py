"""Bulk runs that take long: a large archive on one core and on two, and processes killed."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pagelet.bulk.engine import InlineEngine
from pagelet.bulk.options import BulkOptions
from pagelet.bulk.run import bulk
from tests.bulk.archives import rows
from tests.bulk.large import OTHER, write_large
from tests.bulk.memory import peak

pytestmark = pytest.mark.soak

PAGES = 20_000
KILLS = 20
MEMORY = 1_500_000_000
COMMAND = [str(Path(sys.executable).parent / "pagelet"), "bulk"]


def timed(archive, out, jobs):
    """Seconds and bytes that the command takes, as a user runs it."""
    began = time.perf_counter()
    command = [*COMMAND, str(archive), "-o", str(out), "-j", str(jobs)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with peak(process.pid) as most:
        said, told = process.communicate(timeout=1200)
    assert process.returncode == 0, told
    assert f"{PAGES:,} rows, 0 of them errors" in said
    assert f"skipped: record type request: {PAGES // OTHER:,}" in said
    return time.perf_counter() - began, most[0]


def test_a_large_archive(tmp_path, capsys):
    archive = write_large(tmp_path / "large.warc.gz", PAGES)
    rates = {}
    for jobs in (1, 2):
        seconds, most = timed(archive, tmp_path / str(jobs), jobs)
        assert most < MEMORY
        rates[jobs] = PAGES / seconds
        with capsys.disabled():
            print(f"\n{jobs} workers: {rates[jobs]:.1f} pages/s, {most / 1e6:.0f} MB at most")
    found = rows(tmp_path / "2")
    assert sorted(int(row["id"][7:-1]) for row in found) == list(range(PAGES))
    with capsys.disabled():
        print(f"two workers are {rates[2] / rates[1]:.2f} times as fast as one")


def start(archive, out):
    names = ["--file-rows", "100", "--chunk-records", "16", "--resume"]
    command = [*COMMAND, str(archive), "-o", str(out), "-j", "2", *names]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def disturb(process, chance):
    """Kill the parent or a worker; what was killed, or None when all had ended before."""
    try:
        listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        if chance.random() < 0.6 and listed:
            os.kill(int(chance.choice(listed)), signal.SIGKILL)
            return "worker"
    except (OSError, ProcessLookupError):
        return None
    if process.poll() is not None:
        return None
    process.kill()
    return "parent"


def disturbed_run(archive, out, chance, kills):
    """Run to the end, killed now and then; what it printed."""
    process = start(archive, out)
    while sum(kills.values()) < KILLS:
        time.sleep(chance.uniform(0.1, 3))
        killed = disturb(process, chance)
        if killed is None:
            break
        kills[killed] += 1
        if killed == "parent":
            process.communicate()
            process = start(archive, out)
    said, told = process.communicate(timeout=600)
    assert process.returncode == 0, told
    return said


def test_processes_killed_at_random_moments_change_no_row(tmp_path, capsys):
    """Kill the parent or a worker, again and again; then let it end."""
    archive = write_large(tmp_path / "x.warc.gz", 2_000)
    options = BulkOptions(chunk_records=16)
    bulk([archive], tmp_path / "undisturbed", options, engine=InlineEngine())
    wanted = rows(tmp_path / "undisturbed")
    kills, chance, runs = {"parent": 0, "worker": 0}, random.Random(20), 0
    while sum(kills.values()) < KILLS:
        runs += 1
        disturbed_run(archive, tmp_path / f"out-{runs}", chance, kills)
        assert rows(tmp_path / f"out-{runs}") == wanted
    assert len(wanted) == 2_000
    with capsys.disabled():
        print(f"\nkilled {kills} in {runs} runs; every row as in an undisturbed run")
