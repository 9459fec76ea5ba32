"""The folder of a probe: submissions, and the pages that answered them.

`submissions.jsonl` has one line per submission, `pages/` the responses as received. A page is
written under another name and then renamed, before its line is added. So whenever the probe is
killed, every whole line is true, and an incomplete last line is dropped. One probe at a time
writes to a folder.
"""

import json
import os
from hashlib import sha256
from pathlib import Path
from typing import Any

from pagelet.errors import OptionError
from pagelet.sources.http.loader import HttpRequest
from pagelet.wording import describe_os_error

Row = dict[str, Any]  #: one line of submissions.jsonl, as docs/probe.md describes it

SUBMISSIONS, PAGES = "submissions.jsonl", "pages"


def request_digest(request: HttpRequest) -> str:
    """The digest that identifies a request."""
    parts = (request.method, request.url, request.content_type or "")
    data = "\0".join(parts).encode("utf-8", "surrogatepass") + b"\0" + (request.body or b"")
    return sha256(data).hexdigest()[:24]


class SubmissionLog:
    """The submissions in the folder of a probe."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / SUBMISSIONS
        try:
            (folder / PAGES).mkdir(parents=True, exist_ok=True)
            self.rows = self._read()
        except OSError as error:
            raise OptionError("output", str(folder), describe_os_error(error)) from error
        self._by_request = {row["request"]: row for row in self.rows}

    def find(self, request: HttpRequest) -> Row | None:
        """The line of a request that was sent before."""
        return self._by_request.get(request_digest(request))

    def add(self, row: Row, body: bytes | None) -> Row:
        """Number a submission and write it, its page first."""
        number = self.rows[-1]["number"] + 1 if self.rows else 1
        page = None if body is None else f"{PAGES}/{number:04}.html"
        if page is not None and body is not None:
            self.write(page, body)
        whole = {"number": number, **row, "page": page}
        line = json.dumps(whole, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        with self.file.open("ab") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
        self.rows.append(whole)
        self._by_request[whole["request"]] = whole
        return whole

    def write(self, name: str, body: bytes) -> None:
        """Write a file of the folder, whole or not at all."""
        part = self.folder / f"{name}.part"
        with part.open("wb") as file:
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
        part.replace(self.folder / name)

    def body(self, row: Row) -> bytes | None:
        """The page of a submission as received; None when there is none."""
        return self.read(row["page"]) if row["page"] else None

    def read(self, name: str) -> bytes | None:
        """A file of the folder; None when it is not there."""
        path = self.folder / name
        return path.read_bytes() if path.is_file() else None

    def _read(self) -> list[Row]:
        """Read the lines; an incomplete last one is cut off."""
        data = self.read(SUBMISSIONS) or b""
        lines = data.splitlines(keepends=True)
        rows, size = [], 0
        for at, line in enumerate(lines):
            row = _parse_line(line)
            if row is None and at == len(lines) - 1:
                with self.file.open("r+b") as file:
                    file.truncate(size)
            elif row is None:
                why = f"line {at + 1} is not a submission; repair it or give another folder"
                raise OptionError("output", str(self.file), why)
            else:
                rows.append(row)
                size += len(line)
        return rows


def _parse_line(line: bytes) -> Row | None:
    """A whole line as a row; None when it is not one."""
    if not line.endswith(b"\n"):
        return None
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    is_row = isinstance(row, dict) and {"number", "request", "page", "url"} <= row.keys()
    return row if is_row else None
