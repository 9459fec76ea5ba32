"""What each step costs on real pages, as ratios to the bare parse, and the peers beside it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import turbohtml

from bench.clock import best_times
from pagelet import detect_clutter, detect_menu, parse
from pagelet.lab.data import data_folder

SAMPLE = Path("examples/site")


def pages(most: int) -> tuple[str, list[bytes]]:
    """Pages of wcxb, evenly spaced, or of the sample site when there is no data."""
    folder = data_folder() / "wcxb"
    found = sorted((folder if folder.is_dir() else SAMPLE).rglob("*.html"))
    step = max(len(found) // most, 1)
    name = folder.name if folder.is_dir() else str(SAMPLE)
    return name, [path.read_bytes() for path in found[::step][:most]]


def columns(html: bytes) -> Any:
    """Parse and read every column, the derived ones too."""
    page = parse(html)
    return page.depth, page.children, page.link, page.counted, page.hidden, page.aria_hidden


def menu_and_clutter(html: bytes) -> None:
    page = parse(html)
    detect_menu(page)
    detect_clutter(page)


def peers() -> dict[str, Callable[[bytes], Any]]:
    """The peers that are installed, each called the way its documentation says."""
    found: dict[str, Callable[[bytes], Any]] = {}
    try:
        from resiliparse.extract.html2text import extract_plain_text

        found["resiliparse"] = lambda html: extract_plain_text(
            html.decode("utf-8", "replace"), main_content=True
        )
    except ImportError:
        pass
    try:
        import trafilatura

        found["trafilatura"] = trafilatura.extract
    except ImportError:
        pass
    try:
        from readability import Document

        found["readability-lxml"] = lambda html: Document(html).summary()
    except ImportError:
        pass
    return found


def run(most: int) -> None:
    name, html = pages(most)
    tools: dict[str, Callable[[bytes], Any]] = {
        "turbohtml.parse": turbohtml.parse,
        "parse + columns": parse,
        "parse + every derived column": columns,
        "parse + columns + menu + clutter": menu_and_clutter,
    }
    tools |= {peer: quiet(tool) for peer, tool in peers().items()}
    times = best_times(tools, html)
    base = times["turbohtml.parse"]
    size = sum(map(len, html)) / len(html) / 1000
    print(f"\n{len(html)} pages of {name}, {size:.0f} kB on average; ratios to turbohtml.parse")
    for tool, seconds in times.items():
        print(f"  {tool:<34}{seconds / len(html) * 1000:9.2f} ms{seconds / base:9.2f}")
    more = times["parse + columns + menu + clutter"] - times["parse + columns"]
    print(f"  {'menu + clutter alone':<34}{more / len(html) * 1000:9.2f} ms{more / base:9.2f}")


def quiet(tool: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    """A peer that raises on a page is timed until it raises."""

    def call(html: bytes) -> Any:
        try:
            return tool(html)
        except Exception:
            return None

    return call
