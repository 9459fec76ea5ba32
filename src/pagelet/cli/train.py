"""`pagelet train`: fit a method on a user's own labelled pages."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from pagelet.cli.evaluate import (
    BlocksFolder,
    ContentFolder,
    Folder,
    LinksFolder,
    NoiseFolder,
    PerSite,
    Renderings,
)
from pagelet.cli.figures import figures_table
from pagelet.cli.help import COMMON
from pagelet.cli.options import (
    PAPER_PANEL,
    CommandGroup,
    Flag,
    changed,
    flag_parameters,
    with_parameters,
)
from pagelet.cli.output import console, progress, write_file
from pagelet.lab.c45 import C45Options
from pagelet.lab.content import fit as content_fit
from pagelet.lab.content.train import ContentTraining, ModelComparison, train_content
from pagelet.lab.data import check_options_file, check_target
from pagelet.lab.figures import Figures
from pagelet.lab.gold import Gold, read_gold
from pagelet.lab.links.fit import SEED as LINKS_SEED
from pagelet.lab.links.fit import train_links
from pagelet.lab.menu.fit import SEED, train_menu
from pagelet.lab.menu.grid import grid_search, grid_table
from pagelet.lab.noise.experiment import PaperSettings
from pagelet.lab.noise.train import NoiseTraining, figures_of, train_noise
from pagelet.lab.records.fit import SEED as RECORDS_SEED
from pagelet.lab.records.fit import train_records
from pagelet.lab.segments.fit import SEED as SEGMENTS_SEED
from pagelet.lab.segments.training import SegmentsTraining, train_segments
from pagelet.lab.template import search as template_search
from pagelet.wording import count_of

ModelOutput = Annotated[
    Path, typer.Option("--output", "-o", help="Write the model here; its name ends in .npz.")
]
CardOption = Annotated[
    bool, typer.Option("--card/--no-card", help="Write what the model was made of beside it.")
]
AloneOption = Annotated[
    bool,
    typer.Option(
        "--alone", help="Learn from DIR only, not from the corpora in $PAGELET_DATA or data/."
    ),
]


EXAMPLES = {
    "menu": "pagelet train menu labels/ -o own.npz\n"
    "pagelet train menu labels/ --profile paper -o tuned.json",
    "links": "pagelet train links labels/ -o own.npz",
    "content": "pagelet train content labels/ -o own.npz\n"
    "pagelet train content labels/ -o own.npz --alone",
    "noise": "pagelet train noise labels/ -o own.npz",
    "records": "pagelet train records labels/ -o own.npz",
    "template": "pagelet train template sites/ -o tuned.json",
    "segments": "pagelet train segments labels/ -o own.npz",
}


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    group = CommandGroup(help="Fit a method on your own labelled pages.", no_args_is_help=True)
    group.callback()(_group)
    flags = [
        *flag_parameters(NoiseTraining, COMMON, {"profile": Flag(short="-p")}),
        *flag_parameters(PaperSettings, PAPER_PANEL, {}),
        *flag_parameters(C45Options, PAPER_PANEL, {}),
    ]
    commands: dict[str, Callable[..., None]] = {
        "menu": menu,
        "links": links,
        "content": content,
        "noise": with_parameters(noise, flags),
        "records": records,
        "template": template,
        "segments": segments,
    }
    for name, command in commands.items():
        group.command(name, epilog=EXAMPLES[name])(command)
    app.add_typer(group, name="train")


def _group() -> None:
    """Fit a method on your own labelled pages."""


def menu(
    folder: Folder,
    *,
    profile: Annotated[
        Literal["default", "paper"],
        typer.Option(
            "--profile",
            "-p",
            metavar="default|paper",
            help="What is fitted: the ranking model (default), or the options of the publication's"
            " grid (paper).",
        ),
    ] = "default",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write the model (.npz), or with the paper profile the options (.json), here.",
        ),
    ] = None,
    pages: PerSite = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the fit (default profile).")] = SEED,
    alone: AloneOption = False,
) -> None:
    """Menu detection: fit the ranking model, or repeat the paper's grid search.

    The model is fitted on the folder and, without --alone, on all corpora found in $PAGELET_DATA;
    it needs the extra `train`. The grid has 35,955 settings: six weights that sum to 1, two
    thresholds.
    """
    target = output or Path("menu.npz")
    check_options_file(output) if profile == "paper" else check_target(target)
    gold = read_gold(folder, pages, kind="menu")
    if profile == "paper":
        _search(gold, output)
        return
    with progress() as (say, each):
        train_menu(folder, gold, target, seed=seed, alone=alone, report=say, progress=each)
    console().print(f"model: {target}")


def links(
    folder: LinksFolder,
    *,
    output: ModelOutput = Path("links.npz"),
    seed: Annotated[int, typer.Option("--seed", help="Seed of the fit.")] = LINKS_SEED,
) -> None:
    """Roles of link groups: fit the model of `pagelet links --model`."""
    with progress() as (say, each):
        train_links(folder, output, seed=seed, report=say, progress=each)
    console().print(f"model: {output}")


def records(
    folder: NoiseFolder,
    *,
    output: ModelOutput = Path("records.npz"),
    seed: Annotated[int, typer.Option("--seed", help="Seed of the fit.")] = RECORDS_SEED,
    alone: AloneOption = False,
) -> None:
    """Records: fit the model of `pagelet records --model`.

    Labels are records.csv beside page.html. Pages without records are taken from $PAGELET_DATA,
    unless --alone is given.
    """
    with progress() as (say, each):
        train_records(folder, output, seed=seed, alone=alone, report=say, progress=each)
    console().print(f"model: {output}")


def content(
    folder: ContentFolder,
    *,
    output: ModelOutput = Path("content.npz"),
    seed: Annotated[int, typer.Option("--seed", help="Seed of the fit.")] = content_fit.SEED,
    alone: AloneOption = False,
    card: CardOption = True,
) -> None:
    """Main content: fit the model of `pagelet content --model`.

    A first fit leaves out a fifth of the sites and is compared with the shipped model on them;
    a second one takes all pages and is written. The same data and seed give the same file. It
    needs the extra `train`.
    """
    with progress() as (say, each):
        how = ContentTraining(seed=seed, alone=alone, card=card)
        compared = train_content(folder, output, how, report=say, progress=each)
    if compared:
        console().print(figures_table(_compared(compared)))
    console().print(f"model: {output}")


def noise(folder: NoiseFolder, *, output: ModelOutput = Path("noise.npz"), **options: Any) -> None:
    """Noise removal: fit the model of `pagelet noise --model`.

    Figures follow the paper's protocol (two thirds of the nodes of each site are for training,
    the others for testing) and the honest ones: by page and by site. Then all pages are learned
    from.
    """
    tree = changed(C45Options(), options)
    how = changed(NoiseTraining(paper=changed(PaperSettings(tree=tree), options)), options)
    with progress() as (say, each):
        result = train_noise(folder, output, how, report=say, progress=each)
    figures = {name: figures_of(counts) for name, counts in result.items()}
    rows = tuple((name, *each.values()) for name, each in figures.items())
    columns = ("protocol", *next(iter(figures.values())))
    console().print(figures_table(Figures(f"noise model, {how.profile}", columns, rows)))
    console().print(f"model: {output}")


def _compared(result: ModelComparison) -> Figures:
    rows: list[tuple[Any, ...]] = [("new, without these sites", *result.new.values())]
    if result.shipped:
        rows.append(("shipped, may have seen these pages", *result.shipped.values()))
    pages, sites = count_of(result.pages, "page"), count_of(result.domains, "site")
    title = f"{pages} of {sites}, held out"
    return Figures(title, ("model", *result.new), tuple(rows), (f"Target {result.target}.",))


def _search(gold: Gold, output: Path | None) -> None:
    with progress() as (say, each):
        say(f"searching the paper's grid on {count_of(len(gold.pages), 'page')}")
        settings = grid_search(gold.pages, progress=partial(each, "weightings"))
    out = console()
    out.print(figures_table(grid_table(settings, len(gold.pages))))
    if output:
        write_file(output, json.dumps(settings[0].to_dict(), indent=2) + "\n")
        out.print(f"options: {output}")


def template(
    folder: Folder,
    *,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the best options (JSON) here.")
    ] = None,
    pages: Annotated[
        int, typer.Option("--pages", help="Key pages per site.", min=1)
    ] = template_search.KEY_PAGES,
) -> None:
    """Site templates: search the weights, the cut and the words of the paper's relation.

    The grid has 210 settings: four weights in steps of a quarter that sum to 1, three cuts, texts
    with and without their words. The result is for `pagelet template --options` and `pagelet
    evaluate template --options`.
    """
    check_options_file(output)
    with progress() as (_, each):
        found = template_search.search_relation(folder, pages=pages, progress=each)
    console().print(figures_table(template_search.search_table(found)))
    if output:
        write_file(output, json.dumps(found.settings[0].to_dict(), indent=2) + "\n")
        console().print(f"options: {output}")


def segments(
    folder: BlocksFolder,
    *,
    granularity: Annotated[
        Literal["blocks", "paragraphs"],
        typer.Option(
            "--granularity",
            metavar="blocks|paragraphs",
            help="Size of segments to learn: blocks have data-block=1, paragraphs data-block=2.",
        ),
    ] = "blocks",
    with_dom: Annotated[
        bool,
        typer.Option(
            "--with-dom", help="Learn which elements are divided, not where gaps are cut."
        ),
    ] = False,
    output: ModelOutput = Path("segments.npz"),
    cache: Renderings = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the fit.")] = SEGMENTS_SEED,
) -> None:
    """Visual segments: fit the model that says where people cut a page.

    Pages are drawn by Chromium first. It needs the extras `train` and `browser`; `pagelet
    evaluate segments DIR` tells how well such a model does on pages it has not seen.
    """
    with progress() as (say, each):
        options = SegmentsTraining(
            granularity=granularity, with_dom=with_dom, seed=seed, cache=cache
        )
        train_segments(folder, output, options, report=say, progress=each)
    console().print(f"model: {output}")
