"""The folder that a run writes: a folder a table, and a manifest of what is done.

    OUT/pages/part-00000.parquet   one row a page
    OUT/labels/part-00000.parquet  one row a labelled node, when asked for
    OUT/manifest/                  what is done
    OUT/tmp/                       what is being written

A part is written in `tmp`, moved to its place, and counts once the manifest has it. What a
killed run has left is taken away when it goes on.
"""

import shutil
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Self

from pagelet.bulk.chunk import Finished, Work
from pagelet.bulk.manifest import RUN, Manifest, Part, moved
from pagelet.bulk.records import Place, Source
from pagelet.bulk.writers import FORMATS, Format, Writer, writer_of
from pagelet.errors import OptionError

if TYPE_CHECKING:
    pass

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
