"""The report as one HTML document: template, style, scripts, data and drawing put together."""

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

from pagelet.methods.segments.bcs import cluster_boxes
from pagelet.methods.segments.bcs.dendrogram import cut_at_widest_range
from pagelet.methods.segments.geometry.boxes import boxes_of_page
from pagelet.page.boxes import Boxes
from pagelet.page.layout import Rendering
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, TEXT
from pagelet.pagelets import Pagelet, Pagelets
from pagelet.report.drawing import draw
from pagelet.report.sources import sources_of

# -- The page as it was drawn, for the report: its picture, its boxes, and how they are joined


MOST_BOXES = 20_000  #: a page with more has no slider
MOST_BYTES = 24_000_000  #: of a picture that goes into the report
PLACES = 6  #: decimals of a threshold


def seen_of(rendering: Rendering) -> dict[str, Any]:
    """What the report's script needs to draw segments for any threshold."""
    boxes = boxes_of_page(rendering.page, rendering.layout)
    told = {"width": boxes.page_width, "height": boxes.page_height}
    if len(boxes) > MOST_BOXES:
        return told
    return told | _joined(boxes)


def _joined(boxes: Boxes) -> dict[str, Any]:
    """Boxes, the cluster that each box and cluster became part of, and when."""
    tree = cluster_boxes(boxes)
    return {
        "boxes": boxes.edges.round(1).tolist(),
        "parent": tree.parent.tolist(),
        "level": tree.level.round(PLACES).tolist(),
        "auto": round(cut_at_widest_range(tree, 0).threshold, PLACES),
    }


def picture_of(rendering: Rendering) -> str:
    """The picture as a data: URL; empty when there is none, or it is too large."""
    if not 0 < len(rendering.picture) <= MOST_BYTES:
        return ""
    return "data:image/png;base64," + base64.b64encode(rendering.picture).decode("ascii")


# -- What the report's own script needs to know, as JSON that is safe inside a script element -


TEXT_START = 160  #: characters of a region's text that the list shows

#: Colour of each kind and of the writing on it. After Okabe and Ito (2008), chosen so that
#: people with any common colour blindness tell them apart; yellow, too faint for an outline,
#: gave way to the wine red of Tol's muted scheme, black to grey.
COLOURS = {
    "menu": ("#0072b2", "#fff"),
    "clutter": ("#d55e00", "#000"),
    "noise": ("#e69f00", "#000"),
    "content": ("#009e73", "#000"),
    "dropped": ("#6e7781", "#fff"),
    "slot": ("#56b4e9", "#000"),
    "template": ("#cc79a7", "#000"),
    "segment": ("#882255", "#fff"),
}

QUIET = ("dropped",)  #: kinds that are drawn thin, and folded up in the list
#: Kinds whose labels would cover the text; shown when pointed at.
MANY = ("content", "dropped", "segment")


def listing(page: Page, found: Sequence[Pagelets]) -> dict[str, Any]:
    """Kinds with their colours, and all pagelets in the order of their numbers."""
    readable = page.counted | page.inside(page.is_tag(NUMBER["noscript"]))
    texts = np.flatnonzero((page.tag == TEXT) & readable & (page.chars > 0))
    items = [
        {"method": one.method, "profile": one.profile, **_item(page, pagelet, texts)}
        for one in found
        for pagelet in one
    ]
    used = {item["kind"] for item in items}
    kinds = [
        {
            "name": name,
            "colour": colour,
            "ink": ink,
            "quiet": name in QUIET,
            "labelled": name not in MANY,
        }
        for name, (colour, ink) in COLOURS.items()
        if name in used
    ]
    return {"kinds": kinds, "pagelets": items, "methods": [one.method for one in found]}


def _item(page: Page, pagelet: Pagelet, texts: np.ndarray[Any, Any]) -> dict[str, Any]:
    return {
        "kind": pagelet.kind,
        "score": pagelet.score,
        "path": page.path(pagelet.rows[0]) if pagelet.rows else "",
        "others": max(len(pagelet.rows) - 1, 0),
        "text": _text_start(page, pagelet, texts),
        "reason": dict(pagelet.reason),
        **({} if pagelet.box is None else {"box": pagelet.box}),
    }


def _text_start(page: Page, pagelet: Pagelet, texts: np.ndarray[Any, Any]) -> str:
    """Take the first characters of a region's text, without reading on to its end."""
    if pagelet.seen is not None:
        return pagelet.seen[:TEXT_START] + "…" * (len(pagelet.seen) > TEXT_START)
    words: list[str] = []
    length = 0
    for row in pagelet.rows:
        first, last = np.searchsorted(texts, (row, page.end[row])).tolist()
        for at in range(first, last):
            text = " ".join(page.text(int(texts[at])).split())
            words.append(text)
            length += len(text) + 1
            if length > TEXT_START:
                return " ".join(words)[:TEXT_START] + "…"
    return " ".join(words)


def title_of(page: Page) -> str:
    """Read the page's title; where it has none, give it a name."""
    for row in np.flatnonzero(page.tag == NUMBER["title"])[:1].tolist():
        title = " ".join(" ".join(page.text(below) for below in page.subtree(row)).split())
        if title:
            return title
    return "Untitled page"


def facts_of(found: Sequence[Pagelets]) -> list[str]:
    """What methods say of the page as a whole, for the head of the report."""
    told = []
    for extra in (one.extra for one in found):
        if (kind := extra.get("page_type")) is not None:
            told.append(f"{kind} {extra['page_types'][kind]:.2f}")
        if (sure := extra.get("confidence")) is not None:
            told.append(f"confidence {sure:.2f}")
    return told


def embedded(value: Any) -> str:
    """JSON in ASCII that cannot end the script element it stands in, or open a comment."""
    text = json.dumps(_finite(value), allow_nan=False, default=str, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _finite(value: Any) -> Any:
    """Python's own numbers for numpy's, and words for those JSON does not have."""
    if isinstance(value, Mapping):
        return {str(name): _finite(part) for name, part in value.items()}
    if isinstance(value, np.generic | np.ndarray):
        return _finite(value.tolist())
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return [_finite(part) for part in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


# -- The report as one HTML document: template, style, scripts, data and drawing put together -


BLANK = re.compile(r"\{\{(\w+)\}\}")


def report(page: Page | Rendering, found: Sequence[Pagelets], *, folder: Path | None = None) -> str:
    """Write the report; `folder` is where a page without URL finds its pictures and styles.

    Of a rendering, it also shows the picture, with segments for every threshold.
    """
    rendering = page if isinstance(page, Rendering) else None
    page = page.page if isinstance(page, Rendering) else page
    sources = sources_of(page, folder)
    script, frame_script = _static("report.js"), _static("outlines.js") + _static("frame.js")
    scripts = [script, frame_script, *([_static("seen.js")] if rendering else [])]
    policy = _policy(sources.policy, *scripts)
    drawing = draw(page, found, sources, _frame_head(policy, sources.base, frame_script))
    parts = {
        "policy": policy,
        "title": html.escape(title_of(page)),
        "where": html.escape(" · ".join((page.url or "a local file", *facts_of(found)))),
        "style": _static("look.css") + _static("report.css"),
        "drawing": drawing.replace("&", "&amp;").replace('"', "&quot;"),
        "note": html.escape(sources.note),
        "data": embedded(_data(page, found, rendering)),
        "script": script,
        **_seen(rendering),
    }
    return BLANK.sub(lambda blank: parts[blank[1]], _static("report.html"))


def _data(page: Page, found: Sequence[Pagelets], rendering: Rendering | None) -> dict[str, Any]:
    """What the scripts are told."""
    seen = {"seen": seen_of(rendering)} if rendering else {}
    return {**listing(page, found), **seen, "overlay": _static("overlay.css")}


def _seen(rendering: Rendering | None) -> dict[str, str]:
    """The parts of a report that show the page as it was drawn; empty for one that was not."""
    if rendering is None:
        return {"seen": "", "seen_script": ""}
    return {
        "seen": _static("seen.html").replace("{{picture}}", picture_of(rendering)),
        "seen_script": f"<script>{_static('seen.js')}</script>\n",
    }


def _policy(fetched: str, *scripts: str) -> str:
    """Write the content security policy of the report, which the frame inherits.

    Scripts are named by their hash, so nothing but ours runs, and reports are reproducible.
    No frame may load anything, so the drawing cannot be led to another page.
    """
    hashes = " ".join(f"'sha256-{_digest(script)}'" for script in scripts)
    return (
        f"default-src 'none'; script-src {hashes}; {fetched}; frame-src 'none'; form-action 'none'"
    )


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _frame_head(policy: str, base: str | None, script: str) -> str:
    """Write what stands before the page in the frame, so that none of its markup comes first."""
    return (
        '<!DOCTYPE html><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta http-equiv="x-dns-prefetch-control" content="off">'
        '<meta name="referrer" content="no-referrer">'
        + (f'<base href="{html.escape(base)}">' if base else "")
        + f"<script>{script}</script>"
    )


def _static(name: str) -> str:
    return files("pagelet.report").joinpath(name).read_text(encoding="utf-8")
