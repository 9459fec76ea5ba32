"""Growth of the cost with the page: ten times the page should cost at most eleven times."""

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import turbohtml

from bench.clock import Tool, best_times
from bench.speed import menu_and_clutter
from pagelet import Page, analyse, parse
from pagelet.context import Context
from pagelet.report import report
from pagelet.sources.forms import forms_form

SAMPLE = Path("examples/site/index.html")
COPIES = (10, 100, 1000)


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
    print("\nGrowth: ten times as many of one thing; time over time of the fewer")
    for label, (tool, make) in REPEATED.items():
        few, many = (best_times({label: tool}, [make(times)])[label] for times in TIMES)
        print(f"  {label:<24}{TIMES[0]} -> {TIMES[1]}: {many / few:5.1f}   (larger {many:.2f} s)")


def run() -> None:
    run_repeated()
    print("\nGrowth: the sample page repeated; time of ten times the page over time of the page")
    tools: dict[str, Tool] = {
        "turbohtml.parse": turbohtml.parse,
        "parse + columns": parse,
        "+ menu + clutter": menu_and_clutter,
    }
    for label, tool in tools.items():
        times = [best_times({label: tool}, [larger(copies)])[label] for copies in COPIES]
        ratios = [after / before for before, after in pairwise(times)]
        shown = "  ".join(
            f"{copies} -> {10 * copies}: {ratio:.1f}"
            for copies, ratio in zip(COPIES, ratios, strict=False)
        )
        print(f"  {label:<20}{shown}   (largest {times[-1]:.2f} s)")
