"""From the form of a search application to its rows: discover, probe, gather, train, extract."""

import csv
import json
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import pytest
import turbohtml

from pagelet.cli import main
from tests.apps.finds import BROAD, FINDS, THINGS
from tests.apps.serving import App
from tests.apps.test_apps import words

ACTIONS = {
    "datasette": "/museum/finds",
    "trac": "/search",
    "roundup": "/museum/issue",
    "pydoc": "/search",
}
LABELLED = THINGS[:2]  #: the searches whose pages are learned from
Row = dict[str, str]


def pagelet(*arguments: object) -> str:
    """What the command writes to standard output, run in this process."""
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()) as written:
        patch.setattr(sys, "argv", ["pagelet", *map(str, arguments)])
        patch.setenv("COLUMNS", "200")
        try:
            main()
            code = 0
        except SystemExit as stop:
            code = stop.code or 0
    assert code == 0, arguments  # standard error says what is wrong
    return written.getvalue()


@dataclass(frozen=True)
class Answer:
    """One result page: what was searched for, what it shows, where it is kept."""

    term: str
    url: str
    path: Path

    @property
    def texts(self) -> list[str]:
        """Its texts, white space folded."""
        tree = turbohtml.parse(self.path.read_text(encoding="utf-8"))
        return [words(text) for text in tree.find("body").strings]

    @property
    def shown(self) -> str:
        return words(turbohtml.parse(self.path.read_text(encoding="utf-8")).to_text())


@dataclass(frozen=True)
class Gathered:
    """What a probe brought from an application."""

    app: App
    folder: Path

    @property
    def form(self) -> dict:
        return json.loads((self.folder / "probe.json").read_text(encoding="utf-8"))["form"]

    @property
    def submissions(self) -> list[dict]:
        lines = (self.folder / "submissions.jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    def probe(self) -> str:
        manners = ("--delay", "0", "--allow-private", self.app.address)
        terms = ("--values", self.folder / "terms.txt", "--paging", "20")
        return pagelet("probe", self.app.form_page_url, "-o", self.folder, *terms, *manners)

    def answers(self) -> list[Answer]:
        return [
            Answer(row["values"][self.app.field][0], row["final_url"], self.folder / row["page"])
            for row in self.submissions
        ]

    def records(self, answer: Answer, *options: object) -> list[str]:
        """The text of each record that is left of a page."""
        asked = ("--url", answer.url, "--query", answer.term, "--form", self.folder / "form.html")
        lines = pagelet("noise", answer.path, "--records", "--format", "json", *asked, *options)
        found = [json.loads(line) for line in lines.splitlines()]
        return [words(" ".join(record["fields"].values())) for record in found]


@pytest.fixture(scope="session")
def gathered(app: App, tmp_path_factory: pytest.TempPathFactory) -> Gathered:
    """Every result page of a search for all rows and of two for a few."""
    found = Gathered(app, tmp_path_factory.mktemp("probe"))
    (found.folder / "terms.txt").write_text("\n".join((BROAD, *LABELLED)))
    found.probe()
    return found


@pytest.fixture(scope="session")
def model(gathered: Gathered, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that learned from the pages of two small searches of the same application."""
    folder = tmp_path_factory.mktemp("labelled")
    values = {words(value) for row in gathered.app.rows for value in row.values()}
    for answer in gathered.answers():
        if answer.term in LABELLED:
            place = folder / gathered.app.name / f"{answer.path.stem}-{answer.term}-keyword"
            place.mkdir(parents=True)
            (place / "page.html").write_bytes(answer.path.read_bytes())
            cells = [text for text in answer.texts if any(value in text for value in values)]
            with (place / "records.csv").open("w", encoding="utf-8", newline="") as table:
                csv.writer(table).writerows([cell] for cell in cells)
    pagelet("train", "noise", folder, "-o", folder / "model.npz")
    return folder / "model.npz"


def held(rows: list[Row], texts: list[str]) -> list[Row]:
    """The rows whose every value is in one and the same text."""
    return [
        row for row in rows if any(all(words(v) in text for v in row.values()) for text in texts)
    ]


def titled(rows: list[Row], texts: list[str]) -> list[Row]:
    """The rows whose title is in a text."""
    return [row for row in rows if any(words(row["title"]) in text for text in texts)]


def test_the_search_form_is_the_one_that_is_sent(gathered):
    assert gathered.form["query_field"] == gathered.app.field
    assert gathered.form["action"].endswith(ACTIONS[gathered.app.name])


def test_every_row_of_the_database_is_gathered(gathered):
    assert {row["error"] for row in gathered.submissions} == {None}
    assert held(gathered.app.rows, [answer.shown for answer in gathered.answers()]) == (
        gathered.app.rows
    )


def test_a_second_run_sends_nothing_again(gathered):
    before = gathered.submissions
    assert f"{len(before)} of them from earlier runs" in gathered.probe()
    assert gathered.submissions == before


def alone(rows: list[Row], texts: list[str]) -> list[Row]:
    """The rows whose every value is in a text that has no other row."""
    return held(rows, [text for text in texts if len(titled(rows, [text])) == 1])


@dataclass(frozen=True)
class Outcome:
    """What became of the rows, over all pages."""

    name: str
    shown: set[str]
    extracted: set[str]
    apart: set[str]  #: whole, in a record of their own
    lost: list[tuple[str, str]]  #: page and title: shown there, but in none of its records

    def __str__(self) -> str:
        told = f"{len(FINDS)} rows in the database, {len(self.shown)} shown"
        return f"{self.name}: {told}, {len(self.extracted)} extracted, {len(self.apart)} apart"


def extract(gathered: Gathered, *options: object) -> Outcome:
    """Extract the records of every page, and look for the rows that it shows."""
    outcome = Outcome(gathered.app.name, set(), set(), set(), [])
    for answer in gathered.answers():
        seen, records = (
            titled(gathered.app.rows, [answer.shown]),
            gathered.records(answer, *options),
        )
        kept = titled(seen, records)
        outcome.shown.update(row["title"] for row in seen)
        outcome.extracted.update(row["title"] for row in kept)
        outcome.apart.update(row["title"] for row in alone(seen, records))
        outcome.lost.extend((answer.path.name, row["title"]) for row in seen if row not in kept)
    return outcome


@pytest.fixture(scope="session")
def shipped(gathered: Gathered, figures: list[str]) -> Outcome:
    """With the model of the package, which knows none of the applications."""
    outcome = extract(gathered)
    figures.append(f"shipped model: {outcome}")
    return outcome


@pytest.fixture(scope="session")
def learned(gathered: Gathered, model: Path, figures: list[str]) -> Outcome:
    """With a model that learned from the pages of two small searches."""
    outcome = extract(gathered, "--model", model)
    figures.append(f"two pages learned: {outcome}")
    return outcome


def test_nothing_that_is_shown_is_lost(shipped):
    assert shipped.lost == []


def test_nothing_is_lost_after_learning_from_two_pages(learned):
    assert learned.lost == []


def test_every_row_is_a_record_of_its_own(shipped):
    assert shipped.apart == shipped.shown


def test_every_row_is_a_record_of_its_own_after_learning(learned):
    assert learned.apart == learned.shown


# -- the table of records ----------------------------------------------------------------------


def cells_of(value: object) -> set[str]:
    """The texts and values of a cell, folded."""
    if isinstance(value, list):
        return {cell for each in value for cell in cells_of(each)}
    if isinstance(value, dict):
        return {words(str(value[name])) for name in ("text", "value", "alt") if name in value}
    return set() if value is None else {words(str(value))}


WITHIN = {
    "trac": {"title"},  # shown as "#72: defect: TITLE (new)"
    "pydoc": {"title", "note"},  # shown as "TITLE; NOTE"
}  #: fields that an application shows as parts of a longer text


def in_cells(row: Row, cells: set[str], app: str) -> bool:
    """Whether every value of a row is a cell, or a part of one where it is shown so."""
    within = WITHIN.get(app, set())
    return all(
        words(value) in cells or (name in within and any(words(value) in cell for cell in cells))
        for name, value in row.items()
    )


def tables(gathered: Gathered) -> list[tuple[Answer, list[dict]]]:
    """The records of every page, by the columns that all pages of the application share."""
    answers = gathered.answers()
    lines = pagelet("records", *(each.path for each in answers), "--format", "json").splitlines()
    forms = [json.loads(line) for line in lines]
    return [(answer, form["records"]) for answer, form in zip(answers, forms, strict=True)]


def test_the_table_is_the_database(gathered, figures):
    """Every row that a page shows is one record; every value is a cell, and the title links."""
    shown, right, strange = set(), set(), []
    for answer, records in tables(gathered):
        seen = titled(gathered.app.rows, [answer.shown])
        shown.update(row["title"] for row in seen)
        for record in records:
            cells = {cell for value in record.values() for cell in cells_of(value)}
            own = [row for row in seen if in_cells(row, cells, gathered.app.name)]
            linked = [value for value in record.values() if isinstance(value, dict)]
            assert any(value.get("href") for value in linked), record
            right.update(row["title"] for row in own)
            if len(own) != 1:
                strange.append((answer.path.name, record))
    figures.append(f"table: {gathered.app.name}: {len(shown)} rows shown, {len(right)} equal")
    assert right == shown
    assert strange == []
