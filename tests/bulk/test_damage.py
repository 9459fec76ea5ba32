"""Files that are cut or broken: all that can be read is read, the damage is counted and told."""

import gzip
import json
import random
from contextlib import contextmanager

import pyarrow as pa
import pytest
import zstandard
from pyarrow import parquet

from pagelet.bulk import tables
from pagelet.bulk.chunk import read_source
from pagelet.bulk.engine import InlineEngine
from pagelet.bulk.inputs import InputPlan
from pagelet.bulk.options import BulkOptions
from pagelet.bulk.records import DAMAGE, Record
from pagelet.bulk.run import bulk
from pagelet.sources.warc.reader import START
from tests.bulk.archives import answer, ids, page, pages, record, rows, write_warc
from tests.bulk.test_readers import damage, entries, lz4, noise, told

OPTIONS = BulkOptions(columns=("id", "text", "error"), chunk_records=7)
COUNT = 40
LINES = [
    json.dumps({"id": at, "html": f"<p>{at} {noise(300, at)}"}).encode() + b"\n"
    for at in range(COUNT)
]
PACKS = {"gz": gzip.compress, "zst": zstandard.compress}


def read(path):
    """The names of what is read, and how much damage was counted; the same from any place on."""
    (source,) = InputPlan((str(path),))
    found = list(read_source(source, START, OPTIONS))
    for at, entry in enumerate(found[:-1], 1):
        assert list(read_source(source, entry.after, OPTIONS)) == found[at:]
    names = [entry.item.error or entry.item.id for entry in found if isinstance(entry.item, Record)]
    skipped = sum(not isinstance(entry.item, Record) for entry in found)
    return names, skipped + sum(entry.damage for entry in found)


# -- JSON lines -------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", PACKS)
@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.9, 0.999])
def test_lines_of_a_cut_file_are_read_up_to_the_cut(tmp_path, kind, share):
    path = tmp_path / f"x.jsonl.{kind}"
    members = [PACKS[kind](b"".join(LINES[at : at + 10])) for at in range(0, COUNT, 10)]
    last = members[3][: 1 + int(len(members[3]) * share)]
    path.write_bytes(b"".join([*members[:3], last]))
    names, damaged = read(path)
    assert names[:30] == [str(at) for at in range(30)]
    assert damaged == 1
    assert all(name == "DamagedRecord" for name in names[30:] if not name.isdigit())


def test_whole_lines_before_a_cut_in_one_gzip_member_come_out(tmp_path):
    path = tmp_path / "x.jsonl.gz"
    whole = gzip.compress(b"".join(LINES))
    path.write_bytes(whole[: len(whole) // 2])
    names, damaged = read(path)
    assert names[:-1] == [str(at) for at in range(len(names) - 1)]
    assert len(names) > COUNT * 0.4
    assert (names[-1], damaged) == ("DamagedRecord", 1)


@pytest.mark.parametrize("kind", PACKS)
def test_lines_behind_a_broken_member_come_out(tmp_path, kind):
    path = tmp_path / f"x.jsonl.{kind}"
    members = [PACKS[kind](b"".join(LINES[at : at + 10])) for at in range(0, COUNT, 10)]
    members[1] = members[1][:200] + bytes(random.Random(4).randbytes(len(members[1]) - 200))
    path.write_bytes(b"".join(members))
    names, damaged = read(path)
    assert names[:10] == [str(at) for at in range(10)]
    assert names[-20:] == [str(at) for at in range(20, 40)]
    assert damaged


@pytest.mark.parametrize(
    ("data", "wanted", "damaged"),
    [
        (b"", [], 0),
        (b"no gzip at all", [], 1),
        (gzip.compress(LINES[0], mtime=0) + b"\0" * 10_000, ["0"], 0),
        (
            gzip.compress(LINES[0], mtime=0) + b"\0" * 700 + gzip.compress(LINES[1], mtime=0),
            ["0", "1"],
            0,
        ),
        (gzip.compress(LINES[0], mtime=0) + b"rubbish", ["0"], 1),
        (b"rubbish" + gzip.compress(LINES[0], mtime=0), ["0"], 1),
        (gzip.compress(LINES[0], mtime=0)[:-8] + b"\0" * 8, ["0"], 1),
        (gzip.compress(LINES[0].rstrip(), mtime=0)[:-1], ["0"], 1),
        (gzip.compress(b"", mtime=0), [], 0),
    ],
    ids=range(9),
)
def test_the_ends_of_gzip_files(tmp_path, data, wanted, damaged):
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(data)
    assert read(path) == (wanted, damaged)


def test_zstandard_frames_that_hold_no_data_are_passed(tmp_path):
    path = tmp_path / "x.jsonl.zst"
    empty = b"\x50\x2a\x4d\x18\x04\0\0\0abcd"
    path.write_bytes(empty + zstandard.compress(LINES[0]) + empty + zstandard.compress(LINES[1]))
    assert read(path) == (["0", "1"], 0)


# -- WARC files -------------------------------------------------------------------------------

PACKED = {"gz": gzip.compress, "zst": zstandard.compress, "lz4": lz4, "plain": bytes}
SHORT = [page(at, f"<p>{at} {noise(100, at)}") for at in range(3)]


@pytest.mark.parametrize("kind", PACKED)
@pytest.mark.parametrize("form", ["one member", "a member each"])
def test_no_cut_is_silent(tmp_path, kind, form):
    pack, path = PACKED[kind], tmp_path / "x.warc"
    pieces = [pack(b"".join(SHORT))] if form == "one member" else list(map(pack, SHORT))
    whole = b"".join(pieces)
    ends = {len(b"".join(pieces[:at])) for at in range(len(pieces) + 1)}
    if kind == "plain":
        ends = {len(b"".join(SHORT[:at])) for at in range(len(SHORT) + 1)}
    for cut in {*range(0, len(whole), 7), *range(len(whole) - 12, len(whole)), *ends}:
        path.write_bytes(whole[:cut])
        found = entries(path)
        wrong = damage(found) + sum(told(entry).endswith(": DamagedRecord") for entry in found)
        assert (wrong > 0) == (cut not in ends), cut


@pytest.mark.parametrize("kind", ["gz", "zst"])
def test_records_before_the_damage_of_a_member_come_out(tmp_path, kind):
    path = tmp_path / f"x.warc.{kind}"
    bodies = [page(at, f"<p>{at} {noise(90_000, at)}") for at in range(6)]
    whole = PACKED[kind](b"".join(bodies))
    broken = bytearray(whole)
    middle = len(whole) // 2
    broken[middle : middle + 100_000] = random.Random(1).randbytes(100_000)
    path.write_bytes(bytes(broken) + PACKED[kind](page("behind")))
    found = entries_of(path)
    names = [told(entry) for entry in found]
    assert names[:2] == ["0", "1"]
    assert all(b"WARC" not in entry.item.body for entry in found if isinstance(entry.item, Record))
    assert names[-1] == "behind"
    assert damage(found)


@pytest.mark.parametrize("kind", ["gz", "zst"])
@pytest.mark.parametrize(
    "claim", [b"Content-Length: 92", b"Content-Length: 1", b"Content-Lungth: "]
)
def test_records_behind_a_wrong_length_in_a_member_come_out(tmp_path, kind, claim):
    path = tmp_path / f"x.warc.{kind}"
    bodies = [page(at, f"<p>{at} {noise(2000, at)}") for at in range(6)]
    bodies[2] = bodies[2].replace(b"Content-Length: 2", claim)
    path.write_bytes(PACKED[kind](b"".join(bodies)) + PACKED[kind](page("behind")))
    names = [told(entry).partition(":")[0] for entry in entries_of(path)]
    assert [name for name in names if name not in ("2", f"({DAMAGE})")] == [
        *("0", "1", "3", "4", "5", "behind")
    ]


def entries_of(path):
    (source,) = InputPlan((str(path),))
    found = list(read_source(source, START, BulkOptions()))
    for at, entry in enumerate(found[:-1], 1):
        assert list(read_source(source, entry.after, BulkOptions())) == found[at:]
    return found


@pytest.mark.parametrize("cut", [b"HTTP/1.1 20", b"HTTP/1.1 200 OK\r\nContent-Type: image/p"])
@pytest.mark.parametrize("length", [None, 5000], ids=["honest", "longer"])
def test_a_record_cut_within_its_head_is_damaged(tmp_path, cut, length):
    path = tmp_path / "x.warc"
    path.write_bytes(page("a") + record("b", cut, length=length).removesuffix(b"\r\n\r\n"))
    found = entries(path)
    assert [told(entry) for entry in found] == ["a", "b: DamagedRecord"]


def test_a_skipped_record_that_is_cut_short_is_counted(tmp_path):
    path = tmp_path / "x.warc"
    path.write_bytes(page("a") + record("b", b"GET / HT", "request", length=99)[:-4])
    found = entries(path)
    assert [told(entry) for entry in found] == ["a", "(record type request)"]
    assert damage(found) - 1 == 1  # the skip itself is none


@pytest.mark.parametrize("old", [b"<urn:x:b>", b"https://site.example/b"])
def test_a_record_whose_head_is_garbled_is_damaged(tmp_path, old):
    """Such as one that begins with one record and ends with another, with noise between."""
    path = tmp_path / "x.warc"
    path.write_bytes(page("a") + page("b").replace(old, old[:-3] + b"\0\x8f\xfe") + page("c"))
    found = entries(path)
    assert [told(entry).rpartition(":")[2] for entry in found] == ["a", " DamagedRecord", "c"]
    noise_in_request = record("b", b"GET", "request").replace(old, old[:-3] + b"\0\x8f\xfe")
    path.write_bytes(page("a") + noise_in_request + page("c"))
    assert sum(entry.damage for entry in entries(path)) == 1


def test_addresses_with_unusual_characters_are_no_damage(tmp_path):
    unusual = "https://site.example/b\u00ad\u00a0ü\u200b".encode()
    path = write_warc(tmp_path / "x.warc", [page("b").replace(b"https://site.example/b", unusual)])
    assert [told(entry) for entry in entries(path)] == ["b"]


def test_a_head_without_a_body_is_whole(tmp_path):
    path = write_warc(tmp_path / "x.warc", [record("b", b"HTTP/1.1 304 Not Modified\r\nA: b\r\n")])
    assert [told(entry) for entry in entries(path)] == ["(status 304)"]


def test_a_bomb_between_two_encodings_is_too_large(tmp_path):
    bomb = gzip.compress(b"x" * 9_000_000)
    block = answer(bomb, Content_Encoding="zstd, gzip")
    (entry,) = entries(write_warc(tmp_path / "x.warc", [record("b", block)]))
    assert told(entry) == "b: PageTooLarge"


# -- Parquet ----------------------------------------------------------------------------------


def write_table(path, broken, compression="none"):
    """A table whose column chunk is overwritten; rows of two groups."""
    names = [f"id-{at:04}" for at in range(200)]
    table = pa.table({
        "id": names,
        "html": [f"<p>words {at} {noise(200, at)}" for at in range(200)],
        "url": [f"https://site.example/{at}" for at in range(200)],
    })  # fmt: skip
    parquet.write_table(table, path, row_group_size=100, compression=compression)
    group = parquet.ParquetFile(path).metadata.row_group(0)
    for at in range(3):
        chunk = group.column(at)
        if chunk.path_in_schema == broken:
            data = bytearray(path.read_bytes())
            begin = chunk.dictionary_page_offset or chunk.data_page_offset
            data[begin : begin + 40] = b"\xff" * 40
            path.write_bytes(bytes(data))
    return path


def test_a_column_that_cannot_be_read_is_left_out(tmp_path):
    path = write_table(tmp_path / "x.parquet", "url")
    done = bulk([path], tmp_path / "out", BulkOptions(), engine=InlineEngine())
    found = rows(tmp_path / "out")
    assert [row["id"] for row in found] == [f"id-{at:04}" for at in range(200)]
    assert all(row["text"] for row in found)
    assert found[0]["notes"] == ["url: the column cannot be read"]
    assert [row["url"] for row in found[98:102]] == [None, None, *found_urls(100, 102)]
    assert done.failed == ()


def found_urls(start, end):
    return [f"https://site.example/{at}" for at in range(start, end)]


def test_a_row_group_that_cannot_be_read_is_told_and_the_others_come_out(tmp_path):
    path = write_table(tmp_path / "x.parquet", "html")
    done = bulk([path], tmp_path / "out", BulkOptions(), engine=InlineEngine())
    assert [row["id"] for row in rows(tmp_path / "out")] == [
        f"id-{at:04}" for at in range(100, 200)
    ]
    ((name, error, why),) = done.failed
    assert (name, error) == (str(path), "Unreachable")
    assert "damaged from row 0 on" in why


# -- records that brought workers down --------------------------------------------------------


@pytest.mark.parametrize("kind", ["jsonl", "jsonl.gz", "parquet", "html"])
def test_a_record_that_brought_workers_down_is_not_read_again(tmp_path, kind):
    path = tmp_path / f"x.{kind}"
    if kind == "parquet":
        parquet.write_table(pa.table({"html": ["<p>a", "<p>b", "<p>c"]}), path)
    elif kind == "html":
        path = tmp_path / "in"
        path.mkdir()
        for name in "abc":
            (path / f"{name}.html").write_text(f"<p>{name}")
    else:
        lines = b"".join(b'{"html": "<p>%c"}\n' % name for name in b"abc")
        path.write_bytes(lines if kind == "jsonl" else gzip.compress(lines))
    (source,) = InputPlan((str(path),))
    places = [entry.item.place for entry in read_source(source, START, OPTIONS)]
    avoid = {places[1]: ("OverTime", "it hangs")}
    found = list(read_source(source, START, OPTIONS, avoid=avoid))
    assert [entry.item.error for entry in found] == [None, "OverTime", None]
    assert [entry.item.place for entry in found] == places


# -- the run ----------------------------------------------------------------------------------


class FailingFile:
    """A file whose bytes from a place on cannot be read, as of a broken disk."""

    def __init__(self, file, limit):
        self.file, self.limit = file, limit

    def readline(self, size):
        if self.file.tell() >= self.limit:
            raise OSError(5, "Input/output error")
        return self.file.readline(size)

    def __getattr__(self, name):
        return getattr(self.file, name)


def test_what_was_read_before_an_error_comes_out_and_resume_tries_again(tmp_path, monkeypatch):
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"".join(LINES))
    real, limit = tables.open_address, sum(map(len, LINES[:17]))

    @contextmanager
    def failing(address, **more):
        with real(address, **more) as file:
            yield FailingFile(file, limit)

    with monkeypatch.context() as patch:
        patch.setattr(tables, "open_address", failing)
        done = bulk([path], tmp_path / "out", OPTIONS, engine=InlineEngine())
    assert (done.rows, [error for _, error, _ in done.failed]) == (17, ["OSError"])
    done = bulk([path], tmp_path / "out", OPTIONS, engine=InlineEngine(), resume=True)
    assert (done.rows, done.failed) == (COUNT, ())
    assert sorted(map(int, ids(tmp_path / "out"))) == list(range(COUNT))


def test_damage_is_told_and_kept_for_the_next_run(tmp_path):
    whole = b"".join(map(gzip.compress, pages(3)))
    good, bad = tmp_path / "good.warc.gz", tmp_path / "bad.warc.gz"
    good.write_bytes(whole)
    bad.write_bytes(whole[:-100])
    done = bulk([good, bad], tmp_path / "out", OPTIONS, engine=InlineEngine())
    assert done.damaged == {str(bad): 1}
    again = bulk([good, bad], tmp_path / "out", OPTIONS, engine=InlineEngine(), resume=True)
    assert (again.pages, again.damaged) == (0, {str(bad): 1})


def test_damage_is_counted_by_itself_beside_many_other_reasons(tmp_path):
    kinds = [page(f"k{at}", b"x", kind=f"image/{at}") for at in range(60)]
    path = write_warc(tmp_path / "x.warc", [*kinds, b"rubbish\r\n\r\n", page("a")])
    done = bulk([path], tmp_path / "out", BulkOptions(), engine=InlineEngine())
    assert done.skips[DAMAGE] >= 1
    assert sum(done.skips.values()) == 60 + done.skips[DAMAGE]
