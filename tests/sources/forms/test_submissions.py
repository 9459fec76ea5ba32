"""What a probe keeps: whole lines, whole pages, whatever happens in between."""

import json

import pytest

from pagelet.errors import OptionError
from pagelet.sources.forms.submissions import SubmissionLog, request_digest
from pagelet.sources.http.loader import HttpRequest

ONE, TWO = HttpRequest("https://example.org/?q=1"), HttpRequest("https://example.org/?q=2")


def add(log: SubmissionLog, request: HttpRequest, body: bytes | None) -> dict:
    return log.add({"request": request_digest(request), "url": request.url, "error": None}, body)


def test_what_is_written_is_found_again(tmp_path):
    log = SubmissionLog(tmp_path / "new" / "folder")
    add(log, ONE, b"<p>\xff one")
    add(log, TWO, None)
    again = SubmissionLog(tmp_path / "new" / "folder")
    assert again.rows == log.rows
    row = again.find(ONE)
    assert (row["number"], row["page"]) == (1, "pages/0001.html")
    assert again.body(row) == b"<p>\xff one"
    assert again.body(again.find(TWO)) is None
    assert again.find(HttpRequest("https://example.org/")) is None
    assert not list(tmp_path.rglob("*.part"))


@pytest.mark.parametrize("cut", [1, 5, 30])
def test_a_torn_line_is_dropped_and_written_again(tmp_path, cut):
    log = SubmissionLog(tmp_path)
    add(log, ONE, b"one")
    whole = log.file.read_bytes()
    add(log, TWO, b"two")
    log.file.write_bytes(log.file.read_bytes()[:-cut])
    again = SubmissionLog(tmp_path)
    assert [row["number"] for row in again.rows] == [1]
    assert again.file.read_bytes() == whole
    assert add(again, TWO, b"TWO")["number"] == 2
    assert SubmissionLog(tmp_path).body(SubmissionLog(tmp_path).find(TWO)) == b"TWO"


@pytest.mark.parametrize("line", [b"{}\n", b"nonsense\n", b"[1]\n", b"\0\0\0\n"])
def test_what_is_no_line_at_the_end_is_dropped(tmp_path, line):
    log = SubmissionLog(tmp_path)
    add(log, ONE, None)
    log.file.write_bytes(log.file.read_bytes() + line)
    assert len(SubmissionLog(tmp_path).rows) == 1
    assert line not in log.file.read_bytes()


def test_what_is_no_line_in_the_middle_is_told(tmp_path):
    log = SubmissionLog(tmp_path)
    add(log, ONE, None)
    log.file.write_bytes(b"nonsense\n" + log.file.read_bytes())
    with pytest.raises(OptionError, match="line 1"):
        SubmissionLog(tmp_path)


def test_a_folder_that_cannot_be(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(OptionError, match="output"):
        SubmissionLog(tmp_path / "file")


def test_requests_are_told_apart():
    post = HttpRequest(ONE.url, "POST", b"a", "text/plain")
    others = [
        ONE,
        TWO,
        post,
        HttpRequest(ONE.url, "POST", b"b", "text/plain"),
        HttpRequest(ONE.url, "POST"),
    ]
    assert len({request_digest(request) for request in others}) == len(others)
    assert request_digest(HttpRequest(ONE.url)) == request_digest(ONE)


def test_lines_are_json_and_numbers_go_on(tmp_path):
    log = SubmissionLog(tmp_path)
    for request in (ONE, TWO):
        add(log, request, b"")
    lines = [json.loads(line) for line in log.file.read_text().splitlines()]
    assert [line["number"] for line in lines] == [1, 2]
