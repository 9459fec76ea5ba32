"""A Chromium for tests that draw pages, and pages written for it."""

import io
import os
from pathlib import Path

from PIL import Image

from pagelet.page.layout import Rendering
from pagelet.sources.browser.render import RenderOptions

OPTIONS = RenderOptions(width=800, height=600, timeout=300)


def page(body: str, style: str = "") -> bytes:
    """A page without margins, whose font has a height of its own."""
    plain = "*{margin:0;padding:0;border:0;font:16px/20px sans-serif}"
    return f"<!doctype html><style>{plain}{style}</style><body>{body}".encode()


def place(drawn: Rendering, path: str) -> tuple[float, ...]:
    return tuple(drawn.layout.edges[drawn.page.row(path)].tolist())


def is_drawn(drawn: Rendering, path: str) -> bool:
    return bool(drawn.layout.drawn[drawn.page.row(path)])


def png(*colours: tuple[int, ...], size: int = 10) -> bytes:
    """An image of upright stripes."""
    image = Image.new("RGBA", (size * len(colours), size))
    for number, colour in enumerate(colours):
        image.paste(colour, (number * size, 0, (number + 1) * size, size))
    written = io.BytesIO()
    image.save(written, "PNG")
    return written.getvalue()


def group_of(process: int) -> list[int]:
    """Processes in the group of a process that are still there."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                state, _, group = (folder / "stat").read_text().rpartition(")")[2].split()[:3]
            except (OSError, ValueError):
                continue
            if int(group) == process and state != "Z":
                found.append(int(folder.name))
    return found


def is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
