"""The cost of each step on real pages, as ratios to the bare parse, and the peers beside it."""

from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import turbohtml

from bench.clock import Tool, best_times
from pagelet import Page, detect_clutter, detect_links, detect_menu, parse
from pagelet.lab.data import data_folder
from pagelet.lab.peers import Extract, load_peers, quiet

SAMPLE = Path("examples/site")
PEERS = ("resiliparse", "trafilatura", "readability-lxml")
BARE, COLUMNS, EVERY = "turbohtml.parse", "parse + columns", "parse + every derived column"
METHODS = "parse + columns + menu + clutter"
LINKS = "parse + every derived column + links"


def read_pages(limit: int, corpus: str = "wcxb") -> tuple[str, list[bytes]]:
    """Pages of a corpus, evenly spaced, or of the sample site when there is no data."""
    folder = data_folder() / corpus
    files = sorted((folder if folder.is_dir() else SAMPLE).rglob("*.html"))
    name = folder.name if folder.is_dir() else str(SAMPLE)
    return name, [path.read_bytes() for path in spaced(files, limit)]


def spaced(files: Sequence[Path], limit: int) -> Sequence[Path]:
    """At most so many files, evenly spaced."""
    return files[:: max(len(files) // limit, 1)][:limit]


def derive_columns(page: Page) -> Any:
    """Read every derived column."""
    return page.depth, page.children, page.link, page.counted, page.hidden, page.aria_hidden


def parse_columns(html: bytes) -> Any:
    """Parse and read every column, the derived ones too."""
    return derive_columns(parse(html))


def menu_and_clutter(html: bytes) -> None:
    """Parse and run two methods."""
    page = parse(html)
    detect_menu(page)
    detect_clutter(page)


def links(html: bytes) -> None:
    """Parse, read every column, and tell the roles of links."""
    page = parse(html)
    derive_columns(page)
    list(detect_links(page))


@cache
def peer_tools() -> dict[str, Callable[[bytes], str]]:
    """The peers that are installed, as tools."""
    return {name: partial(_run_peer, peer) for name, peer in load_peers(PEERS)[0].items()}


def _run_peer(peer: Extract, html: bytes) -> str:
    """Run a peer; one that raises on a page is timed until it raises."""
    try:
        return peer(html, None)
    except Exception:
        return ""


def run(limit: int) -> None:
    name, html = read_pages(limit)
    tools: dict[str, Tool] = {
        BARE: turbohtml.parse,
        COLUMNS: parse,
        EVERY: parse_columns,
        METHODS: menu_and_clutter,
        LINKS: links,
        **peer_tools(),
    }
    with quiet():
        times = best_times(tools, html)
    size = sum(map(len, html)) / len(html) / 1000
    print(f"\n{len(html)} pages of {name}, {size:.0f} kB on average; ratios to {BARE}")
    times |= {
        "menu + clutter alone": times[METHODS] - times[COLUMNS],
        "links alone": times[LINKS] - times[EVERY],
    }
    print_ratios(times, times[BARE], len(html))


def print_ratios(times: dict[str, float], base: float, pages: int) -> None:
    """Print milliseconds per page and ratios to the bare parse."""
    for name, seconds in times.items():
        print(f"  {name:<34}{seconds / pages * 1000:9.2f} ms{seconds / base:9.2f}")
