"""The tables that come out, as Arrow has them: stable, versioned, described in docs/bulk.md."""

from typing import TYPE_CHECKING, Any

from pagelet.bulk.options import VERSION
from pagelet.errors import MissingExtra

if TYPE_CHECKING:
    import pyarrow as pa

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
