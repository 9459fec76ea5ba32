"""The local engine: pages that do what they must not do, and processes that end."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from pagelet.bulk.engine import InlineEngine, LocalEngine, LocalRun
from pagelet.bulk.inputs import InputPlan
from pagelet.bulk.options import BulkOptions
from pagelet.bulk.outputs import Dataset, OutputOptions
from pagelet.bulk.row import PageWork
from pagelet.bulk.run import bulk
from pagelet.errors import NoWorkers
from pagelet.processes import stop_workers
from tests.bulk.archives import ids, page, pages, rows, write_warc
from tests.bulk.works import FEW, QUICK, Unruly, run

pytestmark = pytest.mark.slow

HOSTILE = {
    "exit": ("WorkerCrashed", "exit code 3"),
    "crash": ("WorkerCrashed", "signal SIGSEGV"),
    "hang": ("OverTime", "took more than 3 seconds"),
    "eat": ("MemoryError", "MemoryError"),
    "raise": ("RecursionError", "RecursionError: too deep"),
}


def test_pages_that_misbehave_are_error_rows_and_the_rest_is_whole(tmp_path):
    bodies = [f"<p>good {at}" for at in range(8)]
    bodies[2:2] = ["<p>[exit]", "<p>[crash]", "<p>[raise]"]
    bodies[7:7] = ["<p>[hang]", "<p>[eat]", "<p>[killed once]"]
    archive = write_warc(tmp_path / "x.warc.gz", [page(f"p{at}", b) for at, b in enumerate(bodies)])
    work = Unruly(replace(QUICK, timeout=3.0, memory=200), str(tmp_path))
    dataset = run([archive], tmp_path / "out", work, jobs=2)
    found = rows(tmp_path / "out")
    assert [row["id"] for row in found] == [f"<urn:x:p{at}>" for at in range(len(bodies))]
    for row, body in zip(found, bodies, strict=True):
        kind = body.removeprefix("<p>").strip("[]")
        error, reason = HOSTILE.get(kind, (None, ""))
        assert row["error"] == error
        assert reason in (row["reason"] or "")
        assert error or row["text"].split()[0] in ("good", "[killed")
    assert dataset.totals().errors == {
        "WorkerCrashed": 2,
        "OverTime": 1,
        "MemoryError": 1,
        "RecursionError": 1,
    }
    assert dataset.failed == []


def test_a_worker_that_ran_out_of_memory_is_replaced(tmp_path):
    bodies = ["<p>good", "<p>[eat]", "<p>good", "<p>good", "<p>good"]
    archive = write_warc(tmp_path / "x.warc.gz", [page(f"p{at}", b) for at, b in enumerate(bodies)])
    work = Unruly(replace(QUICK, memory=200, chunk_records=2), str(tmp_path))
    with Dataset(tmp_path / "out", work) as dataset:
        local = LocalRun(1, iter(InputPlan((str(archive),))), work, dataset)
        seen: list[int] = []
        local.loop(lambda: bool(seen.extend(worker.process.pid for worker in local.workers)))
        stop_workers(local.workers)
    errors = [row["error"] for row in rows(tmp_path / "out")]
    assert errors == [None, "MemoryError", None, None, None]
    first, *others = dict.fromkeys(seen)
    assert len(others) == 1  # the one that ended, and the one that did the rest
    assert not Path(f"/proc/{first}").exists()


def test_the_engine_and_its_twin_without_workers_make_the_same_rows(tmp_path):
    archives = [write_warc(tmp_path / f"{at}.warc.gz", pages(9 + at)) for at in range(2)]
    options = replace(BulkOptions(), chunk_records=4, labels=True)
    inline = bulk(archives, tmp_path / "inline", options, engine=InlineEngine())
    local = bulk(archives, tmp_path / "local", options, engine=LocalEngine(2))
    for table in ("pages", "labels"):
        assert rows(tmp_path / "inline", table) == rows(tmp_path / "local", table)
    assert (inline.rows, local.rows, local.records) == (19, 19, 19)


def test_an_input_that_cannot_be_read_does_not_stop_the_others(tmp_path):
    good = write_warc(tmp_path / "b.warc", pages(3))
    gone = write_warc(tmp_path / "a.warc", pages(3))
    work = PageWork(QUICK)
    plan = list(InputPlan((str(gone), str(good))))
    gone.unlink()
    with Dataset(tmp_path / "out", work) as dataset:
        LocalEngine(1).run(plan, work, dataset, lambda: False)
    assert ids(tmp_path / "out") == ["0", "1", "2"]
    ((name, error, reason),) = dataset.failed
    assert (name, error) == (str(gone), "Unreachable")
    assert "no such file" in reason


class NeverStarts(PageWork):
    def schemas(self):
        if "pagelet.bulk.worker" in sys.modules and os.environ.get("OMP_NUM_THREADS") == "1":
            raise RuntimeError("no such thing")
        return super().schemas()


def test_workers_that_do_not_start_are_told(tmp_path, monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    archive = write_warc(tmp_path / "x.warc", pages(1))
    with pytest.raises(NoWorkers, match="RuntimeError: no such thing"):
        run([archive], tmp_path / "out", NeverStarts(QUICK))


def test_stop_finishes_what_is_begun_and_resume_does_the_rest(tmp_path):
    archive = write_warc(tmp_path / "x.warc.gz", pages(30))
    seen = []
    work = PageWork(QUICK)
    with Dataset(tmp_path / "out", work) as dataset:
        add = dataset.add
        dataset.add = lambda *given: (seen.append(1), add(*given))
        LocalEngine(1).run(InputPlan((str(archive),)), work, dataset, lambda: bool(seen))
    first = ids(tmp_path / "out")
    assert 0 < len(first) < 30
    bulk([archive], tmp_path / "out", QUICK, engine=InlineEngine(), resume=True)
    assert ids(tmp_path / "out") == sorted(map(str, range(30)))


# -- processes that are killed ----------------------------------------------------------------

MANY = 300  #: pages of a run that is not over before it is killed
HANG_SECONDS = 300  #: time after which a test is taken to hang
COMMAND = [str(Path(sys.executable).parent / "pagelet"), "bulk"]


def start(archive, out, *more):
    names = ["--columns", ",".join(FEW), "--chunk-records", "4", "--file-rows", "8"]
    command = [*COMMAND, str(archive), "-o", str(out), "-j", "2", *names, *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def children(process):
    listed = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return [int(child) for child in listed.read_text().split()]


def wait_for(condition, seconds=HANG_SECONDS):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def committed(out, parts=1):
    return lambda: len(list((out / "_manifest").glob("_part-*.json"))) >= parts


def is_gone(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_kill_9_of_workers_and_then_of_the_parent_changes_no_row(tmp_path):
    archive = write_warc(tmp_path / "x.warc.gz", pages(MANY))
    out = tmp_path / "out"
    with start(archive, out) as process:
        wait_for(committed(out))
        before = children(process)
        for worker in before:
            os.kill(worker, signal.SIGKILL)
        wait_for(committed(out, 3))
        workers = children(process)
        process.kill()
    assert workers
    assert not set(workers) & set(before)
    wait_for(lambda: all(map(is_gone, workers)))  # nobody is left over
    assert 0 < len(ids(out)) < MANY
    bulk([archive], out, QUICK, engine=InlineEngine(), resume=True)
    bulk([archive], tmp_path / "undisturbed", QUICK, engine=InlineEngine())
    assert rows(out) == rows(tmp_path / "undisturbed")
    assert all(row["error"] is None for row in rows(out))


def test_an_interrupt_ends_cleanly_and_resume_goes_on(tmp_path):
    archive = write_warc(tmp_path / "x.warc.gz", pages(MANY))
    out = tmp_path / "out"
    with start(archive, out) as process:
        wait_for(committed(out))
        process.send_signal(signal.SIGINT)
        said, told = process.communicate(timeout=HANG_SECONDS)
    assert process.returncode == 130, told
    assert "stopping; what is begun is finished" in told
    assert "--resume goes on from here" in told
    done = len(ids(out))
    assert f"{done:,} rows, 0 of them errors" in said
    assert not list((out / "_tmp").iterdir())
    bulk([archive], out, QUICK, engine=InlineEngine(), resume=True)
    assert ids(out) == sorted(map(str, range(MANY)))


def test_a_second_interrupt_ends_at_once(tmp_path):
    slow = [page(f"{at}", "<p>words " * 20_000) for at in range(100)]
    archive = write_warc(tmp_path / "x.warc", slow)
    out = tmp_path / "out"
    with start(archive, out, "--file-rows", "4") as process:
        wait_for(committed(out))  # so both workers have begun, and there is more to do
        process.send_signal(signal.SIGINT)
        assert any("stopping" in line for line in process.stderr)  # progress may come first
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=HANG_SECONDS)
    assert process.returncode == 130
    assert "stopped at once" in told or "goes on from here" in told


def test_output_files_are_cut_as_asked(tmp_path):
    archive = write_warc(tmp_path / "x.warc", pages(20))
    bulk([archive], tmp_path / "out", QUICK, how=OutputOptions(rows=8), engine=InlineEngine())
    assert len(list((tmp_path / "out" / "pages").iterdir())) == 3
    assert ids(tmp_path / "out") == sorted(map(str, range(20)))
