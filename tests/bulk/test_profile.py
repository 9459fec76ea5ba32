"""Where the time of a run goes: stages that interrupt each other, in every engine."""

import json
from itertools import count

import pytest
from typer.testing import CliRunner

from pagelet.bulk import profile
from pagelet.bulk.engine import InlineEngine, LocalEngine
from pagelet.bulk.options import BulkOptions
from pagelet.bulk.profile import OUTSIDE, PROFILE_FILE, ProfiledWork, RunProfile, StageClock
from pagelet.bulk.records import Record
from pagelet.bulk.row import PageWork
from pagelet.bulk.run import bulk, rows_of
from pagelet.cli import app
from pagelet.sources.warc.reader import START
from tests.labelled import html_of

ALL = BulkOptions(columns=("id", "title", "text", "markdown", "menu", "records"), labels=True)


@pytest.fixture
def pages(tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    for at in range(3):
        (folder / f"{at}.html").write_text(html_of(at))
    return folder


def test_a_stage_interrupts_the_one_around_it(monkeypatch):
    ticks = count()
    monkeypatch.setattr(profile, "thread_time", lambda: float(next(ticks)))
    clock = StageClock()
    with clock.stage("outer"):  # 0
        with clock.stage("inner"):  # 1
            pass  # 2
        with pytest.raises(ValueError, match="no"), clock.stage("inner"):  # 3
            raise ValueError("no")  # 4
    assert clock.take() == {"outer": 3.0, "inner": 2.0}  # 5
    assert clock.take() == {}


def test_the_rows_are_the_same(pages):
    record = Record("", START, "", body=(pages / "1.html").read_bytes())
    plain, profiled = (work(ALL).rows(record) for work in (PageWork, ProfiledWork))
    for rows in (plain, profiled):
        rows["pages"][0].pop("seconds")
    assert profiled == plain


@pytest.mark.parametrize("engine", [InlineEngine(), LocalEngine(1)], ids=["inline", "local"])
def test_every_stage_is_counted(pages, tmp_path, engine):
    done = bulk([pages], tmp_path / "out", ALL, engine=engine, profile=True)
    assert done.profile is not None
    stages = list(done.profile.ordered())
    assert stages == [
        *("read", "parse", "content", "metadata", "template", "menu", "clutter", "records"),
        *("column markdown", "column menu", "column text", "column title"),
        *("labels", "table", "write", OUTSIDE),
    ]
    assert all(seconds >= 0 for seconds in done.profile.stages.values())
    assert done.profile.pages == 3
    written = json.loads((tmp_path / "out" / "_manifest" / PROFILE_FILE).read_text())
    assert written == done.profile.to_dict()
    assert len(list(rows_of(tmp_path / "out"))) == 3


def test_what_no_stage_has_counted_is_a_row_too(monkeypatch):
    took = iter([10.0, 17.0, 1.0, 1.0])
    monkeypatch.setattr(profile, "_processor_seconds", lambda: next(took))
    spent = RunProfile({"parse": 4.0}, pages=1)
    with spent.running():
        spent.stages["read"] = 1.0
    assert spent.ordered() == {"read": 1.0, "parse": 4.0, OUTSIDE: 2.0}
    far = RunProfile({"parse": 4.0})  # workers of other machines take no time here
    with far.running():
        pass
    assert far.stages[OUTSIDE] == 0.0


def test_the_processes_of_a_run_are_counted_whole(pages, tmp_path):
    before = profile._processor_seconds()
    done = bulk([pages], tmp_path / "out", ALL, engine=LocalEngine(1), profile=True)
    assert done.profile is not None
    assert done.profile.stages[OUTSIDE] > done.profile.stages["parse"]  # a process was started
    whole = sum(done.profile.stages.values())
    assert whole == pytest.approx(profile._processor_seconds() - before, rel=0.5)


def test_the_first_pass_is_a_stage(pages, tmp_path):
    options = BulkOptions(columns=("id", "text"), templates=str(tmp_path / "templates"))
    done = bulk([pages], tmp_path / "out", options, engine=InlineEngine(), profile=True)
    assert "learn templates" in done.profile.stages


def test_a_run_without_a_profile_measures_nothing(pages, tmp_path):
    done = bulk([pages], tmp_path / "out", ALL, engine=InlineEngine())
    assert done.profile is None
    assert not (tmp_path / "out" / "_manifest" / PROFILE_FILE).exists()


def test_the_table_has_shares_and_leaves_out_what_is_tiny():
    spent = RunProfile({"parse": 1.0, "content": 3.0, "column text": 1e-6}, pages=1000)
    head, parse, content, rest, whole, waited = spent.list_lines()
    assert head.split() == ["processor", "time", "seconds", "share", "ms/page"]
    assert parse.split() == ["parse", "1.000", "25.0%", "1.000"]
    assert content.split() == ["content", "3.000", "75.0%", "3.000"]
    assert rest.split()[:5] == ["stages", "under", "0.1", "%", "0.000"]
    assert whole.split() == ["together", "4.000", "100.0%", "4.000"]
    assert waited.startswith("workers waited 0.0 s")


@pytest.mark.parametrize("flag", ["--profile", "--timings"])
def test_the_command_prints_it(pages, tmp_path, flag):
    words = ["bulk", str(pages), "-o", str(tmp_path / "out"), "--jobs", "0", flag]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert "processor time" in done.output
    assert "workers waited" in done.output
