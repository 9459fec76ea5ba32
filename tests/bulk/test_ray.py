"""A Ray cluster of three nodes on this machine: the same rows, whatever happens to the nodes.

A cluster takes longer to start than to do all that is asked of it here, so there is one, and one
test: with several, tests that run side by side would each have a cluster of their own.
"""

import gzip
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pagelet.bulk.batches import map_batches
from pagelet.bulk.chunk import Finished
from pagelet.bulk.engine import InlineEngine, LocalEngine
from pagelet.bulk.inputs import InputPlan
from pagelet.bulk.options import BulkOptions
from pagelet.bulk.outputs import Dataset, OutputOptions
from pagelet.bulk.ray_engine import RayEngine, import_ray
from pagelet.bulk.run import bulk
from pagelet.methods.template.table import MAX_PAGES
from tests.bulk.archives import ids, page, pages, rows, write_warc
from tests.bulk.large import write_large
from tests.bulk.test_batches import FEW, TABLE
from tests.bulk.works import QUICK, Unruly

pytestmark = pytest.mark.filterwarnings("ignore")  # of its own parts, while it starts

PAGES, LINES = 16, 8
SITE_COLUMNS = ("id", "text", "template_id", "template_share", "error")
STORE = {"num_cpus": 1, "object_store_memory": 80_000_000, "include_dashboard": False}
SOON = {"health_check_initial_delay_ms": 2000, "health_check_period_ms": 500,
        "health_check_failure_threshold": 4}  # fmt: skip


class Nodes:
    """The cluster; nodes come and go."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster  # noqa: PLC0415 - after import_ray

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
    ray = import_ray()
    found = Nodes()
    ray.init(address=found.cluster.address, log_to_driver=False, logging_level="ERROR")
    yield found
    ray.shutdown()
    found.cluster.shutdown()


class Watched(Dataset):
    """An output that does something once it has so many chunks."""

    chunks, at, then = 0, -1, staticmethod(lambda: None)

    def add(self, made: Finished) -> None:
        super().add(made)
        self.chunks += 1
        if self.chunks == self.at:
            self.then()


def run(inputs: Any, output: Path, work: Any, engine: Any, **more: Any) -> Watched:
    """Work on inputs; what is to happen in the middle happens."""
    how = OutputOptions()
    with Watched(output, work, how, resume=more.pop("resume", False)) as dataset:
        dataset.at, dataset.then = more.pop("at", -1), more.pop("then", lambda: None)
        stop = more.pop("stop", lambda: False)
        engine.run(InputPlan(tuple(map(str, inputs))), work, dataset, stop)
    return dataset


def work(folder: Path, name: str) -> Unruly:
    """Work whose pages may misbehave, each once for every name."""
    (folder / name).mkdir()
    return Unruly(QUICK, str(folder / name))


@pytest.fixture(scope="module")
def inputs(tmp_path_factory) -> list[Path]:
    """Two archives, a table that cannot be split, and last, pages that end their worker."""
    folder = tmp_path_factory.mktemp("inputs")
    bad = [page("gone", "<p>[exit]"), page("empty", " "), page("dead", "<p>[killed once]")]
    first = write_warc(folder / "a.warc.gz", pages(PAGES))
    last = write_warc(folder / "d.warc.gz", [*bad, page("after", "<p>After")])
    more = [page(f"more{at}", f"<p>Page number {at} of the second.") for at in range(PAGES)]
    table = [{"id": at, "html": f"<p>Line number {at}."} for at in range(LINES)]
    with gzip.open(folder / "c.jsonl.gz", "wt") as file:
        file.writelines(json.dumps(line) + "\n" for line in table)
    return [first, write_warc(folder / "b.warc", more), folder / "c.jsonl.gz", last]


@pytest.fixture(scope="module")
def expected(inputs, tmp_path_factory) -> list[dict]:
    folder = tmp_path_factory.mktemp("local")
    run(inputs, folder / "out", work(folder, "notes"), LocalEngine(2))
    return rows(folder / "out")


def test_three_nodes(nodes, inputs, expected, tmp_path):
    same_rows_as_the_local_engine(inputs, expected, tmp_path / "same")
    same_rows_of_sites_as_the_local_engine(tmp_path / "sites")
    good, wanted = inputs[:-1], expected[:-4]
    a_node_that_dies_in_the_middle_changes_nothing(nodes, good, wanted, tmp_path / "dies")
    stopped_and_resumed(good, wanted, tmp_path / "stopped")
    with command_on(nodes.cluster.address, inputs[0], tmp_path / "command") as process:
        batches_of_ray_data()
        said, told = process.communicate(timeout=300)
    assert process.returncode == 0, told
    assert f"{PAGES} rows, 0 of them errors" in said
    assert rows(tmp_path / "command") == expected[:PAGES]


def command_on(address: str, archive: Path, out: Path, *more: str) -> "subprocess.Popen[str]":
    """The command, on the same cluster."""
    command = [Path(sys.executable).parent / "pagelet", "bulk", archive, "-o", out, *more]
    told = ["--engine", "ray", "--address", address, "--columns", ",".join(QUICK.columns)]
    return subprocess.Popen(
        [*command, *told], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def same_rows_as_the_local_engine(inputs, expected, folder):
    folder.mkdir()
    dataset = run(inputs, folder / "out", work(folder, "notes"), RayEngine())
    assert rows(folder / "out") == expected
    assert len(expected) == 2 * PAGES + 4 + LINES
    assert dataset.totals().errors == {"WorkerCrashed": 1}
    assert not dataset.failed
    assert (folder / "notes" / "killed").exists()


def same_rows_of_sites_as_the_local_engine(folder):
    """Hosts whose pages lie in two archives, more of one than are sampled, and one with too few."""
    folder.mkdir()
    archives = [write_warc(folder / f"{at}.warc.gz", of_hosts(at)) for at in range(2)]
    found = {}
    for name, engine in (("ray", RayEngine()), ("local", LocalEngine(1))):
        told = BulkOptions(columns=SITE_COLUMNS, chunk_records=16, templates=str(folder / name))
        done = bulk(archives, folder / f"{name}-out", told, engine=engine)
        assert (done.errors, done.failed) == ({}, ())
        texts = {file.name: file.read_text() for file in (folder / name).iterdir()}
        found[name] = rows(folder / f"{name}-out"), texts
    assert found["ray"] == found["local"]
    made, texts = found["ray"]
    assert texts.keys() == {"large.example.json", "site.example.json"}
    assert Counter(row["template_id"] for row in made) == {
        "large.example": MAX_PAGES + 6,
        "site.example": 6,
        None: 2,
    }


def of_hosts(archive: int) -> list[bytes]:
    """The half of the pages of three hosts."""
    hosts = {"large": MAX_PAGES + 6, "site": 6, "small": 2}
    return [
        page(number).replace(b"site.example", f"{host}.example".encode())
        for host, count in hosts.items()
        for number in range(archive, count, 2)
    ]


def a_node_that_dies_in_the_middle_changes_nothing(nodes, inputs, expected, folder):
    folder.mkdir()
    told = work(folder, "notes")
    dataset = run(inputs, folder / "out", told, RayEngine(), at=3, then=nodes.kill_one)
    nodes.add_one()
    assert dataset.chunks > 3
    assert rows(folder / "out") == expected


def stopped_and_resumed(inputs, expected, folder):
    folder.mkdir()
    told, stopped = work(folder, "notes"), list[bool]()
    enough = partial(stopped.append, True)
    first = run(inputs, folder / "out", told, RayEngine(), at=2, then=enough,
                stop=lambda: bool(stopped))  # fmt: skip
    assert 0 < len(ids(folder / "out")) < len(expected)
    second = run(inputs, folder / "out", told, RayEngine(), resume=True)
    assert rows(folder / "out") == expected
    assert first.chunks + second.chunks == len(expected) // 4


def plain(value: Any) -> Any:
    """Arrays as lists, which is what one table holds and another does not."""
    return list(value) if isinstance(value, np.ndarray) else value


def batches_of_ray_data():
    import ray.data  # noqa: PLC0415 - heavy

    ray.data.DataContext.get_current().enable_progress_bars = False
    pages = ray.data.from_arrow(TABLE).repartition(2)
    how = {"fn_kwargs": {"options": FEW}, "num_cpus": 1}
    first, *rest = (
        pages.map_batches(map_batches, batch_format=form, **how)
        for form in ("pyarrow", "numpy", "pandas")
    )
    made = first.union(*rest).take_all()
    found = [{name: plain(row[name]) for name in row} for row in made]
    wanted = [row for row in map_batches(TABLE, FEW).to_pylist() for _ in range(3)]
    assert sorted(found, key=lambda row: row["n"]) == wanted


@pytest.mark.soak
def test_nodes_and_workers_that_die_at_random(nodes, inputs, expected, tmp_path):
    chance, workers = random.Random(20), 0
    for turn in range(20):
        killed: list[int] = []
        killing = nodes.kill_one if turn % 2 else partial(kill_worker, killed)
        out, at = tmp_path / str(turn), chance.randrange(1, 10)
        told = work(tmp_path, f"notes-{turn}")
        run(inputs, out, told, RayEngine(), at=at, then=killing)
        assert rows(out) == expected, (turn, at)
        workers += len(killed)
        if turn % 2:
            nodes.add_one()
    assert workers > 5  # at most 10: now and then none is at work


@pytest.mark.soak
def test_a_parent_that_dies_at_random_and_goes_on(nodes, tmp_path):
    archive, out = write_large(tmp_path / "x.warc.gz", 1_000), tmp_path / "out"
    told = replace(QUICK, chunk_records=16)
    bulk([archive], tmp_path / "undisturbed", told, engine=InlineEngine())
    chance, cut = random.Random(5), ("--chunk-records", "16", "--file-rows", "32", "--resume")
    for turn in range(6):
        before = len(list((out / "_manifest").glob("_part-*")))
        with command_on(nodes.cluster.address, archive, out, *cut) as process:
            while turn < 5 and process.poll() is None:
                if len(list((out / "_manifest").glob("_part-*"))) > before:
                    time.sleep(chance.uniform(0, 0.5))
                    process.kill()
                time.sleep(0.01)
            process.communicate()
    assert process.returncode == 0
    assert rows(out) == rows(tmp_path / "undisturbed")


def kill_worker(killed: list[int]) -> None:
    """End a process of our own cluster that runs tasks, and the guarded one it has."""
    for number in below(os.getpid()):
        with suppress(OSError):
            if Path(f"/proc/{number}/cmdline").read_bytes().startswith(b"ray::run_chunk"):
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
