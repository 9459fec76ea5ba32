"""A poisoned archive: each bad record is one row or one counted skip, and no other page is lost."""

import gzip
import struct
import zlib
from collections import Counter
from dataclasses import replace

import pytest

from pagelet.bulk.records import DAMAGE
from tests.bulk.archives import answer, page, record, rows
from tests.bulk.test_readers import noise
from tests.bulk.works import QUICK, Unruly, run

pytestmark = pytest.mark.slow

GIGABYTE = 1_000_000_000
PIECE = bytes(10_000_000)
NO_TYPE = "no content type, and it begins like no page"


def packed_huge(name: str, size: int) -> bytes:
    """A packed record of so many zeros, made of one packed piece again and again."""
    block = answer(b"")
    head = record(name, block, length=size + len(block)).removesuffix(b"\r\n\r\n")
    packer = zlib.compressobj(1, zlib.DEFLATED, -15)
    parts = [b"\x1f\x8b\x08\0\0\0\0\0\0\xff", packer.compress(head)]
    parts.append(packer.flush(zlib.Z_FULL_FLUSH))
    piece = packer.compress(PIECE) + packer.flush(zlib.Z_FULL_FLUSH)
    parts += [piece] * (size // len(PIECE))
    parts.append(packer.compress(b"\r\n\r\n") + packer.flush())
    check = zlib.crc32(head)
    for _ in range(size // len(PIECE)):
        check = zlib.crc32(PIECE, check)
    check = zlib.crc32(b"\r\n\r\n", check)
    total = len(head) + size + 4
    return b"".join([*parts, struct.pack("<II", check, total & 0xFFFFFFFF)])


def claiming(name: str, length: int) -> bytes:
    """A record with a page that claims another length."""
    return gzip.compress(record(name, answer(f"<p>{name} {noise(500)}".encode()), length=length))


def cut(name: str, share: float) -> bytes:
    """A packed record of which the end is missing."""
    whole = gzip.compress(page(name, f"<p>{noise(3000)}"))
    return whole[: int(len(whole) * share)]


def good(name: str, body: str | bytes, **more: str) -> bytes:
    return gzip.compress(page(name, body, **more))


#: bad records, and the row that comes of each: its error and how its text begins
ROWS = {
    "length-less": (claiming("length-less", 300), None, "length-less"),
    "length-more": (claiming("length-more", 600), None, "length-more"),
    "length-most": (claiming("length-most", 10**20), "DamagedRecord", None),
    "no-head": (gzip.compress(record("no-head", b"<p>No head at all")), None, "No head at all"),
    "chunked": (good("chunked", b"9\r\n<p>Chunks\r\n0\r\n\r\n", Transfer_Encoding="chunked"),
                None, "Chunks"),
    "not-chunked": (good("not-chunked", "<p>No chunks", Transfer_Encoding="chunked"),
                    None, "No chunks"),
    "charset": (good("charset", "<p>Grüße".encode("latin-1"), kind="text/html; charset=utf-8"),
                None, "Gr"),
    "no-charset": (good("no-charset", "<p>Words", kind="text/html; charset=klingon"),
                   None, "Words"),
    "hang": (good("hang", "<p>[hang]"), "OverTime", None),
}  # fmt: skip

#: bad records of which no row comes, and the reason under which each is counted
SKIPS = {
    "cut": (cut("cut", 0.4), DAMAGE),
    "no-html": (good("no-html", b"\x89PNG\0", kind="image/png"), "content type image/png"),
    "no-html-no-type": (gzip.compress(record("no-type", b"\x89PNG\0")), NO_TYPE),
    "missing": (good("missing", "<p>gone", status="404 Not Found"), "status 404"),
}


def test_each_bad_record_is_a_row_or_a_counted_skip(tmp_path):
    some = ROWS | {"gigabyte": (packed_huge("gigabyte", GIGABYTE), "PageTooLarge", None)}
    bad = [given[0] for given in (*some.values(), *SKIPS.values())]
    between = [gzip.compress(page(f"good{at}", f"<p>Good page {at}")) for at in range(len(bad) + 1)]
    twins = [good("twin", "<p>One"), good("twin", "<p>Other")]
    mixed = [each for pair in zip(between, [*bad, b""], strict=True) for each in pair]
    path = tmp_path / "x.warc.gz"
    path.write_bytes(b"".join([*mixed, *twins, cut("last", 0.6)]))
    dataset = run([path], tmp_path / "out", Unruly(replace(QUICK, timeout=3.0), str(tmp_path)))

    found = {}
    for row in rows(tmp_path / "out"):
        found.setdefault(row["id"].removeprefix("<urn:x:").rstrip(">"), []).append(row)
    names = {f"good{at}" for at in range(len(between))}
    assert found.keys() == names | some.keys() | {"twin", "last"}
    assert all(found[name][0]["text"].startswith("Good page") for name in names)
    for name, (_, error, text) in some.items():
        (row,) = found[name]
        assert row["error"] == error, name
        assert (row["reason"] is None) == (error is None), name
        assert row["text"] is None if text is None else row["text"].startswith(text), name
    assert [row["text"] for row in found["twin"]] == ["One", "Other"]
    assert [row["error"] for row in found["last"]] == ["DamagedRecord"]

    wanted = Counter(reason for _, reason in SKIPS.values())
    wanted[DAMAGE] += 3  # beside their rows, the places where lengths are wrong
    assert dataset.totals().skips == wanted
    assert dataset.totals().errors == {"DamagedRecord": 2, "PageTooLarge": 1, "OverTime": 1}
    assert dataset.failed == []
