"""What the eye takes for one thing: flat segments of a rendered page.

The ways to segment are imported when a page is divided: most who import pagelet draw no page.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
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
from pagelet.models.trees import NO_FILES, SHIPPED, read_trees
from pagelet.page.layout import Layout
from pagelet.page.site import SharedRows
from pagelet.page.table import Page
from pagelet.pagelets import Pagelet, Pagelets
from pagelet.wording import count_of, missing_styles

if TYPE_CHECKING:
    from pagelet.methods.segments.answer import Segmentation


def divide(
    page: Page,
    layout: Layout | None,
    options: SegmentsOptions,
    files: Mapping[str, bytes] = NO_FILES,
) -> "Segmentation":
    """Divide a page, before that is put into any form; `files` holds the model of the options."""
    if layout is None:
        raise MissingLayout("segments")
    if len(layout) != len(page):
        raise OptionError("layout", layout, f"it is of another page; this one has {len(page)} rows")
    from pagelet.methods.segments.answer import SEGMENTERS  # noqa: PLC0415
    from pagelet.methods.segments.geometry.boxes import boxes_of_page  # noqa: PLC0415 - see above

    name = options.model
    trees = None if name == SHIPPED else read_trees(files[name], name)
    boxes = boxes_of_page(page, layout)
    division = SEGMENTERS[options.method](page, layout, boxes, options, trees)
    return replace(division, missing_styles=int(layout.page_missing_styles))


def run(page: Page, options: SegmentsOptions, evidence: Evidence) -> Pagelets:
    """The segments of a rendered page, one pagelet each."""
    division = divide(page, evidence.layout, options, evidence.files)
    return list_segments(page, division, options, evidence.template)


def list_segments(
    page: Page,
    division: "Segmentation",
    options: SegmentsOptions,
    template: SharedRows | None = None,
    **more: Any,
) -> Pagelets:
    """A divided page as pagelets."""
    from pagelet.methods.segments.answer import to_pagelets  # noqa: PLC0415 - see above

    find = partial(to_pagelets, page, division, template)
    described = partial(_more, division, options, more)
    return Pagelets(page, "segments", options.profile, find, described, division)


def _more(
    division: "Segmentation", options: SegmentsOptions, more: dict[str, Any]
) -> dict[str, Any]:
    from pagelet.methods.segments.answer import describe  # noqa: PLC0415 - see above

    chosen = {"method": options.method, "granularity": options.granularity}
    return {"segments": {**chosen, **describe(division), **more}}


UNKNOWN_ROLE = "-"  #: stands for a role that cannot be told
ROLE_CHARS = 13  #: characters of the longest role

# -- formats ----------------------------------------------------------------------------------


def write_text(result: Pagelets, options: SegmentsOptions) -> str:
    """One line per segment."""
    return list_pagelets(result, explain=options.explain, line=_line)


def _line(item: Pagelet) -> str:
    """Where a segment is, its size, and the beginning of its text."""
    role = f" {item.role}" if item.role else ""
    return f"segment {item.score:.2f}{role}  {_place(item)}  {shorten(item.text)}"


def _place(item: Pagelet) -> str:
    assert item.box is not None
    left, top, right, bottom = item.box
    return f"{left:g},{top:g} {right - left:g}×{bottom - top:g}"


def write_outline(result: Pagelets, _options: SegmentsOptions) -> str:
    """The role of each segment, its place and the beginning of its text, in reading order."""
    lines = [
        f"{item.role or UNKNOWN_ROLE:<{ROLE_CHARS}}  {_place(item):<20}  {shorten(item.text)}"
        for item in result
    ]
    return "\n".join(line.rstrip() for line in lines)


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
    if facts["missing_styles"]:
        parts.append(missing_styles(facts["missing_styles"]))
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
    uses=("memory", "template"),
    formats=("text", "outline", "json", "html", "webis"),
    writers={"text": write_text, "outline": write_outline, "webis": write_webis},
    notes=summarise,
)
