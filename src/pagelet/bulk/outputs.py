"""The output folder of a run: one folder per table, and a manifest of what is done.

    OUT/pages/part-00000.parquet   one row per page
    OUT/labels/part-00000.parquet  one row per labelled node, if labels are wanted
    OUT/_manifest/                 parts that are done
    OUT/_tmp/                      parts that are being written

A part is written in `_tmp`, moved to its place, and counts once the manifest has it. The leftovers
of a killed run are removed when it is resumed.
"""

import gzip
import json
import os
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal, Protocol, Self, get_args

from pagelet.bulk.chunk import Finished, Work
from pagelet.bulk.manifest import (
    FORMER_RUN_FILE,
    RUN_FILE,
    Manifest,
    Part,
    former_version,
    move_into_place,
)
from pagelet.bulk.options import import_pyarrow
from pagelet.bulk.records import Source
from pagelet.errors import OptionError, UnwritableOutput
from pagelet.sources.compressed import import_zstandard
from pagelet.sources.warc.reader import Place
from pagelet.wording import describe_os_error, must_be_one_of

if TYPE_CHECKING:
    import pyarrow as pa
# -- writers of Parquet and JSON lines --------------------------------------------------------

Format = Literal["parquet", "jsonl", "jsonl.gz", "jsonl.zst"]
FORMATS: tuple[str, ...] = get_args(Format)
GROUP_ROWS = 10_000  #: rows of a row group
GROUP_BYTES = 32_000_000  #: uncompressed bytes of a row group


class TableWriter(Protocol):
    """A file that tables are added to."""

    def write(self, table: "pa.Table") -> None:
        """Add a table."""

    def close(self) -> None:
        """Finish the file, and flush it to the disk."""

    def discard(self) -> None:
        """Close the file as it is; nothing is raised, now or later."""


class ParquetWriter:
    """A Parquet file; tables are gathered until they make a row group."""

    def __init__(self, path: Path, schema: "pa.Schema") -> None:
        import_pyarrow()
        from pyarrow import parquet  # noqa: PLC0415 - an extra

        self._file = path.open("wb")
        self._writer = parquet.ParquetWriter(
            self._file, schema, compression="zstd", write_statistics=True
        )
        self._held: list[pa.Table] = []
        self._rows, self._bytes = 0, 0  #: size of the tables that are held

    def write(self, table: "pa.Table") -> None:
        """Add a table."""
        self._held.append(table)
        self._rows += table.num_rows
        self._bytes += table.nbytes
        if self._rows >= GROUP_ROWS or self._bytes >= GROUP_BYTES:
            self._flush()

    def _flush(self) -> None:
        if self._held:
            self._writer.write_table(import_pyarrow().concat_tables(self._held), GROUP_ROWS)
            self._held, self._rows, self._bytes = [], 0, 0

    def close(self) -> None:
        """Finish the file, and flush it to the disk."""
        self._flush()
        self._writer.close()
        _finish(self._file)

    def discard(self) -> None:
        """Close the file as it is; nothing is raised, now or later."""
        with suppress(Exception):
            self._writer.close()
        self._writer.is_open = False  # else it would be closed, and fail, once more
        with suppress(Exception):
            self._file.close()


class LinesWriter:
    """A file of JSON lines, one per row."""

    def __init__(self, path: Path, compression: str) -> None:
        self._file = path.open("wb")
        self._stack = ExitStack()
        self._lines: Any = self._stack.enter_context(_compress(self._file, compression))

    def write(self, table: "pa.Table") -> None:
        """Add a table."""
        for row in table.to_pylist():
            line = json.dumps(row, ensure_ascii=False, default=_to_text)
            self._lines.write(line.encode() + b"\n")

    def close(self) -> None:
        """Finish the file, and flush it to the disk."""
        self._stack.close()
        _finish(self._file)

    def discard(self) -> None:
        """Close the file as it is; nothing is raised, now or later."""
        for close in (self._stack.close, self._file.close):
            with suppress(Exception):
                close()


def _to_text(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _compress(file: Any, compression: str) -> Any:
    """A context with a stream that is written compressed; the file itself stays open."""
    if compression == "gz":
        return gzip.GzipFile("", "wb", 6, file, mtime=0)
    if compression == "zst":
        zstandard = import_zstandard("writing")
        return zstandard.ZstdCompressor(3).stream_writer(file, closefd=False)
    return nullcontext(file)


def _finish(file: Any) -> None:
    file.flush()
    os.fsync(file.fileno())
    file.close()


def open_writer(path: Path, schema: "pa.Schema", format: str) -> TableWriter:
    """Open a file for the tables of a run."""
    if format == "parquet":
        return ParquetWriter(path, schema)
    return LinesWriter(path, format.rpartition(".")[2])


# -- the output folder ------------------------------------------------------------------------

TMP, MANIFEST = "_tmp", "_manifest"  #: folders that readers of data sets leave out


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputOptions:
    """How the output is cut into files; rows do not depend on it."""

    format: Format = "parquet"
    rows: int = 50_000  #: rows from which on a file is full
    bytes: int = 500_000_000  #: uncompressed bytes from which on a file is full
    seconds: float = 60.0  #: time after which a file is finished, so that little is at risk

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            raise OptionError("format", self.format, must_be_one_of(FORMATS))
        if self.format.endswith(".zst"):
            import_zstandard("writing")  # missing before anything is written


class Dataset:
    """The output of a run; chunks are added, parts committed."""

    def __init__(
        self,
        folder: Path,
        work: Work,
        how: OutputOptions = OutputOptions(),
        *,
        resume: bool = False,
    ) -> None:
        self.folder, self.work, self.how = folder, work, how
        self.schemas = work.schemas()
        self._check_folder()
        try:
            self.manifest = Manifest(folder / MANIFEST)
        except OSError as error:
            raise OptionError("output", str(folder), describe_os_error(error)) from error
        try:
            with self.writing():
                self.manifest.begin(work.options, how.format, resume=resume)
                self._tidy()
        except BaseException:
            self.manifest.close()
            raise
        self.failed: list[tuple[str, str, str]] = []  #: sources that cannot be read, and why
        self._part: Part | None = None
        self._writers: dict[str, TableWriter] = {}
        self._bytes, self._began = 0, 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Commit the open part; after an error, it is left to be done again."""
        try:
            if kind is None:
                self.commit()
        finally:
            for writer in self._writers.values():
                writer.discard()
            self.manifest.close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Report a disk that is full, or fails otherwise, as an error of ours."""
        try:
            yield
        except OSError as error:
            raise UnwritableOutput(str(self.folder), describe_os_error(error)) from error

    def _check_folder(self) -> None:
        """Refuse a folder that holds files of something else, or of a former version."""
        if (self.folder / FORMER_RUN_FILE).exists():
            raise former_version(str(self.folder))
        for table in self.schemas:
            foreign = not (self.folder / MANIFEST / RUN_FILE).exists()
            if foreign and any((self.folder / table).glob("*")):
                why = f"its folder {table} has files that are no run; give another folder"
                raise OptionError("output", str(self.folder), why)

    def _tidy(self) -> None:
        """Remove the leftovers of a killed run, and make the folders."""
        shutil.rmtree(self.folder / TMP, ignore_errors=True)
        committed = {name for part in self.manifest.parts for name in part.files.values()}
        for table in self.schemas:
            (self.folder / table).mkdir(exist_ok=True)
            for path in (self.folder / table).glob("part-*"):
                if f"{table}/{path.name}" not in committed:
                    path.unlink()
        (self.folder / TMP).mkdir()

    def next_place(self, source: Source, place: Place) -> Place | None:
        """The first place from here on that is not done; None when all is."""
        return self.manifest.next_place(source.key, place)

    def add(self, chunk: Finished) -> None:
        """Write the rows of a finished chunk."""
        part, result = self._part or self._begin(), chunk.result
        for name, table in chunk.tables.items():
            if table.num_rows:
                with self.writing():
                    self._writer(name).write(table)
                part.rows[name] = part.rows.get(name, 0) + table.num_rows
                self._bytes += table.nbytes
        part.records += result.records
        part.bytes += result.bytes
        part.unsure += result.unsure
        part.errors.update(result.errors)
        part.skips.update(result.skips)
        part.add(chunk.source, chunk.start, chunk.end, result.damage)
        if part.rows.get("pages", 0) >= self.how.rows or self._bytes >= self.how.bytes:
            self.commit()

    def unread(self, source: Source, error: str, reason: str) -> None:
        """Note a source that cannot be read, or not to its end."""
        self.failed.append((source.address or source.names[0], error, reason))

    def tick(self) -> None:
        """Commit a part that has been open for long."""
        if self._part is not None and monotonic() - self._began >= self.how.seconds:
            self.commit()

    def _begin(self) -> Part:
        self._part = Part(f"part-{self.manifest.next_number():05}")
        self._bytes, self._began = 0, monotonic()
        return self._part

    def _writer(self, table: str) -> TableWriter:
        if table not in self._writers:
            path = self.folder / TMP / f"{table}-{self._name()}"
            self._writers[table] = open_writer(path, self.schemas[table], self.how.format)
        return self._writers[table]

    def _name(self) -> str:
        assert self._part is not None
        return f"{self._part.name}.{self.how.format}"

    def commit(self) -> None:
        """Finish the part that is open, move its files to their places, and note it."""
        if self._part is None:
            return
        with self.writing():
            for table, writer in self._writers.items():
                writer.close()
                path = self.folder / table / self._name()
                move_into_place(self.folder / TMP / f"{table}-{self._name()}", path)
                self._part.files[table] = f"{table}/{path.name}"
            self.manifest.add(self._part)
        self._part, self._writers = None, {}

    def totals(self) -> Part:
        """The sum over all parts, including the open one."""
        whole = Part("total")
        for part in (*self.manifest.parts, *([self._part] if self._part else [])):
            whole.records += part.records
            whole.bytes += part.bytes
            whole.unsure += part.unsure
            whole.errors.update(part.errors)
            whole.skips.update(part.skips)
            whole.rows = dict(Counter(whole.rows) + Counter(part.rows))
        return whole
