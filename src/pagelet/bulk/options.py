"""Options of a bulk run, and the schemas of its tables, which docs/bulk.md describes."""

import json
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal

from pagelet.errors import MissingExtra, OptionError
from pagelet.methods.links.options import LINK_ROLES
from pagelet.methods.registry import option
from pagelet.page.expansion import MAX_NODES

if TYPE_CHECKING:
    import pyarrow as pa

SCHEMA_VERSION = 2  #: version of the rows; it is part of the fingerprint

#: columns with the addresses of links by their role, and the role of each
LINK_COLUMNS = {f"links_{role}": role for role in LINK_ROLES}
#: columns of metadata that are made only when they are named
METADATA_COLUMNS = (
    *("authors", "published", "modified", "site_name", "description", "image", "canonical"),
    *("categories", "tags", "licence", "paywalled", "comments_count"),
)
#: all columns of metadata, and the field of each
METADATA_FIELDS = {"date": "published", "title": "title", "language": "language"} | {
    name: name for name in METADATA_COLUMNS
}
#: all columns of the table of pages, in its order
COLUMNS = (
    *("source", "place", "id", "url", "host", "captured", "date", "title", "language"),
    *METADATA_COLUMNS,
    *("page_type", "text", "markdown", "fingerprint", "confidence", "menu", "clutter_share"),
    *LINK_COLUMNS,
    *("template_id", "template_share", "error", "reason", "notes", "seconds"),
)
#: columns that are made only when they are named
EXTRA_COLUMNS = ("markdown", "fingerprint", *LINK_COLUMNS, *METADATA_COLUMNS)
DEFAULT_COLUMNS = tuple(name for name in COLUMNS if name not in EXTRA_COLUMNS)
WITHHELD_COLUMNS = ("text", "markdown")  #: columns that a page with too low a confidence lacks
KEY_COLUMNS = ("source", "place")  #: columns that identify a row, and are always there
RECORDS = "records"  #: named among the columns, it is a table of its own: one row per record
RECORD_COLUMNS = ("source", "place", "id", "url", "record", "kind", "path", "score", "fields")
LABEL_COLUMNS = ("source", "place", "id", "path", "kind", "score")


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkOptions:
    """What is made of each page, and what a page may cost."""

    columns: tuple[str, ...] = DEFAULT_COLUMNS
    labels: bool = option(default=False, help="write a second table: one row per labelled node")
    favor: Literal["balanced", "precision", "recall"] = option(
        "balanced", "when in doubt about content: weigh both equally, leave out, or keep"
    )
    target: Literal["auto", "article", "all"] = option(
        "auto",
        "which text is wanted: what suits the page type, the article body alone, or comments too",
    )
    min_confidence: float = option(
        0.0, "least confidence of a page whose text is written; 0 for any", 0, 1
    )
    templates: str = option("", "folder of learned templates, one file per host; used and updated")
    learn: bool = option(
        default=True, help="with templates: first learn those of the hosts in the inputs"
    )
    html_column: str = option("html", "column of JSONL and Parquet that holds the HTML")
    id_column: str = option("id", "column of JSONL and Parquet that names a page, if there is one")
    url_column: str = option(
        "url", "column of JSONL and Parquet with the address of a page, if there is one"
    )
    load: bool = option(default=False, help="load the web addresses in lists, politely")
    delay: float = option(1.0, "seconds between a response and the next request to its host", 0)
    allow_private: tuple[str, ...] = option(
        (), "host that may be loaded though its address is not public"
    )
    max_bytes: int = option(20_000_000, "maximum bytes per page; larger pages become error rows", 1)
    max_nodes: int = option(
        MAX_NODES, "maximum elements and attributes per page; larger pages become error rows", 1
    )
    timeout: float = option(30.0, "maximum seconds per page; slower pages become error rows", 0.01)
    memory: int = option(2000, "maximum megabytes that a page may add to a worker", 50)
    chunk_records: int = option(64, "maximum records that a worker takes at once", 1)

    def __post_init__(self) -> None:
        for name in self.columns:
            if name not in (*COLUMNS, RECORDS):
                why = f"no such column; choose from {', '.join((*COLUMNS, RECORDS))}"
                raise OptionError("columns", name, why)

    @property
    def table_columns(self) -> tuple[str, ...]:
        """The columns of the table, in its order."""
        wanted = {*self.columns, *KEY_COLUMNS}
        return tuple(name for name in COLUMNS if name in wanted)

    @property
    def records(self) -> bool:
        """Whether a table of records is wanted."""
        return RECORDS in self.columns

    def to_json(self) -> dict[str, Any]:
        """The options as JSON values."""
        extra = (RECORDS,) if self.records else ()
        values = asdict(self) | {"columns": (*self.table_columns, *extra)}
        return json.loads(json.dumps(values))  # type: ignore[no-any-return]

    @property
    def fingerprint(self) -> str:
        """A digest that is the same for runs whose rows cannot differ."""
        text = json.dumps({"version": SCHEMA_VERSION, **self.to_json()}, sort_keys=True)
        return sha256(text.encode()).hexdigest()[:16]


def import_pyarrow() -> Any:
    """The package pyarrow; MissingExtra if it is not installed."""
    try:
        import pyarrow as package  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtra("bulk", "a bulk run") from error
    return package


def page_schema(columns: tuple[str, ...]) -> "pa.Schema":
    """The schema of the table of pages: one row per page."""
    pa = import_pyarrow()
    text, share = pa.string(), pa.float32()
    link = pa.struct([pa.field("text", text), pa.field("href", text)])
    types = {
        "place": pa.int64(),
        "captured": pa.timestamp("us", tz="UTC"),
        "fingerprint": pa.uint64(),
        "confidence": share,
        "menu": pa.list_(link),
        **dict.fromkeys(LINK_COLUMNS, pa.list_(text)),
        **dict.fromkeys(("authors", "categories", "tags"), pa.list_(text)),
        "paywalled": pa.bool_(),
        "comments_count": pa.int64(),
        "clutter_share": share,
        "template_share": share,
        "notes": pa.list_(text),
        "seconds": share,
    }
    required = {"source", "place", "id"}
    fields = [pa.field(name, types.get(name, text), name not in required) for name in columns]
    return pa.schema(fields, metadata={"pagelet.bulk": str(SCHEMA_VERSION)})


def record_schema() -> "pa.Schema":
    """The schema of the table of records: one row per record, its fields as a list."""
    pa = import_pyarrow()
    text = pa.string()
    parts = [pa.field(name, text) for name in ("name", "text", "href", "src", "value")]
    types = {
        "place": pa.int64(),
        "record": pa.int64(),
        "score": pa.float32(),
        "fields": pa.list_(pa.struct(parts)),
    }
    fields = [pa.field(name, types.get(name, text), name == "url") for name in RECORD_COLUMNS]
    return pa.schema(fields, metadata={"pagelet.bulk": str(SCHEMA_VERSION)})


def label_schema() -> "pa.Schema":
    """The schema of the table of labels: one row per labelled node."""
    pa = import_pyarrow()
    types = {"place": pa.int64(), "score": pa.float32()}
    fields = [
        pa.field(name, types.get(name, pa.string()), nullable=False) for name in LABEL_COLUMNS
    ]
    return pa.schema(fields, metadata={"pagelet.bulk": str(SCHEMA_VERSION)})
