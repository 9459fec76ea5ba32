"""Answers of both cores about a page, byte for byte: text, Markdown, HTML and JSON."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pagelet import Page, extract
from pagelet.errors import PageError
from pagelet.lab.data import data_folder
from tests import hostile
from tests.cores import ask_both
from tests.fuzzed import SAMPLES, broken_page

FORMATS = ("text", "markdown", "html", "json")
URL = "https://www.example.org/a/page.html"
SHOWN_CHARS = 60  #: characters of each answer that are shown from where they differ on


def find_difference(page: str | bytes | Page, url: str | None = None, **options: Any) -> str | None:
    """The first format in which the cores differ, and where; None where they answer the same."""
    for form in FORMATS:
        compiled, python = ask_both(lambda form=form: _answer(page, url, form, options))
        if compiled != python:
            return describe_difference(form, compiled, python)
    return None


def _answer(page: str | bytes | Page, url: str | None, form: str, options: dict[str, Any]) -> str:
    """The answer, or what is wrong with the page."""
    try:
        return extract(page, url, format=form, **options)
    except PageError as error:
        return repr(error)


def describe_difference(form: str, compiled: str, python: str) -> str:
    """Where two answers part, and how they go on."""
    pairs = enumerate(zip(compiled, python, strict=False))
    at = next((at for at, (one, other) in pairs if one != other), min(len(compiled), len(python)))
    ours, theirs = (repr(each[at : at + SHOWN_CHARS]) for each in (compiled, python))
    return f"{form}, character {at}: {ours} by the compiled core, {theirs} by the Python core"


@dataclass(frozen=True, slots=True)
class NamedPage:
    """A page that can be made again from its name, in any process."""

    kind: str  #: `file`, `hostile` or `broken`
    name: str  #: path of a file, name of a hostile page, or `SEED/NUMBER` of a broken one

    def __str__(self) -> str:
        return self.name if self.kind == "file" else f"{self.kind} page {self.name}"

    def source(self) -> str | bytes | Page:
        """The HTML of the page; a tree that no parser gives is a page already."""
        if self.kind == "file":
            return Path(self.name).read_bytes()
        if self.kind == "broken":
            seed, number = map(int, self.name.split("/"))
            return broken_page(seed, number)
        return hostile.SOURCES.get(self.name, lambda: hostile.fresh(self.name))()

    def difference(self) -> str | None:
        """How the cores differ about the page, under its name; None where they do not."""
        found = find_difference(self.source(), URL if self.kind == "file" else None)
        return found and f"{self}: {found}"


# -- pages for long runs ----------------------------------------------------------------------


def data_pages() -> list[NamedPage]:
    """Every page of the data; the sample site where there is none."""
    pages = sorted(data_folder().rglob("*.htm*")) if data_folder().is_dir() else SAMPLES
    return [NamedPage("file", str(path)) for path in pages if path.is_file()]


def hostile_pages() -> list[NamedPage]:
    """The hostile battery but for what takes long."""
    return [NamedPage("hostile", name) for name in hostile.QUICK]


def broken_pages(seed: int, count: int) -> list[NamedPage]:
    """So many broken pages."""
    return [NamedPage("broken", f"{seed}/{number}") for number in range(count)]
