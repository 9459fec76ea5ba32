"""Pages as Arrow record batches: the way there and back, and through a Parquet file."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given

from pagelet import parse
from pagelet.page.arrow import from_arrow, schema, to_arrow
from pagelet.page.table import same_page
from tests.build import page_of, trees

PAGES = {
    "empty": "",
    "plain": "<p class=a>x <b>y</b></p>",
    "odd names": "<o:p a=1 b>t</o:p><svg viewBox='0 0 1 1'><path/></svg><x-y>z</x-y>",
    "quotes": "<a\"b'c title='\"'>w",
}


@pytest.mark.parametrize("source", PAGES.values(), ids=PAGES)
def test_there_and_back(source):
    page = parse(source, url="https://example.org/")
    assert same_page(from_arrow(to_arrow(page)), page)


@given(trees)
def test_any_tree_there_and_back(tree):
    page = page_of(tree)
    assert same_page(from_arrow(to_arrow(page)), page)


def test_through_parquet(tmp_path):
    page = parse(PAGES["odd names"])
    pq.write_table(pa.Table.from_batches([to_arrow(page)]), tmp_path / "page.parquet")
    table = pq.read_table(tmp_path / "page.parquet")
    assert same_page(from_arrow(table.combine_chunks().to_batches()[0]), page)


def test_the_schema_is_versioned():
    assert to_arrow(parse("<p>x")).schema.metadata[b"pagelet"] == b"1"
    assert schema().names == to_arrow(parse("")).schema.names
