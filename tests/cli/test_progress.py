"""Progress of long work: bars on a terminal, lines for programs that want them, else neither."""

import re

from pagelet.cli.output import LINES_VARIABLE, progress
from tests.cli.test_terminal import on_terminal
from tests.places import SITE

BAR = re.compile(r"(\d+)/(\d+|\?)")


def work() -> None:
    """Two steps, the second within the first."""
    with progress() as (say, advance):
        say("reading [two] things")
        for done in range(101):
            advance("outer", done, 100)
        with progress() as (_, inner):
            inner("inner", 1, 0)
            inner("inner", 2, 0)


def test_a_pipe_has_the_lines_alone(capsys):
    work()
    assert capsys.readouterr() == ("", "reading [two] things\n")


def test_programs_can_have_lines(capsys, monkeypatch):
    monkeypatch.setenv(LINES_VARIABLE, "lines")
    work()
    first, *outer, one, two = capsys.readouterr().err.splitlines()
    assert first == "reading [two] things"
    assert outer == [f"outer: {done} of 100" for done in range(0, 101, 5)]
    assert (one, two) == ("inner: 1", "inner: 2")


def test_a_terminal_has_bars(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    shown = on_terminal(["learn", str(SITE), "-o", str(tmp_path / "site.json"), "--pages", "4"])
    assert f"learning from 4 pages of {SITE}" in shown
    assert "learning" in shown
    assert {total for _, total in BAR.findall(shown)} == {"4"}


def test_what_is_quick_says_nothing(run):
    code, _, err = run("evaluate", "clutter", SITE.parent)
    assert (code, err) == (0, "")
