"""`pagelet annotate`: import pages to, and export marks from, the annotator."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pagelet.cli.options import CommandGroup
from pagelet.cli.output import console, progress, report
from pagelet.errors import MissingExtra, OptionError
from pagelet.labels import list_exports
from pagelet.wording import count_of, join_names

if TYPE_CHECKING:
    from pagelet.annotator.database import Database
    from pagelet.annotator.store import AnnotationStore

DatabaseOption = Annotated[
    Path | None,
    typer.Option("--database", help="The annotator's file; default: in the user data folder."),
]
Pages = Annotated[
    Path,
    typer.Argument(
        metavar="DIR",
        exists=True,
        file_okay=False,
        help="A folder of pages of one site, with their styles and pictures; or labelled pages:"
        " gold.json and its pages, or folders with one each.",
    ),
]
Project = Annotated[
    str,
    typer.Option("--project", "-p", help="The site they belong to; the folder's name if empty."),
]
Named = Annotated[
    list[str], typer.Argument(metavar="PROJECT...", help="Names of projects; one is one site.")
]
Output = Annotated[
    Path,
    typer.Option("--output", "-o", metavar="DIR", help="The folder to write; new or empty."),
]
Annotator = Annotated[
    str,
    typer.Option(
        "--annotator",
        help="Name of the annotator; by default marks that more than half of all made.",
        show_default=False,
    ),
]


Marker = Annotated[str, typer.Option("--annotator", help="Whose marks the labels in DIR become.")]
ADD_EXAMPLES = "pagelet annotate add pages/ --project shop\npagelet annotate add labels/"
EXAMPLES = "pagelet annotate export shop -o labels/\npagelet annotate export shop forum -o labels/"


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    group = CommandGroup(
        help="Import pages to, and export marks from, the annotator of `pagelet serve`.",
        no_args_is_help=True,
    )
    group.command("add", epilog=ADD_EXAMPLES)(add)
    group.command("export", epilog=EXAMPLES)(export)
    app.add_typer(group, name="annotate")


def add(
    folder: Pages,
    *,
    project: Project = "",
    annotator: Marker = "me",
    database: DatabaseOption = None,
) -> None:
    """Put the pages of a folder into a project, with the styles and pictures beside them.

    Labelled pages, as `pagelet annotate export` writes them, come with their labels as marks;
    folders with a gold.json each become a project each.
    """
    _needed()
    from pagelet.annotator.database import Database  # noqa: PLC0415 - needs the extra
    from pagelet.annotator.store import default_database  # noqa: PLC0415
    from pagelet.annotator.transfer import list_folder  # noqa: PLC0415
    from pagelet.server.errors import HttpError  # noqa: PLC0415

    list_folder(folder)  # a folder without pages makes no project
    exports = list_exports(folder)
    if project and len(exports) > 1:
        raise OptionError("project", project, "DIR has several projects, which keep their names")
    opened = Database(database or default_database())
    try:
        with progress() as (say, _):
            lines = [
                _add_project(opened, each, (project, annotator), say, labelled=bool(exports))
                for each in exports or [folder]
            ]
    except HttpError as error:
        raise OptionError("folder", str(folder), error.message) from error
    finally:
        opened.close()
    for line in lines:
        console().print(line)


def _add_project(
    database: "Database",
    folder: Path,
    names: tuple[str, str],
    say: Callable[[str], None],
    *,
    labelled: bool,
) -> str:
    """Add the pages of one folder, with the labels of labelled ones; what was added."""
    from pagelet.annotator.labelled import add_labelled  # noqa: PLC0415 - needs the extra
    from pagelet.annotator.transfer import add_folder  # noqa: PLC0415

    project, annotator = names
    name = project or folder.resolve().name
    number = database.ensure_project(name)
    if not labelled:
        return f"{count_of(add_folder(database, number, folder, say), 'page')} in {name}"
    pages, marked = add_labelled(database, number, folder, annotator, say)
    return f"{count_of(pages, 'page')} in {name}, {marked:,} with marks of {annotator}"


def export(
    projects: Named,
    *,
    output: Output,
    annotator: Annotator = "*",
    database: DatabaseOption = None,
) -> None:
    """Write marks and pages as a folder that `pagelet evaluate` and `pagelet train` read.

    Several projects go to folders of their names in the output folder, which is read as one.
    """
    _needed()
    from pagelet.annotator.names import safe_name  # noqa: PLC0415 - needs the extra
    from pagelet.annotator.store import AnnotationStore  # noqa: PLC0415
    from pagelet.server.settings import Settings  # noqa: PLC0415

    if output.exists() and any(output.iterdir()):
        raise OptionError("output", str(output), "not empty; give a new folder")
    store = AnnotationStore(Settings(database=database))
    try:
        known = {name: number for number, name, _ in store.database.list_projects()}
        for project in projects:
            if project not in known:
                names = f"there is {join_names(known)}" if known else "there is none yet"
                raise OptionError("project", project, f"no such project; {names}")
        labelled = 0
        for project in projects:
            folder = output / safe_name(project).replace("/", "_") if len(projects) > 1 else output
            labelled += _export_project(store, known[project], annotator, folder)
    finally:
        store.close()
    console().print(f"labels: {output}, {count_of(labelled, 'labelled page')}")
    if not labelled:
        report("nobody has marked a page yet: `pagelet serve` has the annotator at /annotate")


def _export_project(store: "AnnotationStore", number: int, annotator: str, folder: Path) -> int:
    """Write the marks and pages of one project; the number of pages with labels."""
    from pagelet.annotator.transfer import (  # noqa: PLC0415 - needs the extra
        list_files,
        make_gold,
        page_labels,
        write_folder,
    )

    pages = store.database.list_pages(number)
    labels = {page.id: page_labels(store, page, annotator) for page in pages}
    gold = make_gold(store.database, number, annotator, labels)
    write_folder(folder, list_files(store.database, number, gold))
    return len(gold["pages"])


def _needed() -> None:
    try:
        import fastapi  # noqa: F401, PLC0415 - an extra
    except ImportError as error:
        raise MissingExtra("server", "annotating") from error
