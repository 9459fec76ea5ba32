"""`make evaluate`: run every evaluation, print the tables, compare with the floors."""

import argparse
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

from rich.console import Console

from eval.floors import compare, corpus_of, read_floors
from pagelet.cli.evaluate import figures_table
from pagelet.lab.clutter import evaluate_clutter, evaluate_clutter_roles
from pagelet.lab.content.completeness import sweep
from pagelet.lab.content.evaluation import SystemsOptions, evaluate_folder, model_files, sample
from pagelet.lab.content.examples import CORPORA, all_examples, read_corpora
from pagelet.lab.content.fit import unseen_models
from pagelet.lab.content.snippets import evaluate_snippets, read_snippets
from pagelet.lab.data import corpora, data_digest, data_folder, use_one_thread
from pagelet.lab.figures import Figures
from pagelet.lab.gold import read_gold
from pagelet.lab.learners import FOLDS
from pagelet.lab.links.evaluation import evaluate_links
from pagelet.lab.menu.evaluation import evaluate_menu
from pagelet.lab.metadata.evaluation import evaluate_metadata
from pagelet.lab.noise.evaluation import evaluate_noise
from pagelet.lab.peers import PEERS as ALL_PEERS
from pagelet.lab.segments.evaluation import evaluate_segments
from pagelet.lab.template.evaluation import evaluate_gain, evaluate_template

METHODS = ("links", "menu", "clutter", "content", "metadata", "noise", "template", "segments")
METADATA_CORPORA = ("gate", "wcxb", "articles")  #: corpora with labelled metadata
SNIPPET_CORPORA = ("gate",)  #: corpora whose labels are snippets of the main content
PEERS = ("trafilatura", "resiliparse")  #: peers that floors compare with
RENDERINGS = Path("build/renderings")  #: cache of drawn pages
OUT = Console(width=160)
PROGRESS = Console(stderr=True)


def main() -> int:
    """Evaluate, print, compare; 0 when every figure holds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=METHODS, action="append", help="only these methods")
    parser.add_argument("--pages", type=int, help="score so many pages per corpus (content)")
    arguments = parser.parse_args()
    if not (data_folder() / "sites").is_dir():
        print(f"no data in {data_folder()}: unpack it there or set PAGELET_DATA")
        return 2
    use_one_thread()
    methods = arguments.only or METHODS
    tables: dict[str, Figures] = {}
    for name, figures in evaluations(methods, arguments.pages):
        tables[name] = figures
        OUT.print(figures_table(figures), "")
    floors = [floor for floor in read_floors() if floor["table"].split()[0] in methods]
    digests = {name: data_digest(data_folder() / name) for name in map(corpus_of, floors)}
    lines, below = compare(floors, tables, digests)
    OUT.print("\n".join(f"data {name} {digest}" for name, digest in digests.items()))
    OUT.print("\n".join(lines))
    return min(below, 1)


def evaluations(methods: Collection[str], pages: int | None) -> Iterator[tuple[str, Figures]]:
    """Every table, by the name that floors use."""
    yield from evaluate_labelled(methods)
    if "noise" in methods:
        tables = evaluate_noise(data_folder() / "records", PROGRESS.print, learners=True)
        for name, table in tables.items():
            yield f"noise records {name}", table
    if "metadata" in methods:
        yield from evaluate_metadata(corpora(METADATA_CORPORA), peers=True).items()
    yield from evaluate_single_pages(methods)
    if "segments" in methods:
        yield from evaluate_visual()
    if "content" in methods:
        yield from evaluate_main_content(pages)


def evaluate_labelled(methods: Collection[str]) -> Iterator[tuple[str, Figures]]:
    """Tables of sites and of pages with marked blocks."""
    for corpus in ("sites", "segments"):
        folder = data_folder() / corpus
        gold = read_gold(folder)
        if "menu" in methods:
            yield f"menu {corpus}", evaluate_menu(folder, gold, fit=True, report=PROGRESS.print)
        if "clutter" in methods:
            yield f"clutter {corpus}", evaluate_clutter(gold)
        if "template" in methods and corpus == "sites":
            yield "template sites", evaluate_template(folder, report=PROGRESS.print)
            yield "template sites gain", evaluate_gain(folder, gold)


def evaluate_single_pages(methods: Collection[str]) -> Iterator[tuple[str, Figures]]:
    """Tables of pages of many hosts with labelled links and menus."""
    folder = data_folder() / "wcxb"
    if "links" in methods:
        tables = evaluate_links(folder, fit=True, report=PROGRESS.print)
        for name, table in tables.items():
            yield f"links wcxb {name}", table
    if "menu" in methods:
        gold = read_gold(folder, kind="menu")
        yield "menu wcxb", evaluate_menu(folder, gold, fit=True, report=PROGRESS.print)
    if "clutter" in methods:
        yield "clutter wcxb", evaluate_clutter_roles(folder, fit=True, report=PROGRESS.print)


def evaluate_visual() -> Iterator[tuple[str, Figures]]:
    """Visual segments; pages that were drawn before are not drawn again."""
    folder = data_folder() / "segments"
    tables = evaluate_segments(folder, cache=RENDERINGS, report=PROGRESS.print)
    for name, table in tables.items():
        yield f"segments segments {name}", table


def evaluate_main_content(pages: int | None) -> Iterator[tuple[str, Figures]]:
    """Main content: one model per fold, fitted on all corpora, answers for each of them."""
    first, *_ = corpora(CORPORA)
    labelled = read_corpora(first, alone=False, report=PROGRESS.print)
    with model_files(unseen_models(all_examples(labelled), range(FOLDS), PROGRESS.print)) as models:
        for corpus in labelled:
            golds = sample(corpus.golds, pages)
            options = SystemsOptions(peers=PEERS, shipped=True)
            evaluation = evaluate_folder(corpus.folder, golds, models, options, PROGRESS.print)
            for name, table in evaluation.tables.items():
                yield f"content {corpus.name} {name}".removesuffix(" all"), table
            if corpus.name == "wcxb":
                yield "content wcxb lost", sweep(golds, "wcxb", PROGRESS.print)
        for folder in corpora(SNIPPET_CORPORA):
            options = SystemsOptions(peers=tuple(ALL_PEERS))
            snippets = sample(read_snippets(folder), pages)
            table = evaluate_snippets(folder, snippets, models, options, PROGRESS.print)
            yield f"content {folder.name}", table


sys.exit(main())
