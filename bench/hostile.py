"""The cost of hostile pages: seconds and peak memory, each in a process of its own."""

import multiprocessing
import re
from pathlib import Path
from time import perf_counter

from tests.hostile import NAMES, SOURCES, fresh

from pagelet import detect_clutter, detect_menu, parse

NAME_WIDTH = 40  #: characters of the first column


def run() -> None:
    print("\nHostile pages: parse + menu + clutter, each in a process of its own")
    context = multiprocessing.get_context("spawn")
    for name in NAMES:
        queue = context.Queue()
        process = context.Process(target=_measure, args=(name, queue))
        process.start()
        seconds, memory, size = queue.get()
        process.join()
        times = memory / max(size, 1)
        note = f"  {times:5.1f} x input" if size > 1_000_000 else ""
        print(f"  {name:<{NAME_WIDTH}}{seconds:8.2f} s{memory / 1e6:9.0f} MB{note}")


def _measure(name: str, queue: "multiprocessing.Queue[tuple[float, float, int]]") -> None:
    """Time one page; trees that no parser gives are built before the clock starts."""
    detect_menu(parse("<a href=a>a</a><a href=b>b</a>"))  # loads the model
    source = SOURCES[name]() if name in SOURCES else None
    built = fresh(name) if source is None else None
    before = _peak(reset=True)
    start = perf_counter()
    page = built or parse(source or "")
    detect_menu(page)
    detect_clutter(page)
    seconds = perf_counter() - start
    queue.put((seconds, _peak() - before, len(source or "")))


def _peak(*, reset: bool = False) -> float:
    """Peak memory of this process in bytes, as Linux counts it; 0 elsewhere."""
    status = Path("/proc/self/status")
    if not status.exists():
        return 0.0
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    match = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
    return float(match[1]) * 1024 if match else 0.0
