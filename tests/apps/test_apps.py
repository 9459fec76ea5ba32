"""The applications themselves: they run, they have a search form, they show the rows we gave."""

import sys
import time
from urllib.parse import urljoin

import httpx
import pytest
import turbohtml

from tests.apps.finds import BROAD, FINDS, THINGS
from tests.apps.serving import HOST, App, free_port, serving
from tests.effort import ends


def get(url: str, values: list[tuple[str, str]] | None = None) -> httpx.Response:
    return httpx.get(
        url, params=values, trust_env=False, timeout=300, follow_redirects=True
    ).raise_for_status()


def words(text: str) -> str:
    return " ".join(text.split())


def text_of(response: httpx.Response) -> str:
    return words(turbohtml.parse(response.text).to_text())


def search(app: App, term: str) -> httpx.Response:
    """Send the last form with the search box: pydoc has one before it that is no search."""
    *_, form = turbohtml.parse(get(app.form_page_url).text).select(
        f'form:has(input[name="{app.field}"])'
    )
    values = [(name, term if name == app.field else value) for name, value in form.form_data()]
    return get(urljoin(app.form_page_url, form.attrs["action"]), values)


def test_rows_are_many_and_unlike():
    assert len(FINDS) >= 60
    for field in ("name", "title", "note"):
        assert len({row[field] for row in FINDS}) == len(FINDS)
    assert all(BROAD in row["note"] for row in FINDS)


def test_a_search_shows_the_rows_that_match_and_no_others(app):
    shown = text_of(search(app, THINGS[0]))
    for row in app.rows:
        matches = THINGS[0] in row["title"]
        assert (words(row["title"]) in shown) == matches
        assert not matches or all(words(value) in shown for value in row.values())


def test_a_broad_search_shows_every_row_or_a_way_to_the_next_page(app):
    answer = search(app, BROAD)
    shown = sum(words(row["title"]) in text_of(answer) for row in app.rows)
    assert shown == {"datasette": 20, "trac": 10, "roundup": 50, "pydoc": 72}[app.name]
    assert ("next" in answer.text.lower()) == (shown < len(app.rows))


def test_a_search_for_nothing_we_have_shows_no_row(app):
    shown = text_of(search(app, "zeppelin"))
    assert not any(words(row["title"]) in shown for row in app.rows)


def test_an_application_that_does_not_start_says_why(tmp_path):
    url = f"http://{HOST}:{free_port()}"
    with (
        pytest.raises(RuntimeError, match="no such luck"),
        serving(tmp_path, url, "-c", "raise SystemExit('no such luck')"),
    ):
        pass


def test_all_that_an_application_started_is_stopped_with_it(tmp_path):
    port = free_port()
    server = [sys.executable, "-m", "http.server", str(port), "--bind", HOST]
    program = f"import subprocess; subprocess.run({server})"
    with serving(tmp_path, f"http://{HOST}:{port}", "-c", program):
        pass
    with ends():  # the system takes a moment
        while is_answered(f"http://{HOST}:{port}"):
            time.sleep(0.05)


def is_answered(url: str) -> bool:
    try:
        return get(url).is_success
    except httpx.TransportError:
        return False
