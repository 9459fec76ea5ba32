"""`make evaluate`: run every evaluation, print the tables, compare with the floors."""

import argparse
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from eval.floors import compare, corpus_of, read_floors
from pagelet.cli.figures import figures_table
from pagelet.lab.clutter import evaluate_clutter, evaluate_clutter_roles
from pagelet.lab.content.completeness import sweep
from pagelet.lab.content.evaluation import SystemsOptions, evaluate_folder, model_files, sample
from pagelet.lab.content.examples import (
    CORPORA,
    SNIPPET_CORPORA,
    all_examples,
    read_corpora,
)
from pagelet.lab.content.fit import unseen_models
from pagelet.lab.content.roles import evaluate_roles
from pagelet.lab.content.scores import read_labelled
from pagelet.lab.content.snippet_gold import read_snippets
from pagelet.lab.content.snippets import evaluate_snippets
from pagelet.lab.data import corpora, data_digest, data_folder, use_one_thread
from pagelet.lab.figures import Figures
from pagelet.lab.gold import read_gold
from pagelet.lab.learners import FOLDS
from pagelet.lab.links.evaluation import evaluate_links
from pagelet.lab.menu.evaluation import evaluate_menu
from pagelet.lab.metadata.evaluation import evaluate_metadata
from pagelet.lab.noise.evaluation import evaluate_noise
from pagelet.lab.records.evaluation import evaluate_records
from pagelet.lab.segments.evaluation import evaluate_segments
from pagelet.lab.template.evaluation import evaluate_gain, evaluate_template

METHODS = (
    "links", "menu", "clutter", "content", "metadata", "noise", "records", "template", "segments",
)  # fmt: skip
METADATA_CORPORA = ("gate", "wcxb", "articles")  #: corpora with labelled metadata
#: Extractors that content is compared with; ChromeRAG was fitted on the pages of wcxb.
PEERS = (
    *("trafilatura", "trafilatura-precision", "trafilatura-recall", "trafilatura-fast"),
    *("resiliparse", "readability-lxml", "newspaper4k", "justext", "turbohtml", "chromerag"),
)
RENDERINGS = Path("build/renderings")  #: cache of drawn pages
OUT = Console(width=160)
PROGRESS = Console(stderr=True)


def begin(step: str, done: int, total: int) -> None:
    """Print a step of known size when it begins."""
    if not done and total:
        PROGRESS.print(f"{step} ({total})")


def main() -> int:
    """Evaluate, print, compare; 0 when every figure holds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=METHODS, action="append", help="only these methods")
    parser.add_argument("--pages", type=int, help="score so many pages per corpus (content)")
    parser.add_argument(
        "--models", type=Path, help="folder of the models of folds: read, or written once (content)"
    )
    parser.add_argument(
        "--peers", default=",".join(PEERS), help="extractors to compare with (content)"
    )
    arguments = parser.parse_args()
    if not (data_folder() / "sites").is_dir():
        print(f"no data in {data_folder()}: unpack it there or set PAGELET_DATA")
        return 2
    use_one_thread()
    methods = arguments.only or METHODS
    tables: dict[str, Figures] = {}
    for name, figures in evaluations(methods, arguments):
        tables[name] = figures
        OUT.print(figures_table(figures), "")
    floors = [floor for floor in read_floors() if floor["table"].split()[0] in methods]
    digests = {name: data_digest(data_folder() / name) for name in map(corpus_of, floors)}
    lines, below = compare(floors, tables, digests)
    OUT.print("\n".join(f"data {name} {digest}" for name, digest in digests.items()))
    OUT.print("\n".join(lines))
    return min(below, 1)


def evaluations(
    methods: Collection[str], arguments: argparse.Namespace
) -> Iterator[tuple[str, Figures]]:
    """Every table, by the name that floors use."""
    yield from evaluate_labelled(methods)
    if "noise" in methods:
        tables = evaluate_noise(
            data_folder() / "records", PROGRESS.print, learners=True, progress=begin
        )
        yield from ((f"noise records {name}", table) for name, table in tables.items())
    if "records" in methods:
        yield from evaluate_tables()
    if "metadata" in methods:
        yield from evaluate_metadata(corpora(METADATA_CORPORA), peers=True).items()
    yield from evaluate_single_pages(methods)
    if "segments" in methods:
        yield from evaluate_visual()
    if "content" in methods:
        peers = tuple(filter(None, arguments.peers.split(",")))
        yield from evaluate_main_content(arguments.pages, arguments.models, peers)


def evaluate_tables() -> Iterator[tuple[str, Figures]]:
    """Records of result pages and of detail pages."""
    for corpus in ("records", "swde"):
        folder = data_folder() / corpus
        for name, table in evaluate_records(folder, PROGRESS.print, progress=begin).items():
            yield f"records {corpus} {name}", table


def evaluate_labelled(methods: Collection[str]) -> Iterator[tuple[str, Figures]]:
    """Tables of sites and of pages with marked blocks."""
    for corpus in ("sites", "segments"):
        folder = data_folder() / corpus
        gold = read_gold(folder)
        if "menu" in methods:
            yield (
                f"menu {corpus}",
                evaluate_menu(folder, gold, fit=True, report=PROGRESS.print, progress=begin),
            )
        if "clutter" in methods:
            yield f"clutter {corpus}", evaluate_clutter(gold)
        if "template" in methods and corpus == "sites":
            yield "template sites", evaluate_template(folder, progress=begin)
            yield "template sites gain", evaluate_gain(folder, gold)


def evaluate_single_pages(methods: Collection[str]) -> Iterator[tuple[str, Figures]]:
    """Tables of pages of many hosts with labelled links and menus."""
    folder = data_folder() / "wcxb"
    if "links" in methods:
        tables = evaluate_links(folder, fit=True, report=PROGRESS.print, progress=begin)
        for name, table in tables.items():
            yield f"links wcxb {name}", table
    if "menu" in methods:
        gold = read_gold(folder, kind="menu")
        yield (
            "menu wcxb",
            evaluate_menu(folder, gold, fit=True, report=PROGRESS.print, progress=begin),
        )
    if "clutter" in methods:
        yield (
            "clutter wcxb",
            evaluate_clutter_roles(folder, fit=True, report=PROGRESS.print, progress=begin),
        )


def evaluate_visual() -> Iterator[tuple[str, Figures]]:
    """Visual segments; pages that were drawn before are not drawn again."""
    folder = data_folder() / "segments"
    tables = evaluate_segments(folder, cache=RENDERINGS, report=PROGRESS.print, progress=begin)
    for name, table in tables.items():
        yield f"segments segments {name}", table


def evaluate_main_content(
    pages: int | None, folder: Path | None, peers: tuple[str, ...]
) -> Iterator[tuple[str, Figures]]:
    """Main content: one model per fold, fitted on all corpora, answers for each of them."""
    with unseen_files(folder) as models:
        for corpus in corpora(CORPORA):
            golds = sample(read_labelled(corpus, PROGRESS.print), pages)
            options = SystemsOptions(peers=peers, shipped=True)
            evaluation = evaluate_folder(corpus, golds, models, options, begin)
            for name, table in evaluation.tables.items():
                yield f"content {corpus.name} {name}".removesuffix(" all"), table
            if corpus.name == "wcxb":
                yield "content wcxb lost", sweep(golds, "wcxb", begin)
        for corpus in corpora(SNIPPET_CORPORA):
            options = SystemsOptions(peers=peers)
            snippets = sample(read_snippets(corpus), pages)
            table = evaluate_snippets(corpus, snippets, models, options, begin)
            yield f"content {corpus.name}", table
            yield f"content {corpus.name} roles", evaluate_roles(corpus, snippets, models)


@contextmanager
def unseen_files(folder: Path | None) -> Iterator[dict[int, str]]:
    """A model for each fold that has not seen it, as files; in a folder they are kept."""
    kept = {fold: folder / f"{fold}.npz" for fold in range(FOLDS)} if folder else {}
    if kept and all(path.is_file() for path in kept.values()):
        yield {fold: str(path) for fold, path in kept.items()}
        return
    first, *_ = corpora(CORPORA)
    examples = all_examples(read_corpora(first, alone=False, report=PROGRESS.print, progress=begin))
    models = unseen_models(examples, range(FOLDS), begin)
    for fold, path in kept.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(models[fold].to_bytes())
    with model_files(models) as files:
        yield files


sys.exit(main())
