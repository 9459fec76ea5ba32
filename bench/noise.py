"""What `pagelet.detect_noise` costs on result pages: beside the bare parse, and by stage."""

from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any

import turbohtml

from bench.content import DERIVED, REST, Stopwatch, watched
from bench.speed import SAMPLE, columns
from pagelet import Page, Query, detect_noise, parse
from pagelet.lab.data import data_folder
from pagelet.lab.noise.scores import QUERY_NAME
from pagelet.methods.noise.sheet import TextSheet

ROUNDS = 5
TEXTS = "texts"
BARE, COLUMNS, EVERY = "turbohtml.parse", "parse + columns", "parse + every derived column"

#: Stage, then the functions that are it, each as `module:name` where it is called from.
STAGES = {
    TEXTS: ("pagelet.methods.noise.sheet:TextSheet.query_columns",),
    "words": ("pagelet.methods.noise.sheet:page_words", "pagelet.page.query:PageWords.sum_weights"),
    "names": ("pagelet.models.lexicon:Lexicon.scores",),
    "paths": (
        "pagelet.methods.noise.sheet:row_signatures",
        "pagelet.methods.noise.sheet:path_signatures",
    ),
    "sums": ("pagelet.methods.noise.decision:subtree_sums",),
    "groups": (
        "pagelet.methods.noise.decision:find_groups",
        "pagelet.methods.noise.groups:Groups.for_query",
    ),
    "features": ("pagelet.methods.noise.features:Units.features",),
    "trees": ("pagelet.models.trees:Trees.predict",),
}

Asked = tuple[bytes, Query]


def pages(most: int) -> tuple[str, list[Asked]]:
    """Result pages with what was asked, evenly spaced; the sample site's when there is no data."""
    folder = data_folder() / "records"
    found = sorted(folder.rglob("page.html")) or sorted(SAMPLE.rglob("search-results-*.html"))
    step = max(len(found) // most, 1)
    name = folder.name if folder.is_dir() else str(SAMPLE)
    return name, [(path.read_bytes(), _query(path.parent.name)) for path in found[::step][:most]]


def _query(name: str) -> Query:
    said = QUERY_NAME.fullmatch(name)
    return Query.of([said[1].replace("_", " ")] if said else [])


def best_of_each(tools: dict[str, Callable[[Asked], Any]], html: list[Asked]) -> dict[str, float]:
    """Seconds each tool takes for all pages: the best of the rounds page by page, in turn."""
    best = {name: [float("inf")] * len(html) for name in tools}
    for _ in range(ROUNDS):
        for at, asked in enumerate(html):
            for name, tool in tools.items():
                start = perf_counter()
                tool(asked)
                best[name][at] = min(best[name][at], perf_counter() - start)
    return {name: sum(times) for name, times in best.items()}


def _noise(asked: Asked, *, query: bool) -> None:
    html, said = asked
    page = parse(html)
    columns_of(page)
    detect_noise(page, query=said if query else Query())


def columns_of(page: Page) -> Any:
    """Every derived column."""
    return page.depth, page.children, page.link, page.counted, page.hidden, page.aria_hidden


def stages(html: list[Asked]) -> dict[str, float]:
    """Seconds each stage takes for all pages, parsed before."""
    parsed = [(parse(page), query) for page, query in html]
    for page, _ in parsed:
        columns_of(page)
    watch = Stopwatch()
    with watched(watch, STAGES, {Page: DERIVED, TextSheet: TEXTS}):
        start = perf_counter()
        for page, query in parsed:
            detect_noise(page, query=query)
        whole = perf_counter() - start
    spent = {name: watch.spent.get(name, 0.0) for name in (DERIVED, *STAGES)}
    return spent | {REST: whole - sum(spent.values())}


def run(most: int) -> None:
    name, html = pages(most)
    ways = {"noise": False, "noise, with a query": True}
    tools: dict[str, Callable[[Asked], Any]] = {
        BARE: lambda asked: turbohtml.parse(asked[0]),
        COLUMNS: lambda asked: parse(asked[0]),
        EVERY: lambda asked: columns(asked[0]),
        **{way: partial(_noise, query=query) for way, query in ways.items()},
    }
    times = best_of_each(tools, html)
    base = times[BARE]
    print(f"\npagelet.detect_noise on {len(html)} pages of {name}; ratios to {BARE}")
    for tool, seconds in times.items():
        print(f"  {tool:<34}{seconds / len(html) * 1000:9.2f} ms{seconds / base:9.2f}")
    for way in ways:
        more = times[way] - times[EVERY]
        label = f"{way}, beyond columns"
        print(f"  {label:<34}{more / len(html) * 1000:9.2f} ms{more / base:9.2f}")
    print("\n  by stage, with a query, one run")
    spent = stages(html)
    whole = sum(spent.values())
    for stage, seconds in spent.items():
        print(f"  {stage:<18}{seconds / len(html) * 1000:9.3f} ms{seconds / whole:9.1%}")
