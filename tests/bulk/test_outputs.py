"""What comes out: files that other programs open, a manifest that is never wrong."""

import gc
import gzip
import json
import resource
from contextlib import contextmanager
from dataclasses import replace

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import zstandard
from pyarrow import dataset, parquet

from pagelet.bulk import manifest
from pagelet.bulk import outputs as writers
from pagelet.bulk.engine import InlineEngine
from pagelet.bulk.manifest import Part
from pagelet.bulk.options import DEFAULT_COLUMNS, BulkOptions
from pagelet.bulk.outputs import Dataset, OutputOptions
from pagelet.bulk.records import Source
from pagelet.bulk.row import PageWork
from pagelet.bulk.run import bulk
from pagelet.errors import OptionError, UnwritableOutput
from pagelet.sources.warc.reader import Place
from tests.bulk.archives import HOST, ids, page, pages, rows, write_warc
from tests.bulk.test_readers import noise
from tests.bulk.works import FEW

OPTIONS = BulkOptions(chunk_records=3)


def go(inputs, out, options=OPTIONS, **more):
    return bulk(inputs, out, options, engine=InlineEngine(), **more)


@pytest.fixture
def archive(tmp_path):
    return write_warc(tmp_path / "x.warc.gz", pages(10))


@pytest.fixture
def out(tmp_path, archive):
    go([archive], tmp_path / "out", replace(OPTIONS, labels=True), how=OutputOptions(rows=4))
    return tmp_path / "out"


def test_the_schema_is_what_it_was(out):
    """Change it only with a new version, and say so in docs/bulk.md."""
    schema = dataset.dataset(out / "pages").schema
    assert {field.name: str(field.type) for field in schema} == {
        "source": "string",
        "place": "int64",
        "id": "string",
        "url": "string",
        "host": "string",
        "captured": "timestamp[us, tz=UTC]",
        "date": "string",
        "title": "string",
        "language": "string",
        "page_type": "string",
        "text": "string",
        "confidence": "float",
        "menu": "list<element: struct<text: string, href: string>>",
        "clutter_share": "float",
        "template_id": "string",
        "template_share": "float",
        "error": "string",
        "reason": "string",
        "notes": "list<element: string>",
        "seconds": "float",
    }
    assert [field.name for field in schema if not field.nullable] == ["source", "place", "id"]
    assert schema.metadata[b"pagelet.bulk"] == b"2"
    labels = dataset.dataset(out / "labels").schema
    assert {field.name: str(field.type) for field in labels} == {
        "source": "string",
        "place": "int64",
        "id": "string",
        "path": "string",
        "kind": "string",
        "score": "float",
    }


def test_pyarrow_polars_duckdb_and_pandas_read_the_same(out):
    names = [f"<urn:x:{at}>" for at in range(10)]
    assert sorted(parquet.read_table(out / "pages")["id"].to_pylist()) == names
    assert sorted(pl.read_parquet(out / "pages")["id"]) == names
    assert sorted(pl.scan_parquet(out / "pages").select("id").collect()["id"]) == names
    assert sorted(pd.read_parquet(out / "pages")["id"]) == names
    found = duckdb.sql(f"select id, menu[1].text from '{out}/pages/*.parquet'").fetchall()
    assert sorted(name for name, _ in found) == names
    joined = duckdb.sql(
        f"select count(distinct p.id) from '{out}/pages/*.parquet' p"
        f" join '{out}/labels/*.parquet' l using (source, place)"
    ).fetchall()
    assert joined == [(10,)]


def test_parquet_is_packed_and_grouped(tmp_path, archive, monkeypatch):
    monkeypatch.setattr(writers, "GROUP_ROWS", 4)
    go([archive], tmp_path / "out")
    (path,) = (tmp_path / "out" / "pages").iterdir()
    told = parquet.ParquetFile(path).metadata
    assert sum(groups(path)) == 10
    assert max(groups(path)) == 4
    assert told.row_group(0).column(0).compression == "ZSTD"


def groups(path):
    told = parquet.ParquetFile(path).metadata
    return [told.row_group(at).num_rows for at in range(told.num_row_groups)]


@pytest.mark.parametrize(
    ("limit", "value", "wanted"),
    [("GROUP_ROWS", 8, [8, 1, 8, 1, 3]), ("GROUP_BYTES", 60, [9, 9, 3])],
)
def test_tables_are_gathered_until_they_make_a_row_group(
    tmp_path, monkeypatch, limit, value, wanted
):
    monkeypatch.setattr(writers, limit, value)
    table = pa.table({"number": pa.array(range(3), pa.int64())})
    assert table.nbytes == 24
    writer = writers.ParquetWriter(tmp_path / "x.parquet", table.schema)
    for _ in range(7):
        writer.write(table)
    writer.close()
    assert groups(tmp_path / "x.parquet") == wanted


READERS = {
    "jsonl": bytes,
    "jsonl.gz": gzip.decompress,
    "jsonl.zst": lambda data: zstandard.ZstdDecompressor().decompressobj().decompress(data),
}


@pytest.mark.parametrize("format", READERS)
def test_lines_hold_the_same_rows(tmp_path, archive, out, format):
    go([archive], tmp_path / "lines", how=OutputOptions(format=format, rows=4))
    files = sorted((tmp_path / "lines" / "pages").iterdir())
    assert all(path.name.endswith(f".{format}") for path in files)
    assert len(files) == 2
    lines = [line for path in files for line in READERS[format](path.read_bytes()).splitlines()]
    found = [json.loads(line) for line in lines]
    assert all(tuple(row) == DEFAULT_COLUMNS for row in found)
    for row, wanted in zip(sorted(found, key=lambda row: row["place"]), rows(out), strict=True):
        captured = wanted.pop("captured").isoformat()
        assert row["captured"] == captured
        assert {name: row[name] for name in wanted} == wanted


def test_a_format_nobody_knows_is_refused():
    with pytest.raises(OptionError, match="must be parquet, jsonl"):
        OutputOptions(format="csv")


# -- the manifest -----------------------------------------------------------------------------


def test_a_run_that_is_there_is_not_written_over(out, archive):
    with pytest.raises(OptionError, match="use --resume"):
        go([archive], out)


def test_resume_with_other_options_is_refused_and_says_which(out, archive):
    asked = replace(OPTIONS, labels=True)
    for other in (replace(asked, favor="recall"), replace(asked, columns=FEW)):
        with pytest.raises(OptionError, match=r"other options \((favor|columns)\)"):
            go([archive], out, other, resume=True)
    with pytest.raises(OptionError, match=r"other options \(format\)"):
        go([archive], out, asked, resume=True, how=OutputOptions(format="jsonl"))


def test_resume_of_what_is_done_does_nothing_and_more_inputs_are_added(out, archive, tmp_path):
    asked = replace(OPTIONS, labels=True)
    before = rows(out)
    assert go([archive], out, asked, resume=True).pages == 0
    more = write_warc(tmp_path / "y.warc", [page("more")])
    done = go([archive, more], out, asked, resume=True)
    assert (done.pages, done.rows) == (1, 11)
    assert [row for row in rows(out) if row["id"] != "<urn:x:more>"] == before


def test_inputs_that_have_changed_are_refused(out, archive, tmp_path):
    asked = replace(OPTIONS, labels=True)
    other = write_warc(tmp_path / "y.warc", [page("more")])
    with pytest.raises(OptionError, match="no longer there"):
        go([other], out, asked, resume=True)
    write_warc(archive, pages(11))
    with pytest.raises(OptionError, match="has changed since"):
        go([archive], out, asked, resume=True)


def test_two_runs_do_not_write_at_once(tmp_path):
    work = PageWork(OPTIONS)
    with (
        Dataset(tmp_path / "out", work),
        pytest.raises(OptionError, match="another run is writing"),
    ):
        Dataset(tmp_path / "out", work, resume=True)
    with Dataset(tmp_path / "out", work, resume=True):
        pass


@pytest.mark.parametrize("moment", ["part", "moved", "noted"])
def test_whenever_it_ends_no_page_is_lost_or_doubled(tmp_path, archive, monkeypatch, moment):
    """End while a part is written, when it is in its place but not noted, or right after."""
    out = tmp_path / "out"
    how = OutputOptions(rows=4)
    calls = []

    class EndedError(BaseException):
        pass

    def end_at(count, real):
        def call(*given):
            calls.append(1)
            if moment != "moved":
                real(*given)
            if len(calls) == count:
                raise EndedError
            if moment == "moved":
                real(*given)

        return call

    with monkeypatch.context() as patch:
        if moment == "part":
            patch.setattr(writers.ParquetWriter, "close", end_at(2, writers.ParquetWriter.close))
        else:
            patch.setattr(manifest.Manifest, "add", end_at(1, manifest.Manifest.add))
        with pytest.raises(EndedError):
            go([archive], out, how=how)
    left = {"part": 6, "moved": 6, "noted": 6}[moment]
    assert len(list((out / "pages").iterdir())) == 1
    assert len(ids(out)) == left
    go([archive], out, how=how, resume=True)
    assert ids(out) == sorted(map(str, range(10)))
    assert not list((out / "_tmp").iterdir())


def test_an_error_in_between_commits_nothing_more(tmp_path):
    work = PageWork(OPTIONS)
    with Dataset(tmp_path / "out", work) as there:
        there._begin()
        there.__exit__(RuntimeError, None, None)
        there._part = None
    assert not list((tmp_path / "out" / "_manifest").glob("_part-*"))


def test_a_part_of_skips_alone_has_no_file_and_counts(tmp_path):
    archive = write_warc(tmp_path / "x.warc", [page("a", "<p>", status="404 No")])
    done = go([archive], tmp_path / "out")
    assert (done.rows, done.skips) == (0, {"status 404": 1})
    assert not list((tmp_path / "out" / "pages").iterdir())
    again = go([archive], tmp_path / "out", resume=True)
    assert (again.pages, again.skips) == (0, {"status 404": 1})


def test_chunks_that_follow_each_other_are_one_span():
    part = Part("x")
    source = Source("warc", "a")
    part.add(source, Place(5), Place(9))
    part.add(source, Place(0), Place(5))
    part.add(source, Place(9), Place(12, 3))
    part.add(source, Place(12, 3), None)
    assert part.sources[source.key]["done"] == [[[5, 0], None], [[0, 0], [5, 0]]]


def test_files_that_are_not_noted_are_taken_away(out):
    left = out / "labels" / "part-00009.parquet"
    left.write_text("half a file")
    (out / "_tmp" / "pages-part-00009.parquet").write_text("half a file")
    before = sorted(path.name for path in (out / "pages").iterdir())
    with Dataset(out, PageWork(replace(OPTIONS, labels=True)), resume=True):
        assert not left.exists()
        assert not list((out / "_tmp").iterdir())
        assert sorted(path.name for path in (out / "pages").iterdir()) == before


def test_files_of_others_are_left_alone(tmp_path, archive):
    own = tmp_path / "out" / "pages" / "part-00000.parquet"
    own.parent.mkdir(parents=True)
    own.write_text("mine")
    for resume in (False, True):
        with pytest.raises(OptionError, match="files that are no run"):
            go([archive], tmp_path / "out", resume=resume)
    assert own.read_text() == "mine"


def test_a_folder_that_cannot_be_written_is_said(tmp_path, archive):
    (tmp_path / "file").write_text("x")
    with pytest.raises(OptionError, match="output"):
        go([archive], tmp_path / "file" / "out")


def test_every_column_of_a_page_is_there(out):
    row = next(row for row in rows(out) if row["id"] == "<urn:x:3>")
    assert (row["url"], row["host"], row["title"]) == (f"{HOST}/3", "site.example", "Page 3")
    assert row["menu"][0] == {"text": "river 3", "href": f"{HOST}/river"}
    assert "On day 3 of the" in row["text"]
    assert pa.types.is_floating(dataset.dataset(out / "pages").schema.field("confidence").type)


# -- what is not data -------------------------------------------------------------------------


def test_the_whole_folder_is_read_as_one_table(tmp_path, archive):
    out = tmp_path / "out"
    templates = replace(OPTIONS, templates=str(tmp_path / "templates"))
    go([archive], out, templates, how=OutputOptions(rows=4))
    names = [f"<urn:x:{at}>" for at in range(10)]
    assert sorted(dataset.dataset(out).to_table()["id"].to_pylist()) == names
    assert sorted(parquet.read_table(out)["id"].to_pylist()) == names
    assert sorted(pd.read_parquet(out)["id"]) == names
    assert sorted(pl.read_parquet(out / "**/*.parquet")["id"]) == names
    whole = pl.scan_parquet(out, hidden_file_prefix=["_"])  # else it wants one ending for all
    assert sorted(whole.collect()["id"]) == names
    for pattern in (f"{out}", f"{out}/**/*.parquet", f"{out}/*/*.parquet"):
        found = duckdb.sql(f"select id from read_parquet('{pattern}')").fetchall()
        assert sorted(name for (name,) in found) == names


def test_spark_and_others_see_tables_alone(out):
    """They skip names that begin with _ or a dot, so nothing else may stand beside the tables."""
    assert sorted(path.name for path in out.iterdir()) == ["_manifest", "_tmp", "labels", "pages"]
    assert all(path.name.startswith("_") for path in (out / "_manifest").iterdir())
    assert all(path.name.startswith("part-") for path in (out / "pages").iterdir())


@pytest.mark.parametrize("resume", [False, True])
def test_a_run_of_a_former_version_is_refused_and_left_alone(tmp_path, archive, resume):
    out = tmp_path / "out"
    (out / "manifest").mkdir(parents=True)
    (out / "manifest" / "run.json").write_text('{"pagelet": "bulk", "version": 1}')
    with pytest.raises(OptionError, match="another version of the table; finish that run with"):
        go([archive], out, resume=resume)
    assert [path.name for path in out.iterdir()] == ["manifest"]


def test_a_run_with_another_schema_is_refused(out, archive, monkeypatch):
    monkeypatch.setattr(manifest, "SCHEMA_VERSION", 3)
    with pytest.raises(OptionError, match="another version of the table"):
        go([archive], out, replace(OPTIONS, labels=True), resume=True)


@pytest.mark.parametrize("name", ["_run.json", "_part-00000.json"])
def test_a_manifest_that_is_damaged_is_told(out, archive, name):
    (out / "_manifest" / name).write_text("{")
    with pytest.raises(OptionError, match=f"{name} of its manifest is damaged"):
        go([archive], out, replace(OPTIONS, labels=True), resume=True)


# -- a disk that is full ----------------------------------------------------------------------


@contextmanager
def small_files(size):
    """No file may grow beyond some bytes: to a program, the same as a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("format", ["parquet", "jsonl", "jsonl.gz", "jsonl.zst"])
def test_a_full_disk_is_one_error_and_the_run_is_resumed(tmp_path, format):
    out, how = tmp_path / "out", OutputOptions(format=format, rows=4)
    letters = [page(at, f"<p>{noise(3000, at)}") for at in range(10)]
    archive = write_warc(tmp_path / "x.warc", letters)
    for size in (100, 1500):  # of the manifest, of a part
        with small_files(size), pytest.raises(UnwritableOutput, match="make room, then run"):
            go([archive], out, how=how, resume=True)
        gc.collect()  # no writer may fail once more when it is collected
    done = go([archive], out, how=how, resume=True)
    assert done.rows == 10
    assert not list((out / "_tmp").iterdir())
