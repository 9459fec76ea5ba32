"""Tables written to one file each: Parquet, or JSON lines plain or packed."""

import gzip
import io
import json
import os
from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args

from pagelet.bulk.schema import pyarrow
from pagelet.errors import MissingExtra

if TYPE_CHECKING:
    import pyarrow as pa

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
