"""The report: one HTML document with its styles, scripts, data and drawing."""

import base64
import hashlib
import html
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from pagelet.methods import METHODS
from pagelet.methods.segments.bcs import cluster_boxes
from pagelet.methods.segments.bcs.clustering import cut_at_widest_range
from pagelet.methods.segments.geometry.boxes import boxes_of_page
from pagelet.page.layout import Layout, Rendering
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, TEXT
from pagelet.pagelets import Pagelet, Pagelets
from pagelet.report.assets import choose_assets
from pagelet.report.drawing import draw
from pagelet.report.palette import KIND_LOOKS, describe_kind
from pagelet.wording import missing_styles

# -- rendered pages -------------------------------------------------------------------------


MAX_SLIDER_BOXES = 20_000  #: boxes of a page above which the report has no slider
MAX_PICTURE_BYTES = 24_000_000  #: bytes of a picture in the report
THRESHOLD_DECIMALS = 6


def describe_rendering(rendering: Rendering) -> dict[str, Any]:
    """The data with which the report's script draws segments for any threshold."""
    boxes = boxes_of_page(rendering.page, rendering.layout)
    size = {"width": boxes.page_width, "height": boxes.page_height}
    if len(boxes) > MAX_SLIDER_BOXES:
        return size
    tree = cluster_boxes(boxes)
    return size | {
        "boxes": boxes.edges.round(1).tolist(),
        "parent": tree.parent.tolist(),
        "level": tree.level.round(THRESHOLD_DECIMALS).tolist(),
        "auto": round(cut_at_widest_range(tree, 0).threshold, THRESHOLD_DECIMALS),
    }


def picture_url(rendering: Rendering) -> str:
    """The picture as a data: URL; empty when there is none, or it is too large."""
    if not 0 < len(rendering.picture) <= MAX_PICTURE_BYTES:
        return ""
    return "data:image/png;base64," + base64.b64encode(rendering.picture).decode("ascii")


# -- pagelets -------------------------------------------------------------------------------


EXCERPT_CHARS = 160  #: characters of a pagelet's text in the list
PAPER = "paper"  #: profile whose scores are no probabilities


def list_pagelets(
    page: Page,
    results: Sequence[Pagelets],
    layout: Layout | None = None,
    options: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Kinds with their colours, and all pagelets in the order of their numbers.

    With a layout every pagelet that is drawn has a box; `options` are those that methods ran with.
    """
    readable = page.counted | page.inside(page.is_tag(NUMBER["noscript"]))
    texts = np.flatnonzero((page.tag == TEXT) & readable & (page.chars > 0))
    items = [
        {
            "method": result.method,
            "profile": result.profile,
            **_item(page, pagelet, texts),
            **_place(pagelet, layout),
            "likely": describe_likelihood(pagelet, *likelihood),
        }
        for result in results
        for likelihood in (_likelihood(result, (options or {}).get(result.method)),)
        for pagelet in result
    ]
    methods = [result.method for result in results]
    return {"kinds": list_kinds(results), "pagelets": items, "methods": methods}


def list_kinds(results: Sequence[Pagelets]) -> list[dict[str, Any]]:
    """The looks of all kinds in the results, those that come with pagelet first."""
    used = dict.fromkeys(pagelet.kind for result in results for pagelet in result)
    names = (*(name for name in KIND_LOOKS if name in used), *(used.keys() - KIND_LOOKS.keys()))
    return [describe_kind(name) for name in names]


def _item(page: Page, pagelet: Pagelet, texts: np.ndarray[Any, Any]) -> dict[str, Any]:
    return {
        "kind": pagelet.kind,
        "score": pagelet.score,
        "path": page.path(pagelet.rows[0]) if pagelet.rows else "",
        "row": pagelet.rows[0] if pagelet.rows else len(page),
        "others": max(len(pagelet.rows) - 1, 0),
        "text": _excerpt(page, pagelet, texts),
        "reason": dict(pagelet.reason),
        "why": [dict(each) for each in pagelet.why],
    }


def _likelihood(result: Pagelets, options: Any) -> tuple[str, float | None]:
    """What the scores of a result are the probability of, and what they had to reach."""
    method = METHODS.get(result.method)
    if method is None or not method.likely or result.profile == PAPER:
        return "", None
    return method.likely, result.extra.get("threshold", getattr(options, "min_score", None))


def describe_likelihood(pagelet: Pagelet, likely: str, needed: float | None) -> str:
    """How likely a pagelet is what it is said to be, and how likely it had to be.

    Empty where the score is no probability, or nothing is known of what was needed. A block that
    was decided by something else, such as the text around it, says so: by itself.
    """
    if not likely or needed is None:
        return ""
    what = likely.format(role=pagelet.role)
    text = f"{format_percent(pagelet.score)} likely {what}; needed {format_percent(needed)}"
    expected = pagelet.score >= needed
    return text if expected == (pagelet.kind != "dropped") else f"by itself {text}"


def format_percent(share: float) -> str:
    """A share as a percentage; with a decimal where it would else read as 0 or 100."""
    percent = 100 * share
    exact = round(percent) in (0, 100) and percent not in (0, 100)
    return f"{round(percent, 1) if exact else round(percent):g} %"


def _place(pagelet: Pagelet, layout: Layout | None) -> dict[str, Any]:
    """The box of a pagelet on the rendered page: its own, or that of its rows."""
    if pagelet.box is not None:
        return {"box": pagelet.box}
    rows = [row for row in pagelet.rows if layout is not None and layout.drawn[row]]
    if layout is None or not rows:
        return {}
    edges = layout.edges[rows]
    box = (*edges[:, :2].min(axis=0), *edges[:, 2:].max(axis=0))
    return {"box": [round(float(edge), 1) for edge in box]}


def read_content(results: Sequence[Pagelets]) -> str:
    """The content as Markdown, from the first result that has it; empty if none has."""
    return next((str(each.extra["markdown"]) for each in results if "markdown" in each.extra), "")


def _excerpt(page: Page, pagelet: Pagelet, texts: np.ndarray[Any, Any]) -> str:
    """The first characters of a pagelet's text; the rest is not read."""
    if pagelet.seen is not None:
        return pagelet.seen[:EXCERPT_CHARS] + "…" * (len(pagelet.seen) > EXCERPT_CHARS)
    words: list[str] = []
    length = 0
    for row in pagelet.rows:
        first, last = np.searchsorted(texts, (row, page.end[row])).tolist()
        for at in range(first, last):
            text = " ".join(page.text(int(texts[at])).split())
            words.append(text)
            length += len(text) + 1
            if length > EXCERPT_CHARS:
                return " ".join(words)[:EXCERPT_CHARS] + "…"
    return " ".join(words)


def page_title(page: Page) -> str | None:
    """The title of a page; None if it has none."""
    for row in np.flatnonzero(page.tag == NUMBER["title"])[:1].tolist():
        title = " ".join(" ".join(page.text(below) for below in page.subtree(row)).split())
        if title:
            return title
    return None


def list_facts(results: Sequence[Pagelets]) -> list[str]:
    """Facts about the page as a whole, for the head of the report."""
    facts = []
    for extra in (result.extra for result in results):
        if (kind := extra.get("page_type")) is not None:
            likely = extra.get("page_types", {}).get(kind)
            facts.append(kind if likely is None else f"{kind}, {likely * 100:.0f} % likely")
        if (confidence := extra.get("confidence")) is not None:
            facts.append(f"confidence {confidence * 100:.0f} %")
    return facts


def to_script_json(value: Any) -> str:
    """ASCII JSON that is safe inside a script element: it cannot end it, or open a comment."""
    text = json.dumps(_to_json(value), allow_nan=False, default=str, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _to_json(value: Any) -> Any:
    """Convert numpy's numbers to Python's, and numbers that JSON lacks to text."""
    if isinstance(value, Mapping):
        return {str(name): _to_json(part) for name, part in value.items()}
    if isinstance(value, np.generic | np.ndarray):
        return _to_json(value.tolist())
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return [_to_json(part) for part in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


# -- the document ---------------------------------------------------------------------------


PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
RENDERING_SCRIPTS = ("labels.js", "rendering.js")


def report(
    page: Page | Rendering,
    results: Sequence[Pagelets],
    *,
    folder: Path | None = None,
    options: Mapping[str, Any] | None = None,
) -> str:
    """Write the report; `folder` has the pictures and styles of a page without a URL.

    The report of a rendering also shows the picture, with segments for any threshold. With the
    `options` that the methods ran with, by name, it also says what each score had to reach.
    """
    rendering = page if isinstance(page, Rendering) else None
    page = page.page if isinstance(page, Rendering) else page
    assets = choose_assets(page, folder)
    script, frame_script = _static("report.js"), _static("labels.js", "outlines.js", "frame.js")
    scripts = [script, frame_script, *([_static(*RENDERING_SCRIPTS)] if rendering else [])]
    policy = _policy(assets.policy, *scripts)
    drawing = draw(page, results, assets, _frame_head(policy, assets.base, frame_script))
    parts = {
        "policy": policy,
        "title": html.escape(page_title(page) or "Untitled page"),
        "where": html.escape(" · ".join((page.url or "local file", *list_facts(results)))),
        "style": _static("palette.css", "look.css", "report.css"),
        "drawing": drawing.replace("&", "&amp;").replace('"', "&quot;"),
        "note": html.escape(assets.note),
        "data": to_script_json(_data(page, results, rendering, options)),
        "script": script,
        **_rendering_parts(rendering),
    }
    return PLACEHOLDER.sub(lambda match: parts[match[1]], _static("report.html"))


def _data(
    page: Page,
    results: Sequence[Pagelets],
    rendering: Rendering | None,
    options: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """The data of the scripts."""
    drawn = {"rendering": describe_rendering(rendering)} if rendering else {}
    listed = list_pagelets(page, results, rendering.layout if rendering else None, options)
    overlay = _static("palette.css", "overlay.css")
    return {**listed, **drawn, "overlay": overlay, "content": read_content(results)}


def _rendering_parts(rendering: Rendering | None) -> dict[str, str]:
    """The parts of the document that show the rendered page; empty without a rendering."""
    if rendering is None:
        return {"rendering": "", "rendering_script": ""}
    missing = int(rendering.layout.page_missing_styles)
    warning = f"<strong>{missing_styles(missing)}</strong>" if missing else ""
    shown = _static("rendering.html").replace("{{warning}}", warning)
    return {
        "rendering": shown.replace("{{picture}}", picture_url(rendering)),
        "rendering_script": f"<script>{_static(*RENDERING_SCRIPTS)}</script>\n",
    }


def _policy(asset_policy: str, *scripts: str) -> str:
    """Write the content security policy of the report, which the frame inherits.

    Scripts are allowed by their hash, so only ours run, and reports are reproducible. Frames may
    load nothing, so the drawing cannot be navigated to another page.
    """
    hashes = " ".join(f"'sha256-{_digest(script)}'" for script in scripts)
    own = f"default-src 'none'; script-src {hashes}"
    return f"{own}; {asset_policy}; frame-src 'none'; form-action 'none'"


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _frame_head(policy: str, base: str | None, script: str) -> str:
    """Write the markup that precedes the page in the frame."""
    return (
        '<!DOCTYPE html><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta http-equiv="x-dns-prefetch-control" content="off">'
        '<meta name="referrer" content="no-referrer">'
        + (f'<base href="{html.escape(base)}">' if base else "")
        + f"<script>{script}</script>"
    )


def _static(*names: str) -> str:
    """The text of files of this package, one after the other."""
    folder = files("pagelet.report")
    return "".join(folder.joinpath(name).read_text(encoding="utf-8") for name in names)
