"""The cost of every method beyond the columns of a page, in bare parses, and of JSON over text.

CPU time, the best of some rounds for each page; every round parses the page anew.
"""

import json
from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from time import process_time
from typing import Any

import turbohtml

from bench.clock import ROUNDS, page_times
from bench.noise import read_pages as read_results
from bench.speed import derive_columns, read_pages
from pagelet import Page, detect_clutter, detect_links, detect_menu, detect_noise, extract, parse
from pagelet.lab.data import data_folder
from pagelet.metadata.facts import metadata
from pagelet.methods.template import find_by_learned
from pagelet.methods.template.learned import LearnedTemplate, learn
from pagelet.sources.forms import forms_form

Method = Callable[[Page], Any]


def list_links(page: Page) -> Any:
    """The groups of links, all of them read."""
    return list(detect_links(page))


def list_clutter(page: Page) -> Any:
    """The clutter, all of it read."""
    return list(detect_clutter(page))


#: Each method, what is known before it runs, and how many bare parses are wanted at most.
METHODS: dict[str, tuple[Method, Method, float]] = {
    "noise": (detect_noise, derive_columns, 6),
    "links": (list_links, derive_columns, 2),
    "menu, links known": (detect_menu, list_links, 1.5),
    "menu": (detect_menu, derive_columns, inf),
    "metadata": (metadata, derive_columns, 1.5),
    "clutter, links known": (list_clutter, list_links, 1),
    "clutter": (list_clutter, derive_columns, inf),
    "forms": (lambda page: json.dumps(forms_form(page)), derive_columns, 1.5),
}
TEMPLATE_PARSES = 4.0  #: bare parses that applying a template may take
LEARNED, APPLIED = 5, 2  #: pages of a site that are learned, and to which that is applied
MAX_SITES = 20


def best_seconds(html: bytes, prepare: Callable[[bytes], Any], run: Callable[[Any], Any]) -> float:
    """CPU seconds of a run, the best of the rounds; what it needs is prepared before each."""
    best = inf
    for _ in range(ROUNDS):
        given = prepare(html)
        start = process_time()
        run(given)
        best = min(best, process_time() - start)
    return best


def _prepare(known: Method, html: bytes) -> Page:
    page = parse(html)
    derive_columns(page)
    known(page)
    return page


def _total(
    pages: Sequence[bytes], prepare: Callable[[bytes], Any], run: Callable[[Any], Any]
) -> float:
    return sum(best_seconds(html, prepare, run) for html in pages)


def run(limit: int) -> None:
    corpora = dict(read_pages(limit, corpus) for corpus in ("wcxb", "articles"))
    name, results = read_results(limit)
    corpora[name] = [html for html, _ in results]
    bare = {
        name: _total(pages, lambda html: html, turbohtml.parse) for name, pages in corpora.items()
    }
    print("\nmethods: bare parses beyond the columns of a page, CPU time")
    print(f"  {'':<24}{'wanted':>8}" + "".join(f" {name:>9}" for name in corpora))
    for method, (run_method, known, wanted) in METHODS.items():
        cells = ""
        for name, pages in corpora.items():
            spent = _total(pages, partial(_prepare, known), run_method)
            cells += f"{spent / bare[name]:10.2f}"
        print(f"  {method:<24}{_limit(wanted)}{cells}")
    cells = "".join(f"{_json_over_text(pages):10.2f}" for pages in corpora.values())
    print(f"  {'JSON over text, whole':<24}{_limit(2)}{cells}")
    _run_templates()


def _limit(wanted: float) -> str:
    return f"{'' if wanted == inf else f'{wanted:g}':>8}"


def _json_over_text(pages: Sequence[bytes]) -> float:
    """Both in turn, page by page: a machine whose speed changes would favour one of two runs."""
    spent = page_times({"json": partial(extract, format="json"), "text": extract}, pages)
    return sum(spent["json"]) / sum(spent["text"])


def _run_templates() -> None:
    """Learn some pages of each site, and apply that to others of it."""
    folder = data_folder() / "sites"
    cases: list[tuple[LearnedTemplate, list[bytes]]] = []
    for site in sorted(folder.iterdir()) if folder.is_dir() else ():
        files = sorted(site.rglob("*.html"))[: LEARNED + APPLIED]
        if len(files) == LEARNED + APPLIED and len(cases) < MAX_SITES:
            html = [path.read_bytes() for path in files]
            cases.append((learn(map(parse, html[:LEARNED])), html[LEARNED:]))
    if not cases:
        return
    bare = spent = 0.0
    for template, pages in cases:
        bare += _total(pages, lambda html: html, turbohtml.parse)
        apply = partial(find_by_learned, learned=template)
        spent += _total(pages, partial(_prepare, derive_columns), apply)
    count = len(cases) * APPLIED
    print(
        f"  template applied: {spent / bare:.2f}, {_limit(TEMPLATE_PARSES).strip()} wanted;"
        f" {count} pages of sites, {bare / count * 1000:.2f} ms each to parse"
    )
