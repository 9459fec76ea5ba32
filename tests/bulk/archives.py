"""Archives and pages that tests write, and outputs that they read back."""

import gzip
from collections.abc import Iterable
from pathlib import Path

from pyarrow import dataset

from tests.labelled import html_of

HOST = "https://site.example"
TIMES = ("seconds",)


def answer(body: bytes, status: str = "200 OK", kind: str = "text/html", **headers: str) -> bytes:
    """An HTTP answer."""
    lines = [f"HTTP/1.1 {status}", *([f"Content-Type: {kind}"] if kind else [])]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def record(name: object, block: bytes, kind: str = "response", length: object = None) -> bytes:
    """A record of an archive, called by a number or a name."""
    lines = [
        "WARC/1.1",
        f"WARC-Type: {kind}",
        f"WARC-Target-URI: {HOST}/{name}",
        "WARC-Date: 2024-05-06T07:08:09Z",
        f"WARC-Record-ID: <urn:x:{name}>",
        f"Content-Length: {len(block) if length is None else length}",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + block + b"\r\n\r\n"


def page(name: object, body: str | bytes | None = None, **more: str) -> bytes:
    """A record with a page."""
    html = html_of(name) if body is None and isinstance(name, int) else body or f"<p>{name}"
    return record(name, answer(html.encode() if isinstance(html, str) else html, **more))


def pages(count: int) -> list[bytes]:
    """Records with pages that differ."""
    return [page(number) for number in range(count)]


def write_warc(path: Path, records: Iterable[bytes]) -> Path:
    """An archive; packed record by record if its name says so."""
    packed = path.name.endswith(".gz")
    path.write_bytes(b"".join(gzip.compress(each, 1) if packed else each for each in records))
    return path


def rows(folder: Path, table: str = "pages") -> list[dict]:
    """The rows of an output, sorted, without times."""
    found = dataset.dataset(folder / table).to_table().to_pylist()
    kept = [{name: row[name] for name in row if name not in TIMES} for row in found]
    return sorted(kept, key=lambda row: (row["source"], row["place"], row.get("path", "")))


def ids(folder: Path) -> list[str]:
    """The ids of an output, sorted, in short."""
    return sorted(row["id"].removeprefix("<urn:x:").rstrip(">") for row in rows(folder))
