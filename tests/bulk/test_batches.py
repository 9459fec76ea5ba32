"""Batches of pages in every kind that other systems hand over."""

import pickle
from dataclasses import replace
from functools import partial
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars
import pyarrow as pa
import pytest

from pagelet import extract, parse
from pagelet.bulk.batches import (
    PAGE_COLUMNS,
    PAGE_OPTIONS,
    map_batches,
    map_in_arrow,
    page_row,
    schema_after,
)
from pagelet.bulk.options import BulkOptions
from pagelet.errors import OptionError
from pagelet.metadata.facts import metadata
from tests.methods.sites import HOST, NAMES, html_of

URLS = [f"{HOST}/{name}.html" for name in NAMES]
HTMLS = [html_of(name) for name in NAMES]
NUMBERS = list(range(len(NAMES)))
TABLE = pa.table({"n": NUMBERS, "url": URLS, "html": HTMLS})
EXPECTED = [
    {"n": n, "url": url, **page_row(html, url, PAGE_OPTIONS)}
    for n, url, html in zip(NUMBERS, URLS, HTMLS, strict=True)
]
FEW = BulkOptions(columns=("title", "text", "menu"))


def as_arrow(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows with numbers as short as the table has them."""
    return pa.Table.from_pylist(rows, schema_after(TABLE.schema)).to_pylist()


def test_a_row_says_what_the_methods_say():
    row = page_row(HTMLS[1], URLS[1], PAGE_OPTIONS)
    assert tuple(row) == PAGE_COLUMNS
    assert row["text"] == extract(HTMLS[1], URLS[1])
    assert row["title"] == metadata(parse(HTMLS[1], URLS[1])).title == "About news/one"
    assert row["menu"][0] == {"text": "index", "href": f"{HOST}/index.html"}
    assert row["error"] is row["reason"] is None


def test_table():
    found = map_batches(TABLE)
    assert isinstance(found, pa.Table)
    assert found.schema == schema_after(TABLE.schema)
    assert found.to_pylist() == as_arrow(EXPECTED)
    assert found.schema.names == ["n", "url", *PAGE_COLUMNS]


def test_chunked_table():
    chunks = pa.concat_tables([TABLE.slice(0, 3), TABLE.slice(3)])
    assert map_batches(chunks).to_pylist() == as_arrow(EXPECTED)


def test_record_batch():
    (batch,) = TABLE.to_batches()
    found = map_batches(batch)
    assert isinstance(found, pa.RecordBatch)
    assert found.to_pylist() == as_arrow(EXPECTED)


def test_partition_as_spark_has_it():
    batches = [TABLE.slice(0, 4).to_batches()[0], TABLE.slice(4).to_batches()[0]]
    found = list(map_in_arrow(iter(batches), FEW))
    assert [batch.num_rows for batch in found] == [4, len(NAMES) - 4]
    assert {batch.schema for batch in found} == {schema_after(TABLE.schema, FEW)}


def test_data_frame():
    frame = pd.DataFrame({"n": NUMBERS, "url": URLS, "html": HTMLS}, index=NUMBERS[::-1])
    found = map_batches(frame)
    assert isinstance(found, pd.DataFrame)
    assert list(found.index) == NUMBERS[::-1]
    assert list(found.columns) == ["n", "url", *PAGE_COLUMNS]
    assert list(found["text"]) == [row["text"] for row in EXPECTED]
    assert [[*links] for links in found["menu"]] == [row["menu"] for row in EXPECTED]
    assert "html" in frame  # the caller's own is left alone


def test_dict_of_arrays():
    picture = np.zeros((len(NAMES), 2, 2))  # tensors and the like pass through
    batch = {"n": np.array(NUMBERS), "url": np.array(URLS), "html": np.array(HTMLS, object)}
    found = map_batches({**batch, "picture": picture})
    assert list(found) == ["n", "url", "picture", *PAGE_COLUMNS]
    assert found["picture"] is picture
    assert all(isinstance(values, np.ndarray) for values in found.values())
    assert found["text"].tolist() == [row["text"] for row in EXPECTED]
    assert found["menu"].tolist() == [row["menu"] for row in EXPECTED]
    assert found["confidence"].dtype == np.float32


def test_dict_of_lists():
    found = map_batches({"html": HTMLS}, FEW)
    assert found["text"].tolist() == [extract(html) for html in HTMLS]


@pytest.mark.parametrize("make", [pa.table, pd.DataFrame, dict], ids=["arrow", "pandas", "dict"])
def test_no_rows(make):
    empty = make({"html": np.array([], object), "n": np.array([], int)})
    found = map_batches(empty, FEW)
    names = found.schema.names if isinstance(found, pa.Table) else list(found)
    assert names == ["n", "title", "text", "menu"]
    assert len(found["text"]) == 0


@pytest.mark.parametrize("nothing", [None, float("nan"), pd.NA, 7])
def test_a_row_without_html(nothing):
    found = map_batches(pd.DataFrame({"html": np.array([HTMLS[0], nothing], object)}))
    assert found["error"].tolist()[1] == "Unreachable"
    assert "no HTML in its column 'html'" in found["reason"].tolist()[1]
    assert found["text"].tolist()[0] == extract(HTMLS[0])


def test_bytes_and_missing_addresses():
    table = pa.table({"html": [HTMLS[0].encode(), "<p>Привет".encode("koi8-r"), b"\0\1\2" * 99],
                      "url": [URLS[0], None, None]})  # fmt: skip
    text, other, error = map_batches(table).to_pylist()
    assert text["text"] == extract(HTMLS[0], URLS[0])
    assert other["error"] is None
    assert (error["error"], error["text"]) == ("NotHtml", None)


def test_a_large_page_is_an_error_row():
    small = replace(PAGE_OPTIONS, max_bytes=100)
    assert set(map_batches(TABLE, small)["error"].to_pylist()) == {"PageTooLarge"}


def test_other_names_of_columns():
    table = pa.table({"body": HTMLS, "address": URLS, "text": NUMBERS})
    options = BulkOptions(columns=("text", "menu"), html_column="body", url_column="address")
    found = map_batches(table, options)
    assert found.schema.names == ["address", "text", "menu"]  # text is replaced
    assert found["menu"][0][1]["href"].as_py() == f"{HOST}/news/one.html"


def test_mistakes():
    with pytest.raises(OptionError, match="no such column; there are n, url"):
        map_batches(TABLE.drop_columns("html"))
    with pytest.raises(OptionError, match="expected an Arrow table"):
        map_batches([HTMLS])


def test_the_same_in_polars_and_duckdb():
    found = map_batches(TABLE, FEW)
    assert polars.from_arrow(found).to_dicts() == found.to_pylist()
    assert duckdb.sql("select count(*) from found where len(menu) = 7").fetchall() == [(7,)]
    mapped = polars.from_arrow(TABLE).to_arrow()
    assert map_batches(mapped, FEW)["text"].to_pylist() == found["text"].to_pylist()


def test_it_can_be_sent_to_other_processes():
    sent = pickle.loads(pickle.dumps(partial(map_batches, options=FEW)))
    assert sent(TABLE).equals(map_batches(TABLE, FEW))
