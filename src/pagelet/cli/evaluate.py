"""`pagelet evaluate`: score methods on a labelled folder."""

import json
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.console import Group
from rich.table import Table

from pagelet.cli.output import console
from pagelet.evaluation import clutter as clutter_tables
from pagelet.evaluation import menu as menu_tables
from pagelet.evaluation.table import Figures
from pagelet.scores.gold import read_gold

Folder = Annotated[
    Path,
    typer.Argument(
        metavar="DIR",
        exists=True,
        file_okay=False,
        help="Labelled pages: sites.json, *.blocks.html, or pages with TECO_ classes.",
    ),
]
PerSite = Annotated[
    int | None, typer.Option("--pages", help="Most pages to read a site; all by default.", min=1)
]
Format = Annotated[
    Literal["text", "json"],
    typer.Option("--format", "-f", help="How to answer.", metavar="text|json"),
]


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(help="Score methods on a labelled folder.", no_args_is_help=True)
    group.command("menu")(menu)
    group.command("clutter")(clutter)
    app.add_typer(group, name="evaluate")


def menu(
    folder: Folder,
    *,
    pages: PerSite = None,
    fit: Annotated[
        bool,
        typer.Option(
            "--fit/--no-fit",
            help="Fit models that have not seen the pages, with all corpora of $PAGELET_DATA.",
        ),
    ] = True,
    format: Format = "text",
) -> None:
    """Menu detection: node precision, recall and F1, every profile on the same pages.

    The shipped model may have seen the pages. With --fit, the answers that count are given by
    models fitted without the page's site (unseen) and without the whole folder (transfer).
    """
    say = console(error=True)
    gold = read_gold(folder, pages)
    figures = menu_tables.evaluate_menu(
        folder, gold, fit=fit, say=lambda line: say.print(f"[dim]{line}[/dim]")
    )
    _write(figures, format)


def clutter(folder: Folder, *, pages: PerSite = None, format: Format = "text") -> None:
    """Link clutter: precision, recall and F1 over text characters, every reading of the decay."""
    _write(clutter_tables.evaluate_clutter(read_gold(folder, pages)), format)


def _write(figures: Figures, format: str) -> None:
    if format == "json":
        print(json.dumps(figures.to_dict(), ensure_ascii=False, indent=2))
        return
    console().print(figures_table(figures))


def figures_table(figures: Figures) -> Group:
    """Figures as a table with its notes below it."""
    table = Table(title=figures.title, title_justify="left", box=None, pad_edge=False)
    for at, column in enumerate(figures.columns):
        table.add_column(column, justify="left" if at == 0 else "right")
    for row in figures.rows:
        table.add_row(*(_cell(value) for value in row))
    return Group(table, *figures.notes)


def _cell(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)
