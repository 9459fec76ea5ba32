"""The annotator's JSON: `gold.json`, which tells of pages beside it, for every kind of label.

A page has a key for each kind that somebody looked for; an empty list says that there is none.
What is template and what belongs to nobody follow from the marks: see docs/labels.md.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from pagelet.arrays import Mask
from pagelet.errors import NoGold, NoSuchNode, PageError
from pagelet.lab.content.scores import registered_domain
from pagelet.page.html import parse
from pagelet.page.table import Page
from pagelet.page.tree import nearest

FILE = "gold.json"
SCHEMA = 1
KINDS = ("menu", "content", "noise", "clutter")  #: keys that hold a list of paths
TOLD_BY = {"noise": ("noise", "content")}  #: keys of which one is enough, where it is not the kind
OTHER = ("noise", "clutter", "menu")  #: marks that say of a text that it is no content
DAMAGED = (OSError, ValueError, KeyError, TypeError, AttributeError, NoSuchNode)


@dataclass(frozen=True, slots=True, eq=False)
class Annotated:
    """A page and what people said of it."""

    name: str
    site: str  #: folds never split one
    file: Path
    folder: Path  #: what the pages show lies in it
    page: Page
    said: Mapping[str, Any]

    def rows(self, kind: str) -> tuple[int, ...]:
        """Top rows of a kind, in the order of the file."""
        return tuple(map(self.page.row, self.said.get(kind, ())))

    @property
    def told(self) -> bool:
        """Whether it is known what of the page is template."""
        return "template" in self.said

    def check(self) -> None:
        """Raise NoSuchNode for a path that names no node, TypeError for what is no path."""
        for kind in KINDS:
            self.rows(kind)
        for key, rows in (("template", lambda: self.slots), ("segments", lambda: self.segments)):
            rows() if key in self.said else None

    @property
    def slots(self) -> tuple[int, ...]:
        """Top rows of what is the page's own."""
        return tuple(map(self.page.row, self.said["template"]["slots"]))

    @property
    def segments(self) -> list[tuple[int, ...]]:
        """Top rows of each segment."""
        return [tuple(map(self.page.row, each["paths"])) for each in self.said["segments"]]

    @property
    def content(self) -> Mask:
        """Mark the rows whose nearest mark at or above them says content.

        Below no mark nothing is content; but on a page with noise and no content marked, all is.
        """
        said = dict.fromkeys((row for kind in OTHER for row in self.rows(kind)), False)
        said |= dict.fromkeys(self.rows("content"), True)
        return decided(self.page, said, otherwise="content" not in self.said)


def decided(page: Page, said: Mapping[int, bool], *, otherwise: bool = False) -> Mask:
    """What the nearest row with a label at or above each row says; `otherwise` below none."""
    labelled = np.zeros(len(page), np.bool_)
    labelled[list(said)] = True
    answer = np.full(len(page) + 1, otherwise)  # the last place stands for no label
    answer[list(said)] = list(said.values())
    return np.asarray(answer[nearest(page.parent, labelled)])


def own_rows(page: Page, template: Sequence[int], slots: Sequence[int]) -> Mask:
    """Mark the counted rows that are a page's own, by rows marked as template or as its own.

    The nearest mark decides. Below none all is template, unless only template is marked: then
    it is the page's own. What lies above template is template.
    """
    said = dict.fromkeys(template, True) | dict.fromkeys(slots, False)
    shared = decided(page, said, otherwise=bool(slots) or not template) & page.counted
    return np.asarray((page.sum_subtree(shared) == 0) & page.counted)


def top_rows(page: Page, mask: Mask) -> list[int]:
    """The marked rows whose parent is not marked."""
    above = np.append(mask, False)[page.parent]  # a root has none
    return np.flatnonzero(mask & ~above).tolist()


# -- reading ----------------------------------------------------------------------------------


def has_annotations(folder: Path) -> bool:
    """Whether a folder holds the annotator's JSON."""
    return (folder / FILE).is_file()


def read_annotations(
    folder: Path, kind: str = "", per_site: int | None = None
) -> Iterator[Annotated]:
    """The pages that somebody looked at for a kind, in the order of the file; all without one."""
    form = _form(folder)
    taken: dict[str, int] = {}
    for name, said in form["pages"].items():
        if kind and not _told(said, kind):
            continue
        found = _read(folder, form, name, said)
        taken[found.site] = taken.get(found.site, 0) + 1
        if per_site is None or taken[found.site] <= per_site:
            yield found


def _form(folder: Path) -> dict[str, Any]:
    try:
        form: dict[str, Any] = json.loads((folder / FILE).read_bytes())
        if form["schema"] != SCHEMA:
            raise ValueError(f"schema {form['schema']}")
        for said in form["pages"].values():
            said.get("url")
    except DAMAGED as error:
        raise NoGold(str(folder / FILE), f"the annotator's JSON ({error})") from error
    return form


def _told(said: Mapping[str, Any], kind: str) -> bool:
    return any(key in said for key in TOLD_BY.get(kind, (kind,)))


def _read(folder: Path, form: Mapping[str, Any], name: str, said: Mapping[str, Any]) -> Annotated:
    root = folder / _inside(form.get("folder", "."), folder)
    file = root / _inside(name, folder)
    try:
        page = parse(file.read_bytes(), url=said.get("url"))
        first = PurePosixPath(name).parts[0]
        site = said.get("site") or registered_domain(page.url) or first
        found = Annotated(name, str(site), file, root, page, said)
        found.check()
    except DAMAGED as error:
        raise PageError(
            str(file), f"{FILE} cannot be followed, see docs/labels.md: {error}"
        ) from error
    return found


def _inside(name: str, folder: Path) -> str:
    """A relative name that does not lead out of its folder."""
    parts = PurePosixPath(name)
    if parts.is_absolute() or ".." in parts.parts or "\\" in name:
        raise PageError(str(folder / FILE), f"{name!r} leads out of the folder")
    return name


def suggested_note(folder: Path, kind: str) -> tuple[str, ...]:
    """A note for people when labels of a kind began as suggestions of the method that is scored."""
    if not has_annotations(folder):
        return ()
    pages = [said for said in _form(folder)["pages"].values() if _told(said, kind)]
    begun = sum(any(_began(mark, kind) for mark in said.get("marks", ())) for said in pages)
    if not begun:
        return ()
    return (
        f"{begun} of {len(pages)} pages have labels that began as suggestions of {kind},"
        " which speaks for it.",
    )


def _began(mark: Mapping[str, Any], method: str) -> bool:
    return mark.get("suggested_by") == method
