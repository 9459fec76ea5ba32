"""Drawn pages on disk: one file a page, its HTML and the columns of its layout.

A file is named by a digest of the page and of how it was drawn, so that a change of either
draws again. Nothing in it is ever run: arrays of numbers and a text.
"""

import hashlib
import os
import zipfile
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from pagelet.columns.layout import Layout
from pagelet.columns.page import Page
from pagelet.parse.html import parse
from pagelet.scores.segments_gold import BlocksPage
from pagelet.sources.cache import default_folder as user_folder

FOLDER = "renderings"  #: in the user's folder for caches
SOURCE, URL = "source", "url"  #: the texts among the columns
SHOWN = 24  #: characters of a digest in a file's name
DAMAGED = (OSError, EOFError, ValueError, KeyError, TypeError, zipfile.BadZipFile)


@dataclass(frozen=True, slots=True)
class Kept:
    """A folder of drawn pages."""

    folder: Path
    how: str  #: options and version of what draws

    def path(self, given: BlocksPage) -> Path:
        """The file of a page."""
        said = "\0".join((self.how, given.name, given.html))
        digest = hashlib.sha256(said.encode(errors="surrogateescape")).hexdigest()
        return self.folder / f"{digest[:SHOWN]}.npz"

    def get(self, given: BlocksPage) -> tuple[Page, Layout] | None:
        """A page that was drawn before; None when there is none, or its file is damaged."""
        try:
            with self.path(given).open("rb") as raw, np.load(raw, allow_pickle=False) as file:
                columns = {part.name: file[part.name] for part in fields(Layout)}
                source, url = (file[name].tobytes().decode() for name in (SOURCE, URL))
        except DAMAGED:
            return None
        for name in ("page_width", "page_height"):
            columns[name] = columns[name].item()
        page, layout = parse(source, url or None), Layout(**columns)
        return (page, layout) if len(page) == len(layout) else None

    def put(self, given: BlocksPage, page: Page, layout: Layout) -> None:
        """Keep a drawn page; a file is there whole or not at all."""
        texts = {SOURCE: page.source or "", URL: page.url or ""}
        columns = {part.name: getattr(layout, part.name) for part in fields(Layout)}
        columns |= {name: np.frombuffer(text.encode(), np.uint8) for name, text in texts.items()}
        path = self.path(given)
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(f".{os.getpid()}.part")
        with unfinished.open("wb") as file:
            np.savez_compressed(file, **columns)
        unfinished.replace(path)


def default_folder() -> Path | None:
    """Where drawn pages are kept when nothing else is said."""
    folder = user_folder(os.environ)
    return None if folder is None else folder / FOLDER
