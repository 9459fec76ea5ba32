"""The cost of `pagelet.extract` on real pages, stage by stage, beside two peers; the first call.

The stages are timed inside `extract` itself: each function is wrapped where it is called from,
and the time that one wrapped function spends in another counts for the inner one.
"""

import subprocess
import sys
from functools import partial
from os import environ
from statistics import mean, median
from tempfile import TemporaryDirectory

from bench.clock import DERIVED, Tool, page_times, print_stages, stage_times
from bench.speed import peer_tools, read_pages
from pagelet import Page, core, extract
from pagelet.lab.peers import quiet

PEERS = ("resiliparse", "trafilatura")
STARTS = 5  #: fresh processes that are timed

#: Functions of each stage, as `module:name` where they are called from.
STAGES = {
    "parse": ("pagelet.api:parse_html",),
    "blocks": (
        "pagelet.methods.content.choice:text_blocks",
        "pagelet.methods.content.answer:text_blocks",
    ),
    "features": (
        "pagelet.methods.content.choice:content_features",
        "pagelet.methods.content.choice:read_features",
        "pagelet.models.lexicon:Lexicon.scores",
    ),
    "texts": (
        "pagelet.methods.content.features:count_blocks",
        "pagelet.methods.content.features:read_statements",
        "pagelet.methods.content.reading:_read_statements",
    ),
    "page type": ("pagelet.methods.content.choice:type_probabilities",),
    "trees": ("pagelet.models.trees:Trees.predict_lines",),
    "choice": ("pagelet.methods.content.choice:choose",),
    "heading": ("pagelet.methods.content.answer:with_heading",),
    "text": ("pagelet.methods.content.answer:ContentAnswer.text",),
}


def stages(html: list[bytes]) -> dict[str, float]:
    """Seconds each stage of `extract` takes for all pages."""
    extract(html[0])

    def work() -> None:
        for page in html:
            extract(page)

    order = ("parse", DERIVED, *(name for name in STAGES if name != "parse"))
    return stage_times(work, STAGES, {Page: DERIVED}, order)


def run(limit: int) -> None:
    name, html = read_pages(limit)
    print(f"\npagelet.extract on {len(html)} pages of {name}, CPU time by stage")
    spent = stages(html)
    print_stages(spent, len(html))
    print(f"  {'in all':<18}{sum(spent.values()) / len(html) * 1000:9.3f} ms")
    compare_peers(limit)
    time_starts()


CORPORA = ("wcxb", "articles")  #: corpora on which peers are compared
BASE = "resiliparse"  #: peer whose time others are compared with
OURS, PYTHON, JSON = "pagelet.extract", "… by the Python core", "… as JSON"
TINY = b"<title>A page</title><h1>A page</h1><p>Some words, and some more of them.</p>"


def extract_by_python(html: bytes) -> str:
    """Extract by Python and numpy alone."""
    before, core.compiled = core.compiled, False
    try:
        return extract(html)
    finally:
        core.compiled = before


def compared_tools() -> dict[str, Tool]:
    """Extraction by each core, as JSON too, and the peers that are installed."""
    ours: dict[str, Tool] = {OURS: extract}
    if core.compiled:
        ours[PYTHON] = extract_by_python
    ours[JSON] = partial(extract, format="json")
    return ours | {name: tool for name, tool in peer_tools().items() if name in PEERS}


def compare_peers(limit: int) -> None:
    """CPU times of the peers beside ours, on the mean and on the median page."""
    tools = compared_tools()
    for name, html in dict(read_pages(limit, corpus) for corpus in CORPORA).items():
        with quiet():
            times = page_times(tools, html)
        base = times.get(BASE, times[OURS])
        what = f"CPU time, {core.describe_core()}; times: of {BASE}"
        print(f"\n  {len(html)} pages of {name}, {what}")
        print(f"  {'':<22}{'mean':>12}{'times':>8}{'median':>12}{'times':>8}{'pages/s':>9}")
        for tool, spent in times.items():
            line = f"{mean(spent) * 1000:9.3f} ms{mean(spent) / mean(base):8.2f}"
            line += f"{median(spent) * 1000:9.3f} ms{median(spent) / median(base):8.2f}"
            print(f"  {tool:<22}{line}{1 / mean(spent):9.1f}")
    tiny = min(page_times({OURS: extract}, [TINY] * 50)[OURS]) * 1000
    print(f"\n  a page of two blocks takes {tiny:.3f} ms")
    for name in PEERS:
        if name not in tools:
            print(f"  {name} is not installed")


START = """
from time import perf_counter
begin = perf_counter()
import numpy
start = perf_counter()
import pagelet
imported = perf_counter()
page = "<nav><a href=/>Home</a></nav><article><h1>Title</h1>" + "<p>Some words of prose.</p>" * 40
pagelet.extract(page)
first = perf_counter()
pagelet.extract(page)
print(start - begin, imported - begin, first - imported, perf_counter() - first)
"""


def time_starts() -> None:
    """Import, first call and second call, each the best of some fresh processes.

    They run compiled files, as an installed package does.
    """
    times = []
    with TemporaryDirectory() as folder:
        compiled = {"PYTHONPYCACHEPREFIX": folder, "PYTHONDONTWRITEBYTECODE": ""}
        for _ in range(STARTS):
            done = subprocess.run(
                [sys.executable, "-c", START], capture_output=True, check=True,
                env={**environ, **compiled},
            )  # fmt: skip
            times.append([float(each) for each in done.stdout.split()])
    print(f"\n  fresh processes, by the clock, the best of {STARTS}")
    names = ("import numpy alone", "import pagelet, numpy too", "then extract", "… once more")
    for name, each in zip(names, zip(*times, strict=True), strict=True):
        print(f"  {name:<26}{min(each) * 1000:9.1f} ms")
