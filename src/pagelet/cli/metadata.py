"""`pagelet metadata`: what a page says about itself."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pagelet import api
from pagelet.cli import inputs
from pagelet.cli.batch import ResultWriter, answer_pages
from pagelet.cli.listing import print_reasons
from pagelet.cli.loading import loader_for, loading_parameters
from pagelet.cli.options import changed, with_parameters
from pagelet.cli.output import print_result
from pagelet.cli.pages import InputFileOption, NamedPage, OutputOption, PagesArgument, name_pages
from pagelet.cli.streams import Written, format_for
from pagelet.page.table import Page
from pagelet.pagelets import SCHEMA
from pagelet.sources import load_by
from pagelet.sources.options import Limits

if TYPE_CHECKING:
    from pagelet.metadata.facts import Metadata

EXAMPLES = "pagelet metadata page.html\npagelet metadata pages/ -o facts.jsonl"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("metadata", epilog=EXAMPLES)(with_parameters(metadata, loading_parameters()))


def metadata(  # noqa: PLR0913 - what a command line takes
    pages: PagesArgument = None,
    *,
    input_file: InputFileOption = None,
    output: OutputOption = None,
    format: inputs.PagesFormatOption = None,
    explain: Annotated[
        bool, typer.Option("--explain", "-e", help="Print where each field was found.")
    ] = False,
    detect_language: Annotated[
        bool,
        typer.Option(
            "--detect-language",
            help="Detect the language of a page that declares none; needs the extra language.",
        ),
    ] = False,
    url: inputs.UrlOption = None,
    **arguments: Any,
) -> None:
    """What a page says about itself: title, authors, dates, language, site, tags and the like.

    See docs/metadata.md.
    """
    named = name_pages(pages, input_file)
    limits = changed(Limits(), arguments)
    chosen = format or format_for(output, inputs.FORMATS)
    show = print_reasons if explain and chosen == "text" else print_result
    writer = ResultWriter(format=chosen, to=output, nothing="no metadata", show=show)
    with loader_for(named, arguments) as loader:

        def answer(page: NamedPage) -> Written:
            read = load_by(loader, page.source, url=url, limits=limits)
            return write(read, chosen, detect_language=detect_language, explain=explain)

        answer_pages(named, writer, answer)


def write(page: Page, format: str, *, detect_language: bool, explain: bool) -> Written:
    """The metadata of a page as a JSON object, or as lines."""
    found = api.read_metadata(page, detect_language=detect_language)
    if format != "text":
        head = {"schema": SCHEMA, "url": page.url, "method": "metadata"}
        return Written(form={**head, **found.to_dict()})
    return Written("\n".join(list_fields(found, explain=explain)))


def list_fields(found: "Metadata", *, explain: bool) -> list[str]:
    """One line per field that is stated: its name, its value, and where it was found."""
    values = found.to_dict()
    sources = values.pop("sources")
    lines = []
    for name, value in values.items():
        if value not in (None, []):
            source = sources.get(name)
            end = f"  ({source['from']}, {source['confidence']:.2f})" if explain and source else ""
            lines.append(f"{name}: {_shown(value)}{end}")
    return lines


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)
