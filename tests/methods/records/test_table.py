"""The table of records: alignment, labels, lists, names, and every flat form."""

import csv
import io
import json

import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pagelet
from pagelet import METHODS, detect_records
from pagelet.methods.records.answer import write_parquet
from pagelet.methods.records.options import RecordsOptions
from tests.effort import growth
from tests.methods.records.build import listing, rows_of, table_of_items, wrap
from tests.places import SITE

NAMES = ("headline", "cook", "country", "remark")
WORDS = st.sampled_from(["Ann", "soup", "Madras", "a warm dish", "basil and more", "feta"])
RECORDS = st.lists(
    st.dictionaries(st.sampled_from(NAMES), WORDS, min_size=1), min_size=3, max_size=8
)


def test_spans_are_written_in_digits_of_ascii():
    cells = "<tr><td colspan='\u00b2'>n{0}<td><a href=a{0}>Item number {0}</a><td>{0}.50 EUR"
    page = pagelet.parse(f"<table>{''.join(map(cells.format, range(8)))}</table>")
    assert len(detect_records(page)) == 8


@settings(max_examples=40)
@given(RECORDS)
def test_a_field_is_in_the_column_of_its_place_and_missing_ones_are_empty(records):
    rows = rows_of(listing(records))
    assert len(rows) == len(records)
    wanted = {name for record in records for name in record}
    for row, record in zip(rows, records, strict=True):
        assert set(row) == wanted
        assert {name: value for name, value in row.items() if value is not None} == record


@settings(max_examples=25)
@given(RECORDS, st.randoms(use_true_random=False))
def test_shuffled_records_are_the_same_rows_shuffled(records, random):
    order = list(range(len(records)))
    random.shuffle(order)
    rows = rows_of(listing(records))
    shuffled = rows_of(listing([records[at] for at in order]))
    assert shuffled == [rows[at] for at in order]


@settings(max_examples=25)
@given(RECORDS)
def test_every_row_has_every_column(records):
    _, table = table_of_items(listing(records))
    names = [column["name"] for column in table.describe_columns()]
    assert len(set(names)) == len(names)
    assert all(list(row) == names for row in table.rows())


def test_by_and_in_are_names_of_the_links_behind_them():
    lines = "".join(
        f"<li><h3><a href=/{at}>Dish {at} of the day</a></h3>"
        f"<p>by <a href=/u/{at}>Cook {at}</a> in <a href=/c>Soups</a></p></li>"
        for at in range(4)
    )
    first = rows_of(wrap(f"<ul>{lines}</ul>"))[0]
    assert first == {
        "title": {"text": "Dish 0 of the day", "href": "https://example.org/0"},
        "by": {"text": "by Cook 0", "href": "https://example.org/u/0", "value": "Cook 0"},
        "in": {"text": "in Soups", "href": "https://example.org/c", "value": "Soups"},
    }


def test_an_emphasised_word_cuts_no_text():
    lines = "".join(
        f"<li><p>A dish with <b>basil</b>, number {at}, for you</p></li>" for at in range(4)
    )
    assert list(rows_of(wrap(lines))[2].values()) == ["A dish with basil, number 2, for you"]


def test_a_title_with_a_colon_is_no_label():
    titles = ["Star: one", "Star: two", "Moon: three", "Sun four"]
    lines = "".join(f"<li><h3><a href=/{t[-1]}>{t}</a></h3></li>" for t in titles)
    assert [row["title"]["text"] for row in rows_of(wrap(lines))] == titles


def test_repeated_fields_are_lists():
    tags = (["hot"], ["hot", "new"], ["old", "hot", "new"], ["new"])
    lines = "".join(
        f"<li><h3>Dish {at}</h3>"
        + "".join(f"<a class=tag href=/t/{tag}>{tag}</a> " for tag in each)
        + "</li>"
        for at, each in enumerate(tags)
    )
    rows = rows_of(wrap(lines))
    assert [[tag["text"] for tag in row["tag"]] for row in rows] == [list(each) for each in tags]


def test_cells_of_a_table_are_columns_even_when_some_are_empty():
    rows = "".join(f"<tr><td>{a}<td>{b}<td>{c}" for a, b, c in (("A", "", 1), ("B", "x", 2)))
    html = wrap(f"<table><tr><th>Name<th>Note<th>Count{rows}</table>")
    found = detect_records(html)
    assert [row["name"] for row in found.extra["records"]] == ["A", "B"]
    assert [row["note"] for row in found.extra["records"]] == [None, "x"]


RESULTS = wrap(
    "<ul class=results>"
    + "".join(
        f"<li class=result><h3><a href='/d/{at}'>Dish number {at}, \"fresh\"</a></h3>"
        f"<p class=text>A dish that is good for the day number {at} of the week.</p>"
        f"<span class=price>${at}.50</span>"
        + "".join(f" <a class=tag href=/t/{tag}>t{tag}</a>" for tag in range(at % 3))
        + "</li>"
        for at in range(1, 7)
    )
    + "</ul>"
)


def written(format: str, **changes) -> str:
    method = METHODS["records"]
    found = detect_records(RESULTS, url="https://example.org/s", **changes)
    return method.write(found, RecordsOptions(**changes), format)


def test_csv_has_a_header_and_one_line_per_record():
    header, *lines = csv.reader(io.StringIO(written("csv")))
    assert header == [
        "page", "record", "title", "title_href", "text_1", "price", "price_value", "tag",
        "tag_href",
    ]  # fmt: skip
    assert len(lines) == 6
    assert lines[1] == [
        "https://example.org/s", "2", 'Dish number 2, "fresh"', "https://example.org/d/2",
        "A dish that is good for the day number 2 of the week.", "$2.50", "2.5 USD",
        '["t0", "t1"]', '["https://example.org/t/0", "https://example.org/t/1"]',
    ]  # fmt: skip
    assert lines[2][-2:] == ["", ""]


def test_json_lines_and_parquet_have_the_names_of_the_csv_and_real_lists(tmp_path):
    header = next(csv.reader(io.StringIO(written("csv"))))
    rows = [json.loads(line) for line in written("jsonl").splitlines()]
    assert [list(row) for row in rows] == [header] * 6
    assert rows[1]["tag"] == ["t0", "t1"]
    file = tmp_path / "records.parquet"
    file.write_bytes(write_parquet(detect_records(RESULTS), RecordsOptions()))
    table = pyarrow.parquet.read_table(file)
    assert table.column_names == header
    assert table["tag"].to_pylist()[:3] == [["t0"], ["t0", "t1"], []]
    assert table["record"].to_pylist() == [1, 2, 3, 4, 5, 6]


def test_a_cell_that_a_spreadsheet_would_compute_can_be_escaped():
    html = RESULTS.replace("A dish", "=1+1 dish")
    method, found = METHODS["records"], detect_records(html)
    assert ",=1+1 dish" in method.write(found, RecordsOptions(), "csv")
    assert ",'=1+1 dish" in method.write(found, RecordsOptions(escape_formulas=True), "csv")


def test_pages_of_one_site_have_one_schema():
    more = RESULTS.replace("<span class=price>", "<em class=cook>Ann</em> <span class=price>")
    alone, both = detect_records(RESULTS), detect_records(RESULTS, site=[more])
    names = [column["name"] for column in both.extra["columns"]]
    assert set(names) - {column["name"] for column in alone.extra["columns"]} == {"cook"}
    assert [row["cook"] for row in both.extra["records"]] == [None] * 6


def test_no_record_is_an_empty_table():
    found = detect_records(wrap("<p>Nothing was found.</p>"))
    assert (len(found), found.extra) == (0, {"columns": [], "records": []})
    assert METHODS["records"].write(found, RecordsOptions(), "csv") == ""


@pytest.mark.parametrize("kind", ["items", "rows"])
def test_work_grows_with_the_page(kind):
    def make(size: int) -> pagelet.Page:
        cells = {"items": "<li><h3><a href=/x>Dish</a></h3><p class=t>by <b>Ann</b></p></li>",
                 "rows": "<tr><td><a href=/x>Dish</a><td>3<td>2024-05-06"}[kind]  # fmt: skip
        around = {"items": "ul", "rows": "table"}[kind]
        return pagelet.parse(wrap(f"<{around}>{cells * size}</{around}>"))

    assert growth(lambda page: detect_records(page).to_dict(), make, 60) < 5


@pytest.mark.parametrize("tag", ["aside", "nav", "footer"])
def test_what_lies_beside_the_main_part_is_not_the_records(tag):
    """The side bar of the sample shop is larger than its goods, and just as regular."""
    html = (SITE / "shop" / "index.html").read_text(encoding="utf-8")
    moved = html.replace("<aside", f"<{tag}").replace("</aside>", f"</{tag}>")
    goods = detect_records(moved)
    assert len(goods) == 6
    assert [row["price"]["value"] for row in goods.to_dict()["records"]][:2] == [6.5, 14]
