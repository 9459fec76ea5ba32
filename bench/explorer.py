"""Time from opening a page in the explorer to its answer: the sample page, and a page of 1.2 MB.

CPU seconds of the service and of the browser stand beside the time on the clock, since a busy
machine changes the latter far more.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from scripts.write_large_page import write_large_page

from pagelet.errors import BrowserMissing
from pagelet.sources.browser.options import find_browser

ROUNDS = 3
PROC = Path("/proc")
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
WIDTH, HEIGHT = 1440, 900  #: of the window, in pixels
MAX_MS = 120_000  #: wait for an answer
#: What a reader waits for: the answer is listed, and the outlines are drawn over the page.
LISTED = "#list li"
DRAWN = "pagelet-overlays .box"

Opening = Callable[[Any], None]  #: opens a page in a tab of the browser


def run(_limit: int = 0) -> None:
    """Print the best of the rounds, each in a window of its own."""
    if (missing := _find_missing()) is not None:
        print(f"\nthe explorer was not timed: {missing}")
        return
    print(f"\nfrom opening a page in the explorer to its answer, the best of {ROUNDS}")
    print(f"  {'':<26}{'listed':>9}{'drawn':>9}{'service CPU':>13}{'browser CPU':>13}")
    with TemporaryDirectory() as folder:
        large = Path(folder) / "large.html"
        large.write_text(write_large_page(), encoding="utf-8")
        openings: dict[str, Opening] = {
            "sample page": lambda tab: tab.click("#sample"),
            "1.2 MB, 12,000 rows": lambda tab: tab.set_input_files("#file", large),
        }
        for name, times in time_openings(openings).items():
            listed, drawn, *spent = (min(each) for each in zip(*times, strict=True))
            cpu = "".join(f"{seconds:11.2f} s" for seconds in spent)
            print(f"  {name:<26}{listed:7.2f} s{drawn:7.2f} s{cpu}")


def _find_missing() -> str | None:
    if find_spec("playwright") is None:
        return "install pagelet[browser]"
    try:
        find_browser()
    except BrowserMissing as error:
        return str(error)
    return None if PROC.is_dir() else "CPU time of processes is read from /proc"


def time_openings(openings: dict[str, Opening]) -> dict[str, list[tuple[float, ...]]]:
    """Seconds until listed and drawn, and CPU seconds of service and browser, for each round."""
    from playwright.sync_api import sync_playwright

    times: dict[str, list[tuple[float, ...]]] = {name: [] for name in openings}
    with serving() as (url, service), sync_playwright() as playwright:
        before = children_of(os.getpid())
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        own = children_of(os.getpid()) - before
        for _ in range(ROUNDS):
            for name, opening in openings.items():
                tab = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
                tab.goto(url)
                tab.wait_for_selector("#methods [role=tab]", state="attached")
                times[name].append(time_opening(tab, opening, ({service}, own)))
                tab.close()
        browser.close()
    return times


def time_opening(tab: Any, opening: Opening, processes: tuple[set[int], ...]) -> tuple[float, ...]:
    """Seconds until listed and drawn, and CPU seconds of each set of processes and their own."""
    spent = [cpu_seconds(each) for each in processes]
    start = perf_counter()
    opening(tab)
    tab.wait_for_selector(LISTED, state="attached", timeout=MAX_MS)
    listed = perf_counter() - start
    tab.frame_locator("#one").locator(DRAWN).first.wait_for(state="attached", timeout=MAX_MS)
    drawn = perf_counter() - start
    after = (cpu_seconds(each) for each in processes)
    return listed, drawn, *(now - then for now, then in zip(after, spent, strict=True))


@contextmanager
def serving() -> Iterator[tuple[str, int]]:
    """The service on a free port: its address and its process."""
    command = [str(Path(sys.executable).parent / "pagelet"), "serve", "--port", "0"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=quiet, text=True) as process:
        assert process.stdout is not None
        try:
            yield re.findall(r"http://[^/\s]+", process.stdout.readline())[0], process.pid
        finally:
            process.terminate()


# -- CPU time of processes --------------------------------------------------------------------


def children_of(pid: int) -> set[int]:
    """The processes that a process has started, and theirs."""
    parents = {int(each.name): _stat(each)[1] for each in PROC.iterdir() if each.name.isdigit()}
    found: set[int] = set()
    level = {pid}
    while level:
        level = {child for child, parent in parents.items() if int(parent or 0) in level}
        found |= level
    return found


def cpu_seconds(processes: set[int]) -> float:
    """CPU seconds of processes and of what they have started, those that have ended included."""
    every = processes | {child for pid in processes for child in children_of(pid)}
    ticks = (sum(map(int, _stat(PROC / str(pid))[11:15])) for pid in every)
    return sum(ticks) / TICKS_PER_S


def _stat(process: Path) -> list[str]:
    """The fields of a process after its name; zeros when it has ended."""
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ["0"] * 20
