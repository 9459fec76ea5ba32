"""`make evaluate`: run every evaluation, print the tables, compare with the floors."""

import json
import sys
from pathlib import Path

from rich.console import Console

from pagelet.cli.evaluate import figures_table
from pagelet.evaluation.clutter import evaluate_clutter
from pagelet.evaluation.menu import evaluate_menu
from pagelet.evaluation.table import Figures
from pagelet.scores.data import data_folder
from pagelet.scores.gold import read_gold

FLOORS = Path(__file__).parent / "floors.json"
OUT = Console(width=100)
PROGRESS = Console(stderr=True)


def main() -> int:
    """Evaluate, print, compare; 0 when every figure holds."""
    if not (data_folder() / "sites").is_dir():
        print(f"no data in {data_folder()}: unpack it there or set PAGELET_DATA")
        return 2
    found = {}
    for corpus in ("sites", "segments"):
        folder = data_folder() / corpus
        gold = read_gold(folder)
        found[f"menu {corpus}"] = evaluate_menu(folder, gold, fit=True, say=PROGRESS.print)
        found[f"clutter {corpus}"] = evaluate_clutter(gold)
    for figures in found.values():
        OUT.print(figures_table(figures))
        OUT.print()
    return compare(found)


def compare(found: dict[str, Figures]) -> int:
    """Print every floor beside its figure; the number of figures below their floor."""
    below = 0
    for floor in json.loads(FLOORS.read_text()):
        value = found[floor["table"]].value(floor["row"], floor["column"])
        good = value >= floor["floor"]
        below += not good
        mark = "ok  " if good else "LOW "
        OUT.print(
            f"{mark}{floor['table']:<18}{floor['row']:<24}{value:.3f} (floor {floor['floor']})"
        )
    return min(below, 1)


sys.exit(main())
