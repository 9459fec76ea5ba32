"""Pages as they are drawn: by a browser, or read from a PDF."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import typer
from rich.markup import escape

from pagelet.cli.options import Flag, Parameter, flag_parameters, options_from
from pagelet.cli.output import console
from pagelet.errors import OptionError
from pagelet.page.layout import Rendering
from pagelet.sources.browser.options import RenderOptions
from pagelet.sources.limits import Limits

PANEL = "How the page is drawn"
ELSEWHERE = ("timeout", "picture", "allow_private")  #: what commands say in their own words
NAMES = {"browser": "PATH", "folder": "DIR"}
PDF = b"%PDF-"  #: how a PDF begins

PdfPageOption = Annotated[
    int, typer.Option("--pdf-page", help="The page of a PDF.", min=1, rich_help_panel=PANEL)
]


def render_parameters() -> list[Parameter]:
    """One flag for each thing that may be said of drawing."""
    types = get_type_hints(RenderOptions)
    choices = {
        name: "|".join(get_args(kind))
        for name, kind in types.items()
        if get_origin(kind) is Literal
    }
    said = {name: Flag("", metavar) for name, metavar in {**choices, **NAMES}.items()}
    found = flag_parameters(RenderOptions, PANEL, said)
    return [parameter for parameter in found if parameter.name not in ELSEWHERE]


def render_options(arguments: Mapping[str, Any], **more: Any) -> RenderOptions:
    """How to draw, of all that a command was told."""
    names = {parameter.name for parameter in render_parameters()}
    said = {name: value for name, value in arguments.items() if name in names}
    return options_from(RenderOptions, {**said, **more})


def read_rendering(
    source: str, options: RenderOptions, limits: Limits, *, url: str | None = None, number: int = 1
) -> Rendering:
    """Draw a page, or read one page of a PDF; what went wrong on the way is told."""
    found = (
        read_pdf_page(source, number, options) if is_pdf(source) else draw(source, options, limits)
    )
    for note in found.notes:
        console(error=True).print(escape(note))
    return found if url is None else replace(found, page=replace(found.page, url=url))


def draw(source: str, options: RenderOptions, limits: Limits) -> Rendering:
    """Draw a page in a browser of its own."""
    from pagelet.sources.browser.render import Browser  # noqa: PLC0415 - few commands draw

    with Browser(options, limits=limits) as browser:
        return browser.render(source)


def read_pdf_page(source: str, number: int, options: RenderOptions) -> Rendering:
    """One page of a PDF file."""
    from pagelet.sources.pdf import PdfFile, PdfOptions  # noqa: PLC0415 - few pages are PDF

    with PdfFile(source, options=PdfOptions(picture=options.picture)) as file:
        if number > len(file):
            raise OptionError("pdf_page", number, f"{source} has {len(file):,} pages")
        return file.page(number)


def is_pdf(source: str) -> bool:
    """Whether a file begins like a PDF."""
    if source == "-" or "://" in source:
        return False
    try:
        with Path(source).open("rb") as file:
            return file.read(len(PDF)) == PDF
    except (OSError, ValueError):
        return False
