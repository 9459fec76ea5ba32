"""What of a run is done: a folder of small files, each written whole or not at all.

`run.json` tells what the run was asked for, `part-N.json` what one part holds. A part counts
once its file here is there; so whatever is killed whenever, no page is lost or doubled.
"""

import fcntl
import json
import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pagelet.bulk.options import BulkOptions
from pagelet.bulk.records import Source
from pagelet.errors import OptionError
from pagelet.sources.warc.reader import Place

VERSION = 1
RUN, LOCK = "run.json", "lock"


@dataclass
class Part:
    """What one part of the output holds."""

    name: str
    files: dict[str, str] = field(default_factory=dict)  #: of each table
    rows: dict[str, int] = field(default_factory=dict)  #: of each table
    records: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    skips: Counter[str] = field(default_factory=Counter)
    bytes: int = 0  #: of HTML
    sources: dict[str, dict[str, Any]] = field(default_factory=dict)

    def add(self, source: Source, start: Place, end: Place | None) -> None:
        """Note a chunk; chunks that follow each other become one."""
        told = self.sources.setdefault(source.key, {"size": source.size, "done": []})
        last = None if end is None else list(end)
        before = next((span for span in told["done"] if span[1] == list(start)), None)
        if before is not None:
            before[1] = last
        else:
            told["done"].append([list(start), last])

    def to_json(self) -> str:
        """The text of its file."""
        told = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return json.dumps({"version": VERSION, **told}, indent=1)


class Manifest:
    """The folder that tells what is done; nobody else can hold it at the same time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = (folder / LOCK).open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._lock.close()
            why = "another run writes here; wait for it, or give another folder"
            raise OptionError("output", str(folder.parent), why) from error
        self.parts = [_part(path) for path in sorted(folder.glob("part-*.json"))]
        self._done: dict[str, dict[Place, Place | None]] = {}
        self.sizes: dict[str, int] = {}
        self._last = -1  #: number of the last part
        for part in self.parts:
            self._take(part)

    def close(self) -> None:
        """Let others have it."""
        self._lock.close()

    def begin(self, options: BulkOptions, format: str, *, resume: bool) -> None:
        """Begin a run, or go on with one that was asked for the same."""
        told = {
            "pagelet": "bulk",
            "version": VERSION,
            "fingerprint": options.fingerprint,
            "format": format,
            "options": options.told(),
        }
        path = self.folder / RUN
        if not path.exists():
            write_whole(path, json.dumps(told, indent=1))
            return
        folder = str(self.folder.parent)
        if not resume:
            raise OptionError("output", folder, "a run is there; say --resume, or another folder")
        before = json.loads(path.read_text(encoding="utf-8"))
        if [before.get(name) for name in ("fingerprint", "format")] != [
            told[name] for name in ("fingerprint", "format")
        ]:
            why = f"the run there was asked for something else ({_difference(before, told)})"
            raise OptionError("resume", folder, why)

    def add(self, part: Part) -> None:
        """Commit a part, whose files are in their places."""
        write_whole(self.folder / f"{part.name}.json", part.to_json())
        self.parts.append(part)
        self._take(part)

    def _take(self, part: Part) -> None:
        self._last = max(self._last, int(part.name.rpartition("-")[2]))
        for key, told in part.sources.items():
            self.sizes[key] = told["size"]
            spans = self._done.setdefault(key, {})
            for start, end in told["done"]:
                spans[Place(*start)] = None if end is None else Place(*end)

    def next_place(self, key: str, place: Place) -> Place | None:
        """The first place from here on that is not done; None when all is."""
        spans = self._done.get(key, {})
        now: Place | None = place
        while now in spans:
            now = spans[now]
        return now

    def next_number(self) -> int:
        """The number of a new part."""
        return self._last + 1


def _part(path: Path) -> Part:
    told = json.loads(path.read_text(encoding="utf-8"))
    told.pop("version")
    return Part(**told | {name: Counter(told[name]) for name in ("errors", "skips")})


def _difference(before: dict[str, Any], now: dict[str, Any]) -> str:
    one, two = before.get("options", {}), now["options"]
    names = [name for name in two if one.get(name) != two[name]]
    if before.get("format") != now["format"]:
        names.append("format")
    return ", ".join(names) or "another version of pagelet"


def write_whole(path: Path, text: str) -> None:
    """Write a file, whole or not at all, so that it lasts."""
    part = path.with_name(f".{path.name}.tmp")
    with part.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    moved(part, path)


def moved(part: Path, path: Path) -> None:
    """Give a finished file its name, so that it lasts."""
    part.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
