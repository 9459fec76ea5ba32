"""Worker processes: they start, do jobs, fail, and end when they must."""

import os
import signal
import subprocess
import sys
import time
from math import inf
from pathlib import Path

import pytest

from pagelet import processes
from pagelet.errors import NoWorkers, OverTime, WorkerCrashed
from pagelet.processes import JobCancelled, JobLimit, Worker, WorkerPool, limit_memory, stop_workers


class Echo:
    """Sends jobs back, or does what they name."""

    def __init__(self, problem=""):
        self.problem = problem

    def prepare(self):
        if self.problem == "raise":
            raise RuntimeError("no such model")
        if self.problem == "exit":
            os._exit(4)
        limit_memory(200)

    def handle(self, job, send):
        if job == "exit":
            os._exit(3)
        if job == "hang":
            time.sleep(3600)
        if job == "pid":
            return send(os.getpid())
        if job == "threads":
            return send(os.environ["OMP_NUM_THREADS"])
        if job == "eat":
            return send(eat())
        return send(job)

    def close(self):
        """Nothing is open."""


def eat():
    try:
        return len(bytearray(1_000_000_000))
    except MemoryError:
        return "MemoryError"


@pytest.fixture
def worker():
    started = Worker(Echo())
    started.wait_until_ready()
    yield started
    stop_workers([started])
    assert not started.alive


def test_jobs_are_done_one_after_another(worker):
    assert [worker.call(job, JobLimit(300)) for job in ("a", {"b": 1}, "threads")] == [
        "a",
        {"b": 1},
        "1",
    ]
    assert worker.jobs == 3


def test_signals_are_left_to_the_parent(worker):
    for number in (signal.SIGINT, signal.SIGTERM):
        worker.process.send_signal(number)
    assert worker.call("still here", JobLimit(300)) == "still here"


@pytest.mark.skipif(sys.platform != "linux", reason="the limit holds on Linux")
def test_memory_is_limited(worker):
    assert worker.call("eat", JobLimit(300)) == "MemoryError"


def test_an_idle_worker_ends_by_itself_and_a_busy_one_is_killed():
    idle, starting = Worker(Echo()), Worker(Echo())
    idle.wait_until_ready()
    stop_workers([idle, starting])
    assert idle.exit_description() == "exit code 0"
    assert starting.exit_description() == "signal SIGKILL"


def test_a_worker_that_fails_to_start_reports_why():
    with pytest.raises(NoWorkers, match=r"^worker processes do not start: .*no such model$"):
        Worker(Echo("raise"), quiet=True).wait_until_ready()
    with pytest.raises(NoWorkers, match="the process ended with exit code 4"):
        Worker(Echo("exit")).wait_until_ready()


def test_a_worker_that_starts_too_slowly_is_killed(monkeypatch):
    monkeypatch.setattr(processes, "START_SECONDS", 0.0)
    slow = Worker(Echo())
    with pytest.raises(NoWorkers, match="the process took too long"):
        slow.wait_until_ready()
    assert slow.exit_description() == "signal SIGKILL"


def test_no_process_can_be_started(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(NoWorkers, match="/nowhere/python"):
        Worker(Echo())


# -- a pool -----------------------------------------------------------------------------------


@pytest.fixture
def pool():
    started = WorkerPool(Echo(), 1)
    started.threads.submit(started.start).result()
    yield started
    started.close()


def run(pool, job, seconds=300.0):
    return pool.threads.submit(pool.run, job, "the job", pool.limit(seconds)).result()


def test_a_pool_keeps_its_worker(pool):
    assert run(pool, "pid") == run(pool, "pid") != os.getpid()


def test_a_pool_replaces_a_worker_that_hangs_dies_or_is_worn_out(pool, monkeypatch):
    seen = [run(pool, "pid")]
    with pytest.raises(OverTime, match=r"the job: took more than 0\.1 seconds"):
        run(pool, "hang", 0.1)
    seen.append(run(pool, "pid"))
    with pytest.raises(WorkerCrashed, match="the job: worker processes ended with exit code 3"):
        run(pool, "exit")
    seen.append(run(pool, "pid"))
    monkeypatch.setattr(processes, "MAX_JOBS", 2)
    seen += [run(pool, "pid"), run(pool, "pid")]
    assert [seen.index(each) for each in seen] == [0, 1, 2, 2, 4]


def test_a_lazy_pool_starts_nothing_until_there_is_a_job():
    pool = WorkerPool(Echo(), 1, lazy=True)
    assert (pool.idle, pool.started, pool.complete) == ([], 0, True)
    assert run(pool, "a") == "a"
    with pytest.raises(WorkerCrashed):
        run(pool, "exit")
    assert (pool.idle, pool.started, pool.complete) == ([], 0, True)
    pool.close()


def test_a_pool_starts_a_worker_in_place_of_one_that_was_ended(pool):
    assert (len(pool.idle), pool.complete) == (1, True)
    with pytest.raises(WorkerCrashed):
        run(pool, "exit")
    assert (len(pool.idle), pool.complete) == (0, False)
    pool.threads.submit(pool.refill).result()
    assert (len(pool.idle), pool.complete) == (1, True)


def test_a_worker_whose_result_shows_that_it_is_spent_is_replaced(pool):
    first = run(pool, "pid")
    spent = pool.threads.submit(
        pool.run, "pid", "the job", pool.limit(300), spent=lambda result: result == first
    )
    assert spent.result() == first
    assert run(pool, "pid") not in (first, os.getpid())


def test_a_job_that_is_cancelled_is_ended_with_its_worker(pool):
    first, limit = run(pool, "pid"), pool.limit(3600)
    job = pool.threads.submit(pool.run, "hang", "the job", limit)
    while limit.end == inf:  # it has not begun
        time.sleep(0.01)
    limit.cancel()
    with pytest.raises(JobCancelled):
        job.result(300)
    assert run(pool, "pid") != first


def test_a_worker_that_does_not_take_its_job_is_given_up(pool, monkeypatch):
    monkeypatch.setattr(processes, "SEND_SECONDS", 1)
    monkeypatch.setattr(processes, "STOP_SECONDS", 0.1)
    first = run(pool, "pid")
    os.kill(first, signal.SIGSTOP)
    with pytest.raises(WorkerCrashed, match="worker processes ended with no answer"):
        run(pool, "x" * 10_000_000)
    assert run(pool, "pid") != first


def test_a_job_that_is_cancelled_before_it_begins_leaves_the_worker_alone(pool):
    first, limit = run(pool, "pid"), pool.limit(3600)
    limit.cancel()
    with pytest.raises(JobCancelled):
        pool.threads.submit(pool.run, "hang", "the job", limit).result(300)
    assert run(pool, "pid") == first


PARENT = """
from pagelet.processes import JobLimit, Worker
from tests.test_processes import Echo
worker = Worker(Echo())
worker.wait_until_ready()
print(worker.process.pid, flush=True)
worker.call("hang", JobLimit(3600))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_worker_ends_with_its_parent():
    paths = {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", PARENT]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ | paths) as parent:
        pid = int(parent.stdout.readline())
        parent.kill()
    for _ in range(30_000):
        if is_gone(pid):
            return
        time.sleep(0.01)
    raise AssertionError("the worker is left over")


def is_gone(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True
