"""`pagelet evaluate`: score methods on a labelled folder."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import typer

from pagelet.cli.figures import write_table, write_tables
from pagelet.cli.inputs import FormatOption, OptionsFileOption
from pagelet.cli.options import CommandGroup, read_options
from pagelet.cli.output import print_result, progress, write_file
from pagelet.lab import clutter as clutter_tables
from pagelet.lab.content.evaluation import SystemsOptions, evaluate_folder, evaluate_unseen, sample
from pagelet.lab.content.scores import read_labelled
from pagelet.lab.content.snippet_gold import has_snippets, read_snippets
from pagelet.lab.content.snippets import evaluate_snippets, evaluate_snippets_unseen
from pagelet.lab.figures import Figures
from pagelet.lab.gold import read_gold
from pagelet.lab.links.evaluation import evaluate_links
from pagelet.lab.links.examples import FILE as LINKS_FILE
from pagelet.lab.links.gain import evaluate_content_gain
from pagelet.lab.menu import evaluation as menu_tables
from pagelet.lab.metadata.evaluation import evaluate_metadata
from pagelet.lab.noise import evaluation as noise_tables
from pagelet.lab.peers import PEERS
from pagelet.lab.records import evaluation as records_tables
from pagelet.lab.seen import own_model_note, page_key
from pagelet.lab.segments import evaluation as segments_tables
from pagelet.lab.template.tables import TemplateTables, evaluate_template_tables
from pagelet.methods.menu import MENU
from pagelet.methods.registry import DEFAULT
from pagelet.methods.template import TEMPLATE

Folder = Annotated[
    Path,
    typer.Argument(
        metavar="DIR",
        exists=True,
        file_okay=False,
        help="Labelled pages: gold.json, sites.json, menus.json, *.blocks.html, or TECO_ classes.",
    ),
]
PerSite = Annotated[
    int | None, typer.Option("--pages", help="Maximum pages per site; all by default.", min=1)
]

LinksFolder = Annotated[
    Path,
    typer.Argument(
        metavar="DIR",
        exists=True,
        file_okay=False,
        help="Labelled pages: links.json beside ground-truth/ and html/, or gold.json.",
    ),
]
ContentFolder = Annotated[
    Path,
    typer.Argument(
        metavar="DIR",
        exists=True,
        file_okay=False,
        help="Labelled pages: ground-truth/*.json or snippets.json beside html/, gold.json, or"
        " data-pagelet marks.",
    ),
]


NoiseFolder = Annotated[
    Path,
    typer.Argument(
        metavar="DIR",
        exists=True,
        file_okay=False,
        help="Labelled pages: records.csv beside page.html, gold.json, or data-pagelet marks.",
    ),
]


BlocksFolder = Annotated[
    Path,
    typer.Argument(
        metavar="DIR",
        exists=True,
        file_okay=False,
        help="Labelled pages: gold.json or *.blocks.html, and what the pages show.",
    ),
]
Renderings = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        help="Where drawn pages are kept; default: the user cache folder.",
        file_okay=False,
        show_default=False,
    ),
]


#: Examples beside the plainest one, by command.
EXAMPLES = {
    "menu": "pagelet evaluate menu labels/ --fit --format json",
    "links": "pagelet evaluate links labels/ --fit",
    "content": "pagelet evaluate content labels/ --model own.npz --peers trafilatura",
    "noise": "pagelet evaluate noise labels/ --paper",
    "records": "pagelet evaluate records labels/ --fit",
    "template": "pagelet evaluate template sites/ --from-disk",
    "segments": "pagelet evaluate segments labels/ --pages 10",
}


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    group = CommandGroup(help="Score methods on a labelled folder.", no_args_is_help=True)
    commands = (menu, links, clutter, content, metadata, noise, records, template, segments)
    for command in commands:
        name = command.__name__
        more = f"\n{EXAMPLES[name]}" if name in EXAMPLES else ""
        group.command(name, epilog=f"pagelet evaluate {name} labels/{more}")(command)
    app.add_typer(group, name="evaluate")


FitOption = Annotated[
    bool,
    typer.Option(
        "--fit/--no-fit",
        help="Also score models that have not seen the pages: they are fitted on the other sites of"
        " DIR and on the corpora in $PAGELET_DATA or data/, which takes minutes.",
        show_default=False,
    ),
]


ModelFile = Annotated[
    Path | None,
    typer.Option("--model", help="Score a model of your own too, as `pagelet train` writes it."),
]


def menu(
    folder: Folder,
    *,
    pages: PerSite = None,
    options: OptionsFileOption = None,
    fit: FitOption = False,
    model: ModelFile = None,
    format: FormatOption = "text",
) -> None:
    """Menu detection: node precision, recall and F1, every profile on the same pages.

    The shipped model may have seen the pages. With --fit, the answers that count are given by
    models fitted without the page's site (unseen) and without the whole folder (transfer).
    """
    tuned = {}
    if options:
        saved = read_options(MENU, options)
        tuned[options.name] = MENU.with_options(saved.profile, saved.changes)
    if model:
        tuned[model.name] = MENU.with_options(DEFAULT, {"model": str(model)})
    with progress() as (say, each):
        gold = read_gold(folder, pages, kind="menu", progress=each)
        figures = menu_tables.evaluate_menu(
            folder, gold, fit=fit, tuned=tuned, report=say, progress=each
        )
    keys = (page_key(each.group, each.page) for each in gold.pages)
    notes = (*figures.notes, *own_model_note(str(model or ""), keys))
    write_table(replace(figures, notes=notes), format)


def links(
    folder: LinksFolder,
    *,
    fit: FitOption = False,
    model: ModelFile = None,
    content: Annotated[
        bool,
        typer.Option(
            "--content", help="Also fit content models with and without the roles, and score them."
        ),
    ] = False,
    format: FormatOption = "text",
) -> None:
    """Roles of link groups: share of groups right, F1 of every role, a confusion table.

    The shipped model may have seen the pages. With --fit, the answers that count are given by
    models fitted without the page's host, also on pages whose class names and ids are removed.
    """
    with progress() as (say, each):
        tables = evaluate_links(
            folder, fit=fit, own_model=str(model or ""), report=say, progress=each
        )
        if content:
            tables["content"] = evaluate_content_gain(folder, say, each)
    write_tables(tables, format)


def clutter(
    folder: Folder,
    *,
    pages: PerSite = None,
    fit: FitOption = False,
    format: FormatOption = "text",
) -> None:
    """Link clutter: precision, recall and F1 over text characters, both profiles in one table.

    In a folder with links.json the labelled groups are scored: content against the rest. Only
    there --fit has an effect: models of the roles that have not seen the page's host.
    """
    with progress() as (say, each):
        if (folder / LINKS_FILE).is_file():
            figures = clutter_tables.evaluate_clutter_roles(
                folder, fit=fit, report=say, progress=each
            )
        else:
            if fit:
                say(f"nothing is fitted: without {LINKS_FILE}, no roles of links are labelled")
            gold = read_gold(folder, pages, kind="clutter", progress=each)
            figures = clutter_tables.evaluate_clutter(gold, each)
    write_table(figures, format)


Peers = Annotated[
    str,
    typer.Option(
        "--peers",
        metavar="all|none|NAME,…",
        help=f"Other extractors to compare with, if installed: {', '.join(PEERS)}.",
    ),
]
Target = Annotated[
    Literal["auto", "article", "all"] | None,
    typer.Option(
        "--target",
        metavar="auto|article|all",
        help="What is wanted of a page; article by default where labels are article bodies.",
    ),
]
Picture = Annotated[Path | None, typer.Option("--picture", help="Draw F1 against speed, as SVG.")]
#: Former names of switches, which scripts may still use.
FoldsAlias = Annotated[bool | None, typer.Option("--folds/--no-folds", hidden=True)]
ShippedAlias = Annotated[bool, typer.Option("--shipped", hidden=True)]
Evenly = Annotated[
    int | None,
    typer.Option("--pages", help="Score only N pages, evenly spaced.", min=1, metavar="N"),
]


def content(  # noqa: PLR0913 - what a command line takes
    folder: ContentFolder,
    *,
    peers: Peers = "none",
    target: Target = None,
    picture: Picture = None,
    fit: FitOption = False,
    model: ModelFile = None,
    pages: Evenly = None,
    format: FormatOption = "text",
    folds: FoldsAlias = None,
    shipped: ShippedAlias = False,  # noqa: ARG001 - the shipped model always answers
) -> None:
    """Main content: precision, recall, F1 and time of every system on the same pages.

    Words are compared, or 4-word shingles where labels are article bodies, or snippets that must
    and must not be in the text. The shipped model may have seen the pages. With --fit, every page
    is also answered by a model fitted without its domain; that needs the extra `train`.
    """
    named = str(model or "")
    options = SystemsOptions(peers=_peer_names(peers), shipped=True, target=target, model=named)
    fit = fit if folds is None else folds
    if has_snippets(folder):
        write_table(_snippet_figures(folder, options, pages, fit=fit), format)
        return
    with progress() as (say, each):
        chosen = sample(read_labelled(folder), pages)
        if fit:
            found = evaluate_unseen(folder, chosen, options, report=say, progress=each)
        else:
            found = evaluate_folder(folder, chosen, {}, options, each)
    if picture:
        write_file(picture, found.picture())
    if format == "json":
        print_result(json.dumps(found.to_dict(), ensure_ascii=False, indent=2))
    else:
        write_tables(found.tables, format)


def metadata(
    folders: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR…",
            exists=True,
            file_okay=False,
            help="Labelled pages: snippets.json or ground-truth/*.json, beside html/.",
        ),
    ],
    *,
    peers: Annotated[
        bool, typer.Option("--peers", help="Score trafilatura too, if it is installed.")
    ] = False,
    format: FormatOption = "text",
) -> None:
    """Metadata: every field right, wrong or missing; dates of pages that have none.

    Titles are compared by letters and digits in lower case, authors as sets of names, dates by
    their day. A page without a label for a field is left out of that field.
    """
    with progress() as (_, each):
        tables = evaluate_metadata(folders, peers=peers, progress=each)
    write_tables(tables, format)


def _snippet_figures(
    folder: Path, options: SystemsOptions, pages: int | None, *, fit: bool
) -> Figures:
    with progress() as (say, each):
        chosen = sample(read_snippets(folder), pages)
        if fit:
            return evaluate_snippets_unseen(folder, chosen, options, report=say, progress=each)
        return evaluate_snippets(folder, chosen, {}, options, each)


def noise(  # noqa: PLR0913 - what a command line takes
    folder: NoiseFolder,
    *,
    fit: FitOption = False,
    model: ModelFile = None,
    learners: Annotated[
        bool,
        typer.Option(
            "--learners", help="With --fit: compare tree, forest, boosting, logistic regression."
        ),
    ] = False,
    paper: Annotated[
        bool, typer.Option("--paper", help="Only the paper's experiment, beside its own table.")
    ] = False,
    attributes: Annotated[
        Path | None,
        typer.Option(
            "--attributes",
            help="Write the paper's file of six attributes for each site here, as CSV and ARFF.",
            file_okay=False,
            show_default=False,
        ),
    ] = None,
    format: FormatOption = "text",
) -> None:
    """Noise removal: content and noise of texts, every profile on the same pages.

    The shipped model may have seen the pages. With --fit, sites are split in five folds, each is
    answered by models that saw the other folds only, and the paper's own protocol and its
    published table stand beside; that needs the extra `train`.
    """
    with progress() as (say, each):
        if paper or attributes:
            tables = noise_tables.evaluate_paper(folder, say, attributes=attributes, progress=each)
        else:
            tables = noise_tables.evaluate_noise(
                folder,
                say,
                fit=fit or learners,
                own_model=str(model or ""),
                learners=learners,
                progress=each,
            )
    write_tables(tables, format)


def records(
    folder: NoiseFolder,
    *,
    fit: FitOption = False,
    model: ModelFile = None,
    format: FormatOption = "text",
) -> None:
    """Records: how often their number is right, and how many of them are complete.

    The shipped model may have seen the pages. With --fit, sites are split in five folds, and each
    is answered by models that saw the other folds only (extra `train`). On detail pages, with
    groundtruth/ beside webpages/, nothing is trained: the columns of a site are learned from its
    pages, and their values are compared.
    """
    with progress() as (say, each):
        tables = records_tables.evaluate_records(
            folder, say, fit=fit, own_model=str(model or ""), progress=each
        )
    write_tables(tables, format)


def template(
    folder: Folder,
    *,
    grid: Annotated[
        bool, typer.Option("--grid", help="Also every number of pages and votes of Table 2.")
    ] = False,
    from_disk: Annotated[
        bool, typer.Option("--from-disk", help="Read pages from the folder, not over HTTP.")
    ] = False,
    constants: Annotated[
        bool,
        typer.Option("--constants", help="Also the default profile with each constant changed."),
    ] = False,
    options: OptionsFileOption = None,
    format: FormatOption = "text",
) -> None:
    """Site templates: node recall, precision, F1, loads and time, every profile on the same pages.

    Up to 5 key pages per site are compared with other pages of their site, which the command
    itself serves on loopback. Nothing else is loaded. The paper's Tables 1 and 2 stand beside.
    """
    tuned = {}
    if options:
        saved = read_options(TEMPLATE, options)
        tuned[options.name] = TEMPLATE.with_options(saved.profile, saved.changes)
    with progress() as (_, each):
        how = TemplateTables(grid=grid, constants=constants, from_disk=from_disk, tuned=tuned)
        tables = evaluate_template_tables(folder, how, each)
    write_tables(tables, format)


def segments(
    folder: BlocksFolder,
    *,
    fit: FitOption = False,
    pages: Evenly = None,
    cache: Renderings = None,
    picture: Picture = None,
    format: FormatOption = "text",
) -> None:
    """Visual segments: F, ARI, BCubed and time of every method on the same drawn pages.

    Pages are drawn by Chromium from the files around them, scripts and network off: that takes
    about a second per page, once. It needs the extra `browser`.
    """
    with progress() as (say, each):
        tables = segments_tables.evaluate_segments(
            folder, fit=fit, pages=pages, cache=cache, report=say, progress=each
        )
    if picture:
        write_file(picture, segments_tables.segments_picture(tables))
    write_tables(tables, format)


def _peer_names(text: str) -> tuple[str, ...]:
    named = {"all": tuple(PEERS), "none": ()}
    return named.get(text, tuple(name.strip() for name in text.split(",") if name.strip()))
