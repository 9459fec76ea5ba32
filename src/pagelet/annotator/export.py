"""Marks as files: the gold JSON with its pages, a list of rectangles, a picture."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np

from pagelet.annotator.desk import Desk
from pagelet.annotator.marks import EVERYBODY, Mark, Stored, agreed, labels_of
from pagelet.arrays import Floats
from pagelet.errors import NoSuchNode
from pagelet.labels import FILE, SCHEMA
from pagelet.methods.segments.geometry.partition import segments_of
from pagelet.page.boxes import boxes_of
from pagelet.page.layout import Rendering
from pagelet.report.picture import draw_png

FOLDER = "pages"  #: of an export, in which its pages lie
HEADING = "number\tkind\tleft\ttop\tright\tbottom\tpath"


def gold(desk: Desk, project: int, annotator: str) -> dict[str, Any]:
    """The gold JSON of a project: pages of which the annotator said something."""
    site = desk.store.project_name(project)
    pages = {}
    for known in desk.store.pages(project):
        marks, looked = said_of(desk, known, annotator)
        labels = labels_of(desk.page(known.id), marks, looked)
        if labels:
            about = {"site": site} | ({"url": known.url} if known.url else {})
            pages[known.name] = {**about, **labels, "marks": [_told(mark) for mark in marks]}
    return {"schema": SCHEMA, "folder": FOLDER, "annotator": annotator, "pages": pages}


def said_of(desk: Desk, known: Stored, annotator: str) -> tuple[list[Mark], list[str]]:
    """Marks that a person made or accepted, and kinds looked for; `*` for what most say."""
    store = desk.store
    if annotator == EVERYBODY:
        names = store.annotators(known.project)
        return agreed(
            {name: (store.marks(known.id, name), store.looked(known.id, name)) for name in names}
        )
    marks = [mark for mark in store.marks(known.id, annotator) if mark.by_person]
    return marks, store.looked(known.id, annotator)


def _told(mark: Mark) -> dict[str, Any]:
    """What tells where a label came from."""
    told: dict[str, Any] = {"kind": mark.kind, "paths": list(mark.paths), "made": mark.made}
    if mark.suggested_by:
        told["suggested_by"] = mark.suggested_by
    if mark.sure is not None:
        told["sure"] = mark.sure
    return told


def entries(desk: Desk, project: int, annotator: str) -> Iterator[tuple[str, bytes]]:
    """The files of an export: the gold JSON, then pages and what they show."""
    form = gold(desk, project, annotator)
    yield FILE, (json.dumps(form, ensure_ascii=False, indent=1) + "\n").encode()
    for known in desk.store.pages(project):
        yield f"{FOLDER}/{known.name}", desk.store.html(known.id)
    for name, body in desk.store.files(project):
        yield f"{FOLDER}/{name}", body


def write_archive(out: IO[bytes], files: Iterator[tuple[str, bytes]]) -> None:
    """Pack files into a ZIP archive."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files:
            archive.writestr(zipfile.ZipInfo(name), body, zipfile.ZIP_DEFLATED)


def write_folder(folder: Path, files: Iterator[tuple[str, bytes]]) -> None:
    """Write files below a folder."""
    for name, body in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(body)


# -- for checking by eye ----------------------------------------------------------------------


def placed(shown: Rendering, marks: list[Mark]) -> tuple[list[Mark], Floats]:
    """The marks that are seen, from the top, then from the left; and where: one line a mark."""
    found = [(mark, edges) for mark in marks if (edges := _edges(shown, mark)) is not None]
    found.sort(key=lambda pair: (pair[1][1], pair[1][0]))
    lines = np.array([edges for _, edges in found], np.float64).reshape(-1, 4)
    return [mark for mark, _ in found], lines


def _edges(shown: Rendering, mark: Mark) -> tuple[float, ...] | None:
    """Left, top, right, bottom around all that is drawn of a mark."""
    page, layout = shown.page, shown.layout
    try:
        rows = np.array([page.row(path) for path in mark.paths], np.int32)
    except NoSuchNode:  # the browser's tree may differ
        return None
    inner = np.flatnonzero(page.inside(rows) & layout.drawn)
    if not len(inner):
        return None
    edges = layout.edges[inner]
    return (*edges[:, :2].min(axis=0).tolist(), *edges[:, 2:].max(axis=0).tolist())


def rectangles(shown: Rendering, marks: list[Mark]) -> str:
    """A line a mark: number, kind, edges in whole pixels, paths."""
    seen, edges = placed(shown, marks)
    lines = [
        "\t".join((str(at), mark.kind, *map(str, box), " ".join(mark.paths)))
        for at, (mark, box) in enumerate(
            zip(seen, edges.round().astype(int).tolist(), strict=True), 1
        )
    ]
    return "\n".join((HEADING, *lines)) + "\n"


def picture(shown: Rendering, marks: list[Mark]) -> bytes:
    """The page with the marks over it, numbered as in the list of rectangles."""
    _, edges = placed(shown, marks)
    size = (shown.layout.page_width, shown.layout.page_height)
    boxes = boxes_of(edges, page=size)
    return draw_png(shown, segments_of(boxes, np.arange(len(boxes))))
