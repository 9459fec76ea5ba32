"""The report as one HTML document: template, style, scripts, data and drawing put together."""

import base64
import hashlib
import html
import re
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from pagelet.columns.layout import Rendering
from pagelet.columns.page import Page
from pagelet.pagelets import Pagelets
from pagelet.report.drawing import draw
from pagelet.report.listing import embedded, facts_of, listing, title_of
from pagelet.report.seen import picture_of, seen_of
from pagelet.report.sources import sources_of

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
