"""The annotator's labels: `gold.json`, which describes the pages beside it.

A page has a key for each kind of label that was looked for; an empty list means that the page
has none. Template rows and unmarked rows follow from the marks: see docs/labels.md.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from pagelet.arrays import Mask
from pagelet.errors import NoGold, NoSuchNode, PageError
from pagelet.page.html import parse
from pagelet.page.site import registered_domain
from pagelet.page.table import Page
from pagelet.page.tree import nearest

FILE = "gold.json"
SCHEMA = 1
KINDS = ("menu", "content", "noise", "clutter")  #: keys that hold a list of paths
ROLE_KEYS = ("links", "roles")  #: keys that hold a role for each path: link groups, text blocks
#: Keys of which one is enough to label a page for a kind; else the kind is the key.
KEYS_OF_KIND = {"noise": ("noise", "content"), "content": ("content", "roles")}
NOT_CONTENT = ("noise", "clutter", "menu")  #: kinds whose marks exclude text from the content
#: Roles of blocks that exclude text from the content, and one that does not tell.
NOT_CONTENT_ROLES = ("advertisement", "notice", "related", "navigation")
OPEN_ROLE = "comment"
DAMAGED = (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, NoSuchNode)


@dataclass(frozen=True, slots=True)
class LabelledRecord:
    """A record of a page, and the fields that were marked in it."""

    rows: tuple[int, ...]  #: its element, or its elements
    fields: Mapping[str, tuple[int, ...]]  #: elements of each field, by its name


@dataclass(frozen=True, slots=True, eq=False)
class AnnotatedPage:
    """A page and its labels."""

    name: str
    site: str  #: folds never split a site
    file: Path
    folder: Path  #: folder that holds the files of the pages
    page: Page
    labels: Mapping[str, Any]  #: the page's entry in gold.json

    def rows(self, kind: str) -> tuple[int, ...]:
        """Top rows of a kind, in the order of the file."""
        return tuple(map(self.page.row, self.labels.get(kind, ())))

    @property
    def has_template(self) -> bool:
        """Whether the template of the page is labelled."""
        return "template" in self.labels

    def check(self) -> None:
        """Raise NoSuchNode for a path without a node, TypeError for a value that is no path."""
        for kind in KINDS:
            self.rows(kind)
        for key in ROLE_KEYS:
            self.roles(key)
        parts: Mapping[str, Callable[[], object]] = {
            "template": lambda: self.slots,
            "segments": lambda: self.segments,
            "records": lambda: self.records,
        }
        for key, rows in parts.items():
            rows() if key in self.labels else None

    def roles(self, key: str) -> dict[int, str]:
        """The roles of labelled link groups (key `links`) or text blocks (key `roles`), by row."""
        return {self.page.row(path): str(role) for path, role in self.labels.get(key, {}).items()}

    @property
    def records(self) -> list["LabelledRecord"]:
        """The labelled records."""
        row = self.page.row
        return [
            LabelledRecord(
                tuple(map(row, each.get("paths", ()))),
                {name: tuple(map(row, paths)) for name, paths in each.get("fields", {}).items()},
            )
            for each in self.labels["records"]
        ]

    @property
    def slots(self) -> tuple[int, ...]:
        """Top rows of the page's own parts."""
        return tuple(map(self.page.row, self.labels["template"]["slots"]))

    @property
    def segments(self) -> list[tuple[int, ...]]:
        """Top rows of each segment."""
        return [tuple(map(self.page.row, each["paths"])) for each in self.labels["segments"]]

    @property
    def content(self) -> Mask:
        """Mark the rows whose nearest mark, at or above them, is content.

        Roles of blocks are marks too. A row below no mark is not content, unless the page has marks
        of noise and neither content nor roles.
        """
        marks = dict.fromkeys((row for kind in NOT_CONTENT for row in self.rows(kind)), False)
        marks |= dict.fromkeys(self.rows("content"), True)
        roles = self.roles("roles").items()
        marks |= {row: role not in NOT_CONTENT_ROLES for row, role in roles if role != OPEN_ROLE}
        return nearest_label(self.page, marks, default=not has_kind(self.labels, "content"))


def nearest_label(page: Page, labels: Mapping[int, bool], *, default: bool = False) -> Mask:
    """Give each row the label of the nearest labelled row at or above it, else the default."""
    labelled = np.zeros(len(page), np.bool_)
    labelled[list(labels)] = True
    value = np.full(len(page) + 1, default)  # the last place stands for no label
    value[list(labels)] = list(labels.values())
    return np.asarray(value[nearest(page.parent, labelled)])


def own_rows(page: Page, template: Sequence[int], slots: Sequence[int]) -> Mask:
    """Mark the counted rows that are a page's own, from rows marked as template or as slots.

    The nearest mark decides. Rows below no mark are template, unless only template is marked:
    then they are the page's own. What lies above template is template.
    """
    marks = dict.fromkeys(template, True) | dict.fromkeys(slots, False)
    shared = nearest_label(page, marks, default=bool(slots) or not template) & page.counted
    return np.asarray((page.sum_subtree(shared) == 0) & page.counted)


def top_rows(page: Page, mask: Mask) -> list[int]:
    """The marked rows whose parent is not marked."""
    above = np.append(mask, False)[page.parent]  # a root has none
    return np.flatnonzero(mask & ~above).tolist()


# -- reading ----------------------------------------------------------------------------------


def list_exports(folder: Path) -> list[Path]:
    """The folder itself if it holds the annotator's JSON, else those of its folders that do."""
    if (folder / FILE).is_file():
        return [folder]
    return sorted(file.parent for file in folder.glob(f"*/{FILE}") if file.is_file())


def has_annotations(folder: Path) -> bool:
    """Whether a folder holds the annotator's JSON, of one project or of several."""
    return bool(list_exports(folder))


def read_annotations(
    folder: Path, kind: str = "", per_site: int | None = None
) -> Iterator[AnnotatedPage]:
    """The pages that are labelled for a kind, in the order of the file; all pages without one."""
    taken: dict[str, int] = {}
    for export in list_exports(folder) or [folder]:
        form = _read_form(export)
        for name, labels in form["pages"].items():
            if kind and not has_kind(labels, kind):
                continue
            page = _read_page(export, form, name, labels)
            taken[page.site] = taken.get(page.site, 0) + 1
            if per_site is None or taken[page.site] <= per_site:
                yield page if export == folder else replace(page, name=f"{export.name}/{name}")


def _read_form(folder: Path) -> dict[str, Any]:
    try:
        form: dict[str, Any] = json.loads((folder / FILE).read_bytes())
        if form["schema"] != SCHEMA:
            raise ValueError(f"schema {form['schema']}")
        for labels in form["pages"].values():
            labels.get("url")
    except DAMAGED as error:
        raise NoGold(str(folder / FILE), f"the annotator's JSON ({error})") from error
    return form


def has_kind(labels: Mapping[str, Any], kind: str) -> bool:
    """Whether the labels of a page say something about a kind."""
    return any(key in labels for key in KEYS_OF_KIND.get(kind, (kind,)))


def _read_page(
    folder: Path, form: Mapping[str, Any], name: str, labels: Mapping[str, Any]
) -> AnnotatedPage:
    root = folder / _check_inside(form.get("folder", "."), folder)
    file = root / _check_inside(name, folder)
    try:
        page = parse(file.read_bytes(), url=labels.get("url"))
        site = labels.get("site") or form.get("site") or registered_domain(page.url)
        site = site or _first_folder(name) or folder.resolve().name
        annotated = AnnotatedPage(name, str(site), file, root, page, labels)
        annotated.check()
    except DAMAGED as error:
        raise PageError(
            str(file), f"its labels in {FILE} are damaged, see docs/labels.md: {error}"
        ) from error
    return annotated


def _first_folder(name: str) -> str:
    """The first folder of a page's name; empty where it has none."""
    first, *rest = PurePosixPath(name).parts
    return first if rest else ""


def _check_inside(name: str, folder: Path) -> str:
    """Return a relative name that stays inside its folder; raise PageError for any other."""
    parts = PurePosixPath(name)
    if parts.is_absolute() or ".." in parts.parts or "\\" in name:
        raise PageError(str(folder / FILE), f"{name!r} leads out of the folder")
    return name


def suggested_note(folder: Path, kind: str) -> tuple[str, ...]:
    """A note that some labels of a kind began as suggestions of the method that is scored."""
    if not has_annotations(folder):
        return ()
    forms = map(_read_form, list_exports(folder))
    every = (labels for form in forms for labels in form["pages"].values())
    pages = [labels for labels in every if has_kind(labels, kind)]
    suggested = sum(
        any(_is_suggested(mark, kind) for mark in labels.get("marks", ())) for labels in pages
    )
    if not suggested:
        return ()
    return (
        f"{suggested} of {len(pages)} pages have labels that began as suggestions of {kind},"
        f" which favours {kind}.",
    )


def _is_suggested(mark: Mapping[str, Any], kind: str) -> bool:
    """Whether a mark began as a suggestion of a method, or of a part of its answer."""
    return str(mark.get("suggested_by") or "").partition(":")[0] == kind
