"""Answers kept on disk: what is fresh is not asked again, what is stale is asked whether it holds.

The server says how old its answers are, so that no test has to wait for one to get old.
"""

import random
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from pagelet.errors import BudgetSpent, ErrorStatus, OptionError, PageTooLarge, UnsafeAddress
from pagelet.sources.http.cache import Cache, default_folder
from pagelet.sources.http.cache_store import CACHE_FILE, MAX_AGE_SECONDS, effective_date
from pagelet.sources.http.loader import HttpRequest, Loader, Politeness
from pagelet.sources.options import Limits
from tests.effort import ends
from tests.sources.site import StillClock
from tests.sources.unruly import Unruly, unruly

FRESH = {"Cache-Control": "max-age=600"}
STALE = {"Cache-Control": "max-age=600", "Age": "1000"}
LAST_MODIFIED = "Sun, 09 Sep 2001 01:46:40 GMT"


@pytest.fixture
def site() -> Iterator[Unruly]:
    with unruly() as server:
        yield server


def loader(site: Unruly, folder: Path, clock: StillClock | None = None, **polite) -> Loader:
    chosen = {"allow_private": (site.place,), "robots": False, "retries": 0, **polite}
    return Loader(Limits(timeout=60.0), Politeness(**chosen), clock or StillClock(), Cache(folder))


def bodies(site: Unruly, folder: Path, times: int = 2, path: str = "/page", **polite) -> list[str]:
    """What several loaders get, one after the other."""
    found = []
    for _ in range(times):
        with loader(site, folder, **polite) as loads:
            found.append(loads.load(site.url + path).body.decode("latin-1"))
    return found


# -- fresh and stale --------------------------------------------------------------------------


def test_a_fresh_answer_is_not_asked_again_not_even_after_a_restart(site, tmp_path):
    site.serve("/page", "<p>One", FRESH)
    assert bodies(site, tmp_path, 3) == ["<p>One"] * 3
    assert site.paths == ["/page"]


def test_without_a_cache_it_is_asked_again(site):
    site.serve("/page", "<p>One", FRESH)
    with Loader(politeness=Politeness(allow_private=(site.place,), robots=False, delay=0)) as loads:
        loads.load(f"{site.url}/page")
        loads.load(f"{site.url}/page")
    assert site.paths == ["/page"] * 2


@pytest.mark.parametrize(
    ("header", "sent"),
    [({"ETag": '"7"'}, "if-none-match"), ({"Last-Modified": LAST_MODIFIED}, "if-modified-since")],
)
def test_a_stale_answer_is_asked_whether_it_holds(site, tmp_path, header, sent):
    site.serve("/page", "<p>One", STALE | header)
    assert bodies(site, tmp_path) == ["<p>One"] * 2
    first, second = ({name.lower() for name in asked.headers} for asked in site.requests)
    assert sent not in first
    assert sent in second
    assert site.statuses == [200, 304]


def test_an_answer_that_holds_is_fresh_again(site, tmp_path):
    site.serve("/page", "<p>One", STALE | {"ETag": '"7"'})
    bodies(site, tmp_path, 1)
    site.serve("/page", "<p>One", FRESH | {"ETag": '"7"'})
    bodies(site, tmp_path, 3)
    assert site.statuses == [200, 304]


def test_a_stale_answer_that_has_changed_is_replaced(site, tmp_path):
    site.serve("/page", "<p>One", STALE | {"ETag": '"7"'})
    bodies(site, tmp_path, 1)
    site.serve("/page", "<p>Two", FRESH | {"ETag": '"8"'})
    assert bodies(site, tmp_path) == ["<p>Two"] * 2
    assert site.statuses == [200, 200]


@pytest.mark.parametrize(
    "headers",
    [{"Cache-Control": "no-store"}, {}, {"Cache-Control": "max-age=600", "Vary": "*"}],
)
def test_what_may_not_be_kept_is_asked_again(site, tmp_path, headers):
    site.serve("/page", "<p>One", headers)
    assert bodies(site, tmp_path) == ["<p>One"] * 2
    assert site.statuses == [200, 200]


def test_what_may_not_be_stored_is_not_on_the_disk(site, tmp_path):
    site.serve("/page", "<p>A secret", {"Cache-Control": "no-store"})
    bodies(site, tmp_path, 1)
    assert all(b"A secret" not in path.read_bytes() for path in tmp_path.iterdir())


def test_a_packed_answer_is_unpacked_each_time(site, tmp_path):
    site.serve("/page", "<p>One" * 1000, FRESH, packed=True)
    assert bodies(site, tmp_path) == ["<p>One" * 1000] * 2
    assert len(site.requests) == 1


def test_a_fragment_makes_no_other_answer(site, tmp_path):
    site.serve("/page", "<p>One", FRESH)
    with loader(site, tmp_path) as loads:
        loads.load(f"{site.url}/page#a")
        assert loads.load(f"{site.url}/page#b").url == f"{site.url}/page#b"
    assert site.paths == ["/page"]


def test_a_redirect_is_kept_too_but_not_its_body(site, tmp_path):
    site.serve("/from", "x" * 99, FRESH | {"Location": "/page"}, status=301)
    site.serve("/page", "<p>One", FRESH)
    assert bodies(site, tmp_path, path="/from") == ["<p>One"] * 2
    assert site.paths == ["/from", "/page"]


def test_the_body_of_a_redirect_is_not_waited_for(site, tmp_path):
    site.serve("/from", "", {"Location": "/page"}, status=302, drips=True)
    site.serve("/page", "<p>One")
    with ends():
        assert bodies(site, tmp_path, path="/from") == ["<p>One"] * 2


def test_an_error_is_not_kept(site, tmp_path):
    for _ in range(2):
        with loader(site, tmp_path) as loads, pytest.raises(ErrorStatus):
            loads.load(f"{site.url}/missing")
    assert site.paths == ["/missing"] * 2


def test_a_post_goes_to_the_server(site, tmp_path):
    site.serve("/page", "<p>One", FRESH)
    with loader(site, tmp_path) as loads:
        for _ in range(2):
            loads.load(HttpRequest(f"{site.url}/page", "POST", b"q=x"))
    assert [asked.method for asked in site.requests] == ["POST"] * 2


@pytest.mark.parametrize(
    ("headers", "age"),
    [
        ({}, 0),
        ({"Date": "Sun, 09 Sep 2001 01:45:40 GMT"}, 60),
        ({"Date": "Sun, 09 Sep 2001 01:48:00 GMT"}, 0),
        ({"Date": "yesterday"}, 0),
        ({"Age": "100"}, 100),
        ({"Age": "100", "Date": "Sun, 09 Sep 2001 01:45:40 GMT"}, 100),
        ({"Age": "10", "Date": "Sun, 09 Sep 2001 01:45:40 GMT"}, 60),
        ({"Age": "-5"}, 0),
        ({"Age": "9" * 99}, MAX_AGE_SECONDS),
    ],
)
def test_how_old_an_answer_is(headers, age):
    now = 1_000_000_000.0  # Sun, 09 Sep 2001 01:46:40 GMT
    assert now - effective_date(httpx.Headers(headers), now) == age


# -- what it costs ----------------------------------------------------------------------------


def test_a_fresh_answer_costs_no_wait_and_no_budget(site, tmp_path):
    site.serve("/page", "<p>One", FRESH)
    site.serve("/next", "<p>Two", FRESH)
    clock = StillClock()
    with loader(site, tmp_path, clock, pages=2, bytes=20, delay=3.0) as loads:
        for _ in range(5):
            loads.load(f"{site.url}/page")
        assert clock.naps == []
        loads.load(f"{site.url}/next")
        assert clock.naps == [3.0]
        with pytest.raises(BudgetSpent):
            loads.load(f"{site.url}/third")


def test_an_answer_that_holds_costs_no_bytes(site, tmp_path):
    site.serve("/page", "x" * 60, STALE | {"ETag": '"7"'})
    with loader(site, tmp_path, bytes=100) as loads:
        for _ in range(4):
            loads.load(f"{site.url}/page")
    assert site.statuses == [200, 304, 304, 304]


def test_a_limit_holds_for_kept_answers(site, tmp_path):
    site.serve("/page", "x" * 60, FRESH)
    bodies(site, tmp_path, 1)
    polite = Politeness(allow_private=(site.place,), robots=False)
    small = Loader(Limits(max_bytes=50), polite, StillClock(), Cache(tmp_path))
    with small as loads, pytest.raises(PageTooLarge):
        loads.load(f"{site.url}/page")


def test_robots_is_kept_and_need_not_be_asked_for_what_is_kept(site, tmp_path):
    site.serve("/robots.txt", "User-agent: *\nDisallow: /no", FRESH)
    site.serve("/page", "<p>One", FRESH)
    bodies(site, tmp_path, 2, robots=True)
    site.serve("/next", "<p>Two")
    bodies(site, tmp_path, 1, path="/next", robots=True)
    assert site.paths == ["/robots.txt", "/page", "/next"]


def test_robots_is_asked_again_after_a_day(site, tmp_path, monkeypatch):
    site.serve("/page", "<p>One")
    site.serve("/robots.txt", "", {"Cache-Control": "max-age=864000"})
    bodies(site, tmp_path, 1, "/page?1", robots=True)
    started = time.time()
    for days, asked in ((0.9, 1), (1.1, 2)):
        monkeypatch.setattr(time, "time", lambda days=days: started + days * 86_400)
        bodies(site, tmp_path, 1, f"/page?{days}", robots=True)
        assert site.paths.count("/robots.txt") == asked


# -- addresses --------------------------------------------------------------------------------


def test_what_was_kept_of_a_private_address_is_for_those_who_admit_it(site, tmp_path):
    site.serve("/page", "<p>Private", FRESH)
    bodies(site, tmp_path, 1)
    with loader(site, tmp_path, allow_private=()) as loads, pytest.raises(UnsafeAddress):
        loads.load(f"{site.url}/page")
    assert len(site.requests) == 1


def test_a_stale_answer_of_a_private_address_is_refused_too(site, tmp_path):
    site.serve("/page", "<p>Private", STALE | {"ETag": '"7"'})
    bodies(site, tmp_path, 1)
    with loader(site, tmp_path, allow_private=()) as loads, pytest.raises(UnsafeAddress):
        loads.load(f"{site.url}/page")
    assert len(site.requests) == 1


# -- the file ---------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"", b"not a database at all" * 99, b"SQLite format 3\0" * 99])
def test_a_file_that_is_no_cache_is_begun_anew(site, tmp_path, data):
    (tmp_path / CACHE_FILE).write_bytes(data)
    site.serve("/page", "<p>One", FRESH)
    assert bodies(site, tmp_path) == ["<p>One"] * 2
    assert len(site.requests) == 1


def test_tables_of_something_else_are_left_alone(tmp_path):
    with sqlite3.connect(tmp_path / CACHE_FILE) as other:
        other.execute("CREATE TABLE entries (mine TEXT)")
    with pytest.raises(OptionError, match="tables of something else"):
        Loader(cache=Cache(tmp_path))
    assert other.execute("SELECT mine FROM entries").fetchall() == []
    other.close()


@pytest.mark.parametrize("seed", range(12))
def test_a_damaged_file_is_no_crash(site, tmp_path, seed):
    paths = [f"/page?{at}" for at in range(4)]
    for path in paths:
        site.serve(path, f"<p>{path}" * 2000, FRESH)
        bodies(site, tmp_path, 1, path)
    dice, file = random.Random(seed), tmp_path / CACHE_FILE
    data = bytearray(file.read_bytes())
    for _ in range(dice.choice((3, 200))):
        data[dice.randrange(100, len(data))] = dice.randrange(256)
    file.write_bytes(data)
    for path in paths:
        found = bodies(site, tmp_path, 2, path)
        assert all(len(body) == len(f"<p>{path}" * 2000) for body in found)


def test_a_body_that_was_lost_is_asked_for_again(site, tmp_path):
    site.serve("/page", "<p>One", FRESH)
    bodies(site, tmp_path, 1)
    with sqlite3.connect(tmp_path / CACHE_FILE) as file:
        file.execute("DELETE FROM streams")
    file.close()
    assert bodies(site, tmp_path) == ["<p>One"] * 2
    assert len(site.requests) == 2


def test_a_folder_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OptionError, match=r"cache = .*; give a folder .* or --no-cache"):
        Loader(cache=Cache(tmp_path / "file"))


def test_a_home_that_cannot_be_written_means_no_cache(site, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    site.serve("/page", "<p>One", FRESH)
    for _ in range(2):
        with loader(site, None) as loads:
            loads.load(f"{site.url}/page")
    assert len(site.requests) == 2


def test_where_it_lies(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    home = tmp_path / ".cache" / "pagelet"
    assert default_folder({}) == home
    assert default_folder({"XDG_CACHE_HOME": "relative"}) == home
    assert default_folder({"XDG_CACHE_HOME": str(tmp_path)}) == tmp_path / "pagelet"


def test_a_user_without_a_home_has_no_cache(monkeypatch):
    def nowhere() -> Path:
        raise RuntimeError

    monkeypatch.setattr(Path, "home", nowhere)
    assert default_folder({}) is None


# -- servers that say nonsense ----------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"Cache-Control": "max-age=" + "9" * 5000},
        {"Cache-Control": 'max-age=-1, ,=,"a, no-cache="x'},
        {"Cache-Control": "max-age=600", "Age": "9" * 400},
        {"Cache-Control": "max-age=600", "Age": "soon"},
        {"Cache-Control": "max-age=600", "Date": "Thu, 99 Foo 99999 99:99:99 GMT"},
        {"Expires": "Thu, 01 Jan 999999999 00:00:00 GMT"},
        {"Expires": "0", "Last-Modified": "never"},
        {"Cache-Control": "max-age=600", "Vary": ",,;" * 999},
        {"Cache-Control": "max-age=600", "ETag": 'W/"' + "x" * 9999},
        {"Cache-Control": "max-age=600", "X-Words": "Größe \x80"},
    ],
)
def test_headers_of_nonsense_do_no_harm(site, tmp_path, headers):
    site.serve("/page", "<p>One", headers)
    assert bodies(site, tmp_path) == ["<p>One"] * 2
