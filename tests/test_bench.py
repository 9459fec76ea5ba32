"""The clocks of `make bench`: time inside an inner stage counts for the inner one only."""

import os
import subprocess
import sys

import pytest
from bench import clock, content, noise
from bench.clock import DERIVED, REST, Stopwatch, times_in_turn, watch_stages
from bench.content import STAGES, stages
from bench.explorer import children_of, cpu_seconds

from pagelet import Page, Query, extract, parse
from tests.labelled import html_of
from tests.results import html_of as results_of


def test_time_in_an_inner_stage_is_not_counted_twice(monkeypatch):
    now = iter([0.0, 1.0, 4.0, 9.0])  # outer begins, inner begins, inner ends, outer ends
    monkeypatch.setattr(clock, "process_time", lambda: next(now))
    watch = Stopwatch()
    inner = watch.timed("inner", lambda: "result")
    assert watch.timed("outer", inner)() == "result"
    assert watch.spent == {"inner": 3.0, "outer": 6.0}


def test_a_stage_that_raises_is_still_timed():
    watch = Stopwatch()
    with pytest.raises(ZeroDivisionError):
        watch.timed("stage", lambda: 1 / 0)()
    assert "stage" in watch.spent
    assert len(watch.inner) == 1


def test_every_stage_is_met_and_all_is_put_back(capsys):
    before = {name: vars(Page)[name] for name in ("depth", "link")}
    computed = [each.func for each in before.values()]
    predicts = extract.__globals__["parse_html"]
    spent = stages([html_of(1).encode()] * 3)
    assert list(spent) == ["parse", DERIVED, *list(STAGES)[1:], REST]
    assert all(seconds > 0 for seconds in spent.values())
    assert "no " not in capsys.readouterr().out  # every name of STAGES is there
    assert [each.func for each in before.values()] == computed
    assert extract.__globals__["parse_html"] is predicts


def test_a_stage_without_its_function_is_reported(capsys):
    with watch_stages(Stopwatch(), {"parse": ("pagelet.api:gone",)}, {}):
        parse("<p>a")
    assert "no pagelet.api:gone" in capsys.readouterr().out


def test_every_stage_of_noise_is_met(capsys):
    spent = noise.stages([(results_of(3, "tomato").encode(), Query.of(["bean"]))])
    assert list(spent) == [DERIVED, *noise.STAGES, REST]
    assert all(seconds > 0 for seconds in spent.values())
    assert "no " not in capsys.readouterr().out


def test_tools_run_in_turn_and_the_first_page_warms_up(monkeypatch):
    calls, now = [], [0.0]
    monkeypatch.setattr(clock, "perf_counter", lambda: now[0])

    def slow(page):
        calls.append(("slow", page))
        now[0] += 2

    def breaks(page):
        calls.append(("breaks", page))
        now[0] += 1
        raise RecursionError

    spent = times_in_turn({"slow": slow, "breaks": breaks}, [b"1", b"2"])
    assert calls == [
        *(("slow", b"1"), ("breaks", b"1")),
        *(("breaks", b"1"), ("slow", b"1")),
        *(("slow", b"2"), ("breaks", b"2")),
    ]
    assert spent == {"slow": 4, "breaks": 2}


def test_a_fresh_process_gives_three_times(monkeypatch, capsys):
    monkeypatch.setattr(content, "STARTS", 1)
    content.time_starts()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[-3:]] == ["import", "then", "…"]


def test_cpu_time_of_a_service_is_that_of_its_processes_too():
    code = "import time; sum(range(3_000_000)); print(flush=True); time.sleep(600)"
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
        child.stdout.readline()
        started = children_of(os.getpid())
        spent = cpu_seconds({child.pid})
        child.kill()
    assert child.pid in started
    assert spent > 0
    assert cpu_seconds({child.pid}) == 0  # it has ended
