"""Growth of the cost with the page: ten times the page should cost at most eleven times."""

from itertools import pairwise
from pathlib import Path

import turbohtml

from bench.clock import Tool, best_times
from bench.speed import menu_and_clutter
from pagelet import parse

SAMPLE = Path("examples/site/index.html")
COPIES = (10, 100, 1000)


def larger(copies: int) -> bytes:
    """The sample page with its body repeated."""
    head, _, rest = SAMPLE.read_text(encoding="utf-8").partition("<body")
    opened, _, body = rest.partition(">")
    inner = body.partition("</body>")[0]
    return f"{head}<body{opened}>{inner * copies}</body></html>".encode()


def run() -> None:
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
