"""Every kind of input gives the same pages, wherever it stands."""

import gzip
import json
import shutil
import sys
from pathlib import Path

import fsspec
import pyarrow as pa
import pytest
import zstandard
from pyarrow import parquet

from pagelet.bulk import inputs
from pagelet.bulk.chunk import read_source
from pagelet.bulk.engine import InlineEngine
from pagelet.bulk.inputs import InputPlan, input_kind, make_plan
from pagelet.bulk.options import BulkOptions
from pagelet.bulk.records import Record
from pagelet.bulk.run import bulk
from pagelet.errors import MissingExtra, OptionError, Unreachable
from pagelet.sources.warc.reader import START, Place
from tests.bulk.archives import ids, page, pages, rows, write_warc
from tests.bulk.works import FEW

COUNT = 7
OPTIONS = BulkOptions(columns=(*FEW, "captured"), chunk_records=3)
TABLE = [
    {"id": f"<urn:x:{at}>", "url": f"https://site.example/{at}", "html": f"<p>Page number {at}.",
     "date": "2024-05-06T07:08:09Z"}
    for at in range(COUNT)
]  # fmt: skip
LINES = "".join(json.dumps(row) + "\n" for row in TABLE).encode()


def write(folder: Path, kind: str) -> list[Path]:
    """The pages as an input of some kind."""
    warcs = [page(at, f"<p>Page number {at}.") for at in range(COUNT)]
    path = folder / f"pages.{kind}"
    if kind.startswith("warc"):
        packs = {"gz": gzip.compress, "zst": zstandard.compress, "warc": bytes}
        pack = packs[kind.rpartition(".")[2]]
        path.write_bytes(b"".join(map(pack, warcs)))
    elif kind.startswith("jsonl"):
        packs = {"gz": gzip.compress, "zst": zstandard.compress, "jsonl": bytes}
        path.write_bytes(packs[kind.rpartition(".")[2]](LINES))
    else:
        parquet.write_table(pa.Table.from_pylist(TABLE), path, row_group_size=4)
    return [path]


KINDS = ("warc", "warc.gz", "warc.zst", "jsonl", "jsonl.gz", "jsonl.zst", "parquet")
NAMES = sorted(map(str, range(COUNT)))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_gives_the_same_pages(tmp_path, kind):
    done = bulk(write(tmp_path, kind), tmp_path / "out", OPTIONS, engine=InlineEngine())
    found = rows(tmp_path / "out")
    assert [row["id"] for row in found] == [row["id"] for row in TABLE]
    assert [row["url"] for row in found] == [row["url"] for row in TABLE]
    assert [row["text"] for row in found] == [f"Page number {at}." for at in range(COUNT)]
    assert {row["captured"].isoformat() for row in found} == {"2024-05-06T07:08:09+00:00"}
    assert (done.rows, done.errors, done.skips, done.failed) == (COUNT, {}, {}, ())


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_read_from_any_place(tmp_path, kind):
    for source in InputPlan(tuple(map(str, write(tmp_path, kind)))):
        whole = list(read_source(source, START, OPTIONS))
        assert whole[-1].after is None
        for at, entry in enumerate(whole[:-1], 1):
            assert list(read_source(source, entry.after, OPTIONS)) == whole[at:]


@pytest.mark.parametrize("kind", KINDS)
def test_memory_addresses_are_read_like_files(tmp_path, kind):
    (path,) = write(tmp_path, kind)
    system = fsspec.filesystem("memory")
    system.pipe(f"/bulk-{kind}/{path.name}", path.read_bytes())
    for name, address in {"one": path.name, "all": "*", "folder": ""}.items():
        bulk([f"memory://bulk-{kind}/{address}"], tmp_path / name, OPTIONS, engine=InlineEngine())
        assert ids(tmp_path / name) == NAMES
    assert rows(tmp_path / "one")[0]["source"] == f"memory:///bulk-{kind}/{path.name}"


def test_a_folder_of_pages_and_archives(tmp_path):
    folder = tmp_path / "in"
    shutil.copytree("examples/site", folder)
    write_warc(folder / "more.warc.gz", pages(3))
    (folder / "notes.md").write_text("no page")
    bulk([folder], tmp_path / "out", OPTIONS, engine=InlineEngine())
    html = sorted(map(str, folder.rglob("*.html")))
    found = rows(tmp_path / "out")
    assert sorted(row["id"] for row in found if row["id"].startswith("/")) == html
    assert len(found) == len(html) + 3
    assert all(row["source"] == row["id"] and row["place"] == 0 for row in found[:1])


def test_globs_are_expanded_in_order(tmp_path):
    for at in (2, 0, 1):
        write_warc(tmp_path / f"{at}.warc", [page(at)])
    found = list(InputPlan((str(tmp_path / "*.warc"),)))
    assert [Path(source.address).name for source in found] == ["0.warc", "1.warc", "2.warc"]


def test_a_list_of_files_and_addresses(tmp_path):
    archive = write_warc(tmp_path / "x.warc", pages(2))
    one = tmp_path / "one.html"
    one.write_text("<p>one")
    listed = tmp_path / "list.txt"
    urls = ["https://a.example/1", "https://b.example/1", "https://a.example/2"]
    listed.write_text("\n".join(["# notes", "", str(one), str(archive), str(one), *urls]))
    found = list(InputPlan((str(listed),)))
    assert [(source.kind, source.names) for source in found] == [
        ("warc", ()),
        ("files", (str(one),)),
        ("urls", (urls[0], urls[2])),
        ("urls", (urls[1],)),
    ]
    assert [source.splits for source in found] == [True, True, False, False]


def test_web_addresses_are_loaded_only_when_asked(tmp_path):
    listed = tmp_path / "list.txt"
    listed.write_text("https://a.example/1")
    done = bulk([listed], tmp_path / "out", OPTIONS, engine=InlineEngine())
    ((_, error, why),) = done.failed
    assert (done.rows, error) == (0, "OptionError")
    assert "use --load" in why
    with pytest.raises(OptionError, match="put it into a list"):
        bulk(["https://a.example/1"], tmp_path / "out2", OPTIONS)


def test_too_long_a_list_of_addresses_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(inputs, "MAX_LIST_URLS", 2)
    listed = tmp_path / "list.txt"
    listed.write_text("\n".join(f"https://a.example/{at}" for at in range(3)))
    with pytest.raises(OptionError, match="split the list"):
        list(InputPlan((str(listed),)))


def test_many_files_are_grouped(tmp_path, monkeypatch):
    monkeypatch.setattr(inputs, "FILES_PER_SOURCE", 3)
    for at in range(7):
        (tmp_path / f"{at}.html").write_text("<p>x")
    found = list(InputPlan((str(tmp_path),)))
    assert [len(source.names) for source in found] == [3, 3, 1]
    assert len({source.key for source in found}) == 3


@pytest.mark.parametrize(
    "address", ["gone.warc", "*.warc", "memory://gone/x.warc", "a\0b", "nothing"]
)
def test_what_is_not_there_is_said(tmp_path, monkeypatch, address):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nothing").mkdir()
    with pytest.raises(Unreachable, match="check the address"):
        make_plan([address])


def test_no_input_is_an_error():
    with pytest.raises(OptionError, match="give at least one input"):
        make_plan([])


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a.WARC.GZ", "warc"), ("a.ndjson.zst", "jsonl"), ("a.parquet", "parquet"),
     ("a.txt", "list"), ("a.htm", "files"), ("a", "files")],
)  # fmt: skip
def test_a_file_is_known_by_its_name(name, kind):
    assert input_kind(name) == kind


# -- tables that are not as they should be ------------------------------------------------------


def lines_of(tmp_path, data: bytes, **options):
    path = tmp_path / "x.jsonl"
    path.write_bytes(data)
    asked = BulkOptions(max_bytes=1000, **options)
    return [entry.item for entry in read_source(next(iter(InputPlan((str(path),)))), START, asked)]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (b"{no", "Unreachable"),
        (b"[1]", "Unreachable"),
        (b"\xff\xfe", "Unreachable"),
        (b"[" * 100_000, "Unreachable"),
        (b'{"id": 1}', "Unreachable"),
        (b'{"html": 7}', "Unreachable"),
        (b'{"html": "' + b"x" * 2_000_000 + b'"}', "PageTooLarge"),
    ],
)
def test_a_bad_line_is_an_error_row(tmp_path, line, error):
    good = b'{"html": "<p>good", "id": 7}\n'
    found = lines_of(tmp_path, good + line + b"\n" + good)
    assert [each.error for each in found] == [None, error, None]
    assert found[0].id == "7"


def test_empty_lines_are_skipped_and_the_last_needs_no_end(tmp_path):
    found = lines_of(tmp_path, b'{"html": "a"}\n\n  \n{"html": "b"}')
    assert [each.body for each in found if isinstance(each, Record)] == ["a", "b"]
    assert len(found) == 4


def test_columns_may_have_other_names(tmp_path):
    data = b'{"raw": "<p>a", "key": "k", "where": "https://a.example/"}'
    (found,) = lines_of(tmp_path, data, html_column="raw", id_column="key", url_column="where")
    assert (found.id, found.url, found.body) == ("k", "https://a.example/", "<p>a")


def test_lone_surrogates_in_a_table_are_mended(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text('{"html": "<title>\\ud800</title><p>a \\udfff b", "id": "\\ud800"}')
    bulk([path], tmp_path / "out", BulkOptions(), engine=InlineEngine())
    (row,) = rows(tmp_path / "out")
    assert row["error"] is None
    assert row["id"] == "?"


def test_a_parquet_file_without_html_is_said(tmp_path):
    path = tmp_path / "x.parquet"
    parquet.write_table(pa.table({"text": ["a"]}), path)
    done = bulk([path], tmp_path / "out", OPTIONS, engine=InlineEngine())
    ((name, error, why),) = done.failed
    assert (name, error) == (str(path), "OptionError")
    assert "has no such" in why
    path.write_bytes(b"PAR1 no")
    good = write(tmp_path, "jsonl")
    done = bulk([path, *good], tmp_path / "out2", OPTIONS, engine=InlineEngine())
    ((name, error, why),) = done.failed
    assert (name, error, done.rows) == (str(path), "Unreachable", COUNT)
    assert "give a Parquet file" in why


def test_rows_of_a_parquet_file_are_numbered_over_its_row_groups(tmp_path):
    bulk(write(tmp_path, "parquet"), tmp_path / "out", OPTIONS, engine=InlineEngine())
    assert [row["place"] for row in rows(tmp_path / "out")] == list(range(COUNT))


def test_without_fsspec_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(MissingExtra, match=r"pagelet\[bulk\]"):
        make_plan(["memory://x/y.warc"])


def test_places_are_told_before_they_are_read(tmp_path):
    (source,) = InputPlan(tuple(map(str, write(tmp_path, "jsonl"))))
    seen = []
    found = list(read_source(source, START, OPTIONS, seen.append))
    assert seen == [entry.item.place for entry in found]
    assert seen[0] == Place(0)
