"""Labelled pages as Chromium draws them: scripts and network off, files from their own folder."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from pagelet.columns.layout import Layout
from pagelet.columns.page import Page
from pagelet.evaluation.segments_pages import Draw
from pagelet.scores.segments_gold import BlocksPage
from pagelet.sources import browser_options
from pagelet.sources.browser_options import RenderOptions

OPTIONS = RenderOptions(javascript="off", network="off")
CODE = "browser*.py"  #: what draws and measures, in the room of sources


def how_drawn(room: Path = Path(browser_options.__file__).parent) -> str:
    """What tells one way of drawing from another: the options, and a digest of the code."""
    code = b"\0".join(path.read_bytes() for path in sorted(room.glob(CODE)))
    return f"{hashlib.sha256(code).hexdigest()} {OPTIONS}"


@contextmanager
def drawing() -> Iterator[Draw]:
    """Something that draws labelled pages; the browser starts with the first of them."""
    from pagelet.sources.browser import Browser  # noqa: PLC0415 - other commands draw nothing

    with Browser(OPTIONS) as browser:

        def draw(given: BlocksPage) -> tuple[Page, Layout]:
            options = replace(OPTIONS, folder=str(given.folder))
            drawn = browser.render(given.html.encode(), options)
            return drawn.page, drawn.layout

        yield draw
