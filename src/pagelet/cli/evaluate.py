"""`pagelet evaluate`: score methods on a labelled folder."""

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.console import Group
from rich.table import Table

from pagelet.cli.inputs import FormatOption, OptionsFileOption
from pagelet.cli.options import CommandGroup, read_options
from pagelet.cli.output import console, print_result, progress, write_file
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
from pagelet.lab.segments import evaluation as segments_tables
from pagelet.lab.template.tables import TemplateTables, evaluate_template_tables
from pagelet.methods.menu import MENU
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
        help="Labelled pages: links.json beside ground-truth/ and html/.",
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


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    group = CommandGroup(help="Score methods on a labelled folder.", no_args_is_help=True)
    group.command("menu")(menu)
    group.command("links")(links)
    group.command("clutter")(clutter)
    group.command("content")(content)
    group.command("metadata")(metadata)
    group.command("noise")(noise)
    group.command("records")(records)
    group.command("template")(template)
    group.command("segments")(segments)
    app.add_typer(group, name="evaluate")


def menu(
    folder: Folder,
    *,
    pages: PerSite = None,
    options: OptionsFileOption = None,
    fit: Annotated[
        bool,
        typer.Option(
            "--fit/--no-fit",
            help="Fit models that have not seen the pages, with all corpora of $PAGELET_DATA.",
        ),
    ] = True,
    format: FormatOption = "text",
) -> None:
    """Menu detection: node precision, recall and F1, every profile on the same pages.

    The shipped model may have seen the pages. With --fit, the answers that count are given by
    models fitted without the page's site (unseen) and without the whole folder (transfer).
    """
    say = console(error=True)
    gold = read_gold(folder, pages, kind="menu")
    tuned = {}
    if options:
        saved = read_options(MENU, options)
        tuned[options.name] = MENU.with_options(saved.profile, saved.changes)
    figures = menu_tables.evaluate_menu(
        folder, gold, fit=fit, tuned=tuned, report=lambda line: say.print(f"[dim]{line}[/dim]")
    )
    _write(figures, format)


def links(
    folder: LinksFolder,
    *,
    fit: Annotated[
        bool, typer.Option("--fit/--no-fit", help="Fit models that have not seen the host.")
    ] = True,
    content: Annotated[
        bool,
        typer.Option(help="Also fit content models with and without the roles, and score them."),
    ] = False,
    format: FormatOption = "text",
) -> None:
    """Roles of link groups: share of groups right, F1 of every role, a confusion table.

    The shipped model may have seen the pages. With --fit, the answers that count are given by
    models fitted without the page's host, also on pages whose class names and ids are removed.
    """
    say = console(error=True)
    report = partial(say.print, style="dim")
    tables = evaluate_links(folder, fit=fit, report=report)
    if content:
        tables["content"] = evaluate_content_gain(folder, report)
    _write_all(tables, format)


def clutter(
    folder: Folder,
    *,
    pages: PerSite = None,
    fit: Annotated[
        bool,
        typer.Option(
            "--fit/--no-fit", help="With links.json: fit models that have not seen the pages."
        ),
    ] = True,
    format: FormatOption = "text",
) -> None:
    """Link clutter: precision, recall and F1 over text characters, both profiles in one table.

    In a folder with links.json the labelled groups are scored: content against the rest, by
    models of the roles that have not seen the page's host.
    """
    if (folder / LINKS_FILE).is_file():
        say = console(error=True)
        figures = clutter_tables.evaluate_clutter_roles(
            folder, fit=fit, report=lambda line: say.print(f"[dim]{line}[/dim]")
        )
    else:
        figures = clutter_tables.evaluate_clutter(read_gold(folder, pages, kind="clutter"))
    _write(figures, format)


Peers = Annotated[
    str,
    typer.Option(
        "--peers",
        metavar="all|none|NAME,…",
        help=f"Other extractors to compare with, if installed: {', '.join(PEERS)}.",
    ),
]
Shipped = Annotated[
    bool, typer.Option("--shipped", help="Score the shipped model too, seen in training.")
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
Folds = Annotated[
    bool,
    typer.Option(
        "--folds/--no-folds",
        help="Fit models that have not seen the pages, with all corpora of $PAGELET_DATA;"
        " without, the shipped model answers.",
    ),
]
Evenly = Annotated[
    int | None,
    typer.Option("--pages", help="Score only N pages, evenly spaced.", min=1, metavar="N"),
]


def content(  # noqa: PLR0913 - what a command line takes
    folder: ContentFolder,
    *,
    peers: Peers = "none",
    shipped: Shipped = False,
    target: Target = None,
    picture: Picture = None,
    fit: Folds = True,
    pages: Evenly = None,
    format: FormatOption = "text",
) -> None:
    """Main content: precision, recall, F1 and time of every system on the same pages.

    Words are compared, or 4-word shingles where labels are article bodies, or snippets that must
    and must not be in the text. Every page is
    answered by a model fitted without its domain: that takes some minutes and the extra `train`.
    """
    options = SystemsOptions(peers=_peer_names(peers), shipped=shipped, target=target)
    if has_snippets(folder):
        _write(_snippet_figures(folder, options, pages, fit=fit), format)
        return
    with progress() as (say, each):
        chosen = sample(read_labelled(folder), pages)
        if fit:
            found = evaluate_unseen(folder, chosen, options, report=say, progress=each)
        else:
            found = evaluate_folder(folder, chosen, {}, options, say)
    if picture:
        write_file(picture, found.picture())
    if format == "json":
        print_result(json.dumps(found.to_dict(), ensure_ascii=False, indent=2))
    else:
        _write_all(found.tables, format)


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
    _write_all(tables, format)


def _snippet_figures(
    folder: Path, options: SystemsOptions, pages: int | None, *, fit: bool
) -> Figures:
    with progress() as (say, _):
        chosen = sample(read_snippets(folder), pages)
        if fit:
            return evaluate_snippets_unseen(folder, chosen, options, say)
        return evaluate_snippets(folder, chosen, {}, options, say)


def noise(
    folder: NoiseFolder,
    *,
    learners: Annotated[
        bool,
        typer.Option("--learners", help="Compare tree, forest, boosting and logistic regression."),
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

    Sites are split in five folds; each is answered by models that saw the other folds only.
    Beside it stand the paper's own protocol and its published table. It needs the extra `train`,
    with --paper or --attributes alone it does not.
    """
    with progress() as (say, _):
        if paper or attributes:
            tables = noise_tables.evaluate_paper(folder, say, attributes=attributes)
        else:
            tables = noise_tables.evaluate_noise(folder, say, learners=learners)
    _write_all(tables, format)


def records(
    folder: NoiseFolder,
    *,
    format: FormatOption = "text",
) -> None:
    """Records: how often their number is right, and how many of them are complete.

    Sites are split in five folds; each is answered by models that saw the other folds only. It
    needs the extra `train`. On detail pages, with groundtruth/ beside webpages/, nothing is
    trained: the columns of a site are learned from its pages, and their values are compared.
    """
    with progress() as (say, _):
        tables = records_tables.evaluate_records(folder, say)
    _write_all(tables, format)


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
    with progress() as (say, _):
        how = TemplateTables(grid=grid, constants=constants, from_disk=from_disk, tuned=tuned)
        tables = evaluate_template_tables(folder, how, say)
    _write_all(tables, format)


def segments(
    folder: BlocksFolder,
    *,
    pages: Evenly = None,
    cache: Renderings = None,
    picture: Picture = None,
    format: FormatOption = "text",
) -> None:
    """Visual segments: F, ARI, BCubed and time of every way on the same drawn pages.

    Pages are drawn by Chromium from the files around them, scripts and network off: that takes
    about a second per page, once. It needs the extra `browser`.
    """
    with progress() as (say, each):
        tables = segments_tables.evaluate_segments(
            folder, pages=pages, cache=cache, report=say, progress=each
        )
    if picture:
        write_file(picture, segments_tables.segments_picture(tables))
    _write_all(tables, format)


def _peer_names(text: str) -> tuple[str, ...]:
    named = {"all": tuple(PEERS), "none": ()}
    return named.get(text, tuple(name.strip() for name in text.split(",") if name.strip()))


def _write_all(tables: Mapping[str, Figures], format: str) -> None:
    """Write several tables, by name in JSON."""
    if format == "json":
        forms = {name: table.to_dict() for name, table in tables.items()}
        print_result(json.dumps(forms, ensure_ascii=False, indent=2))
        return
    for table in tables.values():
        console().print(figures_table(table), "")


def _write(figures: Figures, format: str) -> None:
    if format == "json":
        print_result(json.dumps(figures.to_dict(), ensure_ascii=False, indent=2))
        return
    console().print(figures_table(figures))


def figures_table(figures: Figures, width: int | None = None) -> Group:
    """Figures as a table with its notes below it; no number is ever cut.

    Where the columns do not fit side by side, they stand in several tables one below the other,
    each with the names of the rows. `width` is in characters; by default that of the terminal.
    """
    cells = [tuple(map(_cell, row)) for row in figures.rows]
    widths = [
        max(map(len, (name, *(row[at] for row in cells))))
        for at, name in enumerate(figures.columns)
    ]
    tables: list[Table] = []
    for chosen in _stack(widths, _terminal_width() if width is None else width):
        names = [figures.columns[at] for at in chosen]
        title = "" if tables else figures.title
        table = _table(title, names, [[row[at] for at in chosen] for row in cells])
        table.width = sum(widths[at] for at in chosen) + GAP_CHARS * (len(chosen) - 1)
        tables.append(table)
    return Group(*_with_gaps(tables), *figures.notes)


GAP_CHARS = 2  #: characters between two columns of a table


def _terminal_width() -> int:
    """Characters of a line; a pipe without $COLUMNS has no limit."""
    own = console()
    return own.width if own.is_terminal or "COLUMNS" in os.environ else sys.maxsize


def _stack(widths: Sequence[int], limit: int) -> list[list[int]]:
    """The columns of each table, the first one in all of them."""
    tables, free = [[0]], limit - widths[0]
    for at in range(1, len(widths)):
        needed = widths[at] + GAP_CHARS
        if needed > free and len(tables[-1]) > 1:
            tables.append([0])
            free = limit - widths[0]
        tables[-1].append(at)
        free -= needed
    return tables


def _table(title: str, names: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    table = Table(title=title or None, title_justify="left", box=None, pad_edge=False)
    for at, column in enumerate(names):
        table.add_column(column, justify="left" if at == 0 else "right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    return table


def _with_gaps(tables: Sequence[Table]) -> Iterator[Table | str]:
    """The tables with an empty line between them."""
    for at, table in enumerate(tables):
        if at:
            yield ""
        yield table


def _cell(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)
