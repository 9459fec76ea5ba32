"""A Ray cluster of three nodes on this machine: the same rows, whatever happens to the nodes."""

import gzip
import json
import os
import random
import signal
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pagelet.bulk.batches import map_batches
from pagelet.bulk.engine import LocalEngine
from pagelet.bulk.inputs import Plan
from pagelet.bulk.outputs import Dataset, OutputOptions
from pagelet.bulk.ray_engine import RayEngine, ray_package
from tests.bulk.archives import ids, page, pages, rows, write_warc
from tests.bulk.test_batches import FEW, TABLE
from tests.bulk.works import QUICK, Unruly

pytestmark = pytest.mark.filterwarnings("ignore")  # of its own parts, while it starts

PAGES, LINES = 24, 12
STORE = {"num_cpus": 1, "object_store_memory": 80_000_000, "include_dashboard": False}
SOON = {"health_check_initial_delay_ms": 2000, "health_check_period_ms": 500,
        "health_check_failure_threshold": 4}  # fmt: skip


class Nodes:
    """The cluster; nodes come and go."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster  # noqa: PLC0415 - after ray_package

        head = STORE | {"_system_config": SOON}
        self.cluster = Cluster(initialize_head=True, head_node_args=head)
        self.others = [self.cluster.add_node(**STORE) for _ in range(2)]
        self.cluster.wait_for_nodes()

    def kill_one(self) -> None:
        """End a node at once, with all that runs on it."""
        self.cluster.remove_node(self.others.pop(), allow_graceful=False)

    def add_one(self) -> None:
        self.others.append(self.cluster.add_node(**STORE))


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    os.environ["RAY_memory_monitor_refresh_ms"] = "0"  # noqa: SIM112 - its own spelling
    ray = ray_package()
    found = Nodes()
    ray.init(address=found.cluster.address, log_to_driver=False, logging_level="ERROR")
    yield found
    ray.shutdown()
    found.cluster.shutdown()


class Watched(Dataset):
    """An output that does something once it has so many chunks."""

    chunks, at, then = 0, -1, staticmethod(lambda: None)

    def add(self, *told: Any) -> None:
        super().add(*told)
        self.chunks += 1
        if self.chunks == self.at:
            self.then()


def run(inputs: Any, output: Path, work: Any, engine: Any, **more: Any) -> Watched:
    """Work on inputs; what is to happen in the middle happens."""
    how = OutputOptions()
    with Watched(output, work, how, resume=more.pop("resume", False)) as dataset:
        dataset.at, dataset.then = more.pop("at", -1), more.pop("then", lambda: None)
        stop = more.pop("stop", lambda: False)
        engine.run(Plan(tuple(map(str, inputs))), work, dataset, stop)
    return dataset


@pytest.fixture(scope="module")
def work(tmp_path_factory) -> Unruly:
    return Unruly(QUICK, str(tmp_path_factory.mktemp("notes")))


@pytest.fixture(scope="module")
def inputs(tmp_path_factory) -> list[Path]:
    """Two archives, one with a page that ends its worker, and a table that cannot be split."""
    folder = tmp_path_factory.mktemp("inputs")
    bad = [page("gone", "<p>[exit]"), page("empty", " "), page("dead", "<p>[killed once]")]
    first = write_warc(folder / "a.warc.gz", [*pages(PAGES), *bad, page("after", "<p>After")])
    slow = [page(f"slow{at}", f"<p>[slow] Page number {at} of the second.") for at in range(PAGES)]
    table = [{"id": at, "html": f"<p>[slow] Line number {at}."} for at in range(LINES)]
    with gzip.open(folder / "c.jsonl.gz", "wt") as file:
        file.writelines(json.dumps(line) + "\n" for line in table)
    return [first, write_warc(folder / "b.warc", slow), folder / "c.jsonl.gz"]


@pytest.fixture(scope="module")
def expected(inputs, work, tmp_path_factory) -> list[dict]:
    output = tmp_path_factory.mktemp("local") / "out"
    run(inputs, output, work, LocalEngine(1))
    return rows(output)


def test_same_rows_as_the_local_engine(nodes, inputs, work, expected, tmp_path):
    dataset = run(inputs, tmp_path / "out", work, RayEngine())
    assert rows(tmp_path / "out") == expected
    assert len(expected) == 2 * PAGES + 4 + LINES
    assert dataset.totals().errors == {"WorkerCrashed": 1}
    assert not dataset.failed


def test_a_node_that_dies_in_the_middle_changes_nothing(nodes, inputs, work, expected, tmp_path):
    dataset = run(inputs, tmp_path / "out", work, RayEngine(), at=3, then=nodes.kill_one)
    nodes.add_one()
    assert dataset.chunks > 3
    assert rows(tmp_path / "out") == expected


def test_stopped_and_resumed(nodes, inputs, work, expected, tmp_path):
    stopped: list[bool] = []
    enough = partial(stopped.append, True)
    first = run(inputs, tmp_path / "out", work, RayEngine(), at=2, then=enough,
                stop=lambda: bool(stopped))  # fmt: skip
    assert 0 < len(ids(tmp_path / "out")) < len(expected)
    second = run(inputs, tmp_path / "out", work, RayEngine(), resume=True)
    assert rows(tmp_path / "out") == expected
    assert first.chunks + second.chunks == len(expected) // 4


def plain(value: Any) -> Any:
    """Arrays as lists, which is what one table holds and another does not."""
    return list(value) if isinstance(value, np.ndarray) else value


def test_ray_data(nodes):
    import ray.data  # noqa: PLC0415 - heavy

    ray.data.DataContext.get_current().enable_progress_bars = False
    pages = ray.data.from_arrow(TABLE).repartition(2)
    expected = map_batches(TABLE, FEW).to_pylist()
    for form in ("pyarrow", "numpy", "pandas"):
        mapped = pages.map_batches(
            map_batches, batch_format=form, fn_kwargs={"options": FEW}, num_cpus=1
        )
        found = [{name: plain(row[name]) for name in row} for row in mapped.take_all()]
        assert sorted(found, key=lambda row: row["n"]) == expected, form


@pytest.mark.soak
def test_nodes_and_workers_that_die_at_random(nodes, inputs, work, expected, tmp_path):
    chance, workers = random.Random(20), 0
    for turn in range(20):
        killed: list[int] = []
        killing = nodes.kill_one if turn % 2 else partial(kill_worker, killed)
        out, at = tmp_path / str(turn), chance.randrange(1, 14)
        run(inputs, out, work, RayEngine(), at=at, then=killing)
        assert rows(out) == expected, (turn, at)
        workers += len(killed)
        if turn % 2:
            nodes.add_one()
    assert workers > 5  # at most 10: now and then none is at work


def kill_worker(killed: list[int]) -> None:
    """End a process of our own cluster that runs tasks, and the guarded one it has."""
    for number in below(os.getpid()):
        with suppress(OSError):
            if Path(f"/proc/{number}/cmdline").read_bytes().startswith(b"ray::chunk_task"):
                os.kill(number, signal.SIGKILL)
                killed.append(number)
                return


def below(number: int) -> list[int]:
    """The processes that a process has started, and those that they have."""
    found = [number]
    for each in found:
        for tasks in Path(f"/proc/{each}/task").glob("*/children"):
            with suppress(OSError):
                found += map(int, tasks.read_text().split())
    return found[1:]
