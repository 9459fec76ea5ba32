"""One bad record is one error row, whatever is wrong with it; the same with workers and without."""

import json
import os
from datetime import UTC, date, datetime
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet

from pagelet.bulk.engine import InlineEngine, LocalEngine
from pagelet.bulk.options import BulkOptions
from pagelet.bulk.outputs import OutputOptions
from pagelet.bulk.run import bulk, rows_of
from pagelet.bulk.tables import column_values
from pagelet.bulk.times import check_time, parse_time, time_since_epoch
from tests.bulk.archives import page, record, rows, write_warc
from tests.sources.loopback import Loopback, running

OPTIONS = BulkOptions(columns=("id", "text", "captured", "error", "reason", "notes"))
ENGINES = [
    pytest.param(InlineEngine(), id="no workers"),
    pytest.param(LocalEngine(1), id="workers", marks=pytest.mark.slow),
]
GOOD_DATE = "2024-05-06T07:08:09Z"
BAD_DATES = ("0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "1500-01-01", "2300-01-01")
OUTSIDE = "is outside 1677 to 2262"


def encoded(name, times):
    encodings = ",".join(["gzip"] * times)
    return page(name, b"<p>words", Content_Encoding=encodings)


def dated(name, value):
    return page(name).replace(GOOD_DATE.encode(), value.encode())


def write_archive(folder: Path) -> Path:
    bad = [encoded("1200", 1200), encoded("50000", 50_000), encoded("6", 6), encoded("5", 5)]
    bad += [dated(value, value) for value in (*BAD_DATES, "rubbish")]
    bad.append(record("cut head", b"HTTP/1.1 404 Not Found\r\nContent-Ty"))
    bad.append(record("long head", b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 60_000 + b"\r\n<p>x"))
    between = [each for pair in enumerate(bad) for each in (page(f"good{pair[0]}"), pair[1])]
    return write_warc(folder / "x.warc.gz", between)


def write_lines(folder: Path) -> Path:
    dates = (*BAD_DATES, GOOD_DATE)
    lines = [{"id": f"line {each}", "html": "<p>words", "date": each} for each in dates]
    lines.append({"id": "second", "html": "<p>words", "date": "1500-01-01", "captured": GOOD_DATE})
    path = folder / "x.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


TIMES = {
    "us.parquet": pa.array([0, -(2**63), 2**63 - 1, None], pa.timestamp("us", "UTC")),
    "s.parquet": pa.array([0, 2**50, -(2**50), None], pa.timestamp("s")),
    "ns.parquet": pa.array([0, 1, 2**63 - 1, None], pa.timestamp("ns")),
    "days.parquet": pa.array([0, 2**31 - 1, -(2**31), None], pa.date32()),
    "ms.parquet": pa.array([0, 2**31 * 86_400, -(2**31) * 86_400, None], pa.date64()),
}


def write_tables(folder: Path) -> list[Path]:
    for name, column in TIMES.items():
        ids = [f"{name}{at}" for at in range(len(column))]
        table = pa.table({"id": ids, "html": ["<p>words"] * len(column), "date": column})
        parquet.write_table(table, folder / name)
    return [folder / name for name in TIMES]


def write_page(folder: Path) -> Path:
    path = folder / "old.html"
    path.write_text("<p>words")
    os.utime(path, (0, 2**40))
    return path


@pytest.fixture
def inputs(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    return [write_archive(folder), write_lines(folder), *write_tables(folder), write_page(folder)]


@pytest.mark.parametrize("engine", ENGINES)
def test_every_record_comes_out_and_bad_ones_say_why(tmp_path, inputs, engine):
    done = bulk(inputs, tmp_path / "out", OPTIONS, engine=engine)
    found = {row["id"].removeprefix("<urn:x:").rstrip(">"): row for row in rows(tmp_path / "out")}
    assert done.failed == ()
    assert sum(name.startswith("good") for name in found) == 11
    for name in ("1200", "50000", "6", "cut head", "long head"):
        assert found[name]["error"] == "DamagedRecord"
    assert found["50000"]["reason"].endswith("50,000 content encodings, where at most 5 are undone")
    assert (found["5"]["error"], found["5"]["text"]) == (None, "words")
    for name in (*BAD_DATES, *(f"line {value}" for value in BAD_DATES)):
        assert (found[name]["error"], found[name]["captured"]) == (None, None)
        assert found[name]["text"]
        assert found[name]["notes"][0].endswith(OUTSIDE)
    assert found["rubbish"]["notes"] == ["WARC-Date 'rubbish' is no date"]
    assert found[f"line {GOOD_DATE}"]["notes"] == []
    assert found["second"]["captured"] == datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
    assert found["second"]["notes"] == [f"date '1500-01-01T00:00:00' {OUTSIDE}"]
    for name in TIMES:
        assert found[f"{name}0"]["captured"] == datetime(1970, 1, 1, tzinfo=UTC)
        assert found[f"{name}3"]["captured"] is None
        assert found[f"{name}2"]["notes"][0].endswith(OUTSIDE)
    assert found["ns.parquet1"]["captured"] == datetime(1970, 1, 1, tzinfo=UTC)
    (old,) = (row for name, row in found.items() if name.endswith("old.html"))
    assert old["error"] is None
    assert old["captured"] is None or os.stat(inputs[-1]).st_mtime < 2**40  # if the disk held it


def test_other_programs_read_the_times_back(tmp_path, inputs):
    out = tmp_path / "out"
    done = bulk(inputs, out, OPTIONS, engine=InlineEngine())
    assert len(pd.read_parquet(out / "pages")) == done.rows
    assert len(pl.read_parquet(out / "pages").select("captured").to_series().to_list()) == done.rows
    assert len(list(rows_of(out))) == done.rows


@pytest.mark.parametrize("format", ["jsonl", "jsonl.zst"])
def test_lines_are_written_and_nothing_is_left_to_resume(tmp_path, inputs, format):
    how = OutputOptions(format=format)
    first = bulk(inputs, tmp_path / "out", OPTIONS, engine=InlineEngine(), how=how)
    again = bulk(inputs, tmp_path / "out", OPTIONS, engine=InlineEngine(), how=how, resume=True)
    assert (again.pages, again.rows) == (0, first.rows)


def test_timestamps_are_read_without_pandas(monkeypatch):
    import sys  # noqa: PLC0415

    monkeypatch.setitem(sys.modules, "pandas", None)
    (found, none) = column_values(
        pa.array([1_700_000_000_123_456_789, None], pa.timestamp("ns")), "date"
    )
    assert found.time.isoformat() == "2023-11-14T22:13:20.123456+00:00"
    assert none is None


def test_one_text_that_is_no_utf8_does_not_take_the_others_with_it(tmp_path):
    raw = pa.array([b"<p>good", b"<p>caf\xe9 words", b"<p>more"], pa.binary())
    texts = pa.StringArray.from_buffers(3, raw.buffers()[1], raw.buffers()[2])
    parquet.write_table(pa.table({"html": texts}), tmp_path / "x.parquet")
    bulk([tmp_path / "x.parquet"], tmp_path / "out", OPTIONS, engine=InlineEngine())
    found = rows(tmp_path / "out")
    assert [row["error"] for row in found] == [None] * 3
    assert found[1]["text"] == "café words"


def test_a_row_that_no_schema_holds_is_an_error_row():
    from pagelet.bulk.chunk import make_batch  # noqa: PLC0415
    from pagelet.bulk.options import page_schema  # noqa: PLC0415

    good = {"source": "x", "place": 1, "id": "a", "title": "t", "error": None}
    schema = page_schema(("source", "place", "id", "title", "error", "reason"))
    found = make_batch([good, good | {"title": 7}, good | {"title": "\ud800"}], schema).to_pylist()
    assert [row["title"] for row in found] == ["t", None, "?"]
    assert [row["error"] for row in found] == [None, "ArrowTypeError", None]


@pytest.mark.parametrize(
    ("value", "time", "notes"),
    [
        ("2024-05-06", "2024-05-06T00:00:00+00:00", 0),
        (date(2024, 5, 6), "2024-05-06T00:00:00+00:00", 0),
        ("2024-05-06T07:08:09.123456789+02:00", "2024-05-06T05:08:09.123456+00:00", 0),
        ("1677-09-22T00:00:00Z", "1677-09-22T00:00:00+00:00", 0),
        ("1677-09-21T23:59:59Z", None, 1),
        ("2262-04-11T00:00:00Z", "2262-04-11T00:00:00+00:00", 0),
        ("2262-04-11T00:00:01Z", None, 1),
        ("", None, 0),
        (None, None, 0),
        (7, None, 0),
        ("x" * 1000, None, 1),
        ("\ud800", None, 1),
    ],
)
def test_times(value, time, notes):
    found = parse_time(value, "date")
    assert (found.time and found.time.isoformat()) == time
    assert len(found.notes) == notes
    assert all(len(note.encode()) < 100 for note in found.notes)


def test_times_by_number():
    day = datetime(2024, 5, 6, tzinfo=UTC)
    for unit, count in {"D": 19_849, "s": 1_714_953_600, "ns": 1_714_953_600 * 10**9}.items():
        assert time_since_epoch(count, unit, "date").time == day
    assert time_since_epoch(10**30, "ns", "date").time is None
    assert check_time(datetime(2024, 5, 6), "date").time == day


# -- lists ------------------------------------------------------------------------------------


class Secret(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.requests.append(self.path)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<p>secret")

    def log_message(self, *_):
        pass


@pytest.mark.parametrize("engine", ENGINES)
def test_a_bad_line_of_a_list_is_one_row_and_fetches_nothing(tmp_path, engine):
    good = tmp_path / "good.html"
    good.write_text("<p>good")
    archive = write_warc(tmp_path / "x.warc", [page("archived")])
    with running(Loopback(Secret)) as server:
        unsafe = [
            f"simplecache::{server.url}/a",
            f"filecache::{server.url}/a.html",
            f"zip://a.html::{server.url}/a.zip",
            f"simplecache::memory://x::{server.url}/a",
        ]
        wrong = [
            "htp://a.example/b.html",
            f"webhdfs://{server.place}/a",
            f"ftp://{server.place}/a",
            "sftp://127.0.0.1/a",
            "://",
            "other.txt",
            "gone.html",
            "nul\0nul",
            str(tmp_path),
        ]
        lists = tmp_path / "list.txt"
        many = ["gone.warc", "htp://a/b.parquet", f"simplecache::{server.url}/a.jsonl"]
        lists.write_text("\n".join([*unsafe, str(good), *wrong, *many, str(archive)]))
        done = bulk([lists], tmp_path / "out", OPTIONS, engine=engine)
        assert server.requests == []
    found = {row["id"]: row for row in rows(tmp_path / "out")}
    assert (found[str(good)]["text"], found["<urn:x:archived>"]["text"]) == ("good", "archived")
    assert {found[name]["error"] for name in unsafe} == {"UnsafeAddress"}
    assert {found[name]["error"] for name in wrong} <= {"Unreachable", "ValueError"}
    assert len(found) == len(unsafe) + len(wrong) + 2
    assert sorted((name, error) for name, error, _ in done.failed) == [
        ("gone.warc", "Unreachable"),
        ("htp://a/b.parquet", "Unreachable"),
        (f"simplecache::{server.url}/a.jsonl", "UnsafeAddress"),
    ]


@pytest.mark.parametrize(
    "address", ["simplecache::http://127.0.0.1/x.warc", "htp://a/b.warc", "zip://x.warc::y.zip"]
)
def test_an_input_with_such_an_address_is_refused(address, tmp_path):
    from pagelet.errors import PageError  # noqa: PLC0415

    with pytest.raises(PageError, match=r"protocol"):
        bulk([address], tmp_path / "out", OPTIONS)


# -- inputs named twice -----------------------------------------------------------------------


def test_an_input_is_read_once_however_it_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    archive = write_warc(Path("in/x.warc"), [page("a")])
    Path("in/one.html").write_text("<p>one")
    Path("link.warc").symlink_to(archive)
    Path("list.txt").write_text("in/one.html\n./in/one.html\nin/../in/x.warc\n")
    names = ["in", "in/x.warc", "./in/x.warc", "in/*.warc", "link.warc", "list.txt",
             str(archive.absolute())]  # fmt: skip
    done = bulk(names, "out", OPTIONS, engine=InlineEngine())
    assert sorted(row["id"] for row in rows(tmp_path / "out")) == ["<urn:x:a>", "in/one.html"]
    assert "./in/x.warc" in done.repeated
    assert "in/../in/x.warc" in done.repeated
    assert bulk(["in"], "out2", OPTIONS, engine=InlineEngine()).repeated == ()


def test_a_folder_that_cannot_be_opened_is_a_row(tmp_path, monkeypatch):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "good.html").write_text("<p>good")
    monkeypatch.chdir(folder)
    for _ in range(20):  # in the end, the path is longer than the system takes
        Path("d" * 250).mkdir()
        os.chdir("d" * 250)
    done = bulk([folder], tmp_path / "out", OPTIONS, engine=InlineEngine())
    assert (done.rows, done.errors) == (2, {"Unreachable": 1})


@pytest.mark.skipif(os.geteuid() == 0, reason="everything is open to root")
def test_a_file_that_cannot_be_opened_is_a_row(tmp_path):
    for name in ("page.html", "no-ending"):
        (tmp_path / name).write_text("<p>good")
        (tmp_path / name).chmod(0)
    (tmp_path / "good.html").write_text("<p>good")
    done = bulk([tmp_path], tmp_path / "out", OPTIONS, engine=InlineEngine())
    assert (done.rows, done.errors) == (3, {"Unreachable": 2})
