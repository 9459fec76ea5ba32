"""Timing: rounds over pages that are met cold, tools in turn, and stages inside a function."""

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from math import inf
from time import perf_counter, process_time
from typing import Any

ROUNDS = 3

Tool = Callable[[Any], Any]


def best_times(tools: Mapping[str, Tool], pages: Sequence[Any]) -> dict[str, float]:
    """Seconds each tool needs for all pages, in the best of the rounds; pages are met cold."""
    return {name: min(_round(tool, pages) for _ in range(ROUNDS)) for name, tool in tools.items()}


def _round(tool: Tool, pages: Sequence[Any]) -> float:
    start = perf_counter()
    for page in pages:
        tool(page)
    return perf_counter() - start


def times_in_turn(tools: Mapping[str, Tool], pages: Sequence[Any]) -> dict[str, float]:
    """Seconds each tool takes for all pages; all process a page before the next one."""
    spent = dict.fromkeys(tools, 0.0)
    names = list(tools)
    for at, page in enumerate([pages[0], *pages]):
        first = at % len(names)
        for name in (*names[first:], *names[:first]):
            start = perf_counter()
            with suppress(Exception):
                tools[name](page)
            spent[name] += (perf_counter() - start) * (at > 0)  # the first page warms up
    return spent


def page_times(tools: Mapping[str, Tool], pages: Sequence[Any]) -> dict[str, list[float]]:
    """CPU seconds of each tool for each page, the best of the rounds; tools run in turn.

    A busy neighbour changes CPU time far less than time on the clock. Every other round runs the
    tools in reverse order: whoever follows a tool that reads much memory finds the caches cold.
    """
    best = {name: [inf] * len(pages) for name in tools}
    for number in range(ROUNDS):
        order = list(tools.items())[:: -1 if number % 2 else 1]
        for at, page in enumerate(pages):
            for name, tool in order:
                start = process_time()
                with suppress(Exception):
                    tool(page)
                best[name][at] = min(best[name][at], process_time() - start)
    return best


# -- stages inside a function -----------------------------------------------------------------


DERIVED = "columns derived"
REST = "all else"


class Stopwatch:
    """CPU seconds by stage; a stage that begins inside another one stops the outer one's clock."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self.inner = [0.0]  #: seconds of the stages inside each open stage

    def timed(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function with its time added to a stage."""

        @functools.wraps(function)
        def call(*arguments: Any, **named: Any) -> Any:
            self.inner.append(0.0)
            start = process_time()
            try:
                return function(*arguments, **named)
            finally:
                whole = process_time() - start
                self.spent[stage] = self.spent.get(stage, 0.0) + whole - self.inner.pop()
                self.inner[-1] += whole

        return call


@contextmanager
def watch_stages(
    watch: Stopwatch, stages: Mapping[str, tuple[str, ...]], cached: Mapping[type, str]
) -> Iterator[None]:
    """Time every stage, and the cached properties of classes.

    A function that does not exist is reported and left out.
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
        for owner, stage in cached.items()
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


def stage_times(
    work: Callable[[], None],
    stages: Mapping[str, tuple[str, ...]],
    cached: Mapping[type, str],
    order: Sequence[str],
) -> dict[str, float]:
    """CPU seconds of each stage of some work, in order, and of the rest of it."""
    watch = Stopwatch()
    with watch_stages(watch, stages, cached):
        start = process_time()
        work()
        whole = process_time() - start
    spent = {name: watch.spent.get(name, 0.0) for name in order}
    return spent | {REST: whole - sum(spent.values())}


def print_stages(spent: Mapping[str, float], pages: int) -> None:
    """Print milliseconds per page and shares of the stages."""
    whole = sum(spent.values())
    for stage, seconds in spent.items():
        print(f"  {stage:<18}{seconds / pages * 1000:9.3f} ms{seconds / whole:9.1%}")
