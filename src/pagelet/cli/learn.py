"""`pagelet learn`: the template of a site, kept in a file for later pages."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from pagelet.cli import arguments as shared
from pagelet.cli.output import console, write_file
from pagelet.cli.progress import progress
from pagelet.columns.page import Page
from pagelet.errors import OptionError
from pagelet.methods.template import learned_template
from pagelet.methods.template_learned import Learned
from pagelet.sources.http import Limits
from pagelet.sources.site import FolderSite

Folder = Annotated[
    Path,
    typer.Argument(metavar="DIR", exists=True, file_okay=False, help="Pages of one site."),
]
Output = Annotated[Path, typer.Option("--output", "-o", help="Where to write the template (JSON).")]
Update = Annotated[
    bool, typer.Option("--update", help="Fold the pages into the template that is there already.")
]
Most = Annotated[
    int | None,
    typer.Option("--pages", help="Learn so many pages, evenly spaced; all by default.", min=1),
]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("learn")(learn)


def learn(
    folder: Folder,
    *,
    output: Output,
    update: Update = False,
    pages: Most = None,
    max_bytes: shared.BytesOption = Limits().max_bytes,
) -> None:
    """Learn the template of a site from its pages and keep it in a file.

    The order of the pages does not matter, and a page learned twice counts once. `pagelet
    template PAGE --template FILE` then needs no other page.
    """
    known = learned_template(str(output)) if update and output.exists() else Learned({})
    site = FolderSite(folder, limits=Limits(max_bytes=max_bytes))
    with progress() as (say, _):
        say(f"reading {folder}")
        found = known.with_pages(_spaced(site, pages))
    if not found.pages:
        raise OptionError("DIR", str(folder), "no pages here to learn from")
    write_file(output, found.to_json())
    console().print(
        f"template: {output}, {len(found.seen)} pages learned, {len(found.pages)} of them kept"
    )


def _spaced(site: FolderSite, most: int | None) -> Iterator[Page]:
    """Pages of a folder, so many at most, evenly spaced by name."""
    addresses = site.addresses()
    count = len(addresses) if most is None else min(most, len(addresses))
    for at in range(count):
        page = site.load(addresses[at * len(addresses) // count])
        if page is not None:
            yield page
