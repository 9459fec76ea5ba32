"""The manifest of a run: a folder of small files that records which parts are done.

`_run.json` holds the options of the run, `_part-N.json` the contents of one part. Each file is
written whole or not at all, and a part counts once its file is there; so no page is lost or
doubled, no matter which process is killed when. Names begin with `_`, so that readers of data
sets leave them out.
"""

import json
import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pagelet.bulk.options import SCHEMA_VERSION, BulkOptions
from pagelet.bulk.records import Source
from pagelet.errors import OptionError
from pagelet.sources.lock import lock_file
from pagelet.sources.warc.reader import Place

MANIFEST_VERSION = 2
RUN_FILE, LOCK_FILE = "_run.json", "_lock"
FORMER_RUN_FILE = Path("manifest", "run.json")  #: of runs with version 1, in the output folder


@dataclass
class Part:
    """The contents of one part of the output."""

    name: str
    files: dict[str, str] = field(default_factory=dict)  #: file by table
    rows: dict[str, int] = field(default_factory=dict)  #: number of rows by table
    records: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    skips: Counter[str] = field(default_factory=Counter)
    bytes: int = 0  #: bytes of HTML
    unsure: int = 0  #: rows without text, since their confidence is too low
    sources: dict[str, dict[str, Any]] = field(default_factory=dict)  #: size and spans by key

    def add(self, source: Source, start: Place, end: Place | None, damage: int = 0) -> None:
        """Note a chunk and its damage; chunks that follow each other become one."""
        entry = self.sources.setdefault(source.key, {"size": source.size, "done": []})
        spans = entry["done"]
        if damage:
            entry["damage"] = entry.get("damage", 0) + damage
        last = None if end is None else list(end)
        before = next((span for span in spans if span[1] == list(start)), None)
        if before is not None:
            before[1] = last
        else:
            spans.append([list(start), last])

    def to_json(self) -> str:
        """The text of its file."""
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return json.dumps({"version": MANIFEST_VERSION, **fields}, indent=1)


class Manifest:
    """The manifest folder; only one process can hold it at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = (folder / LOCK_FILE).open("w")
        try:
            lock_file(self._lock)
        except OSError as error:
            self._lock.close()
            why = "another run is writing to it; wait for that run, or give another folder"
            raise OptionError("output", str(folder.parent), why) from error
        try:
            self.parts = [_read_part(path) for path in sorted(folder.glob("_part-*.json"))]
        except BaseException:
            self._lock.close()
            raise
        self._done: dict[str, dict[Place, Place | None]] = {}
        self.sizes: dict[str, int] = {}
        self.damage: Counter[str] = Counter()  #: damaged places and records by source
        self._last = -1  #: number of the last part
        for part in self.parts:
            self._take(part)

    def close(self) -> None:
        """Release the folder."""
        self._lock.close()

    def begin(self, options: BulkOptions, format: str, *, resume: bool) -> None:
        """Begin a run, or continue one with the same options."""
        run = {
            "pagelet": "bulk",
            "version": MANIFEST_VERSION,
            "schema": SCHEMA_VERSION,
            "fingerprint": options.fingerprint,
            "format": format,
            "options": options.to_json(),
        }
        path = self.folder / RUN_FILE
        if not path.exists():
            write_atomically(path, json.dumps(run, indent=1))
            return
        folder = str(self.folder.parent)
        if not resume:
            raise OptionError("output", folder, "it holds a run; use --resume or another folder")
        before = read_run(path)
        if before.get("schema") != SCHEMA_VERSION:
            raise former_version(folder)
        if [before.get(name) for name in ("fingerprint", "format")] != [
            run[name] for name in ("fingerprint", "format")
        ]:
            why = f"the run there has other options ({_difference(before, run)})"
            raise OptionError("resume", folder, why)

    def add(self, part: Part) -> None:
        """Commit a part, whose files are in their places."""
        write_atomically(self.folder / f"_{part.name}.json", part.to_json())
        self.parts.append(part)
        self._take(part)

    def _take(self, part: Part) -> None:
        self._last = max(self._last, int(part.name.rpartition("-")[2]))
        for key, source in part.sources.items():
            self.sizes[key] = source["size"]
            self.damage[key] += source.get("damage", 0)
            spans = self._done.setdefault(key, {})
            for start, end in source["done"]:
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


def former_version(folder: str) -> OptionError:
    """The error for a run that another version of pagelet began."""
    why = (
        "it holds a run with another version of the table;"
        " finish that run with the version of pagelet that began it, or give another folder"
    )
    return OptionError("output", folder, why)


def read_run(path: Path) -> dict[str, Any]:
    """The options of a run."""
    run: dict[str, Any] = _read_json(path)
    return run


def _read_part(path: Path) -> Part:
    fields = _read_json(path)
    fields.pop("version")
    return Part(**fields | {name: Counter(fields[name]) for name in ("errors", "skips")})


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        why = f"{path.name} of its manifest is damaged; give another folder"
        raise OptionError("output", str(path.parent.parent), why) from error


def _difference(before: dict[str, Any], now: dict[str, Any]) -> str:
    earlier, options = before.get("options", {}), now["options"]
    names = [name for name in options if earlier.get(name) != options[name]]
    if before.get("format") != now["format"]:
        names.append("format")
    return ", ".join(names) or "another version of pagelet"


def write_atomically(path: Path, text: str) -> None:
    """Write a file whole or not at all, and flush it to the disk."""
    part = path.with_name(f".{path.name}.tmp")
    with part.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    move_into_place(part, path)


def move_into_place(part: Path, path: Path) -> None:
    """Give a finished file its name, and flush that to the disk."""
    part.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
