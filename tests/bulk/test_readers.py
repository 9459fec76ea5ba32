"""Archives, whole and damaged: every record is a page or a counted skip, at any start."""

import gzip
import random
import tracemalloc
from io import BytesIO

import pytest
import zstandard

from pagelet.bulk.chunk import read_source
from pagelet.bulk.options import BulkOptions
from pagelet.bulk.records import DAMAGE, Record, Source
from pagelet.sources.warc.message import import_fastwarc
from pagelet.sources.warc.reader import START, Place
from tests.bulk.archives import HOST, answer, page, record

OPTIONS = BulkOptions(max_bytes=50_000)


def noise(size, seed=1):
    """Letters that do not pack well."""
    return "".join(random.Random(seed).choices("abcdefghijklmnopqrstuvwxyz", k=size))


def entries(path, start=START):
    return list(read_source(Source("warc", str(path)), start, OPTIONS))


def told(entry):
    """A page by its name, an error by both, a skip by its reason."""
    found = entry.item
    if not isinstance(found, Record):
        return f"({found.reason})"
    name = found.id.removeprefix("<urn:x:").rstrip(">")
    return f"{name}: {found.error}" if found.error else name


def damage(found):
    skips = sum(not isinstance(entry.item, Record) for entry in found)
    return skips + sum(entry.damage for entry in found)


def packed(*records):
    return [gzip.compress(each) for each in records]


def lz4(data):
    import_fastwarc()
    from fastwarc.stream_io import Lz4Writer  # noqa: PLC0415 - it warns unless asked for so

    out = BytesIO()
    writer = Lz4Writer(out)
    writer.write(data)
    writer.close()
    return out.getvalue()


RECORDS = [page(number, f"<p>{number} {noise(2000, number)}") for number in range(5)]
NAMES = ["0", "1", "2", "3", "4"]
LONG = RECORDS[1].replace(b"Content-Length: 2", b"Content-Length: 3")
LONGER = RECORDS[1].replace(b"Content-Length: 2", b"Content-Length: 92")
HUGE = RECORDS[1].replace(b"Content-Length: 2", b"Content-Length: 99999999999999999999")
SHORT = RECORDS[1].replace(b"Content-Length: 2", b"Content-Length: 1")


@pytest.fixture
def archive(tmp_path):
    def write(*pieces):
        path = tmp_path / "x.warc"
        path.write_bytes(b"".join(pieces))
        return path

    return write


@pytest.mark.parametrize(
    "pieces",
    [
        RECORDS,
        packed(*RECORDS),
        [gzip.compress(b"".join(RECORDS))],
        [gzip.compress(b"".join(RECORDS[:3])), *packed(*RECORDS[3:])],
        [gzip.compress(b"".join(RECORDS[:2])), gzip.compress(b"".join(RECORDS[2:]))],
        [zstandard.compress(b"".join(each)) for each in (RECORDS[:2], RECORDS[2:4], RECORDS[4:])],
        [lz4(b"".join(each)) for each in (RECORDS[:2], RECORDS[2:4], RECORDS[4:])],
        [zstandard.compress(each) for each in RECORDS],
        [lz4(each) for each in RECORDS],
    ],
    ids=[
        "plain",
        "gzip",
        "gzip as one piece",
        "gzip in two pieces",
        "gzip by two and three",
        "zstd by two",
        "lz4 by two",
        "zstd",
        "lz4",
    ],
)
def test_pages_from_any_place_on(archive, pieces):
    path = archive(*pieces)
    found = entries(path)
    assert [told(each) for each in found] == NAMES
    assert found[-1].after is None
    for at, entry in enumerate(found[:-1], 1):
        assert entries(path, entry.after) == found[at:]


def test_what_a_page_says_of_itself(archive):
    (entry,) = entries(
        archive(page("a", "<p>Grüße".encode("latin-1"), kind="text/HTML; charset=latin1"))
    )
    found = entry.item
    assert (found.id, found.url, found.charset) == ("<urn:x:a>", f"{HOST}/a", "latin1")
    assert found.captured.isoformat() == "2024-05-06T07:08:09+00:00"
    assert found.body == "<p>Grüße".encode("latin-1")


@pytest.mark.parametrize(
    ("pieces", "wanted"),
    [
        ([RECORDS[0], b"rubbish\r\n\r\n", RECORDS[2]], ["0", "2"]),
        ([RECORDS[0], RECORDS[1].replace(b"WARC/1.1", b"W??C/1.1"), RECORDS[2]], ["0", "2"]),
        ([RECORDS[0], LONG, *RECORDS[2:]], NAMES),
        ([RECORDS[0], LONGER, *RECORDS[2:]], ["0", "1: DamagedRecord", "2", "3", "4"]),
        ([RECORDS[0], SHORT, *RECORDS[2:]], NAMES),
        ([RECORDS[0], HUGE, *RECORDS[2:]], ["0", "1: DamagedRecord", "2", "3", "4"]),
        (packed(RECORDS[0], HUGE, *RECORDS[2:]), ["0", "1: DamagedRecord", "2", "3", "4"]),
        ([RECORDS[0], RECORDS[1][:800]], ["0", "1: DamagedRecord"]),
        ([*packed(RECORDS[0], LONG), *packed(*RECORDS[2:])], NAMES),
        ([*packed(RECORDS[0], LONGER, *RECORDS[2:])], ["0", "1: DamagedRecord", "2", "3", "4"]),
        ([*packed(RECORDS[0], SHORT, *RECORDS[2:])], NAMES),
        ([*packed(RECORDS[0]), packed(RECORDS[1])[0][:900], *packed(RECORDS[2])],
         ["0", f"({DAMAGE})", "2"]),
        ([*packed(RECORDS[0]), packed(RECORDS[1])[0][:40], *packed(RECORDS[2])], ["0", "2"]),
        ([*packed(RECORDS[0]), packed(RECORDS[1])[0][:60]], ["0", f"({DAMAGE})"]),
        ([*packed(RECORDS[0]), packed(RECORDS[1])[0][:900]], ["0", "1: DamagedRecord"]),
        ([RECORDS[0][1:], *RECORDS[1:]], [f"({DAMAGE})", *NAMES[1:]]),
        ([packed(RECORDS[0])[0][1:], *packed(*RECORDS[1:])], [f"({DAMAGE})", *NAMES[1:]]),
        ([b"?", *map(zstandard.compress, RECORDS)], [f"({DAMAGE})", *NAMES]),
        ([b"<html>no archive"], [f"({DAMAGE})"]),
        ([], []),
    ],
)  # fmt: skip
def test_damage_is_passed_over_and_told(archive, pieces, wanted):
    path = archive(*pieces)
    found = entries(path)
    assert [told(each) for each in found] == wanted
    errors = sum(": " in name for name in wanted)
    assert damage(found) + errors >= (1 if pieces else 0)
    for at, entry in enumerate(found[:-1], 1):
        assert entries(path, entry.after) == found[at:]


@pytest.mark.parametrize("pack", [list, lambda each: packed(*each)], ids=["plain", "gzip"])
@pytest.mark.parametrize("claim", [LONG, LONGER, SHORT])
def test_a_record_that_claims_too_much_keeps_to_its_own_bytes(archive, pack, claim):
    found = entries(archive(*pack([RECORDS[0], claim, *RECORDS[2:]])))
    assert all(b"WARC" not in each.item.body for each in found)
    assert [each.item.body for each in found[2:]] == [
        each.partition(b"text/html\r\n\r\n")[2].removesuffix(b"\r\n\r\n") for each in RECORDS[2:]
    ]


@pytest.mark.parametrize(
    ("block", "wanted"),
    [
        (answer(b"<p>x"), b"<p>x"),
        (answer(b"<p>x", kind=""), b"<p>x"),
        (b"<p>no head at all", b"<p>no head at all"),
        (answer(b"4\r\n<p>x\r\n0\r\n\r\n", Transfer_Encoding="chunked"), b"<p>x"),
        (answer(b"4;a=b\n<p>x\n1\ny\n0\n\n", Transfer_Encoding="chunked"), b"<p>xy"),
        (answer(b"<p>left in", Transfer_Encoding="chunked"), b"<p>left in"),
        (answer(b"8\r\n<p>cut", Transfer_Encoding="chunked"), b"<p>cut"),
        (answer(gzip.compress(b"<p>x", mtime=0), Content_Encoding="gzip"), b"<p>x"),
        (answer(zstandard.compress(b"<p>x"), Content_Encoding="zstd"), b"<p>x"),
        (answer(b"<p>unpacked already", Content_Encoding="gzip"), b"<p>unpacked already"),
        (answer(b"<p>unpacked already", Content_Encoding="br"), b"<p>unpacked already"),
        (answer(b"<p>x", Content_Encoding="unheard-of"), b"<p>x"),
        (answer(b""), b""),
    ],
)
def test_a_body_is_unpacked_or_taken_as_it_is(archive, block, wanted):
    (entry,) = entries(archive(record("x", block)))
    assert (told(entry), entry.item.body) == ("x", wanted)


@pytest.mark.parametrize(
    ("made", "wanted"),
    [
        (record("x", b"GET / HTTP/1.1\r\n\r\n", "request"), "(record type request)"),
        (record("x", b"", "warcinfo"), "(record type warcinfo)"),
        (page("x", "<p>", status="404 Not Found"), "(status 404)"),
        (page("x", b"\x89PNG\0", kind="image/png"), "(content type image/png)"),
        (record("x", b"\x89PNG\0"), "(no content type, and it begins like no page)"),
        (page("x", "<p>" + "x" * 60_000), "x: PageTooLarge"),
        (page("x", gzip.compress(b"<p>" + b"x" * 9_000_000), Content_Encoding="gzip"),
         "x: PageTooLarge"),
        (page("x", b"\1\2\0", Content_Encoding="gzip"), "x: Unreachable"),
        (page("x", b"GIF89a\0\0"), "x"),
    ],
)  # fmt: skip
def test_what_is_no_page_is_told(archive, made, wanted):
    found = entries(archive(page("before"), made, page("after")))
    assert [told(each) for each in found] == ["before", wanted, "after"]


@pytest.mark.parametrize("kind", [gzip.compress, zstandard.compress, bytes], ids=["gz", "zst", "-"])
@pytest.mark.parametrize("share", [0.02, 0.1, 0.5, 0.9, 0.99])
def test_wherever_the_last_record_is_cut_it_is_told(archive, kind, share):
    whole = kind(RECORDS[1])
    found = entries(archive(kind(RECORDS[0]), whole[: int(len(whole) * share)]))
    assert told(found[0]) == "0"
    wrong = [each for each in found[1:] if told(each) != "1"]
    assert len(found) > 1 or sum(each.damage for each in found)
    assert not wrong or told(wrong[0]).endswith((f"({DAMAGE})", ": DamagedRecord"))


def test_a_huge_record_is_passed_over_in_bounded_memory(tmp_path):
    path = tmp_path / "x.warc"
    size = 300_000_000
    head = record("huge", answer(b"<p>"), length=size).removesuffix(b"\r\n\r\n")
    with path.open("wb") as file:
        file.write(head)
        file.seek(len(head) - len(answer(b"<p>")) + size)  # a hole, which takes no room
        file.write(b"\r\n\r\n" + page("after"))
    tracemalloc.start()
    found = entries(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [told(each) for each in found] == ["huge: PageTooLarge", "after"]
    assert peak < 20_000_000


def test_same_ids_are_two_pages(archive):
    found = entries(archive(page("x", "<p>1"), page("x", "<p>2")))
    assert [told(each) for each in found] == ["x", "x"]
    assert len({each.item.number for each in found}) == 2


def test_a_block_to_avoid_is_not_read(archive):
    path = archive(*packed(*RECORDS))
    place = entries(path)[1].item.place
    seen = []
    name = Place(0, 1)  # the second one of this walk
    avoid = {name: ("OverTime", "it hangs")}
    found = list(read_source(Source("warc", str(path)), START, OPTIONS, seen.append, avoid))
    assert [told(each) for each in found] == ["0", "1: OverTime", "2", "3", "4"]
    assert found[1].item.place == place
    assert name in seen
