"""Labelled main content: the reader of ground-truth folders, and two ways to score a text.

A folder holds `ground-truth/ID.json` and `html/ID.html`, plain or compressed. Three shapes of
label are known: `wcxb` (everything in a `ground_truth` object), `articles` (flat, with title and
authors: the bare article body) and `mixed` (flat: text and page type only).
"""

import bz2
import gzip
import json
import lzma
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import turbohtml

from pagelet.errors import NoGold
from pagelet.lab.figures import NOTHING, Overlap
from pagelet.lab.gold import CONTENT, MARK_ATTRIBUTE, _texts, html_files, marked_text, take_marks
from pagelet.labels import AnnotatedPage, has_annotations, read_annotations
from pagelet.metadata.facts import metadata
from pagelet.page.html import decode, parse
from pagelet.page.site import registered_domain
from pagelet.write import write_text

WANTED = "ground-truth/*.json with a main_content, beside html/"
ENDINGS = (".html", ".htm", ".html.gz", ".html.xz", ".html.bz2")
PACKED = {b"\x1f\x8b": gzip.decompress, b"\xfd7zXZ": lzma.decompress, b"BZh": bz2.decompress}

CJK = "\u3005\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
CJK += "\U00020000-\U0003ffff"
WORD = re.compile(r"\w+")
WORD_OR_IDEOGRAPH = re.compile(rf"[{CJK}]|[^\W{CJK}]+")
SHINGLE = 4  #: words in a shingle


@dataclass(frozen=True, slots=True)
class ContentGold:
    """A page and the main content people say it has."""

    id: str
    path: Path  #: the HTML file
    domain: str  #: who may register it, without subdomains; folds never split one
    page_type: str
    text: str  #: the main content; may be empty
    url: str | None = None
    wanted: tuple[str, ...] = ()  #: snippets that an answer should have
    unwanted: tuple[str, ...] = ()  #: snippets that it should not have
    title: str | None = None
    date: str | None = None
    authors: str | None = None
    format: str = "mixed"  #: wcxb, articles or mixed, for the whole folder
    body: bytes | None = None  #: the HTML once it was read

    @property
    def html(self) -> bytes:
        """The page as it was stored; read each time unless it is held."""
        return read_packed(self.path) if self.body is None else self.body

    def held(self) -> "ContentGold":
        """The same with the HTML in memory."""
        return replace(self, body=self.html)


def read_packed(path: Path) -> bytes:
    """Read a file, unpacked if it is packed."""
    data = path.read_bytes()
    for magic, unpack in PACKED.items():
        if data.startswith(magic):
            return unpack(data)
    return data


# -- reading ----------------------------------------------------------------------------------


def read_content(folder: Path, say: Callable[[str], None] = lambda _: None) -> list[ContentGold]:
    """Read every labelled page of a folder, by id; an empty text is a label, none is not."""
    golds, bare, lost = [], 0, 0
    labels = {path.stem: _label(path) for path in sorted((folder / "ground-truth").glob("*.json"))}
    kind = _format(labels.values())
    for name, label in labels.items():
        path = _html_file(folder / "html", name)
        bare += (unlabelled := _part(label).get("main_content") is None)
        lost += path is None
        if path is not None and not unlabelled:
            golds.append(_gold(name, path, label, kind))
    if not golds:
        raise NoGold(str(folder), WANTED)
    for count, why in ((bare, "main_content"), (lost, "HTML")):
        if count:
            say(f"{folder.name}: {count} of {len(labels)} labels left out, they have no {why}")
    return golds


def _label(path: Path) -> dict[str, Any]:
    try:
        said = json.loads(path.read_bytes())
    except ValueError as error:
        raise NoGold(str(path), "JSON") from error
    return said if isinstance(said, dict) else {}


def _part(label: dict[str, Any]) -> dict[str, Any]:
    part = label.get("ground_truth", label)
    return part if isinstance(part, dict) else {}


def _format(labels: Iterable[dict[str, Any]]) -> str:
    keys = {key for label in labels for key in label}
    if "ground_truth" in keys:
        return "wcxb"
    return "articles" if {"authors", "title"} & keys else "mixed"


def _html_file(folder: Path, name: str) -> Path | None:
    paths = (folder / (name + ending) for ending in ENDINGS)
    return next((path for path in paths if path.is_file()), None)


def _gold(name: str, path: Path, label: dict[str, Any], kind: str) -> ContentGold:
    part = _part(label)
    url = label.get("url") or part.get("url") or None
    return ContentGold(
        id=name,
        path=path,
        domain=registered_domain(url) or name,
        page_type=_page_type(label),
        text=str(part["main_content"]),
        url=url,
        wanted=tuple(part.get("with") or ()),
        unwanted=tuple(part.get("without") or ()),
        title=part.get("title"),
        date=part.get("publish_date") or part.get("date"),
        authors=part.get("author") or part.get("authors"),
        format=kind,
    )


def _page_type(label: dict[str, Any]) -> str:
    said = label.get("_internal", label).get("page_type") or "unknown"
    return str(said.get("primary", "unknown")) if isinstance(said, dict) else str(said)


# -- scoring ----------------------------------------------------------------------------------


def word_score(answer: str, gold: str, *, ideographs: bool = False) -> Overlap:
    """Agreement of two bags of words in lower case.

    With `ideographs`, each Chinese, Japanese or Korean character is a word. Two texts without
    words agree; a text with words and one without do not.
    """
    pattern = WORD_OR_IDEOGRAPH if ideographs else WORD
    return _agreement(pattern.findall(answer.lower()), pattern.findall(gold.lower()))


def shingle_score(answer: str, gold: str, n: int = SHINGLE) -> Overlap:
    """Agreement of two bags of n-word shingles in lower case.

    As in the article extraction benchmark, a text of fewer than n words is one shingle of all
    its words, and a text without words has none. Unlike there, an empty answer to a text counts
    as precision 0 (the benchmark leaves the page out of the mean precision), and case is
    ignored.
    """
    return _agreement(_shingles(answer, n), _shingles(gold, n))


def _shingles(text: str, n: int) -> list[tuple[str, ...]]:
    words = WORD.findall(text.lower())
    if 0 < len(words) < n:
        return [tuple(words)]
    return list(zip(*(words[at:] for at in range(n)), strict=False))


def _agreement(answer: Sequence[Hashable], gold: Sequence[Hashable]) -> Overlap:
    if not answer or not gold:
        return NOTHING if answer or gold else Overlap(1.0, 1.0)
    both = (Counter(answer) & Counter(gold)).total()
    return Overlap(both / len(answer), both / len(gold))


def score_content(gold: ContentGold, answer: str) -> Overlap:
    """Score one answer as the folder's format asks."""
    if gold.format == "articles":
        return shingle_score(answer, gold.text)
    return word_score(answer, gold.text, ideographs=gold.format == "mixed")


def mean_f1(scores: Sequence[Overlap], format: str) -> float:
    """The mean F1 of pages; for articles, the F1 of mean precision and mean recall."""
    if not scores:
        return 0.0
    if format != "articles":
        return sum(score.f1 for score in scores) / len(scores)
    precision = sum(score.precision for score in scores) / len(scores)
    return Overlap(precision, sum(score.recall for score in scores) / len(scores)).f1


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
        raise NoGold(str(folder), f"{WANTED}, or pages with {MARK_ATTRIBUTE} attributes")
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
        text=write_text(found.page, _texts(found.page, found.content)),
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
        element.attrs[MARK_ATTRIBUTE] = said
    page, name = parse(document.serialize()), path.relative_to(folder)
    url = metadata(page).url
    return ContentGold(
        id=name.as_posix(),
        path=path,
        domain=registered_domain(url) or (name.parts[0] if len(name.parts) > 1 else name.stem),
        page_type=page_type,
        text=write_text(page, marked_text(page)),
        url=url,
        body=plain.encode(),
    )
