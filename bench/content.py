"""The cost of `pagelet.extract` on real pages, stage by stage, beside two peers; the first call.

The stages are timed inside `extract` itself: each function is wrapped where it is called from,
and the time that one wrapped function spends in another counts for the inner one.
"""

import subprocess
import sys
from os import environ
from tempfile import TemporaryDirectory

from bench.clock import DERIVED, Tool, print_stages, stage_times, times_in_turn
from bench.speed import peer_tools, read_pages
from pagelet import Page, extract
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
    "features": ("pagelet.methods.content.choice:content_features",),
    "lexicon": ("pagelet.models.lexicon:Lexicon.scores",),
    "page type": (
        "pagelet.methods.content.choice:type_words",
        "pagelet.methods.content.model:PageTypes.probabilities",
    ),
    "trees": ("pagelet.models.trees:Trees.predict",),
    "choice": (
        "pagelet.methods.content.choice:best_threshold",
        "pagelet.methods.content.choice:expected_f1",
    ),
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
    print(f"\npagelet.extract on {len(html)} pages of {name}, by stage")
    spent = stages(html)
    print_stages(spent, len(html))
    print(f"  {'in all':<18}{sum(spent.values()) / len(html) * 1000:9.3f} ms")
    compare_peers(html)
    time_starts()


def compare_peers(html: list[bytes]) -> None:
    """Times of the peers beside ours."""
    peers = {name: tool for name, tool in peer_tools().items() if name in PEERS}
    tools: dict[str, Tool] = {"pagelet.extract": extract, **peers}
    with quiet():
        spent = times_in_turn(tools, html)
    ours = spent["pagelet.extract"]
    print("\n  the same pages, one thread, in turn; times of pagelet.extract")
    for name, seconds in spent.items():
        rate = len(html) / seconds
        print(f"  {name:<18}{1000 / rate:9.3f} ms{seconds / ours:9.2f}{rate:9.1f} pages/s")
    for name in PEERS:
        if name not in peers:
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
    print(f"\n  fresh processes, the best of {STARTS}")
    names = ("import numpy alone", "import pagelet", "first extract", "second extract")
    for name, each in zip(names, zip(*times, strict=True), strict=True):
        print(f"  {name:<18}{min(each) * 1000:9.1f} ms")
