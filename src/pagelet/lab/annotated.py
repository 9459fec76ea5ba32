"""Main content that is marked in the pages themselves, by attributes or classes.

`data-pagelet="content"` on an element says that its text is main content, any other value that
it is not; the nearest mark at or above a text decides, and text below no mark is not content.
Classes say the same: `pagelet-content` and `TECO_mainContent`, or `pagelet-` and another word.
A page with a mark but no content is a page without content; one without marks is not labelled.
`data-pagelet-type` names the page type. No method ever sees the marks.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import turbohtml
from turbohtml import Document, Element

from pagelet.arrays import Mask
from pagelet.errors import NoGold
from pagelet.lab.content.scores import WANTED, ContentGold, read_content
from pagelet.lab.gold import TECO_PREFIX, html_files
from pagelet.labels import AnnotatedPage, has_annotations, read_annotations
from pagelet.metadata.facts import metadata
from pagelet.page.html import decode, parse
from pagelet.page.site import registered_domain
from pagelet.page.table import Page
from pagelet.page.textblocks import text_blocks
from pagelet.write.excerpt import excerpt_text

MARK, TYPE = "data-pagelet", "data-pagelet-type"
CLASS = "pagelet-"
CONTENT = "content"
TECO = {"TECO_mainContent": CONTENT, "TECO_mainMenu": "menu"}  #: their other classes are no marks
MARKED = f"[{MARK}], [{TYPE}], [class*='{CLASS}'], [class*='{TECO_PREFIX}']"

Say = Callable[[str], None]


def read_labelled(folder: Path, say: Say = lambda _: None) -> list[ContentGold]:
    """Read labelled main content: ground truth, the annotator's JSON, or marked pages."""
    if (folder / "ground-truth").is_dir():
        return read_content(folder, say)
    if has_annotations(folder):
        return read_annotated_content(folder)
    return read_annotated(folder, say)


def read_annotated(folder: Path, say: Say = lambda _: None) -> list[ContentGold]:
    """Read every marked page below a folder, by path.

    The site of a page is the domain of the URL it names, else the first folder that holds it.
    """
    files = html_files(folder)
    found = [annotated(path, folder) for path in files]
    golds = [gold for gold in found if gold is not None]
    if not golds:
        raise NoGold(str(folder), f"{WANTED}, or pages with {MARK} attributes")
    if len(golds) < len(files):
        bare = len(files) - len(golds)
        say(f"{folder.name}: {bare} of {len(files)} pages left out, they have no marks")
    return golds


def read_annotated_content(folder: Path) -> list[ContentGold]:
    """Read the pages whose content people marked in the annotator."""
    golds = [_content_gold(found) for found in read_annotations(folder, CONTENT)]
    if not golds:
        raise NoGold(str(folder), "a page whose content is marked")
    return golds


def _content_gold(found: AnnotatedPage) -> ContentGold:
    return ContentGold(
        id=found.name,
        path=found.file,
        domain=found.site,
        page_type=str(found.labels.get("page_type") or "unknown"),
        text=excerpt_text(found.page, _texts(found.page, found.content)),
        url=found.page.url,
    )


def annotated(path: Path, folder: Path) -> ContentGold | None:
    """A marked page without its marks, and the text that was marked; None without marks."""
    document = turbohtml.parse(decode(path.read_bytes()), positions=False)
    marks, page_type = take_marks(document)
    if not marks:
        return None
    plain = document.serialize()
    for element, said in marks:
        element.attrs[MARK] = said
    page, name = parse(document.serialize()), path.relative_to(folder)
    url = metadata(page).url
    return ContentGold(
        id=name.as_posix(),
        path=path,
        domain=registered_domain(url) or (name.parts[0] if len(name.parts) > 1 else name.stem),
        page_type=page_type,
        text=excerpt_text(page, marked_text(page)),
        url=url,
        body=plain.encode(),
    )


def take_marks(document: Document) -> tuple[list[tuple[Element, str]], str]:
    """Take all marks off a document: the elements that had one, what it said, the page type."""
    marks, page_type = [], "unknown"
    for element in document.select(MARKED):
        page_type = str(element.attr(TYPE) or page_type)
        said = _said(element)
        if said:
            marks.append((element, CONTENT if CONTENT in said else "other"))
        for name in (MARK, TYPE):
            if name in element.attrs:
                del element.attrs[name]
        _set_classes(element, [word for word in _classes(element) if not _is_mark(word)])
    return marks, page_type


def _said(element: Element) -> set[str]:
    classes = _classes(element)
    ours = (word.removeprefix(CLASS) for word in classes if word.startswith(CLASS))
    theirs = (TECO[word] for word in classes if word in TECO)
    return {*str(element.attr(MARK) or "").split(), *ours, *theirs}


def _classes(element: Element) -> list[str]:
    return str(element.attr("class") or "").split()


def _is_mark(word: str) -> bool:
    return word.startswith((CLASS, TECO_PREFIX))


def _set_classes(element: Element, classes: Iterable[str]) -> None:
    written = " ".join(classes)
    if written:
        element.attrs["class"] = written
    elif "class" in element.attrs:
        del element.attrs["class"]


def marked_text(page: Page) -> Mask:
    """Mark the text rows whose nearest mark says content."""
    own = page.attribute(MARK)
    content: list[bool] = []
    for row, parent in enumerate(page.parent.tolist()):
        above = parent >= 0 and content[parent]
        content.append(own[row] == CONTENT if row in own else above)
    return _texts(page, np.array(content, np.bool_))


def _texts(page: Page, content: Mask) -> Mask:
    """The text rows among those that are content."""
    kept = np.zeros(len(page), np.bool_)
    rows = text_blocks(page).rows
    kept[rows] = content[rows]
    return kept
