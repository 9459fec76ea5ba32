"""Draw F1 against pages per second of every system that docs/figures.md has a row for.

F1 is what the evaluation printed there, on pages that no fitted part of ours had seen; the speed is
measured now, in CPU time, on pages of the same corpus. It needs the data and all peers, which
`make pictures` installs:

    python -m scripts.draw_speed_docs [PAGES]
"""

import re
import sys
from pathlib import Path
from statistics import mean

from bench.clock import Tool, page_times
from bench.content import extract_by_python
from bench.speed import read_pages

from pagelet import core, extract
from pagelet.lab.data import data_folder
from pagelet.lab.peers import load_peers, quiet
from pagelet.lab.picture import Point, draw

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "pictures" / "content-speed.svg"
CORPUS = "wcxb"
TABLE = re.compile(rf"main content on {CORPUS}\nsystem +F1 .*\n((?:.+\n)+?)[A-Z]")
ROW = re.compile(r"^(\S.*?)  +(0\.\d+)", re.MULTILINE)
OURS = "pagelet"
PAGES = 150  #: pages on which speed is measured, unless stated
PYTHON = "pagelet, Python core"
CETD = "cetd"  #: our paper profile
FITTED = ("chromerag",)  #: peers that were fitted on these pages


def read_scores() -> dict[str, float]:
    """F1 by system, from the first table of the docs that has it.

    Models that have seen the pages are left out.
    """
    tables = TABLE.findall((ROOT / "docs" / "figures.md").read_text())
    rows = [row for table in reversed(tables) for row in ROW.findall(table)]
    return {name: float(f1) for name, f1 in rows if "shipped" not in name}


def find_tools(names: list[str]) -> dict[str, Tool]:
    """The systems that can be run here."""
    peers, _ = load_peers(tuple(name for name in names if name not in (OURS, CETD)))
    tools: dict[str, Tool] = {
        name: lambda html, peer=peer: peer(html, None) for name, peer in peers.items()
    }
    ours: dict[str, Tool] = {
        OURS: extract,
        CETD: lambda html: extract(html, profile="paper"),
    }
    return {name: tool for name, tool in (ours | tools).items() if name in names}


def main() -> int:
    """Measure, and write the picture; 1 where peers are missing, and nothing is written."""
    if not (data_folder() / CORPUS).is_dir():
        print(f"no picture of speed: {data_folder() / CORPUS} is not there")
        return 0  # a checkout without the data draws its other pictures
    scores = read_scores()
    tools = find_tools(list(scores))
    if missing := [name for name in scores if name not in tools]:
        print(f"no picture of speed: {', '.join(missing)} cannot be run here; make pictures")
        return 1
    if core.compiled:
        tools[PYTHON], scores[PYTHON] = extract_by_python, scores[OURS]
    _, html = read_pages(int(sys.argv[1]) if len(sys.argv) > 1 else PAGES, CORPUS)
    with quiet():
        times = page_times(tools, html)
    points = []
    for name, spent in times.items():
        speed = 1 / mean(spent)
        print(f"{name:<24}F1 {scores[name]:.3f}{speed:9.1f} pages per CPU second")
        label = {OURS: f"{OURS}, {core.describe_core()}", CETD: f"{CETD}, our paper profile"}
        ours, seen = name in (OURS, PYTHON, CETD), name in FITTED
        points.append(Point(label.get(name, name), speed, scores[name], ours, seen))
    PICTURE.write_text(draw(points, f"Main content on {CORPUS}: F1 against CPU time, one thread"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
