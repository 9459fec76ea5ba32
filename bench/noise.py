"""The cost of `pagelet.detect_noise` on result pages: beside the bare parse, and by stage."""

from collections.abc import Sequence
from functools import partial
from time import perf_counter

import turbohtml

from bench.clock import DERIVED, Tool, print_stages, stage_times
from bench.speed import (
    BARE,
    COLUMNS,
    EVERY,
    SAMPLE,
    derive_columns,
    parse_columns,
    print_ratios,
    spaced,
)
from pagelet import Page, Query, detect_noise, parse
from pagelet.lab.data import data_folder
from pagelet.lab.noise.scores import QUERY_NAME
from pagelet.methods.noise.sheet import TextSheet

ROUNDS = 5
TEXTS = "texts"

#: Functions of each stage, as `module:name` where they are called from.
STAGES = {
    TEXTS: ("pagelet.methods.noise.sheet:TextSheet.query_columns",),
    "words": ("pagelet.methods.noise.sheet:page_words", "pagelet.page.query:PageWords.sum_weights"),
    "names": ("pagelet.models.lexicon:Lexicon.scores",),
    "paths": (
        "pagelet.methods.noise.sheet:row_signatures",
        "pagelet.methods.noise.sheet:path_signatures",
    ),
    "sums": ("pagelet.methods.noise.groups:subtree_sums",),
    "groups": (
        "pagelet.methods.noise.groups:find_groups",
        "pagelet.methods.noise.decision:group_features",
    ),
    "features": ("pagelet.methods.noise.decision:unit_features",),
    "trees": ("pagelet.models.trees:Trees.predict_lines",),
}

ResultPage = tuple[bytes, Query]


def read_pages(limit: int) -> tuple[str, list[ResultPage]]:
    """Result pages with their queries, evenly spaced; of the sample site when there is no data."""
    folder = data_folder() / "records"
    files = sorted(folder.rglob("page.html")) or sorted(SAMPLE.rglob("search-results-*.html"))
    name = folder.name if folder.is_dir() else str(SAMPLE)
    return name, [(path.read_bytes(), _query(path.parent.name)) for path in spaced(files, limit)]


def _query(name: str) -> Query:
    match = QUERY_NAME.fullmatch(name)
    return Query.of([match[1].replace("_", " ")] if match else [])


def best_of_each(tools: dict[str, Tool], pages: Sequence[ResultPage]) -> dict[str, float]:
    """Seconds each tool takes for all pages: the best of the rounds page by page, in turn."""
    best = {name: [float("inf")] * len(pages) for name in tools}
    for _ in range(ROUNDS):
        for at, page in enumerate(pages):
            for name, tool in tools.items():
                start = perf_counter()
                tool(page)
                best[name][at] = min(best[name][at], perf_counter() - start)
    return {name: sum(times) for name, times in best.items()}


def _run_noise(result: ResultPage, *, with_query: bool) -> None:
    html, query = result
    page = parse(html)
    derive_columns(page)
    detect_noise(page, query=query if with_query else Query())


def stages(pages: Sequence[ResultPage]) -> dict[str, float]:
    """Seconds each stage takes for all pages, parsed before."""
    parsed = [(parse(html), query) for html, query in pages]
    for page, _ in parsed:
        derive_columns(page)

    def work() -> None:
        for page, query in parsed:
            detect_noise(page, query=query)

    return stage_times(work, STAGES, {Page: DERIVED, TextSheet: TEXTS}, (DERIVED, *STAGES))


def run(limit: int) -> None:
    name, pages = read_pages(limit)
    noise = {"noise": False, "noise, with a query": True}
    tools: dict[str, Tool] = {
        BARE: lambda page: turbohtml.parse(page[0]),
        COLUMNS: lambda page: parse(page[0]),
        EVERY: lambda page: parse_columns(page[0]),
        **{name: partial(_run_noise, with_query=query) for name, query in noise.items()},
    }
    times = best_of_each(tools, pages)
    print(f"\npagelet.detect_noise on {len(pages)} pages of {name}; ratios to {BARE}")
    beyond = {f"{name}, beyond columns": times[name] - times[EVERY] for name in noise}
    print_ratios(times | beyond, times[BARE], len(pages))
    print("\n  by stage, with a query, one run")
    print_stages(stages(pages), len(pages))
