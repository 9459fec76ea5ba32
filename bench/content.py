"""What `pagelet.extract` costs on real pages, stage by stage, beside two peers; the first call.

The stages are timed inside `extract` itself: each function is wrapped where it is called from,
and what one wrapped function spends in another is put down to the inner one.
"""

import functools
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from os import environ
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from bench.speed import pages
from pagelet import Page, extract
from pagelet.lab.peers import load_peers, quiet

RIVALS = ("resiliparse", "trafilatura")
STARTS = 5  #: fresh processes

#: Stage, then the functions that are it, each as `module:name` where it is called from.
STAGES = {
    "parse": ("pagelet.api:parse",),
    "blocks": (
        "pagelet.methods.content.choice:text_blocks",
        "pagelet.methods.content.answer:text_blocks",
    ),
    "features": ("pagelet.methods.content.choice:content_features",),
    "lexicon": ("pagelet.models.lexicon:Lexicon.scores",),
    "page type": (
        "pagelet.methods.content.choice:page_words",
        "pagelet.methods.content.page_type:PageTypes.probabilities",
    ),
    "trees": ("pagelet.models.trees:Trees.predict",),
    "choice": (
        "pagelet.methods.content.choice:best_threshold",
        "pagelet.methods.content.choice:expected_f1",
    ),
    "text": ("pagelet.methods.content.answer:Answer.text",),
}
DERIVED = "columns derived"
REST = "all else"

Tool = Callable[[bytes], Any]


class Stopwatch:
    """Seconds by stage; a stage that begins inside another one stops the outer one's clock."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self.inner = [0.0]  #: time that stages within the open ones took

    def timed(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, its time put down to a stage."""

        @functools.wraps(function)
        def call(*arguments: Any, **named: Any) -> Any:
            self.inner.append(0.0)
            start = perf_counter()
            try:
                return function(*arguments, **named)
            finally:
                whole = perf_counter() - start
                self.spent[stage] = self.spent.get(stage, 0.0) + whole - self.inner.pop()
                self.inner[-1] += whole

        return call


@contextmanager
def watched(
    watch: Stopwatch, stages: Mapping[str, tuple[str, ...]], kept: Mapping[type, str]
) -> Iterator[None]:
    """Time every stage, and what classes work out once and keep.

    Names that are no longer there are told and left out.
    """
    undo = []
    places = [(stage, place) for stage, named in stages.items() for place in named]
    for stage, place in places:
        module, _, name = place.partition(":")
        *owners, last = name.split(".")
        owner = functools.reduce(getattr, owners, import_module(module))
        if not hasattr(owner, last):
            print(f"  (no {place}: its time is in another line)")
            continue
        undo.append((owner, last, getattr(owner, last)))
        setattr(owner, last, watch.timed(stage, getattr(owner, last)))
    derived = [
        (each, each.func, stage)
        for owner, stage in kept.items()
        for each in vars(owner).values()
        if isinstance(each, functools.cached_property)
    ]
    for each, function, stage in derived:
        each.func = watch.timed(stage, function)
    try:
        yield
    finally:
        for owner, last, function in undo:
            setattr(owner, last, function)
        for each, function, _ in derived:
            each.func = function


def stages(html: list[bytes]) -> dict[str, float]:
    """Seconds each stage of `extract` takes for all pages."""
    watch = Stopwatch()
    extract(html[0])
    with watched(watch, STAGES, {Page: DERIVED}):
        start = perf_counter()
        for page in html:
            extract(page)
        whole = perf_counter() - start
    order = ("parse", DERIVED, *(name for name in STAGES if name != "parse"))
    spent = {name: watch.spent.get(name, 0.0) for name in order}
    return spent | {REST: whole - sum(spent.values())}


def in_turn(tools: dict[str, Tool], html: list[bytes]) -> dict[str, float]:
    """Seconds each tool takes for all pages; all are asked for a page before the next one."""
    spent = dict.fromkeys(tools, 0.0)
    names = list(tools)
    for at, page in enumerate([html[0], *html]):
        first = at % len(names)
        for name in (*names[first:], *names[:first]):
            start = perf_counter()
            with suppress(Exception):
                tools[name](page)
            spent[name] += (perf_counter() - start) * (at > 0)  # the first page warms up
    return spent


def run(most: int) -> None:
    name, html = pages(most)
    print(f"\npagelet.extract on {len(html)} pages of {name}, by stage")
    spent = stages(html)
    whole = sum(spent.values())
    for stage, seconds in spent.items():
        print(f"  {stage:<18}{seconds / len(html) * 1000:9.3f} ms{seconds / whole:9.1%}")
    print(f"  {'in all':<18}{whole / len(html) * 1000:9.3f} ms")
    rivals(html)
    starts()


def rivals(html: list[bytes]) -> None:
    found, missing = load_peers(RIVALS)
    tools: dict[str, Tool] = {"pagelet.extract": extract}
    tools |= {name: functools.partial(_asked, peer) for name, peer in found.items()}
    with quiet():
        spent = in_turn(tools, html)
    ours = spent["pagelet.extract"]
    print("\n  the same pages, one thread, in turn; times of pagelet.extract")
    for name, seconds in spent.items():
        rate = len(html) / seconds
        print(f"  {name:<18}{1000 / rate:9.3f} ms{seconds / ours:9.2f}{rate:9.1f} pages/s")
    for name in missing:
        print(f"  {name} is not installed")


def _asked(peer: Callable[[bytes, str | None], str], html: bytes) -> str:
    return peer(html, None)


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


def starts() -> None:
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
