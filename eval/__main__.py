"""`make evaluate`: run every evaluation, print the tables, compare with the floors."""

import argparse
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

from rich.console import Console

from eval.floors import compare, corpus_of, read_floors
from pagelet.cli.evaluate import figures_table
from pagelet.lab.clutter import evaluate_clutter
from pagelet.lab.content.examples import CORPORA, all_examples, read_corpora
from pagelet.lab.content.fit import unseen_models
from pagelet.lab.content.systems import SystemsOptions, evaluate_folder, model_files, sample
from pagelet.lab.data import corpora, data_digest, data_folder, use_one_thread
from pagelet.lab.figures import Figures
from pagelet.lab.folds import FOLDS
from pagelet.lab.gold import read_gold
from pagelet.lab.menu.evaluation import evaluate_menu
from pagelet.lab.noise.evaluation import evaluate_noise
from pagelet.lab.segments.evaluation import evaluate_segments
from pagelet.lab.template.evaluation import evaluate_gain, evaluate_template

METHODS = ("menu", "clutter", "content", "noise", "template", "segments")
PEERS = ("trafilatura", "resiliparse")  #: the rivals that floors speak of
RENDERINGS = Path("build/renderings")  #: drawn pages are kept here
OUT = Console(width=160)
PROGRESS = Console(stderr=True)


def main() -> int:
    """Evaluate, print, compare; 0 when every figure holds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=METHODS, action="append", help="only these methods")
    parser.add_argument("--pages", type=int, help="score so many pages a corpus (content)")
    asked = parser.parse_args()
    if not (data_folder() / "sites").is_dir():
        print(f"no data in {data_folder()}: unpack it there or set PAGELET_DATA")
        return 2
    use_one_thread()
    wanted = asked.only or METHODS
    found: dict[str, Figures] = {}
    for name, figures in evaluations(wanted, asked.pages):
        found[name] = figures
        OUT.print(figures_table(figures), "")
    floors = [floor for floor in read_floors() if floor["table"].split()[0] in wanted]
    digests = {name: data_digest(data_folder() / name) for name in map(corpus_of, floors)}
    lines, below = compare(floors, found, digests)
    OUT.print("\n".join(f"data {name} {digest}" for name, digest in digests.items()))
    OUT.print("\n".join(lines))
    return min(below, 1)


def evaluations(wanted: Collection[str], pages: int | None) -> Iterator[tuple[str, Figures]]:
    """Every table, by the name that floors use."""
    yield from labelled(wanted)
    if "noise" in wanted:
        tables = evaluate_noise(data_folder() / "records", PROGRESS.print, learners=True)
        for about, table in tables.items():
            yield f"noise records {about}", table
    if "segments" in wanted:
        yield from segments()
    if "content" in wanted:
        yield from content(pages)


def labelled(wanted: Collection[str]) -> Iterator[tuple[str, Figures]]:
    """What is asked of sites and of pages with marked blocks."""
    for corpus in ("sites", "segments"):
        folder = data_folder() / corpus
        gold = read_gold(folder)
        if "menu" in wanted:
            yield f"menu {corpus}", evaluate_menu(folder, gold, fit=True, report=PROGRESS.print)
        if "clutter" in wanted:
            yield f"clutter {corpus}", evaluate_clutter(gold)
        if "template" in wanted and corpus == "sites":
            yield "template sites", evaluate_template(folder, report=PROGRESS.print)
            yield "template sites gain", evaluate_gain(folder, gold)


def segments() -> Iterator[tuple[str, Figures]]:
    """Visual segments; pages that were drawn before are not drawn again."""
    folder = data_folder() / "segments"
    tables = evaluate_segments(folder, cache=RENDERINGS, say=PROGRESS.print)
    for about, table in tables.items():
        yield f"segments segments {about}", table


def content(pages: int | None) -> Iterator[tuple[str, Figures]]:
    """Main content: one model a fold, fitted on all corpora, answers for each of them."""
    first, *_ = corpora(CORPORA)
    known = read_corpora(first, alone=False, report=PROGRESS.print)
    with model_files(unseen_models(all_examples(known), range(FOLDS), PROGRESS.print)) as models:
        for corpus in known:
            golds = sample(corpus.golds, pages)
            options = SystemsOptions(peers=PEERS, shipped=True)
            made = evaluate_folder(corpus.folder, golds, models, options, PROGRESS.print)
            for about, table in made.tables.items():
                yield f"content {corpus.name} {about}".removesuffix(" all"), table


sys.exit(main())
