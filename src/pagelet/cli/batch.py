"""A command for many pages: a file for each or one stream, progress, a summary of failures."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

import typer

from pagelet.cli.output import print_bytes, print_result, progress, report, write_bytes
from pagelet.cli.pages import NamedPage, NamedPages
from pagelet.cli.streams import ENDINGS, ResultStream, Written, check_stream, name_page, names_file
from pagelet.errors import PageError
from pagelet.wording import count_of, join_names

FAILED = 3  #: exit code when some pages could not be read
MAX_EMPTY_SHOWN = 5  #: pages on which nothing was found that the summary names


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultWriter:
    """Where results go and in which form."""

    format: str
    to: Path | None = None  #: a folder with a file per page, or a file
    nothing: str = "nothing found"  #: line for people where a page gives nothing
    show: Callable[[str], None] = print_result  #: prints a result that is text

    def write(self, page: NamedPage, written: Written) -> None:
        """Write the result of the only page."""
        text = str(written)
        if self.to is not None:
            _write_file(self._file_of(self.to, page), written)
        elif written.data is not None:
            print_bytes(written.data)
        elif text:
            self.show(text)
        if not text and written.data is None and not written.notes:
            report(self.nothing)
        for line in written.notes:
            report(line)

    def write_for(self, page: NamedPage, written: Written) -> None:
        """Write the file of one of several pages."""
        assert self.to is not None  # the folder
        named = name_page(written, page.source, self.format)
        _write_file(self.to / f"{page.name}{self.ending}", named)

    def check_several(self) -> None:
        """Refuse several pages where their results cannot be one stream."""
        if self.to is None or names_file(self.to):
            check_stream(self.format, self.to)

    def open_stream(self) -> AbstractContextManager[ResultStream | None]:
        """The stream of several pages; None where each has a file of its own."""
        if self.to is None or names_file(self.to):
            return ResultStream(self.format, self.to, self.show)
        return nullcontext()

    def _file_of(self, path: Path, page: NamedPage) -> Path:
        """The file of a single page: the one that is named, or one in the folder that is."""
        in_folder = path.is_dir() or not path.suffix
        return path / f"{page.name}{self.ending}" if in_folder else path

    @property
    def ending(self) -> str:
        """The ending of files in the chosen format."""
        return ENDINGS.get(self.format, ".txt")


Answer = Callable[[NamedPage], Written]


def answer_pages(pages: NamedPages, writer: ResultWriter, answer: Answer) -> None:
    """Answer each page, or the only one; exit with 3 if some of several could not be read."""
    if not pages.several:
        page = pages.pages[0]
        writer.write(page, name_page(answer(page), page.source, writer.format))
        return
    _Batch(writer).run(pages.pages, answer)


@dataclass(slots=True)
class _Batch:
    """Many pages one after another; one that fails does not stop the others."""

    writer: ResultWriter
    failed: list[str] = field(default_factory=list)
    done: int = 0
    empty: list[str] = field(default_factory=list)  #: pages on which nothing was found

    def run(self, pages: Sequence[NamedPage], answer: Answer) -> None:
        self.writer.check_several()
        with self.writer.open_stream() as stream:
            try:
                with self._progress(len(pages)) as advance:
                    for page in pages:
                        self._answer(page, answer, stream)
                        advance()
            finally:
                self._summarise(len(pages))
        if self.failed:
            raise typer.Exit(FAILED)

    def _answer(self, page: NamedPage, answer: Answer, stream: ResultStream | None) -> None:
        try:
            written = answer(page)
        except PageError as error:
            self.failed.append(str(error))
            report(f"pagelet: {error}")
            return
        if stream is None:
            self.writer.write_for(page, written)
        else:
            stream.add(page.source, written)
        self.done += 1
        self.empty += [page.source] if written.empty else []

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
        count = f"{len(self.empty)} of them empty" if self.done > 1 else "empty"
        empty = f", {count}" if self.empty else ""
        report(f"{count_of(self.done, 'page')} written{where}{empty}{failed}{stopped}")
        if self.empty:
            report(f"{self.writer.nothing}: {_list_names(self.empty)}")


def _list_names(names: Sequence[str]) -> str:
    """The first of some names, and how many more there are."""
    shown, more = names[:MAX_EMPTY_SHOWN], len(names) - MAX_EMPTY_SHOWN
    return f"{', '.join(shown)} and {more:,} more" if more > 0 else join_names(shown)


def _write_file(path: Path, written: Written) -> None:
    text = str(written)
    whole = text if text.endswith("\n") or not text else f"{text}\n"
    data = whole.encode() if written.data is None else written.data
    write_bytes(path, data, make_folder=True)
