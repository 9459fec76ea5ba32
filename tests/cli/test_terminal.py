"""Control characters of a page: escaped on a terminal, kept in pipes and files."""

import ast
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pagelet.cli
from pagelet.terminal import escape_controls, one_line

HOSTILE = "\x1b]0;title\x07 \x1b[2J\x9b31m \u202eevil\u2066 \x07\b\r"
PAGE = f"""<title>{HOSTILE}</title><nav><ul><li><a href="/{HOSTILE}">one {HOSTILE}</a>
<li><a href=/b>two</a><li><a href=/c>three</a><li><a href=/d>four</a></ul></nav>
<article><h1>A heading {HOSTILE}</h1><p>Words of a page that are long enough to be kept,
{HOSTILE} and some more of them, so that this is the content of the page.</article>
<form action="/{HOSTILE}"><input name="q{HOSTILE}" value="{HOSTILE}" type=search></form>"""
#: what pagelet itself sends to a terminal: colours and hyperlinks
OWN = re.compile(r"\x1b\[[0-9;]*m")
COMMANDS = (
    "content -f text", "content -f markdown", "content -f html", "content -f json",
    "content --explain", "menu", "menu -f json", "clutter --all --explain", "clutter -f html --raw",
    "noise", "template -f text", "forms", "forms -f json", "forms --explain", "inspect -o -",
)  # fmt: skip


@pytest.fixture(scope="module")
def page(tmp_path_factory) -> Path:
    file = tmp_path_factory.mktemp("hostile") / "page.html"
    file.write_text(PAGE, newline="")
    return file


def on_terminal(arguments: list[str]) -> str:
    """What a command writes to a terminal, on both streams."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "pagelet", *arguments]
    with subprocess.Popen(command, stdout=theirs, stderr=theirs, stdin=subprocess.DEVNULL):
        os.close(theirs)
        pieces = []
        while piece := _read(ours):
            pieces.append(piece)
    os.close(ours)
    return b"".join(pieces).decode("utf-8").replace("\r\n", "\n")


def _read(file: int) -> bytes:
    try:
        return os.read(file, 65_536)
    except OSError:  # the other end is closed
        return b""


@pytest.mark.parametrize("command", COMMANDS)
def test_a_terminal_obeys_no_page(page, command):
    name, *options = command.split()
    shown = on_terminal([name, str(page), *options])
    assert escape_controls(OWN.sub("", shown)) == OWN.sub("", shown)


def test_a_pipe_has_the_text_as_it_is(run, page):
    _, out, _ = run("content", page)
    assert "\x1b[2J\x9b31m \u202eevil\u2066" in out
    _, out, _ = run("content", page, "-f", "json")
    assert "\x1b[2J" in json.loads(out)["pagelets"][0]["text"]


def test_json_on_a_terminal_is_the_same_json(page):
    shown = on_terminal(["content", str(page), "-f", "json"])
    assert "\x1b[2J\x9b31m \u202eevil" in json.loads(shown)["pagelets"][0]["text"]


def test_an_error_is_one_line_without_controls(run):
    code, out, err = run("content", "no\n\x1b[2J\u2028\u202efile")
    assert (code, out) == (3, "")
    assert err == "pagelet: no\\n\\u001b[2J\\u2028\\u202efile: no such file;" \
        " give a file, a URL or -\n"  # fmt: skip


def test_what_is_escaped():
    assert escape_controls("a\tb\n\u200fשלום é 漢 \x1b\x85\ud800") == (
        "a\tb\n\u200fשלום é 漢 \\u001b\\u0085\\ud800"
    )
    assert one_line("a\nb") == "a\\nb"


def test_nothing_else_prints():
    """The class of fault: a module of the command line that prints by itself."""
    for file in Path(pagelet.cli.__file__).parent.glob("*.py"):
        calls = [
            node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call)
        ]
        prints = [call for call in calls if getattr(call.func, "id", "") == "print"]
        assert len(prints) == {"output.py": 2, "__init__.py": 1}.get(file.name, 0), file.name
