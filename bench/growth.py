"""Growth of the cost with the page: the cost of a row should stay the same up to 300,000 rows.

Cost is processor time, which a busy neighbour changes less. Memory that no longer fits into the
caches makes a row of a large page dearer: the bare parse shows by how much.
"""

import json
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from time import process_time

import turbohtml

from bench.clock import ROUNDS, Tool
from pagelet import Page, analyse, detect_clutter, detect_links, detect_menu, parse
from pagelet.context import Context
from pagelet.metadata.facts import metadata
from pagelet.methods.content import extract_text
from pagelet.methods.content.options import ContentOptions
from pagelet.report import report
from pagelet.sources.forms import forms_form

SAMPLE = Path("examples/site/index.html")
COPIES = (12, 120, 1_200)  #: repetitions of the body; the last ones make over 300,000 rows
MAX_NODES = sys.maxsize  #: the pages are beyond what the limit lets through


def larger(copies: int) -> bytes:
    """The sample page with its body repeated."""
    head, _, rest = SAMPLE.read_text(encoding="utf-8").partition("<body")
    opened, _, body = rest.partition(">")
    inner = body.partition("</body>")[0]
    return f"{head}<body{opened}>{inner * copies}</body></html>".encode()


def table(cells: int) -> bytes:
    """One table of so many cells, as many in a row as there are rows."""
    side = int(cells**0.5)
    return b"<table>" + (b"<tr>" + b"<td>A cell with some words.</td>" * side) * side


#: Pages that hold one thing many times, and what is asked about them.
REPEATED: dict[str, tuple[Tool, Callable[[int], bytes]]] = {
    "inspect: texts": (
        lambda html: inspect(parse(html)),
        lambda times: b"w<br>" * times + b"<p>" + b"A sentence of the content, with words. " * 30,
    ),
    "inspect: attributes": (
        lambda html: inspect(parse(html)),
        lambda times: b"<p %b>x" % b" ".join(b"a%d=1" % number for number in range(times)),
    ),
    "inspect: links": (
        lambda html: inspect(parse(html)),
        lambda times: b"<ul>" + b"<li><a href=/x>link</a>" * times,
    ),
    "content as JSON": (lambda html: analyse(parse(html), "content").to_json(), table),
    "noise: formatting": (
        lambda html: analyse(parse(html), "noise").to_json(),
        lambda times: b"<span><b>x" * times,
    ),
    "noise: lists": (
        lambda html: analyse(parse(html), "noise").to_json(),
        lambda times: b"<ul><li><a href=/x>link</a>" * times,
    ),
    "forms": (
        lambda html: json.dumps(forms_form(parse(html))),
        lambda times: b"<form><input name=q></form>" * times,
    ),
    "parse: open formatting": (parse, lambda times: b"<b id=x><i><p>x</i></b>" * times),
}
TIMES = (2_000, 20_000)


def inspect(page: Page) -> str:
    """The report of every method that needs nothing else, with what each one left out."""
    context = Context(page)
    results = [
        context.run(method, method.with_options("default", changes))
        for method in context.runnable()
        for changes in ({"explain": True} if method.has_option("explain") else {},)
    ]
    return report(page, results)


def run_repeated() -> None:
    print("\nGrowth: ten times as many of one thing; processor time over that of the fewer")
    for label, (tool, make) in REPEATED.items():
        few, many = (cpu_time(tool, make(times)) for times in TIMES)
        print(f"  {label:<24}{TIMES[0]} -> {TIMES[1]}: {many / few:5.1f}   (larger {many:.2f} s)")


parse_whole = partial(parse, max_nodes=MAX_NODES)


def content(html: bytes) -> str:
    """The main content as text, as `extract` gives it for pages of any size."""
    return extract_text(parse(html, max_nodes=MAX_NODES), ContentOptions())


def content_as_json(html: bytes) -> str:
    """The main content with its blocks and metadata."""
    return analyse(parse_whole(html), "content").to_json()


def links_menu_clutter(html: bytes) -> None:
    """Parse and run three methods."""
    page = parse_whole(html)
    for method in (detect_links, detect_menu, detect_clutter):
        list(method(page))


GROWING: Mapping[str, Tool] = {
    "turbohtml.parse": turbohtml.parse,
    "parse + columns": parse_whole,
    "content as text": content,
    "content as JSON": content_as_json,
    "links, menu, clutter": links_menu_clutter,
    "metadata": lambda html: metadata(parse_whole(html)),
}


def run_repeated_page() -> None:
    """Print what a row of the sample page costs, where the page is repeated."""
    pages = [larger(copies) for copies in COPIES]
    rows = [len(parse_whole(page)) for page in pages]
    print("\nGrowth: the sample page repeated; processor time per row, over that of the first page")
    print(f"  {'rows':<22}" + "".join(f"{each:>18,}" for each in rows))
    for label, tool in GROWING.items():
        costs = [1e6 * cpu_time(tool, page) / each for page, each in zip(pages, rows, strict=True)]
        shown = "".join(f"{cost:9.2f} us {cost / costs[0]:6.2f}" for cost in costs)
        print(f"  {label:<22}{shown}")


def cpu_time(tool: Tool, page: bytes) -> float:
    """Processor seconds of a tool for a page, the best of the rounds."""

    def measure() -> float:
        start = process_time()
        tool(page)
        return process_time() - start

    return min(measure() for _ in range(ROUNDS))


def run() -> None:
    run_repeated()
    run_repeated_page()
