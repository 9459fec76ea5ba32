"""`pagelet segments`: draws a page, divides it, and shows the segments."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from pagelet.cli import options as shared
from pagelet.cli.options import changes_of, with_parameters
from pagelet.cli.output import SHOWN, console, write, write_reason
from pagelet.cli.rendering import PdfPageOption, read_rendering, render_options, render_parameters
from pagelet.errors import OptionError
from pagelet.methods.registry import Method
from pagelet.methods.segments import divide, listed
from pagelet.methods.segments.answer import Segmentation
from pagelet.methods.segments.memory import (
    read_memory,
    recall_threshold,
    threshold_to_remember,
    write_memory,
)
from pagelet.methods.segments.options import AUTO, SegmentsOptions
from pagelet.page.layout import Rendering
from pagelet.pagelets import Pagelet, Pagelets
from pagelet.sources.limits import Limits

PICTURES = (".png", ".svg")

PageArgument = Annotated[
    str,
    typer.Argument(
        metavar="PAGE", help="A file, HTML or PDF, an http(s) URL, or - for standard input."
    ),
]
ProfileOption = Annotated[
    str,
    typer.Option(
        "--profile",
        "-p",
        help="default: ours; paper: the publication's values; 2016: those of its authors' program.",
        metavar="default|paper|2016",
    ),
]
PictureOption = Annotated[
    Path | None,
    typer.Option(
        "--picture", help="Draw the segments over the page, as PNG or SVG.", metavar="FILE"
    ),
]
MemoryOption = Annotated[
    Path | None,
    typer.Option(
        "--memory",
        help="Keep the threshold that worked, and use it for pages of the same template.",
        metavar="FILE",
    ),
]


def runner(method: Method) -> Callable[..., None]:
    """The command."""

    def run(  # noqa: PLR0913 - what a command line takes
        page: PageArgument,
        *,
        format: str = "text",
        picture: PictureOption = None,
        memory: MemoryOption = None,
        profile: ProfileOption = "default",
        explain: shared.ExplainOption = False,
        url: shared.UrlOption = None,
        pdf_page: PdfPageOption = 1,
        max_bytes: shared.BytesOption = Limits().max_bytes,
        timeout: shared.TimeoutOption = 30.0,
        allow_private: shared.AllowPrivateOption = None,
        **said: Any,
    ) -> None:
        changes = changes_of(method, said)
        if memory is not None:
            changes.setdefault("threshold", AUTO)
        options = method.with_options(profile, changes)  # a mistake is told before a page is drawn
        check(options, picture, memory)
        drawing = render_options(said, timeout=timeout, picture=picture is not None,
                                 allow_private=tuple(allow_private or ()))  # fmt: skip
        limits = Limits(max_bytes=max_bytes, timeout=timeout)
        rendering = read_rendering(page, drawing, limits, url=url, number=pdf_page)
        division, found = answer(rendering, options, profile, memory)
        if picture is not None:
            draw(picture, rendering, division)
        write_segments(found, division, format, explain=explain)

    return with_parameters(run, render_parameters())


def check(options: SegmentsOptions, picture: Path | None, memory: Path | None) -> None:
    """Refuse what cannot be done before a page is drawn."""
    if picture is not None and picture.suffix.lower() not in PICTURES:
        raise OptionError("picture", str(picture), f"ends in one of {', '.join(PICTURES)}")
    if memory is not None:
        if options.method == "vips":
            raise OptionError("memory", str(memory), "vips has no threshold; say --method bcs")
        read_memory(memory)


def answer(
    rendering: Rendering, options: SegmentsOptions, profile: str, memory: Path | None
) -> tuple[Segmentation, Pagelets]:
    """Divide a page, with what is remembered of its template if there is a memory."""
    page, layout = rendering.page, rendering.layout
    if memory is None:
        found = divide(page, layout, options)
        return found, listed(page, found, options, profile)
    known = read_memory(memory)
    chosen, remembered = recall_threshold(known, page, options)
    found = divide(page, layout, chosen)
    keep = None if remembered else threshold_to_remember(options, found)
    if keep is not None:
        write_memory(memory, known.learn(page, options, keep))
    told = "recalled" if remembered else "not kept" if keep is None else "kept"
    return found, listed(page, found, options, profile, memory=told)


def draw(path: Path, rendering: Rendering, division: Segmentation) -> None:
    """Write a picture of the segments over the page."""
    from pagelet.report.picture import draw_png, draw_svg  # noqa: PLC0415 - on demand

    make = draw_svg if path.suffix.lower() == ".svg" else draw_png
    try:
        drawn = make(rendering, division.segments)
        path.write_bytes(drawn if isinstance(drawn, bytes) else drawn.encode())
    except OSError as error:
        raise OptionError("picture", str(path), error.strerror or str(error)) from error
    console(error=True).print(f"picture: {escape(str(path))}")


def write_segments(found: Pagelets, division: Segmentation, format: str, *, explain: bool) -> None:
    """Write the answer to standard output, and one line about it to standard error."""
    if format == "webis":
        write_webis(found, division)
    elif format != "text":
        write(found, format, explain=explain)
    else:
        for item in found:
            console().print(line_of(item))
            if explain:
                write_reason(item)
        if not found:
            console().print("no segments")
    console(error=True).print(escape(summary(found)))


def line_of(item: Pagelet) -> str:
    """One line: where the segment is, its size, and the beginning of its text."""
    assert item.box is not None
    left, top, right, bottom = item.box
    place = f"{left:g},{top:g} {right - left:g}×{bottom - top:g}"
    whole = item.text
    text = whole if len(whole) <= SHOWN else whole[: SHOWN - 1] + "…"
    return f"[bold]segment[/bold] {item.score:.2f}  [dim]{place}[/dim]  {escape(text)}"


def write_webis(found: Pagelets, division: Segmentation) -> None:
    """Write the segments as the public tools for BCubed scores read them."""
    from pagelet.report.webis import webis_segmentation  # noqa: PLC0415 - on demand

    form = webis_segmentation(found.page.url or "page", division.segments)
    print(json.dumps(form, ensure_ascii=False, indent=2))


def summary(found: Pagelets) -> str:
    """One line: how many segments there are, and at which threshold."""
    told = found.extra["segments"]
    parts = [f"{len(found)} segment{'s' * (len(found) != 1)}"]
    if told["loose"]:
        parts.append(f"{len(told['loose'])} boxes in none")
    if told["method"] == "bcs" or "memory" in told:
        how = {"recalled": ", as remembered", "kept": ", now remembered"}
        parts.append(f"threshold {told['threshold']:.3g}{how.get(told.get('memory', ''), '')}")
    if not told["complete"]:
        parts.append("too tangled to go on to the end")
    return "; ".join(parts)
