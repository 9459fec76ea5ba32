"""What the eye takes for one thing: flat segments of a rendered page.

The ways to segment are imported when a page is divided: most who import pagelet draw no page.
"""

from functools import partial
from typing import TYPE_CHECKING, Any

from pagelet.errors import MissingLayout, OptionError
from pagelet.methods.registry import Evidence, Method, Profile
from pagelet.methods.segments.options import PAPER, REFERENCE_2016, SegmentsOptions
from pagelet.page.layout import Layout, Rendering
from pagelet.page.table import Page
from pagelet.pagelets import Pagelets

if TYPE_CHECKING:
    from pagelet.methods.segments.answer import Segmentation


def detect_segments(
    page: Page | Rendering,
    options: SegmentsOptions | None = None,
    *,
    profile: str = "default",
    layout: Layout | None = None,
) -> Pagelets:
    """Divide a rendered page into segments, a pagelet each.

    A rendering says itself where its rows were drawn; a page needs its `layout`. Without
    options, those of the profile act.
    """
    if isinstance(page, Rendering):
        layout, page = page.layout, page.page
    row = SEGMENTS.profile(profile)
    return row.run(page, options or row.options, Evidence(layout=layout))


def divide(page: Page, layout: Layout | None, options: SegmentsOptions) -> "Segmentation":
    """Divide a page, before that is put into any form."""
    if layout is None:
        raise MissingLayout("segments")
    if len(layout) != len(page):
        raise OptionError("layout", layout, f"it is of another page; this one has {len(page)} rows")
    from pagelet.methods.segments.answer import SEGMENTERS  # noqa: PLC0415
    from pagelet.methods.segments.geometry.boxes import boxes_of_page  # noqa: PLC0415 - as said above

    return SEGMENTERS[options.method](page, layout, boxes_of_page(page, layout), options)


def listed(
    page: Page, found: "Segmentation", options: SegmentsOptions, profile: str, **more: Any
) -> Pagelets:
    """A divided page as pagelets, and what is told of it beside them."""
    from pagelet.methods.segments.answer import to_pagelets  # noqa: PLC0415 - as said above

    return Pagelets(
        page, "segments", profile, to_pagelets(page, found), partial(_more, found, options, more)
    )


def _more(found: "Segmentation", options: SegmentsOptions, more: dict[str, Any]) -> dict[str, Any]:
    from pagelet.methods.segments.answer import describe  # noqa: PLC0415 - as said above

    asked = {"method": options.method, "granularity": options.granularity}
    return {"segments": {**asked, **describe(found), **more}}


def _run(profile: str, page: Page, options: SegmentsOptions, evidence: Evidence) -> Pagelets:
    return listed(page, divide(page, evidence.layout, options), options, profile)


SEGMENTS = Method(
    name="segments",
    summary="what the eye takes for one thing: flat segments of the rendered page",
    needs=("page", "boxes"),
    paper="Zeleny, Burget, Zendulka: Box clustering segmentation: A new method for vision-based"
    " web page preprocessing. Information Processing & Management 53(3), 2017,"
    " doi:10.1016/j.ipm.2017.02.002",
    formats=("text", "json", "html", "webis"),
    profiles={
        "default": Profile(partial(_run, "default"), SegmentsOptions()),
        "paper": Profile(partial(_run, "paper"), PAPER),
        "2016": Profile(partial(_run, "2016"), REFERENCE_2016),
    },
)
