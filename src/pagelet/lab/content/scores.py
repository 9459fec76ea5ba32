"""Labelled main content: readers of labelled folders, and two ways to score a text.

A folder holds `ground-truth/ID.json` and `html/ID.html`, plain or compressed; or the annotator's
JSON; or pages with marks. Labels have one of three formats: `wcxb` (everything in a
`ground_truth` object), `articles` (flat, with title or authors: the bare article body) and
`mixed` (flat: text and page type only).
"""

import bz2
import gzip
import json
import lzma
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pagelet.errors import NoGold
from pagelet.lab import Report, ignore_line
from pagelet.lab.figures import NO_OVERLAP, Overlap
from pagelet.lab.gold import CONTENT, MARK_ATTRIBUTE, html_files, read_marked, text_rows
from pagelet.lab.learners import few_folds, fold_of
from pagelet.lab.seen import PageKey, page_key
from pagelet.labels import AnnotatedPage, has_annotations, read_annotations
from pagelet.metadata.facts import metadata
from pagelet.page.html import decode
from pagelet.page.site import registered_domain
from pagelet.write import write_text

GROUND_TRUTH = "ground-truth/*.json with a main_content, beside html/"
ARTICLES = "articles"  #: format of labels that are bare article bodies
ENDINGS = (".html", ".htm", ".html.gz", ".html.xz", ".html.bz2")
DECOMPRESSORS = {
    b"\x1f\x8b": gzip.decompress,
    b"\xfd7zXZ": lzma.decompress,
    b"BZh": bz2.decompress,
}  #: by the first bytes of a file

CJK = "\u3005\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
CJK += "\U00020000-\U0003ffff"
WORD = re.compile(r"\w+")
WORD_OR_IDEOGRAPH = re.compile(rf"[{CJK}]|[^\W{CJK}]+")
SHINGLE_WORDS = 4


@dataclass(frozen=True, slots=True)
class ContentGold:
    """A page and its labelled main content."""

    id: str
    path: Path  #: the HTML file
    domain: str  #: registered domain, without subdomains; folds never split one
    page_type: str
    text: str  #: the main content; may be empty
    url: str | None = None
    format: str = "mixed"  #: wcxb, articles or mixed, for the whole folder
    body: bytes | None = None  #: the HTML, where it is in memory
    dealt_fold: int | None = None  #: the fold of one of few sites; else the domain decides

    @property
    def fold(self) -> int:
        """The fold of the page's domain, the same in every run."""
        return fold_of(self.domain) if self.dealt_fold is None else self.dealt_fold

    @property
    def html(self) -> bytes:
        """The page as it was stored; read each time unless it is in memory."""
        return read_decompressed(self.path) if self.body is None else self.body

    @property
    def key(self) -> PageKey:
        """What identifies the page."""
        return page_key(self.domain, decode(self.html))

    @property
    def is_article_body(self) -> bool:
        """Whether the label is a bare article body."""
        return self.format == ARTICLES

    @property
    def target(self) -> str:
        """The target of extraction that fits the label."""
        return "article" if self.is_article_body else "auto"

    @property
    def with_title(self) -> str:
        """Whether the label holds the heading of the page: threads of `mixed` do."""
        return "auto" if self.format == "mixed" and self.page_type == "forum" else "never"

    def in_memory(self) -> "ContentGold":
        """The same page with its HTML in memory."""
        return replace(self, body=self.html)


def read_decompressed(path: Path) -> bytes:
    """Read a file, decompressed if it is compressed."""
    data = path.read_bytes()
    for magic, decompress in DECOMPRESSORS.items():
        if data.startswith(magic):
            return decompress(data)
    return data


# -- reading ----------------------------------------------------------------------------------


def read_labelled(folder: Path, report: Report = ignore_line) -> list[ContentGold]:
    """Read labelled main content: ground truth, the annotator's JSON, or marked pages."""
    if (folder / "ground-truth").is_dir():
        return deal_folds(read_ground_truth(folder, report))
    if has_annotations(folder):
        return deal_folds(read_annotated_content(folder))
    return deal_folds(read_marked_content(folder, report))


def deal_folds(golds: Sequence[ContentGold]) -> list[ContentGold]:
    """The same pages; few sites are dealt to folds, so that two of them never share one."""
    dealt = few_folds(gold.domain for gold in golds)
    return [replace(gold, dealt_fold=dealt[gold.domain]) for gold in golds] if dealt else [*golds]


def read_ground_truth(folder: Path, report: Report = ignore_line) -> list[ContentGold]:
    """Read every labelled page of a folder, by id; an empty text is a label, none is not."""
    golds, without_text, without_html = [], 0, 0
    labels = {
        path.stem: read_label(path) for path in sorted((folder / "ground-truth").glob("*.json"))
    }
    label_format = _format(labels.values())
    for name, label in labels.items():
        path = find_html(folder / "html", name)
        without_text += (unlabelled := label_part(label).get("main_content") is None)
        without_html += path is None
        if path is not None and not unlabelled:
            golds.append(_gold(name, path, label, label_format))
    if not golds:
        raise NoGold(str(folder), GROUND_TRUTH)
    for count, part in ((without_text, "main_content"), (without_html, "HTML")):
        if count:
            report(f"{folder.name}: {count} of {len(labels)} labels left out, they have no {part}")
    return golds


def read_label(path: Path) -> dict[str, Any]:
    """The label in a file of ground truth."""
    try:
        label = json.loads(path.read_bytes())
    except ValueError as error:
        raise NoGold(str(path), "JSON") from error
    return label if isinstance(label, dict) else {}


def label_part(label: dict[str, Any]) -> dict[str, Any]:
    """The part of a label about the page itself."""
    part = label.get("ground_truth", label)
    return part if isinstance(part, dict) else {}


def _format(labels: Iterable[dict[str, Any]]) -> str:
    keys = {key for label in labels for key in label}
    if "ground_truth" in keys:
        return "wcxb"
    return ARTICLES if {"authors", "title"} & keys else "mixed"


def find_html(folder: Path, name: str) -> Path | None:
    """The HTML file of a label, plain or compressed; None where it is missing."""
    paths = (folder / (name + ending) for ending in ENDINGS)
    return next((path for path in paths if path.is_file()), None)


def _gold(name: str, path: Path, label: dict[str, Any], format: str) -> ContentGold:
    part = label_part(label)
    url = label.get("url") or part.get("url") or None
    return ContentGold(
        id=name,
        path=path,
        domain=registered_domain(url) or name,
        page_type=_page_type(label),
        text=str(part["main_content"]),
        url=url,
        format=format,
    )


def _page_type(label: dict[str, Any]) -> str:
    page_type = label.get("_internal", label).get("page_type") or "unknown"
    if isinstance(page_type, dict):
        return str(page_type.get("primary", "unknown"))
    return str(page_type)


def read_marked_content(folder: Path, report: Report = ignore_line) -> list[ContentGold]:
    """Read every page below a folder whose content is marked in its HTML, by path.

    The site of a page is the domain of the URL it names, else the first folder that holds it.
    """
    files = html_files(folder)
    golds = [gold for path in files if (gold := _marked_gold(path, folder)) is not None]
    if not golds:
        expected = f"gold.json of the annotator, {GROUND_TRUTH}, or {MARK_ATTRIBUTE} attributes"
        raise NoGold(str(folder), expected)
    if unmarked := len(files) - len(golds):
        report(f"{folder.name}: {unmarked} of {len(files)} pages left out, they have no marks")
    return golds


def _marked_gold(path: Path, folder: Path) -> ContentGold | None:
    marked = read_marked(path)
    if marked is None:
        return None
    name, url = path.relative_to(folder), metadata(marked.page).canonical
    return ContentGold(
        id=name.as_posix(),
        path=path,
        domain=registered_domain(url) or (name.parts[0] if len(name.parts) > 1 else name.stem),
        page_type=marked.page_type,
        text=write_text(marked.page, marked.content),
        url=url,
        body=marked.html.encode(),
    )


def read_annotated_content(folder: Path) -> list[ContentGold]:
    """Read the pages whose content people marked in the annotator."""
    golds = [_annotated_gold(page) for page in read_annotations(folder, CONTENT)]
    if not golds:
        raise NoGold(str(folder), "a page whose content is marked")
    return golds


def _annotated_gold(annotated: AnnotatedPage) -> ContentGold:
    page = annotated.page
    return ContentGold(
        id=annotated.name,
        path=annotated.file,
        domain=annotated.site,
        page_type=str(annotated.labels.get("page_type") or "unknown"),
        text=write_text(page, text_rows(page, annotated.content)),
        url=page.url,
    )


# -- scoring ----------------------------------------------------------------------------------


def word_score(answer: str, gold: str, *, ideographs: bool = False) -> Overlap:
    """Overlap of two bags of words in lower case.

    With `ideographs`, each Chinese, Japanese or Korean character is a word. Two texts without
    words agree; a text with words and one without do not.
    """
    pattern = WORD_OR_IDEOGRAPH if ideographs else WORD
    return _bag_overlap(pattern.findall(answer.lower()), pattern.findall(gold.lower()))


def shingle_score(answer: str, gold: str, n: int = SHINGLE_WORDS) -> Overlap:
    """Overlap of two bags of n-word shingles in lower case.

    As in the article extraction benchmark, a text of fewer than n words is one shingle of all
    its words, and a text without words has none. Unlike there, an empty answer to a text counts
    as precision 0 (the benchmark leaves the page out of the mean precision), and case is
    ignored.
    """
    return _bag_overlap(_shingles(answer, n), _shingles(gold, n))


def _shingles(text: str, n: int) -> list[tuple[str, ...]]:
    words = WORD.findall(text.lower())
    if 0 < len(words) < n:
        return [tuple(words)]
    return list(zip(*(words[at:] for at in range(n)), strict=False))


def _bag_overlap(answer: Sequence[Hashable], gold: Sequence[Hashable]) -> Overlap:
    if not answer and not gold:
        return Overlap(1.0, 1.0)
    both = (Counter(answer) & Counter(gold)).total()
    return Overlap.of_counts(both, len(answer), len(gold))


def score_content(gold: ContentGold, answer: str) -> Overlap:
    """Score one answer by the measure of the folder's format."""
    if gold.is_article_body:
        return shingle_score(answer, gold.text)
    return word_score(answer, gold.text, ideographs=gold.format == "mixed")


def mean_overlap(scores: Sequence[Overlap]) -> Overlap:
    """Mean precision and mean recall of pages."""
    if not scores:
        return NO_OVERLAP
    precision = sum(score.precision for score in scores) / len(scores)
    return Overlap(precision, sum(score.recall for score in scores) / len(scores))


def mean_f1(scores: Sequence[Overlap], format: str) -> float:
    """The mean F1 of pages; for articles, the F1 of mean precision and mean recall."""
    if format == ARTICLES or not scores:
        return mean_overlap(scores).f1
    return sum(score.f1 for score in scores) / len(scores)
