"""What a bulk run is asked for; all that changes a row goes into its fingerprint."""

import json
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal

from pagelet.errors import MissingExtra, OptionError
from pagelet.methods.registry import option

if TYPE_CHECKING:
    import pyarrow as pa

VERSION = 1  #: of the rows; another one is another fingerprint

#: every column, in the order of the table; docs/bulk.md says what each holds
COLUMNS = (
    *("source", "place", "id", "url", "host", "captured", "date", "title", "language"),
    *("page_type", "text", "markdown", "confidence", "menu", "clutter_share"),
    *("template_id", "template_share", "error", "reason", "seconds"),
)
LEFT_OUT = ("markdown",)  #: columns that are made only when they are named
USUAL = tuple(name for name in COLUMNS if name not in LEFT_OUT)
KEYS = ("source", "place")  #: columns that are always there: they tell rows apart


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkOptions:
    """What is made of each page, and what a page may cost."""

    columns: tuple[str, ...] = USUAL
    labels: bool = option(default=False, help="write a second table: a row a labelled node")
    favor: Literal["balanced", "precision", "recall"] = option(
        "balanced", "when in doubt about content: weigh both alike, leave out, or take in"
    )
    target: Literal["auto", "article", "all"] = option(
        "auto", "what content is: as the page type has it, the bare article, or comments too"
    )
    templates: str = option("", "folder of learned templates, a file a host; used, and added to")
    learn: bool = option(
        default=True, help="with templates: first learn those of the hosts in the inputs"
    )
    html_column: str = option("html", "column that holds the HTML in JSONL and Parquet")
    id_column: str = option("id", "column that names a page there, if there is one")
    url_column: str = option("url", "column with the address of a page there, if there is one")
    load: bool = option(default=False, help="load the web addresses of lists, politely")
    delay: float = option(1.0, "seconds between an answer and the next request to its host", 0)
    allow_private: tuple[str, ...] = option(
        (), "HOST:PORT that may be asked though its address is not public"
    )
    max_bytes: int = option(20_000_000, "larger pages become error rows", 1)
    timeout: float = option(30.0, "seconds a page may take before it becomes an error row", 0.01)
    memory: int = option(2000, "megabytes a page may add to a worker", 50)
    chunk_records: int = option(64, "most records that a worker takes at once", 1)

    def __post_init__(self) -> None:
        for name in self.columns:
            if name not in COLUMNS:
                raise OptionError("columns", name, f"some of {', '.join(COLUMNS)}")

    @property
    def wanted(self) -> tuple[str, ...]:
        """The columns of the table, in its order."""
        return tuple(name for name in COLUMNS if name in {*self.columns, *KEYS})

    def told(self) -> dict[str, Any]:
        """The options as JSON has them."""
        return json.loads(json.dumps(asdict(self) | {"columns": self.wanted}))  # type: ignore[no-any-return]

    @property
    def fingerprint(self) -> str:
        """What tells runs apart whose rows could differ."""
        written = json.dumps({"version": VERSION, **self.told()}, sort_keys=True)
        return sha256(written.encode()).hexdigest()[:16]


# -- The tables that come out, as Arrow has them: stable, versioned, described in docs/bulk.md


LABELS = ("source", "place", "id", "path", "kind", "score")


def pyarrow() -> Any:
    """The package that tables are made with."""
    try:
        import pyarrow as package  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtra("bulk", "bulk runs") from error
    return package


def page_schema(wanted: tuple[str, ...]) -> "pa.Schema":
    """The columns of the table of pages: one row a page."""
    pa = pyarrow()
    text, share = pa.string(), pa.float32()
    link = pa.struct([pa.field("text", text), pa.field("href", text)])
    types = {
        "place": pa.int64(),
        "captured": pa.timestamp("us", tz="UTC"),
        "confidence": share,
        "menu": pa.list_(link),
        "clutter_share": share,
        "template_share": share,
        "seconds": share,
    }
    always = {"source", "place", "id"}
    fields = [pa.field(name, types.get(name, text), name not in always) for name in wanted]
    return pa.schema(fields, metadata={"pagelet.bulk": str(VERSION)})


def label_schema() -> "pa.Schema":
    """The columns of the table of labels: one row a labelled node."""
    pa = pyarrow()
    types = {"place": pa.int64(), "score": pa.float32()}
    fields = [pa.field(name, types.get(name, pa.string()), nullable=False) for name in LABELS]
    return pa.schema(fields, metadata={"pagelet.bulk": str(VERSION)})
