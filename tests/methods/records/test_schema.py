"""Schemas: learned from pages of a site, kept as JSON, applied to new pages in one pass."""

import json
import re
import sys

import pytest

from pagelet import METHODS, Page, parse
from pagelet.cli import main
from pagelet.methods.records.schema import RecordSchema
from pagelet.methods.registry import Evidence
from tests.methods.records.build import wrap

RECORDS = METHODS["records"]
OPTIONS = RECORDS.with_options("default", {})


def page_of(*items: tuple[str, str, str], rating: str = "") -> Page:
    """A page of results: title, cook and price; some have a rating."""
    lines = "".join(
        f"<li class=result><h3><a href=/{at}>{title}</a></h3>"
        f"<p class=by>by <a href=/u>{cook}</a></p>"
        f"<p class=text>A dish that {cook} has cooked for all of us on a day in {title}.</p>"
        + (f"<p class=stars>{rating}</p>" if rating else "")
        + f"<span class=price>{price}</span></li>"
        for at, (title, cook, price) in enumerate(items)
    )
    return parse(wrap(f"<ul class=results>{lines}</ul>"), url="https://example.org/s")


MANY = page_of(("Soup", "Ann", "$1.50"), ("Curry", "Bob", "$2.00"), ("Pie", "Cid", "$3.25"))
RATED = page_of(("Cake", "Dee", "$4.00"), ("Bread", "Eve", "$5.00"), rating="4 out of 5")
ONE = page_of(("Salad", "Flo", "$6.00"))


def apply(page: Page, form: dict) -> dict:
    evidence = Evidence(parts={"records": form})
    return RECORDS.profile("default").run(page, OPTIONS, evidence).extra


def learn(*pages: Page, **changes) -> dict:
    return dict(RECORDS.learn(pages, RECORDS.with_options("default", changes), Evidence()))


def test_a_schema_survives_its_file():
    form = learn(MANY, RATED)
    again = RecordSchema.of_dict(json.loads(json.dumps(form)))
    assert again.to_dict() == form


def test_a_page_with_one_record_has_the_columns_of_the_site():
    found = apply(ONE, learn(MANY, RATED))
    names = [column["name"] for column in found["columns"]]
    assert names == [column["name"] for column in apply(MANY, learn(MANY, RATED))["columns"]]
    assert len(found["records"]) == 1
    record = found["records"][0]
    assert record["title"] == {"text": "Salad", "href": "https://example.org/0"}
    assert record["by"]["value"] == "Flo"
    assert record["price"]["value"] == 6.0
    assert record["stars"] is None


def detail(title: str, author: str, pages: int) -> Page:
    return parse(
        wrap(
            f"<h2>{title}</h2><p class=note>Free delivery in all of the country</p>"
            f"<table><tr><td>Author:<td>{author}<tr><td>Pages:<td>{pages}</table>"
        )
    )


def test_where_a_page_is_one_record_what_all_pages_say_is_no_field():
    pages = [detail("Rivers", "Ann Lee", 120), detail("Hills", "Bob Ray", 340),
             detail("Seas", "Cid Fox", 99), detail("Woods", "Dee Poe", 77)]  # fmt: skip
    found = apply(pages[1], learn(*pages, per_page="one"))
    (record,) = found["records"]
    assert {"Hills", "Bob Ray", "340"} == {
        value["text"] if isinstance(value, dict) else value for value in record.values()
    }
    assert record["author"] == "Bob Ray"
    assert record["pages"]["value"] == 340


@pytest.fixture
def run_cli(monkeypatch, capsys):
    """Standard output of a command that is run in this process."""

    def run(*arguments: object) -> str:
        monkeypatch.setattr(sys, "argv", ["pagelet", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        assert code == 0
        return str(capsys.readouterr().out)

    return run


def test_the_command_line_keeps_the_schema_with_the_template(tmp_path, run_cli):
    folder = tmp_path / "site"
    folder.mkdir()
    for name, page in (("a", MANY), ("b", RATED)):
        (folder / f"{name}.html").write_text(page.source or "")
    (tmp_path / "one.html").write_text(ONE.source or "")
    kept = tmp_path / "site.json"
    run_cli("learn", folder, "-o", kept, "--records")
    lines = run_cli("records", tmp_path / "one.html", "--template", kept, "-f", "csv").splitlines()
    assert lines[0].startswith("page,record,title,title_href,by,by_href,by_value,text_1,stars")
    assert len(lines) == 2


def test_pages_given_together_are_one_table(tmp_path, run_cli):
    files = [tmp_path / "a.html", tmp_path / "b.html"]
    for file, page in zip(files, (MANY, RATED), strict=True):
        file.write_text(page.source or "")
    header, *rows = run_cli("records", *files, "-f", "csv").splitlines()
    assert "stars" in header.split(",")
    assert [row.split(",")[:2] for row in rows] == [
        [str(files[0]), "1"], [str(files[0]), "2"], [str(files[0]), "3"],
        [str(files[1]), "1"], [str(files[1]), "2"],
    ]  # fmt: skip


def test_the_columns_that_are_learned_are_printed(tmp_path, run_cli):
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages/a.html").write_text(MANY.source or "")
    learn = ("learn", tmp_path / "pages", "-o", tmp_path / "site.json", "--records")
    *_, last = run_cli(*learn).splitlines()
    assert re.fullmatch(r"records: \d columns: title, by, .+", last)
    *_, last = run_cli(*learn, "--per-page", "one").splitlines()
    assert re.match(r"records: one per page, \d+ columns: ", last)
    (tmp_path / "pages/a.html").write_text("<p>words")
    *_, last = run_cli(*learn, "--per-page", "several").splitlines()
    assert last == "records: none on these pages, so no columns were learned"
