"""A command for many pages: a file for each or one stream, progress, a summary of failures."""

import csv
import io
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import typer

from pagelet.cli.output import print_bytes, print_result, progress, report, write_bytes
from pagelet.cli.pages import NamedPage, NamedPages
from pagelet.errors import OptionError, PageError
from pagelet.wording import count_of

FAILED = 3  #: exit code when some pages could not be read
#: endings of files by format; others have that of text
ENDINGS = {"json": ".json", "json-compact": ".json", "markdown": ".md", "html": ".html",
           "page": ".html", "csv": ".csv", "jsonl": ".jsonl", "tei": ".xml",
           "webis": ".json", "parquet": ".parquet"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Written:
    """What one page gave: its text in the chosen format, and lines for people about it."""

    text: str = ""
    notes: Sequence[str] = ()
    form: dict[str, Any] | None = None  #: the JSON object, instead of a text
    data: bytes | None = None  #: the bytes of a format that is no text

    @property
    def empty(self) -> bool:
        """Whether nothing was found on the page."""
        if self.form is None:
            return not self.text and self.data is None
        return not self.form.get("pagelets", self.form.get("text", True))

    def __str__(self) -> str:
        return (
            self.text if self.form is None else json.dumps(self.form, ensure_ascii=False, indent=2)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultWriter:
    """Where results go and in which form."""

    format: str
    to: Path | None = None  #: a folder; of a single page, a file
    nothing: str = "nothing found"  #: line for people where a page gives nothing
    show: Callable[[str], None] = print_result  #: prints a result that is text

    def write(self, written: Written) -> None:
        """Write the result of the only page."""
        text = str(written)
        if written.data is not None:
            self._write_data(written.data)
        elif self.to is not None:
            _write_file(self._file_of(self.to), text)
        elif text:
            self.show(text)
        if not text and written.data is None and not written.notes:
            report(self.nothing)
        for line in written.notes:
            report(line)

    def _write_data(self, data: bytes) -> None:
        if self.to is None:
            print_bytes(data)
        else:
            write_bytes(self._file_of(self.to), data, make_folder=True)

    def _file_of(self, path: Path) -> Path:
        """The file of a single page: the one that is named, or one in the folder that is."""
        return path / f"page{self.ending}" if path.is_dir() or not path.suffix else path

    @property
    def ending(self) -> str:
        """The ending of files in the chosen format."""
        return ENDINGS.get(self.format, ".txt")


Answer = Callable[[NamedPage], Written]


def answer_pages(pages: NamedPages, writer: ResultWriter, answer: Answer) -> None:
    """Answer each page, or the only one; exit with 3 if some of several could not be read."""
    if not pages.several:
        writer.write(answer(pages.pages[0]))
        return
    _Batch(writer).run(pages.pages, answer)


@dataclass(slots=True)
class _Batch:
    """Many pages one after another; one that fails does not stop the others."""

    writer: ResultWriter
    failed: list[str] = field(default_factory=list)
    done: int = 0
    empty: int = 0  #: pages on which nothing was found
    tables: int = 0  #: tables that were written under one header

    def run(self, pages: Sequence[NamedPage], answer: Answer) -> None:
        try:
            with self._progress(len(pages)) as advance:
                for page in pages:
                    self._answer(page, answer)
                    advance()
        finally:
            self._summarise(len(pages))
        if self.failed:
            raise typer.Exit(FAILED)

    def _answer(self, page: NamedPage, answer: Answer) -> None:
        try:
            written = answer(page)
            self._write(page, written)
            self.done += 1
            self.empty += written.empty
        except PageError as error:
            self.failed.append(str(error))
            report(f"pagelet: {error}")

    def _write(self, page: NamedPage, written: Written) -> None:
        if written.data is not None:
            if self.writer.to is None:
                raise OptionError("format", self.writer.format, "no text; give -o DIR, or one page")
            write_bytes(self._file_of(self.writer.to, page), written.data, make_folder=True)
        elif self.writer.to is not None:
            _write_file(self._file_of(self.writer.to, page), str(written))
        elif written.form is not None:
            row = {"page": page.source, **written.form}
            print_result(json.dumps(row, ensure_ascii=False))
        elif self.writer.format == "csv":
            self._write_rows(page, written.text)
        else:
            print_result(f"==> {page.source} <==")
            self.writer.show(f"{written}\n")

    def _file_of(self, folder: Path, page: NamedPage) -> Path:
        return folder / f"{page.name}{self.writer.ending}"

    def _write_rows(self, page: NamedPage, table: str) -> None:
        """Write the rows of a table under one header for all pages."""
        if not table:
            return
        header, *rows = csv.reader(io.StringIO(table))
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        named = header[0] == "page"
        if not self.tables:
            writer.writerow(header if named else ["page", *header])
        self.tables += 1
        for row in rows:
            writer.writerow([row[0] or page.source, *row[1:]] if named else [page.source, *row])
        print_result(out.getvalue().rstrip("\n"))

    @contextmanager
    def _progress(self, total: int) -> Iterator[Callable[[], None]]:
        """A function that moves the bar; there is none where results go to the terminal."""
        if self.writer.to is None and sys.stdout.isatty():
            yield lambda: None
            return
        with progress() as (_, advance):
            yield lambda: advance("pages", self.done + len(self.failed), total)

    def _summarise(self, total: int) -> None:
        failed = f", {len(self.failed)} failed" if self.failed else ""
        left = total - self.done - len(self.failed)
        stopped = f", {left} not read" if left else ""
        where = f" to {self.writer.to}" if self.writer.to is not None else ""
        empty = f", {self.empty} of them empty" if self.empty else ""
        report(f"{count_of(self.done, 'page')} written{where}{empty}{failed}{stopped}")


def _write_file(path: Path, text: str) -> None:
    whole = text if text.endswith("\n") or not text else f"{text}\n"
    write_bytes(path, whole.encode(), make_folder=True)
