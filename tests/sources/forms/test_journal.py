"""What a probe keeps: whole lines, whole pages, whatever happens in between."""

import json

import pytest

from pagelet.errors import OptionError
from pagelet.sources.forms.journal import Journal, digest
from pagelet.sources.http.loader import Request

ONE, TWO = Request("https://example.org/?q=1"), Request("https://example.org/?q=2")


def add(journal: Journal, request: Request, body: bytes | None) -> dict:
    return journal.add({"request": digest(request), "url": request.url, "error": None}, body)


def test_what_is_written_is_found_again(tmp_path):
    journal = Journal(tmp_path / "new" / "folder")
    add(journal, ONE, b"<p>\xff one")
    add(journal, TWO, None)
    again = Journal(tmp_path / "new" / "folder")
    assert again.rows == journal.rows
    row = again.find(ONE)
    assert (row["number"], row["page"]) == (1, "pages/0001.html")
    assert again.body(row) == b"<p>\xff one"
    assert again.body(again.find(TWO)) is None
    assert again.find(Request("https://example.org/")) is None
    assert not list(tmp_path.rglob("*.part"))


@pytest.mark.parametrize("cut", [1, 5, 30])
def test_a_torn_line_is_dropped_and_written_again(tmp_path, cut):
    journal = Journal(tmp_path)
    add(journal, ONE, b"one")
    whole = journal.file.read_bytes()
    add(journal, TWO, b"two")
    journal.file.write_bytes(journal.file.read_bytes()[:-cut])
    again = Journal(tmp_path)
    assert [row["number"] for row in again.rows] == [1]
    assert again.file.read_bytes() == whole
    assert add(again, TWO, b"TWO")["number"] == 2
    assert Journal(tmp_path).body(Journal(tmp_path).find(TWO)) == b"TWO"


@pytest.mark.parametrize("line", [b"{}\n", b"nonsense\n", b"[1]\n", b"\0\0\0\n"])
def test_what_is_no_line_at_the_end_is_dropped(tmp_path, line):
    journal = Journal(tmp_path)
    add(journal, ONE, None)
    journal.file.write_bytes(journal.file.read_bytes() + line)
    assert len(Journal(tmp_path).rows) == 1
    assert line not in journal.file.read_bytes()


def test_what_is_no_line_in_the_middle_is_told(tmp_path):
    journal = Journal(tmp_path)
    add(journal, ONE, None)
    journal.file.write_bytes(b"nonsense\n" + journal.file.read_bytes())
    with pytest.raises(OptionError, match="line 1"):
        Journal(tmp_path)


def test_a_folder_that_cannot_be(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(OptionError, match="output"):
        Journal(tmp_path / "file")


def test_requests_are_told_apart():
    post = Request(ONE.url, "POST", b"a", "text/plain")
    others = [
        ONE,
        TWO,
        post,
        Request(ONE.url, "POST", b"b", "text/plain"),
        Request(ONE.url, "POST"),
    ]
    assert len({digest(request) for request in others}) == len(others)
    assert digest(Request(ONE.url)) == digest(ONE)


def test_lines_are_json_and_numbers_go_on(tmp_path):
    journal = Journal(tmp_path)
    for request in (ONE, TWO):
        add(journal, request, b"")
    lines = [json.loads(line) for line in journal.file.read_text().splitlines()]
    assert [line["number"] for line in lines] == [1, 2]
