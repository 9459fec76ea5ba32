"""Results of several pages as one stream: texts under their names, JSON Lines, one table.

Every row of a stream names its page. Formats that are one document per page, such as HTML, cannot
be a stream.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TextIO

from pagelet.cli.output import print_bytes, print_result, refuse_terminal, write_bytes
from pagelet.errors import OptionError
from pagelet.wording import NO_FOLDER, describe_os_error, join_names

PAGE = "page"  #: column or field that names the page of a row
#: endings of files by format; others have that of text
ENDINGS = {"json": ".json", "json-compact": ".json", "markdown": ".md", "html": ".html",
           "page": ".html", "csv": ".csv", "jsonl": ".jsonl", "tei": ".xml",
           "webis": ".json", "parquet": ".parquet"}  # fmt: skip
#: format by the ending of the file that a user names
FORMATS = {".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl", ".md": "markdown",
           ".html": "html", ".htm": "html", ".csv": "csv", ".xml": "tei",
           ".parquet": "parquet", ".txt": "text"}  # fmt: skip
PARTS = ("pagelets", "forms", "text")  #: fields of JSON objects that are empty on empty pages
NO_SPACE = re.compile(r"\S")
DOCUMENTS = ("html", "page", "tei", "webis")  #: formats that are one document per page


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
        parts = (self.form[name] for name in PARTS if name in self.form)
        return not next(parts, True)

    def __str__(self) -> str:
        return (
            self.text if self.form is None else json.dumps(self.form, ensure_ascii=False, indent=2)
        )


def names_file(path: Path) -> bool:
    """Whether the results of several pages go to one file of this name, not to a folder."""
    return path.suffix.lower() in FORMATS and not path.is_dir()


def format_for(path: Path | None, formats: Sequence[str]) -> str:
    """The format that the name of a file stands for; the first one where it stands for none."""
    if path is None or not names_file(path):
        return formats[0]
    named = FORMATS[path.suffix.lower()]
    if named not in formats:
        why = f"there is no format {named} here; give --format {join_names(formats, 'or')}"
        raise OptionError("output", str(path), why)
    return named


def check_stream(format: str, to: Path | None) -> None:
    """Refuse a format in which several pages cannot be one stream, or one file."""
    if format == "parquet" and to is None:
        refuse_terminal()
    if format in DOCUMENTS:
        raise OptionError("format", format, "one document per page; give -o DIR, or one page")
    if to is not None and format in ("json", "json-compact") and to.suffix.lower() == ".json":
        why = f"several pages are JSON Lines; name it {to.with_suffix('.jsonl')}, or give a folder"
        raise OptionError("output", str(to), why)


# -- rows that name their page ------------------------------------------------------------------


def name_page(written: Written, source: str, format: str) -> Written:
    """The result of one page, whose rows name it where they have a place for that."""
    if format == "jsonl":
        lines = (to_line(row, row.get(PAGE) or source) for row in list_rows(written))
        return Written("\n".join(lines), written.notes)
    if written.data is not None:
        table = read_table(written.data)
        table[PAGE] = [name or source for name in table[PAGE]]
        return replace(written, data=write_table(table))
    if format == "csv" and written.text:
        header, *rows = csv.reader(io.StringIO(written.text))
        if header[0] == PAGE:
            named = [[row[0] or source, *row[1:]] for row in rows]
            return replace(written, text=write_rows([header, *named]))
    return written


def list_rows(written: Written) -> Iterator[dict[str, Any]]:
    """The JSON objects of a result, however they are spaced."""
    if written.form is not None:
        yield written.form
        return
    decoder, text = json.JSONDecoder(), written.text
    start = NO_SPACE.search(text)
    while start is not None:
        row, end = decoder.raw_decode(text, start.start())
        yield row
        start = NO_SPACE.search(text, end)


def to_line(row: dict[str, Any], source: str) -> str:
    """A JSON object on one line, the name of its page first."""
    others = {name: value for name, value in row.items() if name != PAGE}
    return json.dumps({PAGE: source, **others}, ensure_ascii=False)


def write_rows(rows: Sequence[Sequence[str]]) -> str:
    """Rows as CSV, without the last line end."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().rstrip("\n")


def read_table(data: bytes) -> dict[str, list[Any]]:
    """The columns of a Parquet file."""
    from pyarrow import parquet  # noqa: PLC0415 - the method that wrote it has found it

    columns: dict[str, list[Any]] = parquet.read_table(io.BytesIO(data)).to_pydict()
    return columns


def write_table(columns: dict[str, list[Any]]) -> bytes:
    """Columns as a Parquet file; one whose values differ in type holds texts."""
    import pyarrow  # noqa: PLC0415 - the method that wrote the parts has found it
    from pyarrow import parquet  # noqa: PLC0415

    def array(values: list[Any]) -> Any:
        try:
            made = pyarrow.array(values)
        except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError):
            made = pyarrow.array([None if each is None else str(each) for each in values])
        if pyarrow.types.is_null(made.type):
            return made.cast(pyarrow.string())
        if made.type == pyarrow.list_(pyarrow.null()):
            return made.cast(pyarrow.list_(pyarrow.string()))
        return made

    file = io.BytesIO()
    table = pyarrow.table({name: array(values) for name, values in columns.items()})
    parquet.write_table(table, file)
    return file.getvalue()


# -- the stream ---------------------------------------------------------------------------------


@dataclass(slots=True)
class ResultStream:
    """Results of several pages, written one after another to standard output or to a file."""

    format: str
    to: Path | None = None
    show: Callable[[str], None] = print_result  #: prints a result that is text
    header: list[str] = field(default_factory=list)  #: of the table, once it is written
    table: dict[str, list[Any]] = field(default_factory=dict)  #: columns of the Parquet file
    file: TextIO | None = None

    def __enter__(self) -> "ResultStream":
        if self.to is not None and self.format != "parquet":
            try:
                self.to.parent.mkdir(parents=True, exist_ok=True)
                self.file = self.to.open("w", encoding="utf-8", newline="")
            except OSError as error:
                why = describe_os_error(error, NO_FOLDER)
                raise OptionError("output", str(self.to), why) from error
        return self

    def __exit__(self, *_error: object) -> None:
        if self.file is not None:
            self.file.close()
        if self.table and self.to is not None:
            write_bytes(self.to, write_table(self.table), make_folder=True)
        elif self.table:
            print_bytes(write_table(self.table))

    def add(self, source: str, written: Written) -> None:
        """Write what one page gave."""
        if written.data is not None:
            self._add_table(source, read_table(written.data))
        elif written.form is not None or self.format in ("json", "jsonl"):
            for row in list_rows(written):
                self._put(to_line(row, source))
        elif self.format == "csv":
            self._add_rows(source, written.text)
        else:
            self._put(f"==> {source} <==")
            self._put(f"{written}\n", self.show)

    def _put(self, text: str, show: Callable[[str], None] = print_result) -> None:
        if self.file is None:
            show(text)
        else:
            self.file.write(f"{text}\n")

    def _add_rows(self, source: str, text: str) -> None:
        """Write the rows of a table under one header for all pages."""
        if not text:
            return
        header, *rows = csv.reader(io.StringIO(text))
        named = header[0] == PAGE
        if not self.header:
            self.header = header if named else [PAGE, *header]
            self._put(write_rows([self.header]))
        if rows:
            self._put(write_rows([[source, *(row[1:] if named else row)] for row in rows]))

    def _add_table(self, source: str, columns: dict[str, list[Any]]) -> None:
        """Put the columns of a page below those of the others."""
        before = len(next(iter(self.table.values()), []))
        count = len(columns[PAGE])
        for name in {**self.table, **columns}:
            own = columns.get(name, [None] * count) if name != PAGE else [source] * count
            self.table.setdefault(name, [None] * before).extend(own)
