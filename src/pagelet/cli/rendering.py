"""Rendered pages on the command line: by a browser, or read from a PDF, and pictures of them."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pagelet.cli.options import Flag, Parameter, changed, flag_parameters
from pagelet.cli.output import report
from pagelet.context import Context
from pagelet.errors import OptionError
from pagelet.page.layout import Rendering
from pagelet.pagelets import Pagelets
from pagelet.sources.browser.options import RenderOptions
from pagelet.sources.options import Limits
from pagelet.wording import NO_FOLDER, count_of, describe_os_error, join_names

PANEL = "Rendering"
OWN_FLAGS = ("timeout", "picture", "allow_private")  #: options that commands declare themselves
METAVARS = {"browser": "PATH", "folder": "DIR"}
PDF_MAGIC = b"%PDF-"
PICTURE_SUFFIXES = (".png", ".svg")


def render_parameters() -> list[Parameter]:
    """One flag for each option of rendering."""
    flags = {name: Flag("", metavar) for name, metavar in METAVARS.items()}
    parameters = flag_parameters(RenderOptions, PANEL, flags)
    return [each for each in parameters if each.name not in OWN_FLAGS]


def render_options(arguments: Mapping[str, Any], **more: Any) -> RenderOptions:
    """The options of rendering among the arguments of a command."""
    names = {parameter.name for parameter in render_parameters()}
    given = {name: value for name, value in arguments.items() if name in names}
    return changed(RenderOptions(), {**given, **more})


def read_rendering(
    source: str, options: RenderOptions, limits: Limits, *, url: str | None = None, number: int = 1
) -> Rendering:
    """Render a page, or read one page of a PDF; problems on the way are reported."""
    rendering = (
        read_pdf_page(source, number, options) if is_pdf(source) else draw(source, options, limits)
    )
    for note in rendering.notes:
        report(note)
    return rendering if url is None else replace(rendering, page=replace(rendering.page, url=url))


def draw(source: str, options: RenderOptions, limits: Limits) -> Rendering:
    """Render a page in a browser of its own."""
    from pagelet.sources.browser.render import Browser  # noqa: PLC0415 - few commands render

    with Browser(options, limits=limits) as browser:
        return browser.render(source)


def read_pdf_page(source: str, number: int, options: RenderOptions) -> Rendering:
    """One page of a PDF file."""
    from pagelet.sources.pdf import PdfFile, PdfOptions  # noqa: PLC0415 - few pages are PDF

    with PdfFile(source, options=PdfOptions(picture=options.picture)) as file:
        if number > len(file):
            raise OptionError("pdf_page", number, f"{source} has {count_of(len(file), 'page')}")
        return file.page(number)


def is_pdf(source: str) -> bool:
    """Whether a file begins like a PDF."""
    if source == "-" or "://" in source:
        return False
    try:
        with Path(source).open("rb") as file:
            return file.read(len(PDF_MAGIC)) == PDF_MAGIC
    except (OSError, ValueError):
        return False


def check_picture(path: Path) -> None:
    """Refuse a picture that cannot be drawn before a page is rendered."""
    if path.suffix.lower() not in PICTURE_SUFFIXES:
        raise OptionError("picture", str(path), f"must end in {join_names(PICTURE_SUFFIXES, 'or')}")
    if path.suffix.lower() == ".png":
        from pagelet.report.picture import import_pillow  # noqa: PLC0415 - on demand

        import_pillow("Image")


def draw_picture(path: Path, context: Context, result: Pagelets) -> None:
    """Write a picture of the segments over the rendered page."""
    from pagelet.report.picture import draw_png, draw_svg  # noqa: PLC0415 - on demand

    assert context.rendering is not None
    make = draw_svg if path.suffix.lower() == ".svg" else draw_png
    try:
        picture = make(context.rendering, result.source.segments, [item.role for item in result])
        path.write_bytes(picture if isinstance(picture, bytes) else picture.encode())
    except OSError as error:
        raise OptionError("picture", str(path), describe_os_error(error, NO_FOLDER)) from error
    report(f"picture: {path}")
