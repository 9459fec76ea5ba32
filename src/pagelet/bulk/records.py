"""Sources, the records that are read from them, and chunks of records."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from typing import Literal

from pagelet.errors import DamagedRecord, PageletError
from pagelet.page.addresses import strip_credentials
from pagelet.sources.warc.reader import Failures, Place

Kind = Literal["warc", "jsonl", "parquet", "files", "urls"]
MAX_REASONS = 50  #: different reasons that are counted one by one
OTHER_REASONS = "other reasons"
DAMAGE = "damaged place in an input"  #: reason of what is skipped in a damaged file
ALWAYS_COUNTED = (DAMAGE, DamagedRecord.__name__)  #: reasons that are never counted with others
MAX_REASON_CHARS = 500


@dataclass(frozen=True, slots=True)
class Source:
    """An input that is read from its beginning to its end."""

    kind: Kind
    address: str  #: a path or any fsspec address; for lists, the address of the list
    part: int = 0  #: row group of a Parquet file
    before: int = 0  #: rows in the row groups before
    names: tuple[str, ...] = ()  #: the files or web addresses of a list, or of a folder
    size: int = 0  #: bytes of the input if known, else an estimate; used for progress only
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
    """One page of a source; or, with an error, the reason why there is none."""

    source: str  #: address of the input
    place: Place
    id: str
    url: str | None = None
    captured: datetime | None = None
    body: bytes | str = b""
    charset: str | None = None
    error: str | None = None  #: class name of an error
    reason: str | None = None  #: message of the error
    before: int = 0  #: rows of the file in parts before this one
    notes: tuple[str, ...] = ()  #: what was left out of the row, and why

    def __post_init__(self) -> None:
        for name in ("source", "id", "url"):
            value = getattr(self, name)
            if value and "@" in value:
                object.__setattr__(self, name, strip_credentials(value))

    @property
    def number(self) -> int:
        """The column `place`, which differs for all records of one input: a byte, row or line."""
        return self.before + self.place.at + self.place.skip


@dataclass(frozen=True, slots=True)
class Skip:
    """A record that is no page, and the reason why it is skipped."""

    place: Place
    reason: str


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """A record or skip, and the next place; None at the end of the source."""

    item: Record | Skip
    after: Place | None
    damage: int = 0  #: damaged places between the two


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive records of a source."""

    source: Source
    start: Place
    end: Place | None  #: where the next chunk begins; None at the end of the source
    records: tuple[Record, ...] = ()
    skips: Mapping[str, int] = field(default_factory=dict)
    broken: bool = False  #: whether reading failed behind it; its source must be opened again


#: what must not be taken for a fault of a record
INTERRUPTS = (KeyboardInterrupt, SystemExit, GeneratorExit)


def describe_error(error: BaseException) -> tuple[str, str]:
    """The class name of an error and its message; foreign messages follow their class name."""
    ours = isinstance(error, PageletError)
    message = str(error) if ours else f"{type(error).__name__}: {error}"
    return type(error).__name__, message[:MAX_REASON_CHARS].encode("utf-8", "replace").decode()


def with_error(record: Record, error: BaseException) -> Record:
    """The record with the reason why it has no page."""
    name, reason = describe_error(error)
    return replace(record, body=b"", error=name, reason=reason)


def read_safely(bare: Record, read: Callable[[], Record | Skip]) -> Record | Skip:
    """A record as it is read, or with its error: one bad record is one row, whatever is wrong."""
    try:
        return read()
    except INTERRUPTS:
        raise
    except BaseException as error:  # noqa: BLE001 - panics of compiled packages are no Exception
        return with_error(bare, error)


def read_unless_avoided(
    bare: Record, avoid: Failures, read: Callable[[Record], Record | Skip]
) -> Record | Skip:
    """The same for a record that may have brought workers down; then it is not read again."""
    if bare.place not in avoid:
        return read_safely(bare, lambda: read(bare))
    error, reason = avoid[bare.place]
    return replace(bare, error=error, reason=reason)


def clean_text(value: object) -> str:
    """A text that UTF-8 can carry."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return str(value).encode("utf-8", "replace").decode()


def count_reason(counts: Counter[str], reason: str, number: int = 1) -> None:
    """Count a reason; too many different ones are counted together."""
    if reason not in (*counts, *ALWAYS_COUNTED) and len(counts) >= MAX_REASONS:
        reason = OTHER_REASONS
    counts[reason] += number
