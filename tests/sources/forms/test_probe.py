"""Probing a search application on this machine: what it sends, keeps, and makes of trouble."""

import json
import re

import pytest

from pagelet.errors import BudgetSpent, OptionError, PageError
from pagelet.sources.forms.probe import ProbeOptions, dry_run, probe
from pagelet.sources.http.loader import Loader, Politeness
from pagelet.sources.options import Limits
from tests.effort import ends
from tests.sources.searchable import BEASTS, ROWS, SHOWN, library


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with library(tmp_path_factory.mktemp("library")) as running:
        yield running


@pytest.fixture(autouse=True)
def forget(server):
    server.requests.clear()


def loader(server, limits=Limits(max_bytes=1_000_000, timeout=3), **manners):
    known = {"delay": 0.0, "retries": 0, "allow_private": (server.host,), **manners}
    return Loader(limits, Politeness(**known))


def run(server, folder, page: str = "", told: int | None = None, **options) -> list:
    """Probe; stop after so many lines as if killed."""
    found = []
    with loader(server) as polite:
        for one in probe(server.address + page, folder, polite, ProbeOptions(**options)):
            found.append(one)
            if len(found) == told:
                break
    return found


def lines(folder) -> list[dict]:
    return [json.loads(line) for line in (folder / "submissions.jsonl").read_text().splitlines()]


def books(folder) -> set[int]:
    """The numbers of the books that the kept pages show."""
    texts = [path.read_text(errors="replace") for path in (folder / "pages").iterdir()]
    return {int(number) for text in texts for number in re.findall(r"<tr><td>(\d+)</td>", text)}


def searches(server) -> list[str]:
    return [path for path in server.requests if path.startswith("/search")]


# -- a user's own values -----------------------------------------------------------------------


def test_own_values(server, tmp_path):
    told = run(server, tmp_path, value=("Title words=whale", "q=otter"))
    assert [one.row for one in told] == lines(tmp_path)
    row = lines(tmp_path)[0]
    assert row["labels"] == {"q": "Title words"}
    assert row["values"] == {"q": ["whale"]}
    assert (row["number"], row["origin"], row["method"], row["status"]) == (1, "own", "GET", 200)
    assert row["url"] == f"{server.address}search?q=whale&series=&lang=en&go=1"
    assert (row["page"], row["error"], row["page_of"]) == ("pages/0001.html", None, None)
    assert (row["texts"], row["new"]) == (16, 14)  # of 6 books, next and a line; whale tales known
    assert row["bytes"] == (tmp_path / row["page"]).stat().st_size
    assert row["seconds"] >= 0
    assert row["time"].startswith("20")
    assert books(tmp_path) == {1, 2, 3, 4, 5, 6, 21, 22, 23, 24, 25, 26}


def test_the_login_form_is_never_sent(server, tmp_path):
    run(server, tmp_path, value=("q=whale",))
    assert not [path for path in server.requests if "login" in path]
    with pytest.raises(OptionError, match="no such field"):
        run(server, tmp_path / "login", form_name="login", value=("q=whale",))


def test_a_list_of_options_and_every_combination(server, tmp_path):
    run(server, tmp_path, value=("q=song", "q=dream"), each=("series",))
    sent = [(row["values"]["q"][0], row["values"]["series"][0]) for row in lines(tmp_path)]
    assert sent == [
        ("song", "whale tales"), ("song", "otter tales"),
        ("dream", "whale tales"), ("dream", "otter tales"),
    ]  # fmt: skip
    assert books(tmp_path) == {1, 2, 21, 22}


def test_values_from_files(server, tmp_path):
    (tmp_path / "terms.txt").write_text("whale\n\notter \nwhale\n")
    run(server, tmp_path / "a", values=str(tmp_path / "terms.txt"))
    assert [row["values"] for row in lines(tmp_path / "a")] == [{"q": ["whale"]}, {"q": ["otter"]}]
    (tmp_path / "rows.csv").write_text("Title words,series\nsong,otter tales\ndream,\n")
    run(server, tmp_path / "b", values=str(tmp_path / "rows.csv"))
    assert [row["values"] for row in lines(tmp_path / "b")] == [
        {"q": ["song"], "series": ["otter tales"]},
        {"q": ["dream"]},
    ]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"value": ("whale",)}, "FIELD=TEXT"),
        ({"value": ("author=x",)}, "no such field; the form has q, series"),
        ({"each": ("q",)}, "no list"),
        ({"values": "missing.txt"}, "no such file"),
        ({"form_name": "other"}, "the page has login, find"),
    ],
)
def test_options_that_cannot_be(server, tmp_path, options, why):
    with pytest.raises(OptionError, match=why):
        run(server, tmp_path, **options)
    assert not searches(server)


def test_post(server, tmp_path):
    run(server, tmp_path, page="post", value=("q=whale",))
    assert lines(tmp_path)[0]["body"] == "q=whale&series=&lang=en&go=1"
    assert searches(server) == ["/search q=whale&series=&lang=en&go=1"]
    assert len(books(tmp_path)) == SHOWN


def test_most_submissions(server, tmp_path):
    run(server, tmp_path, value=tuple(f"q={word}" for word in BEASTS), submissions=3)
    assert len(searches(server)) == len(lines(tmp_path)) == 3


# -- paging and harvesting ---------------------------------------------------------------------


def test_paging(server, tmp_path):
    run(server, tmp_path, value=("q=whale", "q=otter"), paging=5)
    assert [(row["number"], row["page_of"], row["origin"]) for row in lines(tmp_path)] == [
        (1, None, "own"), (2, 1, "paging"), (3, None, "own"), (4, 3, "paging"),
    ]  # fmt: skip
    assert books(tmp_path) == {*range(1, 11), *range(21, 31)}


def test_words_from_the_results_find_every_book(server, tmp_path):
    run(server, tmp_path, paging=1)
    rows = lines(tmp_path)
    assert books(tmp_path) == {number for number, _, _ in ROWS}
    assert rows[0]["origin"] == "harvested"
    assert len([row for row in rows if row["page_of"] is None]) < 40
    poor = [sum(row["new"] for row in rows if first["number"] in (row["number"], row["page_of"]))
            for first in rows if first["page_of"] is None][-5:]  # fmt: skip
    assert all(new < 3 for new in poor)


def test_harvesting_stops_when_results_bring_nothing(server, tmp_path):
    run(server, tmp_path, patience=1)
    assert [row["new"] >= 3 for row in lines(tmp_path)] == [False]


def test_own_values_first_then_words(server, tmp_path):
    run(server, tmp_path, value=("q=whale", "series=otter tales"), harvest=True, submissions=3)
    rows = lines(tmp_path)
    assert [row["origin"] for row in rows] == ["own", "harvested", "harvested"]
    assert all(row["values"]["series"] == ["otter tales"] for row in rows)


def test_a_word_that_was_asked_for_is_not_harvested(server, tmp_path):
    run(server, tmp_path, value=("q=Whale",), harvest=True, submissions=6)
    said = [row["values"]["q"][0] for row in lines(tmp_path)]
    assert "whale" not in said
    assert len(set(said)) == 6


# -- trouble -----------------------------------------------------------------------------------

TROUBLE = ("q=whale", "q=hang", "q=loop", "q=broken", "q=huge", "q=liar", "q=otter")


def test_trouble_is_a_line_each_and_the_probe_goes_on(server, tmp_path):
    with ends():
        run(server, tmp_path, value=TROUBLE)
    rows = {row["values"]["q"][0]: row for row in lines(tmp_path)}
    assert {word: row["error"] for word, row in rows.items()} == {
        "whale": None, "hang": "Unreachable", "loop": "Unreachable", "broken": "ErrorStatus",
        "huge": "PageTooLarge", "liar": None, "otter": None,
    }  # fmt: skip
    assert "3 s" in rows["hang"]["message"]
    assert "redirects" in rows["loop"]["message"]
    assert rows["broken"]["status"] == 500
    assert "1,000,000 bytes" in rows["huge"]["message"]
    assert (rows["liar"]["charset"], rows["liar"]["undecodable"]) == ("koi8-u", 0)
    assert (tmp_path / rows["liar"]["page"]).read_bytes() == "<p>Привет, мир".encode("koi8-r")
    assert [row["page"] for row in rows.values()].count(None) == 4
    assert len(books(tmp_path)) == 2 * SHOWN


def test_too_many_failures_in_a_row_end_it(server, tmp_path):
    values = ("q=whale", "q=broken", "q=loop", "q=huge", "q=otter")
    run(server, tmp_path, value=values, failures=2)
    assert [row["values"]["q"] for row in lines(tmp_path)] == [["whale"], ["broken"], ["loop"]]
    run(server, tmp_path, value=values, failures=2)  # and goes on from there
    assert len(lines(tmp_path)) == 5


def test_what_failed_is_sent_again_only_when_asked(server, tmp_path):
    run(server, tmp_path, value=("q=broken",))
    run(server, tmp_path, value=("q=broken",))
    assert len(searches(server)) == 1
    run(server, tmp_path, value=("q=broken",), again=True)
    assert (len(searches(server)), len(lines(tmp_path))) == (2, 2)


def test_a_spent_budget_ends_it_without_a_line(server, tmp_path):
    options = ProbeOptions(value=tuple(f"q={word}" for word in BEASTS))
    with loader(server, pages=3) as polite, pytest.raises(BudgetSpent):
        list(probe(server.address, tmp_path, polite, options))
    assert len(lines(tmp_path)) == 2  # and the form page
    with loader(server) as polite:
        assert len(list(probe(server.address, tmp_path, polite, options))) == len(BEASTS)


def test_a_page_without_a_form(server, tmp_path):
    with pytest.raises(PageError, match="no form"):
        run(server, tmp_path, page="search?q=whale")


# -- going on ----------------------------------------------------------------------------------


@pytest.mark.parametrize("stop", [1, 4, 9])
def test_a_run_that_was_stopped_goes_on_as_if_it_had_not(server, tmp_path, stop):
    options = {"paging": 1, "submissions": 8}
    run(server, tmp_path / "whole", **options)
    whole = [row["url"] for row in lines(tmp_path / "whole")]
    server.requests.clear()
    run(server, tmp_path / "cut", told=stop, **options)
    torn = tmp_path / "cut" / "submissions.jsonl"
    torn.write_bytes(torn.read_bytes() + b'{"number": 99, "url": "http')
    told = run(server, tmp_path / "cut", **options)
    assert [row["url"] for row in lines(tmp_path / "cut")] == whole
    assert [one.kept for one in told] == [True] * stop + [False] * (len(whole) - stop)
    assert len(searches(server)) == len(whole)  # none was sent twice
    assert server.requests.count("/") == 1


def test_a_finished_run_asks_nothing(server, tmp_path):
    run(server, tmp_path, value=("q=whale",))
    server.requests.clear()
    assert [one.kept for one in run(server, tmp_path, value=("q=whale",))] == [True]
    assert server.requests == []


def test_a_folder_belongs_to_one_page(server, tmp_path):
    run(server, tmp_path, value=("q=whale",))
    with pytest.raises(OptionError, match="another folder"):
        run(server, tmp_path, page="post", value=("q=whale",))


def test_the_form_page_is_kept(server, tmp_path):
    run(server, tmp_path, value=("q=whale",))
    about = json.loads((tmp_path / "probe.json").read_text())
    assert about["url"] == server.address
    assert about["form"]["name"] == "find"
    assert b"reading room" in (tmp_path / "form.html").read_bytes()


# -- dry runs ----------------------------------------------------------------------------------


def test_a_dry_run_sends_nothing(server):
    with loader(server) as polite:
        found = list(dry_run(server.address, polite, ProbeOptions(value=("q=a", "q=b"))))
        seeds = list(dry_run(server.address, polite, ProbeOptions()))
    assert [one.summary for one in found] == ["q=a", "q=b"]
    assert len(seeds) == 1
    assert not searches(server)
