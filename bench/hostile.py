"""The cost of hostile pages by both cores: processor seconds and memory, in processes of their own.

The compiled core should be slower nowhere; pages where it is are marked and counted.
"""

import os
import re
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from math import inf
from multiprocessing import get_context
from multiprocessing.queues import SimpleQueue
from pathlib import Path
from time import process_time
from typing import NamedTuple

from tests.hostile import NAMES, SOURCES, fresh

from pagelet import detect_clutter, detect_menu, extract, parse
from pagelet.core import CHOICES, VARIABLE, compiled

NAME_WIDTH = 26  #: characters of the first column
ROUNDS = 3
MIN_SECONDS = 0.02  #: difference between two times from which on it is more than chance
LARGE_INPUT = 1_000_000  #: size of a source from which on memory is compared with it
MAX_RATIO = 1.1  #: time of one core over that of the other that may be chance


class Cost(NamedTuple):
    """What a page takes."""

    seconds: float = inf
    memory: float = 0.0  #: most bytes beyond those before it
    size: int = 0  #: characters or bytes of the source


def run() -> None:
    cores = CHOICES if compiled else ("python",)
    print("\nHostile pages: parse, menu, clutter and content; processor time and memory")
    print(f"  {'':<{NAME_WIDTH}}" + "".join(f"{core:>22}" for core in cores))
    slower = []
    with ExitStack() as stack:
        pools = {core: start_core(core, stack) for core in cores}
        for name in NAMES:
            costs = {core: pools[core].submit(best_cost, name).result() for core in cores}
            print(f"  {name:<{NAME_WIDTH}}{_describe(costs)}")
            if _is_slower(costs):
                slower.append(name)
    if len(cores) > 1:
        print(f"  the compiled core is slower on: {', '.join(slower) or 'none'}")


def _describe(costs: dict[str, Cost]) -> str:
    columns = [f"{each.seconds:9.3f} s{each.memory / 1e6:8.0f} MB" for each in costs.values()]
    first, *others = costs.values()
    ratios = [f"{first.seconds / max(each.seconds, 1e-9):7.2f}" for each in others]
    note = f"  {first.memory / first.size:5.1f} x input" if first.size > LARGE_INPUT else ""
    return "".join([*columns, *ratios, note]) + "  slower" * _is_slower(costs)


def _is_slower(costs: dict[str, Cost]) -> bool:
    """Whether the compiled core takes longer than the other one, by more than chance."""
    if len(costs) == 1:
        return False
    compiled, python = (costs[core].seconds for core in CHOICES)
    return compiled > max(MAX_RATIO * python, python + MIN_SECONDS)


def start_core(core: str, stack: ExitStack) -> Executor:
    """A process that computes with a core and has its models loaded."""
    pool = stack.enter_context(ProcessPoolExecutor(1, get_context("spawn")))
    with _choose(core):
        pool.submit(load_models).result()
    return pool


def load_models() -> None:
    page = parse("<a href=a>a</a><a href=b>b</a><p>words")
    detect_menu(page)
    detect_clutter(page)
    extract("<p>words")


def best_cost(name: str) -> Cost:
    """The best of some rounds, each in a copy of this process, whose memory is as before."""
    return min(_cost(name) for _ in range(ROUNDS))


def _cost(name: str) -> Cost:
    context = get_context("fork")
    queue = context.SimpleQueue()
    process = context.Process(target=_measure, args=(name, queue))
    process.start()
    process.join()
    cost: Cost = queue.get()
    return cost


@contextmanager
def _choose(core: str) -> Iterator[None]:
    """Have processes that are started now compute with a core."""
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = core
    try:
        yield
    finally:
        del os.environ[VARIABLE]
        if before is not None:
            os.environ[VARIABLE] = before


def _measure(name: str, queue: "SimpleQueue[Cost]") -> None:
    """Time one page; trees that no parser gives are built before the clock starts."""
    source = SOURCES[name]() if name in SOURCES else None
    built = fresh(name) if source is None else None
    before = _peak(reset=True)
    start = process_time()
    page = built or parse(source or "")
    detect_menu(page)
    detect_clutter(page)
    extract(page if source is None else source)
    seconds = process_time() - start
    queue.put(Cost(seconds, _peak() - before, len(source or "")))


def _peak(*, reset: bool = False) -> float:
    """Peak memory of this process in bytes, as Linux counts it; 0 elsewhere."""
    status = Path("/proc/self/status")
    if not status.exists():
        return 0.0
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    match = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
    return float(match[1]) * 1024 if match else 0.0
