"""Arguments that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

from pagelet.columns.page import Page
from pagelet.sources import load_folder
from pagelet.sources.http import Limits

PageArgument = Annotated[
    str, typer.Argument(metavar="PAGE", help="A file, an http(s) URL, or - for standard input.")
]
ProfileOption = Annotated[
    str,
    typer.Option(
        "--profile",
        "-p",
        help="default: ours; paper: the publication's values.",
        metavar="default|paper",
    ),
]
ExplainOption = Annotated[
    bool, typer.Option("--explain", "-e", help="Print the measures behind the answer.")
]
UrlOption = Annotated[
    str | None,
    typer.Option("--url", help="Where the page came from; links are resolved against it."),
]
SiteOption = Annotated[
    Path | None,
    typer.Option("--site", help="A folder with other pages of the same site.", metavar="DIR"),
]
SitePagesOption = Annotated[
    int, typer.Option("--site-pages", help="Most pages to read of it.", min=1)
]
BytesOption = Annotated[int, typer.Option("--max-bytes", help="Refuse larger pages.", min=1)]
TimeoutOption = Annotated[float, typer.Option("--timeout", help="Seconds a URL may take.", min=0.1)]
AllowPrivateOption = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-private",
        help="A host that may be asked though its address is not public; may be said several"
        " times.",
        metavar="HOST:PORT",
        show_default=False,
    ),
]


def read_site(folder: Path | None, page: str, most: int, limits: Limits) -> list[Page]:
    """Read the other pages of the site, if a folder was named."""
    if folder is None:
        return []
    leave_out = "" if page == "-" or "://" in page else page
    return list(load_folder(folder, most=most, leave_out=leave_out, limits=limits))
