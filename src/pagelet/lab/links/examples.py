"""Labelled groups of links: links.json beside ground-truth/ and html/, or the annotator's JSON.

`links.json` names groups by page and XPath; the URL of a page is in its ground truth. What people
marked in the annotator counts for the group whose links it holds.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from pagelet.arrays import Floats, Ints
from pagelet.errors import NoGold, PageError
from pagelet.labels import AnnotatedPage, has_annotations, read_annotations
from pagelet.methods.links.features import role_features
from pagelet.methods.links.groups import find_groups
from pagelet.methods.links.options import ROLES
from pagelet.page.html import parse
from pagelet.page.table import Page

FILE = "links.json"
UNLABELLED = -1
MIN_OVERLAP = 0.5  #: F1 over links above which a marked element stands for a group


@dataclass(frozen=True, slots=True, eq=False)
class LinksGold:
    """A page and the roles of its labelled groups."""

    page: Page
    name: str
    host: str
    roles: Mapping[int, str]  #: by row


@dataclass(frozen=True, slots=True, eq=False)
class LinksExample:
    """The groups of one page as the learner sees them."""

    host: str
    names: tuple[str, ...]
    features: Floats  #: one line per group
    role: Ints  #: place in ROLES; UNLABELLED where there is no label


def read_links(folder: Path, *, names: bool = True) -> Iterator[LinksGold]:
    """The labelled pages of a folder; without `names` their classes and ids are removed."""
    for gold in _read_annotated(folder) if has_annotations(folder) else _read_listed(folder):
        yield gold if names else replace(gold, page=without_names(gold.page))


def _read_annotated(folder: Path) -> Iterator[LinksGold]:
    """Pages whose link groups people marked in the annotator."""
    pages = list(read_annotations(folder, "links"))
    if not pages:
        raise NoGold(str(folder), "a page whose link groups are marked")
    for each in pages:
        yield LinksGold(each.page, each.name, each.site, _group_roles(each))


def _group_roles(annotated: AnnotatedPage) -> dict[int, str]:
    """The roles of marked elements, by the row of the group that best shares their links."""
    page, groups = annotated.page, find_groups(annotated.page).rows
    first, last = (np.searchsorted(page.anchors, each) for each in (groups, page.end[groups]))
    roles = {}
    for row, role in annotated.roles("links").items():
        if role not in ROLES:
            raise PageError(str(annotated.file), f"{role} is no role of links, see docs/labels.md")
        begin, end = np.searchsorted(page.anchors, (row, page.end[row]))
        shared = np.maximum(np.minimum(last, end) - np.maximum(first, begin), 0)
        overlap = 2 * shared / np.maximum(last - first + end - begin, 1)
        if len(overlap) and overlap.max() > MIN_OVERLAP:
            roles[int(groups[int(overlap.argmax())])] = role
    return roles


def _read_listed(folder: Path) -> Iterator[LinksGold]:
    """Pages whose groups links.json names."""
    if not (folder / FILE).is_file():
        raise NoGold(str(folder), f"{FILE}, or gold.json")
    for name, labels in json.loads((folder / FILE).read_text()).items():
        truth = json.loads((folder / "ground-truth" / f"{name}.json").read_text())
        page = parse((folder / "html" / f"{name}.html").read_bytes(), url=truth.get("url"))
        host = (truth.get("url") or name).partition("//")[2].partition("/")[0].lower()
        roles = {page.row(path): role for path, role in labels.items()}
        yield LinksGold(page, name, host or name, roles)


def without_names(page: Page) -> Page:
    """The same rows without class, id and aria-label."""
    hidden = ("class", "id", "aria-label")
    attrs = tuple(tuple(pair for pair in pairs if pair[0] not in hidden) for pairs in page.attrs)
    return replace(page, attrs=attrs)


def links_example(gold: LinksGold) -> LinksExample:
    """The features and labels of the groups of a page."""
    groups = find_groups(gold.page)
    features = role_features(groups)
    labels = (gold.roles.get(row) for row in groups.rows.tolist())
    role = [UNLABELLED if label is None else ROLES.index(label) for label in labels]
    return LinksExample(gold.host, features.names, features.rows, np.array(role, np.intp))
