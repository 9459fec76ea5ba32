"""Pages into the annotator's database, and labels out of it as gold.json with its pages."""

import json
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from pagelet.annotator.database import Database
from pagelet.annotator.marks import Mark, StoredPage, make_labels
from pagelet.annotator.names import file_names, safe_name
from pagelet.annotator.store import AnnotationStore
from pagelet.errors import PageTooLarge, Unreachable
from pagelet.labels import FILE, SCHEMA
from pagelet.report.assets import PICTURE_AND_FONT_TYPES, SHEET_TYPES
from pagelet.server.errors import HttpError
from pagelet.sources.folder import PAGE_ENDINGS

RESOURCE_ENDINGS = (*SHEET_TYPES, *PICTURE_AND_FONT_TYPES)  #: endings of files that pages use
MAX_FILE_BYTES = 16_000_000  #: bytes of a file in a folder
PAGES_FOLDER = "pages"  #: folder of the pages in an export


# -- import -----------------------------------------------------------------------------------


def add_upload(
    database: Database, project: int, name: str, body: bytes, url: str | None = None
) -> int:
    """Add a page, or a file that pages use; return the id of the page, 0 for a file."""
    name = safe_name(name)
    ending = Path(name).suffix.lower()
    if ending in RESOURCE_ENDINGS:
        database.add_file(project, name, body)
        return 0
    if ending in PAGE_ENDINGS or not ending:
        return database.add_page(project, name, body, url).id
    why = f"{name}: not a page, style sheet, picture or font"
    raise HttpError(415, "UnknownBody", why)


def add_folder(
    database: Database, project: int, folder: Path, report: Callable[[str], None] = lambda _: None
) -> int:
    """Add all pages below a folder and the files they use; return the number of pages."""
    pages = 0
    for path in list_folder(folder):
        if path.stat().st_size > MAX_FILE_BYTES:
            raise PageTooLarge(str(path), MAX_FILE_BYTES)
        name = path.relative_to(folder).as_posix()
        pages += bool(add_upload(database, project, name, path.read_bytes()))
        report(name)
    return pages


def list_folder(folder: Path) -> list[Path]:
    """The pages below a folder and the files they may use; an error if there are no pages."""
    endings = (*PAGE_ENDINGS, *RESOURCE_ENDINGS)
    paths = [path for path in sorted(folder.rglob("*")) if path.suffix.lower() in endings]
    files = [path for path in paths if path.is_file()]
    if not any(path.suffix.lower() in PAGE_ENDINGS for path in files):
        raise Unreachable(str(folder), "no .html files")
    return files


# -- export -----------------------------------------------------------------------------------


def page_labels(store: AnnotationStore, stored: StoredPage, annotator: str) -> dict[str, Any]:
    """One page of the gold JSON; empty if the annotator has not labelled it."""
    marks, looked = store.reviewed_marks(stored, annotator)
    labels = make_labels(store.page(stored.id), marks, looked)
    if not labels:
        return {}
    origin = {"site": store.database.project_name(stored.project)}
    origin |= {"url": stored.url} if stored.url else {}
    return {**origin, **labels, "marks": [_describe_provenance(mark) for mark in marks]}


def make_gold(
    database: Database, project: int, annotator: str, labels: Mapping[int, dict[str, Any]]
) -> dict[str, Any]:
    """The gold JSON of a project, from the labels of its pages by id."""
    names, stored = export_names(database, project), database.list_pages(project)
    pages = {names[page.name]: labels[page.id] for page in stored if labels.get(page.id)}
    return {"schema": SCHEMA, "folder": PAGES_FOLDER, "annotator": annotator, "pages": pages}


def list_all_files(
    database: Database, golds: Mapping[int, dict[str, Any]]
) -> Iterator[tuple[str, bytes]]:
    """Yield names and contents of an export of several projects, each in a folder of its own."""
    for project, gold in golds.items():
        for name, body in list_files(database, project, gold):
            yield f"project-{project}/{name}", body


def export_names(database: Database, project: int) -> dict[str, str]:
    """The file names of the pages and files of a project."""
    pages = [page.name for page in database.list_pages(project)]
    return file_names([*pages, *(name for name, _ in database.list_files(project))])


def _describe_provenance(mark: Mark) -> dict[str, Any]:
    form: dict[str, Any] = {"kind": mark.kind, "paths": list(mark.paths), "made": mark.made}
    if mark.suggested_by:
        form["suggested_by"] = mark.suggested_by
    if mark.sure is not None:
        form["sure"] = mark.sure
    return form


def list_files(
    database: Database, project: int, gold: Mapping[str, Any]
) -> Iterator[tuple[str, bytes]]:
    """Yield names and contents of an export: the gold JSON, the pages, the files they use."""
    names = export_names(database, project)
    yield FILE, (json.dumps(gold, ensure_ascii=False, indent=1) + "\n").encode()
    for stored in database.list_pages(project):
        yield f"{PAGES_FOLDER}/{names[stored.name]}", database.read_html(stored.id)
    for name, body in database.read_files(project):
        yield f"{PAGES_FOLDER}/{names[name]}", body


def write_archive(out: IO[bytes], files: Iterator[tuple[str, bytes]]) -> None:
    """Write files as a ZIP archive."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files:
            archive.writestr(zipfile.ZipInfo(name), body, zipfile.ZIP_DEFLATED)


def write_folder(folder: Path, files: Iterator[tuple[str, bytes]]) -> None:
    """Write files below a folder."""
    for name, body in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(body)
