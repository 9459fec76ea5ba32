"""A Page as an Arrow record batch and back: the same rows, for Parquet, Ray and others.

pyarrow is imported here and nowhere else in this package; it comes with `pagelet[arrow]`.
"""

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from pagelet.errors import MissingExtra
from pagelet.page.table import Page, freeze
from pagelet.page.tags import FIRST_CUSTOM_TAG, NAMES, NUMBER, TEXT

if TYPE_CHECKING:
    import pyarrow as pa

SCHEMA_VERSION = 1  #: version of the columns below, written into the schema's metadata


def schema() -> "pa.Schema":
    """The columns of a page in Arrow: one row per node, in document order."""
    pa = _pyarrow()
    return pa.schema(
        [
            pa.field("tag", pa.string(), nullable=False),  # empty for a text
            pa.field("size", pa.int32(), nullable=False),
            pa.field("parent", pa.int32(), nullable=False),
            pa.field("chars", pa.int32(), nullable=False),
            pa.field("words", pa.int32(), nullable=False),
            pa.field("foreign", pa.bool_(), nullable=False),
            pa.field("text", pa.string()),  # null for an element
            pa.field("attributes", pa.list_(_attribute(pa))),  # null for a text
        ],
        metadata={"pagelet": str(SCHEMA_VERSION)},
    )


def _attribute(pa: Any) -> Any:
    return pa.struct(
        [pa.field("name", pa.string(), nullable=False), pa.field("value", pa.string())]
    )


def _pyarrow() -> Any:
    try:
        import pyarrow  # noqa: PLC0415 - optional package
    except ImportError as error:
        raise MissingExtra("arrow", "Arrow conversion") from error
    return pyarrow


def to_arrow(page: Page) -> "pa.RecordBatch":
    """The page as a record batch; fields that are not columns go into the metadata."""
    pa = _pyarrow()
    foreign = np.zeros(len(page), np.bool_)
    foreign[page.foreign] = True
    texts, attrs = iter(page.texts), iter(page.attrs)
    is_text = (page.tag == TEXT).tolist()
    columns = {
        "tag": [page.names[tag] for tag in page.tag.tolist()],
        "size": page.size,
        "parent": page.parent,
        "chars": page.chars,
        "words": page.words,
        "foreign": foreign,
        "text": [next(texts) if text else None for text in is_text],
        "attributes": [None if text else _pairs(next(attrs)) for text in is_text],
    }
    fields = schema()
    head = {
        "url": page.url,
        "source": page.source,
        "charset": page.charset,
        "body": page.body,
        "blank_row": page.blank_row.tolist(),
        "blank_parent": page.blank_parent.tolist(),
    }
    metadata = {**fields.metadata, b"page": json.dumps(head).encode()}
    arrays = [pa.array(columns[field.name], field.type) for field in fields]
    return pa.RecordBatch.from_arrays(arrays, schema=fields.with_metadata(metadata))


def _pairs(attrs: Any) -> list[dict[str, str | None]]:
    return [{"name": name, "value": value} for name, value in attrs]


def from_arrow(batch: "pa.RecordBatch") -> Page:
    """The page that a record batch was made from."""
    head = json.loads(batch.schema.metadata[b"page"])
    names = batch.column("tag").to_pylist()
    own = tuple(dict.fromkeys(name for name in names if name not in NUMBER))
    number = {**NUMBER, **{name: FIRST_CUSTOM_TAG + at for at, name in enumerate(own)}}
    attributes = [value for value in batch.column("attributes").to_pylist() if value is not None]
    whole = {name: _int32(batch.column(name)) for name in ("size", "parent", "chars", "words")}
    return freeze(
        Page(
            tag=np.array([number[name] for name in names], np.int32),
            **whole,
            texts=tuple(text for text in batch.column("text").to_pylist() if text is not None),
            attrs=tuple(tuple((a["name"], a["value"]) for a in value) for value in attributes),
            names=(*NAMES, *own),
            foreign=np.flatnonzero(batch.column("foreign").to_pylist()).astype(np.int32),
            blank_row=np.array(head["blank_row"], np.int32),
            blank_parent=np.array(head["blank_parent"], np.int32),
            body=head["body"],
            url=head["url"],
            source=head["source"],
            charset=head.get("charset"),
        )
    )


def _int32(column: Any) -> Any:
    return column.to_numpy(zero_copy_only=False).astype(np.int32)
