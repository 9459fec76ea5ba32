"""A fuzzer of the readers: files of records, broken at random, that know what was left whole.

A record is whole if no byte of it was touched, and of its framing: the compressed member or the
row group that holds it, and the line end before it.
"""

import gzip
import json
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

import pyarrow as pa
import zstandard
from pyarrow import parquet

from pagelet.bulk.chunk import read_source
from pagelet.bulk.inputs import InputPlan
from pagelet.bulk.options import BulkOptions
from pagelet.bulk.run import Summary
from pagelet.errors import PageError
from pagelet.sources.warc.reader import START
from tests.bulk.archives import answer, record
from tests.bulk.test_readers import lz4

KINDS = ("warc", "warc.gz", "warc.zst", "warc.lz4", "jsonl", "jsonl.gz", "jsonl.zst", "parquet",
         "txt")  # fmt: skip
RECORDS = 24
MEMBER_LINES = 4  #: lines of one compressed member
WORDS = "harbour tomato bean tide jar label wall winter drying seed packet fog storm".split()
ABSURD = ("", "-1", "0", "\0", "9" * 400, "1e999", "\ud800".encode("utf-8", "replace").decode(),
          "ÿ" * 50, "gzip," * 3000, "br, zstd, deflate", "0001-01-01T00:00:00+23:59", "[" * 5000,
          "text/html; charset=utf-7", "\r\n\r\n", "WARC/1.1", "chunked, chunked")  # fmt: skip


@dataclass
class Broken:
    """A file with records, some of them touched."""

    path: Path
    whole: dict[str, str]  #: text by name of the records that were not touched
    touched: set[str]
    breaks: list[str] = field(default_factory=list)  #: what was done


@dataclass
class Piece:
    """Bytes of a file that are framed together, and the records they hold."""

    data: bytes
    names: list[str]
    joins_next: bool = False  #: whether its end frames the piece behind it, as the end of a line


def text_of(name: str, chance: random.Random) -> str:
    return f"{name} {' '.join(chance.choices(WORDS, k=chance.randint(5, 60)))}"


# -- whole files ------------------------------------------------------------------------------


def archived(name: str, text: str, chance: random.Random) -> bytes:
    """A record of an archive, whose page is sometimes encoded."""
    html = f"<p>{text}".encode()
    how = chance.choice(["", "", "gzip", "zstd", "chunked"])
    if how == "chunked":
        chunks = b"%x\r\n%s\r\n0\r\n\r\n" % (len(html), html)
        return record(name, answer(chunks, Transfer_Encoding="chunked"))
    packs: dict[str, Callable[[bytes], bytes]] = {"gzip": gzip.compress, "zstd": zstandard.compress}
    return record(name, answer(packs[how](html), Content_Encoding=how) if how else answer(html))


def line_of(name: str, text: str) -> bytes:
    row = {"id": f"<urn:x:{name}>", "html": f"<p>{text}", "date": "2024-05-06T07:08:09Z"}
    return json.dumps(row).encode() + b"\n"


PACKS: dict[str, Callable[[bytes], bytes]] = {
    "gz": lambda data: gzip.compress(data, mtime=0),
    "zst": zstandard.compress,
    "lz4": lz4,
}


def records_of(kind: str, texts: dict[str, str], chance: random.Random) -> list[Piece]:
    """The records of a file that is not compressed."""
    lines = kind.startswith("jsonl")
    make = line_of if lines else lambda *given: archived(*given, chance)
    return [Piece(make(name, text), [name], lines) for name, text in texts.items()]


def pack_records(kind: str, pieces: list[Piece], chance: random.Random) -> list[Piece]:
    """The records as the kind of a file frames them: each by itself, or some together."""
    form, _, packing = kind.partition(".")
    if packing and (form == "jsonl" or chance.random() < 0.3):
        groups = [pieces[at : at + MEMBER_LINES] for at in range(0, len(pieces), MEMBER_LINES)]
        pieces = [Piece(b"".join(each.data for each in group), [n for p in group for n in p.names])
                  for group in groups]  # fmt: skip
    if packing:
        pieces = [Piece(PACKS[packing](each.data), each.names) for each in pieces]
    return pieces


def table_pieces(texts: dict[str, str]) -> list[Piece]:
    """A Parquet file in the pieces that belong to one row group each, and its end."""
    table = pa.table({
        "id": [f"<urn:x:{name}>" for name in texts],
        "html": [f"<p>{text}" for text in texts.values()],
        "date": ["2024-05-06T07:08:09Z"] * len(texts),
    })  # fmt: skip
    out = BytesIO()
    parquet.write_table(table, out, row_group_size=MEMBER_LINES)
    data, groups = out.getvalue(), parquet.ParquetFile(out).metadata
    names, pieces, begin = list(texts), [Piece(data[:4], list(texts))], 4
    for at in range(groups.num_row_groups):
        size = groups.row_group(at)
        end = begin + sum(size.column(c).total_compressed_size for c in range(3))
        pieces.append(Piece(data[begin:end], names[at * MEMBER_LINES : (at + 1) * MEMBER_LINES]))
        begin = end
    return [*pieces, Piece(data[begin:], names)]


# -- breaking them ----------------------------------------------------------------------------


def break_bytes(data: bytes, chance: random.Random) -> tuple[bytes, int, int, str]:
    """The bytes, broken; from where to where, and how. Nothing lies between for an insertion."""
    begin = chance.randrange(len(data))
    end = min(begin + chance.choice([1, 1, 2, 7, 40, 300, 3000]), len(data))
    how = chance.choice(["flip", "noise", "zeros", "delete", "insert", "cut"])
    if how == "cut":
        return data[:begin], begin, len(data), how
    if how == "insert":
        return data[:begin] + chance.randbytes(end - begin) + data[begin:], begin, begin, how
    new = {
        "flip": bytes([data[begin] ^ 1 << chance.randrange(8)]) + data[begin + 1 : end],
        "noise": chance.randbytes(end - begin),
        "zeros": bytes(end - begin),
        "delete": b"",
    }[how]
    return data[:begin] + new + data[end:], begin, begin + 1 if how == "flip" else end, how


def touched_names(pieces: list[Piece], begin: int, end: int) -> set[str]:
    """The records whose bytes or framing a break from one byte to another has touched."""
    names, start, line_end_touched = set(), 0, False
    for piece in pieces:
        stop = start + len(piece.data)
        inserted_inside = begin == end and (start < begin < stop or
                                            (start == begin and piece.joins_next))  # fmt: skip
        if line_end_touched or inserted_inside or (begin < stop and end > start and begin < end):
            names.update(piece.names)
        line_end_touched = piece.joins_next and begin < stop <= end and begin < end
        start = stop
    return names


def break_field(piece: Piece, chance: random.Random) -> str:
    """Put something absurd into a field of a record that is not compressed."""
    lines = piece.data.split(b"\r\n") if piece.data.startswith(b"WARC") else None
    value = chance.choice(ABSURD).encode()
    if lines is None:
        row = json.loads(piece.data)
        row[chance.choice(list(row))] = chance.choice([value.decode(), 7, None, [], {}, 1e308])
        piece.data = json.dumps(row).encode() + b"\n"
        return "field of a line"
    at = chance.randrange(min(len(lines), 12))
    name = lines[at].partition(b":")[0]
    lines[at] = name + b": " + value
    piece.data = b"\r\n".join(lines)
    return f"field {name[:20]!r}"


def write_broken(path: Path, kind: str, seed: int) -> Broken:
    """A file of a kind, broken here and there."""
    chance = random.Random(seed)
    texts = {f"{path.name}-{at}": "" for at in range(RECORDS)}
    texts = {name: text_of(name, chance) for name in texts}
    if kind == "txt":
        return write_list(path, texts, chance)
    touched, breaks = set[str](), []
    if kind == "parquet":
        pieces = table_pieces(texts)
    else:
        pieces = records_of(kind, texts, chance)
        for piece in chance.sample(pieces, k=chance.randrange(3)):
            touched.update(piece.names)
            breaks.append(break_field(piece, chance))
        pieces = pack_records(kind, pieces, chance)
    if kind == "warc.lz4":  # records of a member behind a length that is wrong
        touched.update(n for each in pieces if touched & set(each.names) for n in each.names)
    data = b"".join(piece.data for piece in pieces)
    for _ in range(1 if kind == "parquet" else chance.randint(1, 3)):
        fresh, begin, end, how = break_bytes(data, chance)
        moves_others = kind == "parquet" and len(fresh) != len(data)  # its end names places
        touched |= touched_names(pieces, begin, len(data) if moves_others else end)
        pieces, data = remap(pieces, data, fresh, begin, end), fresh
        breaks.append(f"{how} {begin} to {end}")
        if not data:
            break
    path.write_bytes(data)
    whole = {name: text for name, text in texts.items() if name not in touched}
    return Broken(path, whole, touched, breaks)


def remap(pieces: list[Piece], old: bytes, new: bytes, begin: int, end: int) -> list[Piece]:
    """The same pieces where they lie after a break; what was put in belongs to a piece before."""
    moved, start = [], 0
    shift = len(new) - len(old)
    for piece in pieces:
        stop = start + len(piece.data)
        first, last = (_moved(at, begin, end, shift) for at in (start, stop))
        moved.append(Piece(new[first:last], piece.names, piece.joins_next))
        start = stop
    return moved


def _moved(at: int, begin: int, end: int, shift: int) -> int:
    if at < begin or (at == begin and begin != end):
        return at
    return at + shift if at >= end else begin


def write_list(path: Path, texts: dict[str, str], chance: random.Random) -> Broken:
    """A list of files, some of its lines broken; other lines are absurd."""
    folder = path.with_suffix("")
    folder.mkdir()
    lines, whole, touched = [], {}, set()
    for name, text in texts.items():
        page = folder / f"{name}.html"
        page.write_text(f"<p>{text}", encoding="utf-8")
        line = str(page).encode()
        if chance.random() < 0.3:
            touched.add(str(page))
            line = break_bytes(line, chance)[0].replace(b"\n", b"").replace(b"\r", b"")
        else:
            whole[str(page)] = text
        lines.append(line)
        if chance.random() < 0.2:
            scheme = chance.choice(["htp://", "simplecache::http://127.0.0.1:9/", "ftp://h/", ""])
            lines.append(scheme.encode() + chance.randbytes(9).replace(b"\n", b"").hex().encode())
    path.write_bytes(b"\n".join(lines))
    return Broken(path, whole, touched, ["lines"])


# -- what must hold ---------------------------------------------------------------------------


def check(broken: list[Broken], found: list[dict[str, object]], done: Summary) -> tuple[int, int]:
    """Every whole record is there once, as it was; what is missing was told. How many of each."""
    by_name: dict[str, list[dict[str, object]]] = {}
    for row in found:
        name = str(row["id"]).removeprefix("<urn:x:").removesuffix(">")
        by_name.setdefault(name, []).append(row)
    for each in broken:
        for name, text in each.whole.items():
            rows = by_name.get(name, [])
            told = [(row["text"], row["error"]) for row in rows]
            assert told == [(text, None)], (each.path.name, each.breaks, name, told)
    assert "WorkerCrashed" not in done.errors
    assert not [name for name, error, _ in done.failed if error == "WorkerCrashed"]
    return sum(len(each.whole) for each in broken), sum(len(each.touched) for each in broken)


def check_places(path: Path, options: BulkOptions, chance: random.Random) -> None:
    """Read from a place on, a file gives what it gives from there when it is read as a whole."""
    for source in InputPlan((str(path),)):
        with suppress(PageError, OSError):
            whole = list(read_source(source, START, options))
            for at in chance.sample(range(1, len(whole)), k=min(3, max(len(whole) - 1, 0))):
                start = whole[at - 1].after
                assert start is not None
                assert list(read_source(source, start, options)) == whole[at:], start


def is_told(each: Broken, found: list[dict[str, object]], done: Summary) -> bool:
    """Whether all that is missing of one file was told: as a row, a skip, damage or a failure."""
    if each.path.suffix == ".jsonl":  # of lines that are missing, nothing is left to see
        return True
    own = [row for row in found if str(row["source"]).startswith(str(each.path.with_suffix("")))]
    missing = RECORDS - len(own)
    return missing <= 0 or bool(done.skips or done.errors or done.failed)
