"""What goes in: sources, the places in them, and the records found there."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Literal

from pagelet.sources.warc.reader import Place

Kind = Literal["warc", "jsonl", "parquet", "files", "urls"]
SKIPPED_NAMES = 50  #: different reasons that are counted one by one
OTHER = "other reasons"
DAMAGE = "damaged place in an archive"


@dataclass(frozen=True, slots=True)
class Source:
    """An input that is read from its beginning to its end."""

    kind: Kind
    address: str  #: a path or any fsspec address; for lists, where the list stands
    part: int = 0  #: row group of a Parquet file
    before: int = 0  #: rows in the row groups before
    names: tuple[str, ...] = ()  #: the files or web addresses of a list, or of a folder
    size: int = 0  #: bytes of the input, as far as they are known; for progress alone
    splits: bool = True  #: whether reading may begin at any place without reading what is before

    @property
    def key(self) -> str:
        """The name of a source; the same input has the same one in every run."""
        if not self.names:
            return f"{self.kind}:{self.address}#{self.part}"
        digest = sha256("\0".join(self.names).encode("utf-8", "surrogatepass")).hexdigest()
        return f"{self.kind}:{self.address}#{self.names[0]}#{digest[:16]}"


@dataclass(frozen=True, slots=True)
class Record:
    """One page as it was found; or, with an error, why there is none."""

    source: str  #: address of the input
    place: Place
    id: str
    url: str | None = None
    captured: datetime | None = None
    body: bytes | str = b""
    charset: str | None = None
    error: str | None = None  #: name of what is wrong
    reason: str | None = None
    before: int = 0  #: rows of the file in parts before this one

    @property
    def number(self) -> int:
        """What tells records of one input apart: a byte, a row, a line."""
        return self.before + self.place.at + self.place.skip


@dataclass(frozen=True, slots=True)
class Skip:
    """A record that is no page, and why."""

    place: Place
    reason: str


@dataclass(frozen=True, slots=True)
class Entry:
    """What was found at a place, and the next place; None at the end."""

    found: Record | Skip
    after: Place | None
    damage: int = 0  #: damaged places between the two


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some records of a source that stand next to each other."""

    source: Source
    start: Place
    end: Place | None  #: where the next chunk begins; None when the source is read
    records: tuple[Record, ...] = ()
    skips: Mapping[str, int] = field(default_factory=dict)


def counted(counts: Counter[str], reason: str, number: int = 1) -> None:
    """Count a reason; too many different ones become one."""
    known = reason in counts or len(counts) < SKIPPED_NAMES
    counts[reason if known else OTHER] += number
