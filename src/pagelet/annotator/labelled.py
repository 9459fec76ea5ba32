"""Labels into the annotator's database: gold.json and its pages become pages with marks."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pagelet.annotator.database import Database
from pagelet.annotator.kinds import (
    BLOCK,
    FIELD,
    LINKS,
    RECORD,
    SEGMENT,
    SEPARATOR,
    SLOT,
    TEMPLATE,
    check_kind,
    group_of,
)
from pagelet.annotator.marks import Mark
from pagelet.annotator.names import safe_name
from pagelet.annotator.transfer import add_folder
from pagelet.labels import KINDS, read_annotations

#: Key of gold.json and the kind that was looked for.
LOOKED_KEYS = {
    **{kind: kind for kind in KINDS},
    "template": TEMPLATE,
    "segments": SEGMENT,
    "links": LINKS,
    "roles": BLOCK,
    "records": RECORD,
}


def add_labelled(
    database: Database,
    project: int,
    folder: Path,
    annotator: str,
    report: Callable[[str], None] = lambda _: None,
) -> tuple[int, int]:
    """Add the pages of an export and its labels as marks; the numbers of pages and labelled ones.

    Marks that the annotator has made already stay as they are.
    """
    labelled = list(read_annotations(folder))
    marks = {page.name: read_marks(page.labels) for page in labelled}
    root = labelled[0].folder if labelled else folder
    pages = add_folder(database, project, root, report)
    stored = {page.name: page.id for page in database.list_pages(project)}
    for page in labelled:
        number = stored[safe_name(page.name)]
        present = {mark.key for mark in database.list_marks(number, annotator)}
        new = [mark for mark in marks[page.name] if mark.key not in present]
        database.change_marks(number, annotator, add=new)
        for kind in absent_kinds(page.labels, marks[page.name]):
            database.set_looked(number, annotator, kind, looked=True)
    return pages, len(labelled)


def read_marks(labels: Mapping[str, Any]) -> list[Mark]:
    """The marks that a page's entry in gold.json stands for; OptionError for an unknown kind."""
    marks = list(_list_marks(labels))
    for kind, _ in marks:
        check_kind(kind)
    proposed = {
        (each.get("kind"), path): each.get("suggested_by")
        for each in labels.get("marks", ())
        for path in each.get("paths", ())
    }
    return [Mark(kind, paths, suggested_by=proposed.get((kind, paths[0]))) for kind, paths in marks]


def _list_marks(labels: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Kinds and paths of all labels."""
    for kind in KINDS:
        yield from ((kind, (path,)) for path in labels.get(kind, ()))
    yield from ((SLOT, (path,)) for path in labels.get("template", {}).get("slots", ()))
    yield from ((SEGMENT, tuple(each["paths"])) for each in labels.get("segments", ()))
    for group, key in ((LINKS, "links"), (BLOCK, "roles")):
        roles = labels.get(key, {}).items()
        yield from ((f"{group}{SEPARATOR}{role}", (path,)) for path, role in roles)
    for record in labels.get("records", ()):
        if record.get("paths"):
            yield RECORD, tuple(record["paths"])
        for name, paths in record.get("fields", {}).items():
            yield from ((f"{FIELD}{SEPARATOR}{name}", (path,)) for path in paths)


def absent_kinds(labels: Mapping[str, Any], marks: list[Mark]) -> list[str]:
    """The kinds that were looked for and are not on the page."""
    present = {group_of(mark.kind) for mark in marks}
    return [kind for key, kind in LOOKED_KEYS.items() if key in labels and kind not in present]
