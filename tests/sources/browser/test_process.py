"""A browser that dies, hangs or is forgotten: the next page is drawn, and no process stays."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from threading import Thread, Timer

import pytest

from pagelet.errors import BrowserMissing, RenderFailed, RenderTimeout
from pagelet.sources.browser import render as browser_module
from pagelet.sources.browser.options import BROWSER_VARIABLE, RenderOptions, find_browser
from pagelet.sources.browser.render import Browser
from tests.sources.drawing import OPTIONS, group_of, is_drawn, page

SCRIPTED = replace(OPTIONS, javascript="on", timeout=300)
PAGE = page("<p>x</p>")


@pytest.fixture(scope="module")
def own():
    """A browser that tests may break."""
    with Browser(SCRIPTED) as started:
        yield started


def gone(group: int) -> bool:
    """Whether a group of processes has ended; the system takes a moment."""
    for _ in range(6000):
        if not group_of(group):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize(
    "script",
    ["for (;;);", "onload = () => { for (;;); }"],
    ids=["at once", "once loaded"],
)
def test_a_script_without_end(own, script):
    own.render(PAGE)
    group = own.group
    short = replace(SCRIPTED, timeout=2)
    with pytest.raises(RenderTimeout, match="not rendered in 2 s"):
        own.render(page(f"<p>x</p><script>{script}</script>"), short)
    assert gone(group)
    assert is_drawn(own.render(PAGE), "/html/body/p")


def test_a_browser_leaves_no_files():
    with Browser(OPTIONS) as started:
        started.render(PAGE)
        told = Path(f"/proc/{started.group}/cmdline").read_text(encoding="utf-8").split("\0")
        profile = next(part for part in told if part.startswith("--user-data-dir="))
        folder = Path(profile.partition("=")[2])
        assert folder.is_dir()
        os.killpg(started.group, signal.SIGKILL)
    assert not folder.exists()


def test_a_browser_that_stands_still(own):
    own.render(PAGE)
    group = own.group
    os.killpg(group, signal.SIGSTOP)
    with pytest.raises(RenderTimeout):
        own.render(PAGE, replace(SCRIPTED, timeout=1))
    assert gone(group)


def test_a_browser_killed_between_pages(own):
    own.render(PAGE)
    os.killpg(own.group, signal.SIGKILL)
    assert is_drawn(own.render(PAGE), "/html/body/p")


def test_a_browser_killed_in_the_middle_of_a_page(own):
    own.render(PAGE)
    group = own.group
    Timer(0.5, os.killpg, (group, signal.SIGKILL)).start()
    drawn = own.render(PAGE, replace(SCRIPTED, wait=1.5))
    assert is_drawn(drawn, "/html/body/p")
    assert own.group != group


def test_a_page_whose_browser_dies_each_time(own, monkeypatch):
    def killing(*_: object) -> None:
        os.killpg(own.group, signal.SIGKILL)

    own.render(PAGE)
    monkeypatch.setattr(browser_module.ResourceLoader, "get", killing)
    with pytest.raises(RenderFailed, match="the browser died"):
        own.render(page("<img src=x>"), replace(SCRIPTED, wait=1))


def test_a_page_that_goes_away(own):
    with pytest.raises(RenderFailed, match="about:blank"):
        own.render(page("<script>location = 'about:blank'</script>"), replace(SCRIPTED, wait=0.5))
    assert is_drawn(own.render(PAGE), "/html/body/p")


def test_windows_and_questions_are_not_answered(own):
    body = "<p>x</p><script>alert(1); confirm(2); prompt(3); open('about:blank'); print()</script>"
    assert is_drawn(own.render(page(body)), "/html/body/p")


def test_a_browser_is_replaced_after_many_pages(own, monkeypatch):
    own.close()
    monkeypatch.setattr(browser_module, "PAGES_PER_BROWSER", 2)
    own.render(PAGE)
    first = own.group
    assert group_of(first)
    own.render(PAGE)
    assert gone(first)
    assert is_drawn(own.render(PAGE), "/html/body/p")


def test_a_closed_browser_is_gone_and_can_start_again():
    started = Browser(OPTIONS)
    assert started.group == 0
    started.render(PAGE)
    group = started.group
    assert group_of(group)
    started.close()
    assert gone(group)
    assert is_drawn(started.render(PAGE), "/html/body/p")
    started.close()
    started.close()


def test_a_browser_may_be_used_from_any_thread(own):
    drawn = []
    threads = [Thread(target=lambda: drawn.append(own.render(PAGE))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [is_drawn(each, "/html/body/p") for each in drawn] == [True] * 3


FORGETFUL = """
import os, signal, sys, threading, time
from pagelet.sources.browser.render import Browser, RenderOptions
browser = Browser(RenderOptions(timeout=60, wait={wait}))
if {wait}:
    def tell():
        while not browser.group:
            time.sleep(0.05)
        print(browser.group, flush=True)
    threading.Thread(target=tell, daemon=True).start()
browser.render(b"<p>x")
print(browser.group, flush=True)
{end}
"""
ENDS = {
    "falls off its end": ("0", "", None),
    "is killed": ("0", "time.sleep(60)", signal.SIGKILL),
    "is interrupted while it draws": ("60", "", signal.SIGINT),
}


@pytest.mark.parametrize("end", ENDS)
def test_no_process_is_left_when_a_program(end):
    wait, last, sent = ENDS[end]
    told = [sys.executable, "-c", FORGETFUL.format(wait=wait, end=last)]
    with subprocess.Popen(
        told, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True
    ) as program:
        group = int(program.stdout.readline())
        if sent is not None:
            assert group_of(group)
            program.send_signal(sent)
        program.wait(300)
    assert gone(group)


# -- which browser ------------------------------------------------------------------------------


def test_the_browser_that_is_named(tmp_path, monkeypatch):
    for name in ("said", "set"):
        (tmp_path / name).write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv(BROWSER_VARIABLE, str(tmp_path / "set"))
    assert find_browser(str(tmp_path / "said")) == str(tmp_path / "said")
    assert find_browser() == str(tmp_path / "set")
    with pytest.raises(BrowserMissing, match="no program 'nowhere'"):
        find_browser("nowhere")


def test_no_browser_at_all(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.delenv(BROWSER_VARIABLE, raising=False)
    with pytest.raises(BrowserMissing, match="install Chromium"):
        find_browser()
    kept = tmp_path / "chromium-1" / "chrome-linux" / "chrome"
    kept.parent.mkdir(parents=True)
    kept.touch()
    assert find_browser() == str(kept)


def test_a_program_that_is_no_browser(tmp_path):
    program = tmp_path / "browser"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    with (
        Browser(RenderOptions(browser=str(program))) as started,
        pytest.raises(BrowserMissing, match="did not start"),
    ):
        started.render(PAGE)
