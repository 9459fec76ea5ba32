"""The folder that a run writes: a folder a table, and a manifest of what is done.

    OUT/pages/part-00000.parquet   one row a page
    OUT/labels/part-00000.parquet  one row a labelled node, when asked for
    OUT/manifest/                  what is done
    OUT/tmp/                       what is being written

A part is written in `tmp`, moved to its place, and counts once the manifest has it. What a
killed run has left is taken away when it goes on.
"""

import gzip
import io
import json
import os
import shutil
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal, Protocol, Self, get_args

from pagelet.bulk.chunk import Finished, Work
from pagelet.bulk.manifest import RUN, Manifest, Part, moved
from pagelet.bulk.options import pyarrow
from pagelet.bulk.records import Source
from pagelet.errors import MissingExtra, OptionError
from pagelet.sources.warc.reader import Place

if TYPE_CHECKING:
    import pyarrow as pa
if TYPE_CHECKING:
    pass

# -- Tables written to one file each: Parquet, or JSON lines plain or packed ------------------


Format = Literal["parquet", "jsonl", "jsonl.gz", "jsonl.zst"]
FORMATS: tuple[str, ...] = get_args(Format)
GROUP_ROWS = 10_000  #: rows of a row group
GROUP_BYTES = 32_000_000  #: bytes of a row group, before they are packed


class Writer(Protocol):
    """A file that tables are added to."""

    def write(self, table: "pa.Table") -> None:
        """Add a table."""

    def close(self) -> None:
        """Finish the file, so that it lasts."""


class ParquetWriter:
    """A Parquet file; tables are gathered until they make a row group."""

    def __init__(self, path: Path, schema: "pa.Schema") -> None:
        pyarrow()
        from pyarrow import parquet  # noqa: PLC0415 - an extra

        self._file = path.open("wb")
        self._writer = parquet.ParquetWriter(
            self._file, schema, compression="zstd", write_statistics=True
        )
        self._held: list[pa.Table] = []
        self._rows, self._bytes = 0, 0  #: of what is held

    def write(self, table: "pa.Table") -> None:
        """Add a table."""
        self._held.append(table)
        self._rows += table.num_rows
        self._bytes += table.nbytes
        if self._rows >= GROUP_ROWS or self._bytes >= GROUP_BYTES:
            self._flush()

    def _flush(self) -> None:
        if self._held:
            self._writer.write_table(pyarrow().concat_tables(self._held), GROUP_ROWS)
            self._held, self._rows, self._bytes = [], 0, 0

    def close(self) -> None:
        """Finish the file, so that it lasts."""
        self._flush()
        self._writer.close()
        _finish(self._file)


class LinesWriter:
    """A file of JSON lines, one a row."""

    def __init__(self, path: Path, packing: str) -> None:
        self._file = path.open("wb")
        self._packing = ExitStack()
        self._lines: Any = self._packing.enter_context(_packed(self._file, packing))

    def write(self, table: "pa.Table") -> None:
        """Add a table."""
        for row in table.to_pylist():
            line = json.dumps(row, ensure_ascii=False, default=_written)
            self._lines.write(line.encode() + b"\n")

    def close(self) -> None:
        """Finish the file, so that it lasts."""
        self._packing.close()
        _finish(self._file)


def _written(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _packed(file: Any, packing: str) -> Any:
    if packing == "gz":
        return gzip.GzipFile("", "wb", 6, file, mtime=0)
    if packing == "zst":
        try:
            import zstandard  # noqa: PLC0415 - an extra
        except ImportError as error:
            raise MissingExtra("bulk", "writing .zst files") from error
        return zstandard.ZstdCompressor(3).stream_writer(file, closefd=False)
    return ExitStack().enter_context(_Plain(file))


class _Plain(io.RawIOBase):
    """The file itself; leaving it leaves the file open."""

    def __init__(self, file: Any) -> None:
        self._to = file
        self.write: Callable[[bytes], int] = file.write  # type: ignore[assignment]


def _finish(file: Any) -> None:
    file.flush()
    os.fsync(file.fileno())
    file.close()


def writer_of(path: Path, schema: "pa.Schema", format: str) -> Writer:
    """A file of a format."""
    if format == "parquet":
        return ParquetWriter(path, schema)
    return LinesWriter(path, format.rpartition(".")[2])


# -- The folder that a run writes: a folder a table, and a manifest of what is done -----------


TMP, MANIFEST = "tmp", "manifest"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputOptions:
    """How the output is cut into files; rows do not depend on it."""

    format: Format = "parquet"
    rows: int = 50_000  #: from which on a file is full
    bytes: int = 500_000_000  #: the same, before they are packed
    seconds: float = 60.0  #: after which a file is finished, so that little is at risk

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            raise OptionError("format", self.format, f"one of {', '.join(FORMATS)}")


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
            raise OptionError("output", str(folder), error.strerror or str(error)) from error
        try:
            self.manifest.begin(work.options, how.format, resume=resume)
            self._tidy()
        except BaseException:
            self.manifest.close()
            raise
        self.failed: list[tuple[str, str, str]] = []  #: sources that cannot be read, and why
        self._part: Part | None = None
        self._writers: dict[str, Writer] = {}
        self._bytes, self._began = 0, 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Commit what is there; after an error, what is unfinished is left to be done again."""
        try:
            if kind is None:
                self.commit()
        finally:
            self.manifest.close()

    def _check_folder(self) -> None:
        """Refuse a folder in which somebody else's files would be in the way."""
        for table in self.schemas:
            foreign = not (self.folder / MANIFEST / RUN).exists()
            if foreign and any((self.folder / table).glob("*")):
                why = f"its folder {table} is not empty, and no run is there; give another folder"
                raise OptionError("output", str(self.folder), why)

    def _tidy(self) -> None:
        """Take away what a killed run has left, and make the folders."""
        shutil.rmtree(self.folder / TMP, ignore_errors=True)
        known = {name for part in self.manifest.parts for name in part.files.values()}
        for table in self.schemas:
            (self.folder / table).mkdir(exist_ok=True)
            for path in (self.folder / table).glob("part-*"):
                if f"{table}/{path.name}" not in known:
                    path.unlink()
        (self.folder / TMP).mkdir()

    def next_place(self, source: Source, place: Place) -> Place | None:
        """The first place from here on that is not done; None when all is."""
        return self.manifest.next_place(source.key, place)

    def add(self, made: Finished) -> None:
        """Take a finished chunk."""
        part, result = self._part or self._begin(), made.result
        for name, table in made.tables.items():
            if table.num_rows:
                self._writer(name).write(table)
                part.rows[name] = part.rows.get(name, 0) + table.num_rows
                self._bytes += table.nbytes
        part.records += result.records
        part.bytes += result.bytes
        part.errors.update(result.errors)
        part.skips.update(result.skips)
        part.add(made.source, made.start, made.end)
        if part.rows.get("pages", 0) >= self.how.rows or self._bytes >= self.how.bytes:
            self.commit()

    def unread(self, source: Source, error: str, reason: str) -> None:
        """Take note of a source that cannot be read, or not to its end."""
        self.failed.append((source.address or source.names[0], error, reason))

    def tick(self) -> None:
        """Finish a part that has been open for long."""
        if self._part is not None and monotonic() - self._began >= self.how.seconds:
            self.commit()

    def _begin(self) -> Part:
        self._part = Part(f"part-{self.manifest.next_number():05}")
        self._bytes, self._began = 0, monotonic()
        return self._part

    def _writer(self, table: str) -> Writer:
        if table not in self._writers:
            path = self.folder / TMP / f"{table}-{self._name()}"
            self._writers[table] = writer_of(path, self.schemas[table], self.how.format)
        return self._writers[table]

    def _name(self) -> str:
        assert self._part is not None
        return f"{self._part.name}.{self.how.format}"

    def commit(self) -> None:
        """Finish the part that is open, move its files to their places, and note it."""
        if self._part is None:
            return
        for table, writer in self._writers.items():
            writer.close()
            path = self.folder / table / self._name()
            moved(self.folder / TMP / f"{table}-{self._name()}", path)
            self._part.files[table] = f"{table}/{path.name}"
        self.manifest.add(self._part)
        self._part, self._writers = None, {}

    def totals(self) -> Part:
        """What all parts hold together, the open one too."""
        whole = Part("total")
        for part in (*self.manifest.parts, *([self._part] if self._part else [])):
            whole.records += part.records
            whole.bytes += part.bytes
            whole.errors.update(part.errors)
            whole.skips.update(part.skips)
            whole.rows = dict(Counter(whole.rows) + Counter(part.rows))
        return whole
