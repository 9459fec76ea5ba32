"""Site templates: both profiles, the paper's Table 2, learned templates, gain for other methods.

A labelled site can be served on loopback and read through the loader, as one on the web is.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from pagelet.arrays import Mask
from pagelet.lab import Progress, ignore_progress
from pagelet.lab.clutter import LABELS as CLUTTER_LABELS
from pagelet.lab.clutter import char_counts, clutter_mask
from pagelet.lab.figures import Figures, Overlap
from pagelet.lab.fitting import NO_MODEL_NOTE
from pagelet.lab.gold import Gold, GoldPage
from pagelet.lab.template.published import published_rows
from pagelet.lab.template.scores import (
    GoldSite,
    TemplateScore,
    score_template,
    template_finder,
    track_template_sites,
)
from pagelet.labels import suggested_note
from pagelet.methods.clutter import CLUTTER
from pagelet.methods.content import CONTENT, decide_content
from pagelet.methods.registry import Evidence
from pagelet.methods.template import TEMPLATE, find_by_learned, find_template
from pagelet.methods.template.answer import Template
from pagelet.methods.template.learned import learn
from pagelet.methods.template.options import TemplateOptions
from pagelet.methods.template.paper import vote
from pagelet.page.site import SharedRows, Site
from pagelet.page.table import Page
from pagelet.sources.folder import FolderSite
from pagelet.sources.http.loader import Loader, Politeness
from pagelet.sources.options import Limits
from pagelet.sources.site import WebSite

HOST = "127.0.0.1"
HTML_TYPE = "text/html"
#: Politeness towards our own server: no delay, no limits.
UNLIMITED = Politeness(
    delay=0.0, robots=False, retries=0, pages=10**9, bytes=10**15, seconds=10.0**6
)

FindBody = Callable[[str], tuple[bytes, str] | None]  #: returns body and content type of a path


class ServedSite:
    """A site on our own server, with the addresses of its pages."""

    def __init__(self, web: WebSite, addresses: Sequence[str]) -> None:
        self._web, self._addresses = web, tuple(addresses)

    def load(self, url: str) -> Page | None:
        """The page at an address, loaded over HTTP."""
        return self._web.load(url)

    def addresses(self) -> Sequence[str]:
        """All addresses, for pages without links."""
        return self._addresses


@contextmanager
def serve_site(gold: GoldSite) -> Iterator[GoldSite]:
    """The same labelled site with the URLs of a server on loopback."""
    root = _origin(gold)
    with _server(lambda path: _body(gold.site, root + path)) as address:
        origin = f"http://{address}"
        politeness = replace(UNLIMITED, allow_private=(address,))
        with Loader(Limits(), politeness) as loader:
            addresses = [origin + url.removeprefix(root) for url in gold.site.addresses()]
            site = ServedSite(WebSite(f"{origin}/", loader), addresses)
            pages = (
                replace(page, url=origin + (page.url or "").removeprefix(root))
                for page in gold.pages
            )
            yield replace(gold, site=site, pages=tuple(pages))


def _origin(gold: GoldSite) -> str:
    """Scheme and host of a labelled site."""
    parts = urlsplit(gold.pages[0].url or "")
    return f"{parts.scheme}://{parts.netloc}"


def _body(site: Site, url: str) -> tuple[bytes, str] | None:
    """Body and content type of a response: the file as it is, or the page in memory."""
    if isinstance(site, FolderSite):
        path = site.find(url)
        return None if path is None else (path.read_bytes(), HTML_TYPE)
    page = site.load(url)
    if page is None or page.source is None:
        return None
    return page.source.encode(), f"{HTML_TYPE}; charset=utf-8"


@contextmanager
def _server(find: FindBody) -> Iterator[str]:
    """A server on loopback for the time of the context; yields its HOST:PORT."""

    class SiteHandler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # head and body in one packet: two wait for each other
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            response = find(self.path)
            body, content_type = response or (b"", HTML_TYPE)
            self.send_response(200 if response else 404)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing."""

    with ThreadingHTTPServer((HOST, 0), SiteHandler) as server:
        server.daemon_threads = True
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield f"{HOST}:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


COLUMNS = (
    "template", "nodes", "gold", "retrieved", "recall", "precision", "F1", "loads", "ms", "pages",
)  # fmt: skip
KEY_PAGES = 5  #: pages of a site that are scored
PROFILES = ("paper", "default")
LETTER = "paper, to the letter"  #: way in which copies of the key page vote, as published
LEARNED_PAGES = 10  #: pages of a site that are learned; all others are scored
SIZES = range(1, 9)  #: numbers of pages that link each other in Table 2, each with 1 to n votes


def _grid_name(size: int, votes: int) -> str:
    return f"paper, n = {size}, v = {votes}"


GRID = tuple(_grid_name(size, votes) for size in SIZES for votes in range(1, size + 1))

FindTemplate = Callable[[Page, GoldSite], Template]


@dataclass(frozen=True, slots=True)
class TemplateResult:
    """The score, loads and time of one page."""

    site: str
    score: TemplateScore
    loads: int
    ms: float


def evaluate_template(
    folder: Path,
    *,
    grid: bool = False,
    from_disk: bool = False,
    tuned: Mapping[str, TemplateOptions] | None = None,
    progress: Progress = ignore_progress,
) -> Figures:
    """Score every way on key pages of every site; with `grid`, Table 2 too.

    Each site is served on loopback meanwhile and read through the loader, or read from disk.
    `tuned` are further options by name. The paper's own Table 2 stands beside.
    """
    ways = {**_ways(), **(tuned or {})}
    names = (*ways, *(GRID if grid else ()), "learned")
    results: dict[str, list[TemplateResult]] = {name: [] for name in names}
    for gold in track_template_sites(folder, "scoring sites", progress):
        with nullcontext(gold) if from_disk else serve_site(gold) as site:
            for name, options in ways.items():
                results[name] += _score_site(site, _finder(options))
            for name, result in _score_grid(site) if grid else ():
                results[name].append(result)
        results["learned"] += score_learned(gold)
    rows: list[tuple[Any, ...]] = [(name, *_means(each)) for name, each in results.items() if each]
    rows += published_rows()
    rows += [row for name in (*PROFILES, "learned") for row in _by_site(name, results[name])]
    sites = len({result.site for result in results["default"]})
    notes = _notes(sites, "read from disk" if from_disk else "read over HTTP from loopback")
    notes += suggested_note(folder, "template")
    return Figures(f"site templates on {folder.name}", COLUMNS, tuple(rows), notes)


def _ways() -> dict[str, TemplateOptions]:
    """Options of each way that is scored, by name."""
    paper, default = (TEMPLATE.profiles[name].options for name in PROFILES)
    return {
        "paper": paper,
        "default": default,
        LETTER: replace(paper, copies=True),
        "paper, menu first": replace(paper, menu_first=True),
        "paper, words": replace(paper, words=True),
        "default, menu first": replace(default, menu_first=True),
    }


def _finder(options: TemplateOptions) -> FindTemplate:
    def find(page: Page, gold: GoldSite) -> Template:
        return find_template(page, options, gold.site)

    return find


def _score_site(gold: GoldSite, find: FindTemplate) -> Iterable[TemplateResult]:
    for page, own in gold.key_pages(KEY_PAGES):
        start = perf_counter()
        template = find(page, gold)
        ms = (perf_counter() - start) * 1000
        score = score_template(page, template.shared, own)
        yield TemplateResult(gold.name, score, template.facts["loads"], ms)


def _score_grid(gold: GoldSite) -> Iterable[tuple[str, TemplateResult]]:
    """Every number of pages and votes; the pages are loaded and mapped once for all votes."""
    paper: TemplateOptions = TEMPLATE.profiles["paper"].options
    for page, own in gold.key_pages(KEY_PAGES):
        for size in SIZES:
            start = perf_counter()
            poll = vote(page, gold.site, replace(paper, size=size, votes=size))
            ms = (perf_counter() - start) * 1000
            for votes in range(1, size + 1):
                needed = min(votes, len(poll.pages.chosen))
                shared = page.counted & (poll.votes >= needed) & (needed > 0)
                score = score_template(page, shared, own)
                result = TemplateResult(gold.name, score, poll.pages.loads, ms)
                yield _grid_name(size, votes), result


def score_learned(gold: GoldSite) -> Iterable[TemplateResult]:
    """Learn some pages of a site, evenly spaced, and score all others."""
    pages = len(gold.pages)
    count = min(LEARNED_PAGES, pages // 2)
    chosen = set(np.linspace(0, pages - 1, count).round().astype(int).tolist())
    template = learn(gold.pages[at] for at in chosen)
    for at in sorted(set(range(pages)) - chosen):
        page = gold.pages[at]
        start = perf_counter()
        answer = find_by_learned(page, template)
        ms = (perf_counter() - start) * 1000
        yield TemplateResult(gold.name, score_template(page, answer.shared, gold.own[at]), 0, ms)


def _by_site(name: str, results: Sequence[TemplateResult]) -> list[tuple[Any, ...]]:
    sites = dict.fromkeys(result.site for result in results)
    return [
        (f"{name}, {site}", *_means([result for result in results if result.site == site]))
        for site in sites
    ]


def _means(results: Sequence[TemplateResult]) -> tuple[Any, ...]:
    """Means over sites of the means over pages; the last is the number of pages."""
    groups: dict[str, list[tuple[float, ...]]] = {}
    for result in results:
        score, overlap = result.score, result.score.overlap
        counts = (score.nodes, score.gold, score.retrieved)
        rates = (overlap.recall, overlap.precision, overlap.f1)
        groups.setdefault(result.site, []).append((*counts, *rates, result.loads, result.ms))
    means = np.mean([np.mean(group, axis=0) for group in groups.values()], axis=0)
    return (*(round(value) for value in means[:3]), *means[3:].tolist(), len(results))


def _notes(sites: int, how: str) -> tuple[str, ...]:
    return (
        NO_MODEL_NOTE,
        f"Means over {sites} sites of the means over pages, in counted rows; pages {how}. loads:"
        f" pages read beyond the key page. learned: {LEARNED_PAGES} pages learned, all others"
        " scored, without parsing. to the letter: copies of the key page under other addresses"
        " vote. published: the authors' Table 2, on their own 40 sites.",
    )


# -- gain: content and clutter when the template is known -------------------------------------


GAIN_COLUMNS = ("template", "content P", "content R", "content F1", "clutter F1", "pages")
GAIN_PAGES = 8  #: pages of a site that are scored, evenly spaced


def evaluate_gain(folder: Path, gold: Gold) -> Figures:
    """Content and clutter with and without the template, over all sites and each half of them."""
    pages = [page for page in _spaced_pages(gold.pages) if page.rows("content")]
    find = template_finder(folder)
    templates: dict[str, list[SharedRows | None]] = {
        "unknown": [None] * len(pages),
        "known": [find(page) for page in pages],
    }
    groups = sorted({page.group for page in pages})
    halves = {"": groups, ", one half": groups[::2], ", other half": groups[1::2]}
    rows = []
    for half, names in halves.items():
        for name, masks in templates.items():
            pairs = [pair for pair in zip(pages, masks, strict=True) if pair[0].group in names]
            rows.append((name + half, *_gain_means(pairs), len(pairs)))
    note = (
        "Means over sites. content: characters of text below the labelled main content, shipped"
        " model, fitted without these sites. Halves: every other site."
    )
    title = f"what a known template helps on {folder.name}"
    return Figures(title, GAIN_COLUMNS, tuple(rows), (note,))


def _spaced_pages(pages: Sequence[GoldPage]) -> Iterator[GoldPage]:
    groups: dict[str, list[GoldPage]] = {}
    for page in pages:
        groups.setdefault(page.group, []).append(page)
    for group in groups.values():
        step = max(len(group) // GAIN_PAGES, 1)
        yield from group[::step][:GAIN_PAGES]


def _gain_means(pairs: Sequence[tuple[GoldPage, SharedRows | None]]) -> tuple[float, ...]:
    """Precision, recall and F1 of content, and F1 of clutter."""
    groups: dict[str, list[tuple[float, ...]]] = {}
    for gold, template in pairs:
        evidence = Evidence(template=template)
        options = CONTENT.profiles["default"].options
        kept = decide_content(gold.page, options, evidence).kept_rows
        content = _char_overlap(gold, kept, "content")
        mask = clutter_mask(gold.page, "default", CLUTTER.profiles["default"].options, evidence)
        clutter = _char_overlap(gold, mask, *CLUTTER_LABELS)
        cells = (content.precision, content.recall, content.f1, clutter.f1)
        groups.setdefault(gold.group, []).append(cells)
    means = np.mean([np.mean(group, axis=0) for group in groups.values()], axis=0)
    return tuple(float(value) for value in means)


def _char_overlap(gold: GoldPage, answer: Mask, *labels: str) -> Overlap:
    return Overlap.of_counts(*char_counts(gold, answer, gold.mask(*labels)))
