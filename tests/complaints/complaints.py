"""Pages on which other extractors fail, one folder each, with what has to be in the answer."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import turbohtml

HERE = Path(__file__).parent
NAMES = tuple(sorted(file.parent.name for file in HERE.glob("*/page.html")))
PAGE_TYPES = "article service product collection forum listing documentation".split()

#: A link's target, or a tag, which markdown may hold too.
MARKUP = re.compile(r"\]\((?:<[^>]*>|[^()\s]*)(?:\s+\"[^\"]*\")?\)|</?[a-z][^<>]*>")
WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Complaint:
    """One page, and snippets that have to be in the answer, may not be, or may be only once."""

    complaint: str
    url: str
    page_type: str
    must: list[str]
    must_not: list[str]
    once: list[str]
    source: str


def complaint(name: str) -> Complaint:
    """The page of a folder."""
    folder = HERE / name
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    return Complaint(**expected, source=(folder / "page.html").read_text("utf-8"))


def folded(text: str) -> str:
    """The text with every run of white space as one space."""
    return " ".join(text.split())


def words(text: str) -> str:
    """Letters and digits alone, one space where anything else was."""
    return " ".join(WORD.findall(text))


def plain(answer: str, format: str) -> str:
    """The words of an answer, without its markup."""
    match format:
        case "html":
            return words(turbohtml.parse(answer).to_text())
        case "markdown":
            return words(MARKUP.sub(" ", answer))
        case _:
            return words(answer)
