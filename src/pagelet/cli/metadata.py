"""`pagelet metadata`: what a page says about itself."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pagelet import api
from pagelet.cli import inputs
from pagelet.cli.output import print_result, report
from pagelet.pagelets import SCHEMA
from pagelet.sources import load
from pagelet.sources.options import Limits

if TYPE_CHECKING:
    from pagelet.metadata.facts import Metadata


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("metadata")(metadata)


def metadata(  # noqa: PLR0913 - what a command line takes
    page: inputs.PageArgument,
    *,
    format: inputs.FormatOption = "text",
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
    max_bytes: inputs.BytesOption = Limits().max_bytes,
    max_nodes: inputs.NodesOption = Limits().max_nodes,
    timeout: inputs.TimeoutOption = Limits().timeout,
    allow_private: inputs.AllowPrivateOption = None,
) -> None:
    """What a page says about itself: title, authors, dates, language, site, tags and the like.

    See docs/metadata.md.
    """
    limits = Limits(max_bytes=max_bytes, max_nodes=max_nodes, timeout=timeout)
    read = load(page, url=url, limits=limits, allow_private=tuple(allow_private or ()))
    found = api.read_metadata(read, detect_language=detect_language)
    if format == "json":
        form = {"schema": SCHEMA, "url": read.url, "method": "metadata", **found.to_dict()}
        print_result(json.dumps(form, ensure_ascii=False, indent=2))
    elif lines := list_fields(found, explain=explain):
        print_result("\n".join(lines))
    else:
        report("no metadata")


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
