"""What the eye takes for one thing: flat segments of a rendered page.

The ways to segment are imported when a page is divided: most who import pagelet draw no page.
"""

import json
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from pagelet.errors import MissingLayout, OptionError
from pagelet.methods.listing import list_pagelets, shorten
from pagelet.methods.registry import Evidence, Method, Profile
from pagelet.methods.segments.options import (
    PaperSegmentsOptions,
    ReferenceSegmentsOptions,
    SegmentsOptions,
)
from pagelet.page.layout import Layout
from pagelet.page.table import Page
from pagelet.pagelets import Pagelet, Pagelets
from pagelet.wording import count_of

if TYPE_CHECKING:
    from pagelet.methods.segments.answer import Segmentation


def divide(page: Page, layout: Layout | None, options: SegmentsOptions) -> "Segmentation":
    """Divide a page, before that is put into any form."""
    if layout is None:
        raise MissingLayout("segments")
    if len(layout) != len(page):
        raise OptionError("layout", layout, f"it is of another page; this one has {len(page)} rows")
    from pagelet.methods.segments.answer import SEGMENTERS  # noqa: PLC0415
    from pagelet.methods.segments.geometry.boxes import boxes_of_page  # noqa: PLC0415 - see above

    return SEGMENTERS[options.method](page, layout, boxes_of_page(page, layout), options)


def run(page: Page, options: SegmentsOptions, evidence: Evidence) -> Pagelets:
    """The segments of a rendered page, one pagelet each."""
    return list_segments(page, divide(page, evidence.layout, options), options)


def list_segments(
    page: Page, division: "Segmentation", options: SegmentsOptions, **more: Any
) -> Pagelets:
    """A divided page as pagelets."""
    from pagelet.methods.segments.answer import to_pagelets  # noqa: PLC0415 - see above

    items = to_pagelets(page, division)
    described = partial(_more, division, options, more)
    return Pagelets(page, "segments", options.profile, items, described, division)


def _more(
    division: "Segmentation", options: SegmentsOptions, more: dict[str, Any]
) -> dict[str, Any]:
    from pagelet.methods.segments.answer import describe  # noqa: PLC0415 - see above

    chosen = {"method": options.method, "granularity": options.granularity}
    return {"segments": {**chosen, **describe(division), **more}}


# -- formats ----------------------------------------------------------------------------------


def write_text(result: Pagelets, options: SegmentsOptions) -> str:
    """One line per segment."""
    return list_pagelets(result, explain=options.explain, line=_line)


def _line(item: Pagelet) -> str:
    """Where a segment is, its size, and the beginning of its text."""
    assert item.box is not None
    left, top, right, bottom = item.box
    place = f"{left:g},{top:g} {right - left:g}×{bottom - top:g}"
    return f"segment {item.score:.2f}  {place}  {shorten(item.text)}"


def write_webis(result: Pagelets, _options: SegmentsOptions) -> str:
    """The segments as public tools for BCubed scores read them."""
    from pagelet.methods.segments.answer import webis_segmentation  # noqa: PLC0415 - see above

    form = webis_segmentation(result.page.url or "page", result.source.segments)
    return json.dumps(form, ensure_ascii=False, indent=2)


def summarise(result: Pagelets, _options: SegmentsOptions, format: str) -> Sequence[str]:
    """How many segments there are, and at which threshold."""
    facts = result.extra["segments"]
    is_listed = format == "text" and not result  # the listing says that there are none
    parts = [] if is_listed else [count_of(len(result), "segment")]
    if facts["loose"]:
        parts.append(f"{count_of(len(facts['loose']), 'box', 'boxes')} in none")
    if facts["method"] == "bcs" or "memory" in facts:
        how = {"recalled": ", as remembered", "kept": ", now remembered"}
        parts.append(f"threshold {facts['threshold']:.3g}{how.get(facts.get('memory', ''), '')}")
    if not facts["complete"]:
        parts.append("stopped early, since too many boxes overlap")
    return ["; ".join(parts)] if parts else []


SEGMENTS = Method(
    name="segments",
    summary="flat visual segments of the rendered page",
    paper="Zeleny, Burget, Zendulka: Box clustering segmentation: A new method for vision-based"
    " web page preprocessing. Information Processing & Management 53(3), 2017,"
    " doi:10.1016/j.ipm.2017.02.002",
    profiles={
        "default": Profile(run, SegmentsOptions(), "our values"),
        "paper": Profile(run, PaperSegmentsOptions(), "the publication's values"),
        "2016": Profile(run, ReferenceSegmentsOptions(), "those of the authors' last program"),
    },
    examples=(
        "pagelet segments page.html --picture segments.png",
        "pagelet segments page.html --method vips",
    ),
    kinds=("segment",),
    holds_for="boxes",
    needs=("page", "boxes"),
    uses=("memory",),
    formats=("text", "json", "html", "webis"),
    writers={"text": write_text, "webis": write_webis},
    notes=summarise,
)
