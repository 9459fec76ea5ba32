"""A row says what the commands say, and nothing that was not asked for is made."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pagelet import (
    detect_clutter,
    detect_links,
    detect_menu,
    detect_records,
    extract,
    parse,
)
from pagelet.bulk import row as module
from pagelet.bulk.chunk import make_batch
from pagelet.bulk.options import (
    COLUMNS,
    DEFAULT_COLUMNS,
    KEY_COLUMNS,
    LINK_COLUMNS,
    METADATA_COLUMNS,
    BulkOptions,
    page_schema,
)
from pagelet.bulk.records import Record
from pagelet.bulk.row import PageAnswers, PageWork, host_of, row_of
from pagelet.bulk.templates import template_file
from pagelet.errors import OptionError
from pagelet.metadata.facts import metadata
from pagelet.methods.content import CONTENT
from pagelet.methods.links import LINKS
from pagelet.methods.registry import Evidence
from pagelet.methods.template.learned import learn
from pagelet.sources.warc.reader import START, Place
from tests import hostile
from tests.cases import case
from tests.labelled import html_of

SITE = sorted(Path("examples/site").rglob("*.html"))
URL = "https://site.example/a/b.html"
ALL = BulkOptions(columns=COLUMNS)


def record(body, **more):
    return Record("x.warc", Place(7), "<urn:x:1>", **{"url": URL, "body": body} | more)


def test_a_row_says_what_the_commands_say():
    for path in SITE:
        with case(path):
            html = path.read_bytes()
            page = parse(html, url=URL)
            told = CONTENT.profile("default").run(page, CONTENT.options(), Evidence()).extra
            said = metadata(page)
            row = row_of(record(html), ALL)
            assert row["text"] == extract(html, URL)
            assert row["markdown"] == extract(html, URL, format="markdown")
            for field in ("title", "date", "language"):
                assert row[field] == getattr(said, field)
            assert row["confidence"] == told["confidence"]
            menus = [link._asdict() for item in detect_menu(page) for link in item.links]
            assert row["menu"] == menus
            clutter = sum(len(item.text) for item in detect_clutter(page))
            assert (row["clutter_share"] > 0) == (clutter > 0)
            assert 0 <= row["clutter_share"] <= 1
            assert (row["source"], row["place"], row["id"], row["url"], row["host"]) == (
                "x.warc", 7, "<urn:x:1>", URL, "site.example",
            )  # fmt: skip
            for column, role in LINK_COLUMNS.items():
                options = LINKS.with_options("default", {"role": [role], "urls": True})
                text = LINKS.write(detect_links(page, options=options), options, "text")
                assert row[column] == text.splitlines()
            assert row["error"] is row["reason"] is row["template_id"] is None


@pytest.mark.parametrize(
    "base", ["", "<base href='/other/'>", "<base href='https://b.example/x/'>", "<base target=a>",
             "<base href='http://['>"],
)  # fmt: skip
def test_links_of_the_menu_are_absolute_as_elsewhere(base):
    html = f"<head>{base}</head>" + html_of(1).replace("href=/", "href=")
    links = [link._asdict() for item in detect_menu(parse(html, url=URL)) for link in item.links]
    assert row_of(record(html), ALL)["menu"] == links
    assert links


def test_without_an_address_links_stay_as_they_are():
    found = row_of(record(html_of(1), url=None), ALL)
    assert found["menu"][0]["href"].startswith("/")
    assert found["host"] is None


MAKERS = {
    "content": {"page_type", "text", "markdown", "fingerprint", "confidence"},
    "metadata": {"title", "date", "language", *METADATA_COLUMNS},
    "menu": {"menu"},
    "clutter": {"clutter_share"},
    "links": {*LINK_COLUMNS},
    "template": {"template_id", "template_share"},
    "records": set(),
}


@pytest.mark.parametrize("column", [name for name in COLUMNS if name not in KEY_COLUMNS])
def test_what_is_not_asked_for_is_not_made(monkeypatch, column):
    made = []
    for name in MAKERS:
        real = vars(PageAnswers)[name].func
        spy = lambda seen, name=name, real=real: (made.append(name), real(seen))[1]  # noqa: E731
        monkeypatch.setattr(PageAnswers, name, property(spy))
    for name, real in list(module.COLUMN_MAKERS.items()):
        spy = lambda seen, name=name, real=real: (made.append(name), real(seen))[1]  # noqa: E731
        monkeypatch.setitem(module.COLUMN_MAKERS, name, spy)
    row_of(record(html_of(1)), BulkOptions(columns=(column,)))
    allowed = {column, *(maker for maker, names in MAKERS.items() if column in names)}
    assert {*made} - {"template"} <= allowed  # the template is evidence for all methods
    assert column not in module.COLUMN_MAKERS or column in made


TEXT_ALONE = """
import sys
from pagelet.bulk.options import BulkOptions
from pagelet.bulk.records import Record
from pagelet.bulk.row import row_of
from pagelet.bulk.worker import START, ChunkHandler

row = row_of(Record("", START, "x", body="<p>words of a page"), BulkOptions(columns=("text",)))
print(row["text"] == "words of a page", *sys.modules)
"""


def test_what_is_not_asked_for_is_not_loaded():
    command = [sys.executable, "-c", TEXT_ALONE]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    found, *loaded = ended.stdout.split()
    unused = {f"pagelet.methods.{name}" for name in ("menu", "clutter", "records", "template")}
    assert found == "True"
    assert not {*unused, "pagelet.metadata.facts", "httpx"} & {*loaded}


#: the large ones go through every method elsewhere
SMALL = (
    *("empty str", "empty bytes", "text only", "one node", "no body", "frameset", "NUL"),
    *("lone surrogates", "wrong charset", "no charset", "random bytes", "random markup"),
    *("svg, mathml, template", "duplicate ids", "deep menus", "only hidden", "5 MB in one name"),
)


def test_hostile_pages_are_rows():
    for name in SMALL:
        with case(name):
            work = PageWork(replace(ALL, labels=True))
            made = work.rows(record(hostile.source(name)))
            (row,) = made["pages"]
            assert row["error"] is None or row["reason"]
            for table, schema in work.schemas().items():
                make_batch(made[table], schema)


def test_a_small_page_of_a_huge_tree_is_a_row():
    fonts = "".join(f"<font color=c{number}><p>" for number in range(6_000))
    assert row_of(record(fonts))["error"] == "PageTooLarge"
    few = replace(ALL, max_nodes=1_000)
    assert row_of(record("<p>x" * 500), few)["error"] is None
    assert "--max-nodes" in row_of(record("<p>x" * 1_500), few)["reason"]


def test_an_error_is_a_row(monkeypatch):
    def fails(*_given, **_more):
        raise RecursionError("deep \ud800")

    monkeypatch.setattr(module, "parse", fails)
    row = row_of(record("<p>a"), ALL)
    assert (row["error"], row["reason"]) == ("RecursionError", "RecursionError: deep ?")
    assert row["id"] == "<urn:x:1>"
    assert "text" not in row
    assert row["seconds"] >= 0


def test_what_was_wrong_before_stays_wrong():
    row = row_of(record(b"", error="PageTooLarge", reason="x" * 9000), ALL)
    assert (row["error"], len(row["reason"])) == ("PageTooLarge", 500)


def test_binary_bytes_are_no_page():
    assert row_of(record(b"\x89PNG\0\0\0" * 100), ALL)["error"] == "NotHtml"


def test_the_charset_of_the_head_counts():
    body = "<p>Привет, это страница.".encode("koi8-r")
    assert "Привет" in row_of(record(body, charset="koi8-r"), ALL)["text"]


def test_records_are_a_table_of_their_own():
    html = html_of_results()
    work = PageWork(BulkOptions(columns=("title", "records")))
    tables = work.rows(record(html))
    assert set(work.schemas()) == set(tables) == {"pages", "records"}
    assert "records" not in tables["pages"][0]
    rows = make_batch(tables["records"], work.schemas()["records"]).to_pylist()
    assert [row["record"] for row in rows] == [1, 2, 3, 4]
    found = detect_records(html, url=URL).extra["records"]
    for row, wanted in zip(rows, found, strict=True):
        assert [field["name"] for field in row["fields"]] == list(wanted)
        assert row["fields"][0]["href"] == wanted["title"]["href"]
    failed = work.rows(record(b"\0\0\0"))
    assert failed["records"] == []
    assert failed["pages"][0]["error"] == "NotHtml"


def html_of_results() -> str:
    lines = "".join(
        f"<li class=result><h3><a href=/{at}>Dish number {at}</a></h3>"
        f"<p class=text>A dish for day {at} of the week, with all that is good.</p></li>"
        for at in range(4)
    )
    return f"<main><h1>Results</h1><ul class=results>{lines}</ul></main>"


def test_labels_are_nodes_of_the_page():
    html = html_of(1)
    page = parse(html, url=URL)
    labels = PageWork(replace(ALL, labels=True)).rows(record(html))["labels"]
    kinds = {label["kind"] for label in labels}
    assert {"content", "dropped", "menu"} <= kinds
    for label in labels:
        page.row(label["path"])  # raises if there is no such node
        assert 0 <= label["score"] <= 2
    (menu,) = [label for label in labels if label["kind"] == "menu"]
    assert menu["path"] == detect_menu(page)[0].path


def test_templates_of_a_folder_are_used(tmp_path):
    pages = [parse(html_of(seed), url=f"https://site.example/{seed}") for seed in range(6)]
    template_file(str(tmp_path), "site.example").write_text(learn(pages).to_json())
    options = replace(ALL, templates=str(tmp_path))
    row = row_of(record(html_of(9)), options)
    assert row["template_id"] == "site.example"
    assert 0 < row["template_share"] < 1
    other = row_of(record(html_of(9), url="https://other.example/"), options)
    assert other["template_id"] is other["template_share"] is None


@pytest.mark.parametrize(
    ("url", "host"),
    [("https://A.Example:8080/x", "a.example"), (None, None), ("", None), ("http://[", None),
     ("no address", None)],
)  # fmt: skip
def test_the_host_of_an_address(url, host):
    assert host_of(url) == host


def test_columns_are_checked_ordered_and_keyed():
    with pytest.raises(OptionError, match="no such column; choose from source"):
        BulkOptions(columns=("title", "nonsense"))
    assert BulkOptions(columns=("title", "id")).table_columns == ("source", "place", "id", "title")
    assert page_schema(BulkOptions().table_columns).names == list(DEFAULT_COLUMNS)


def test_the_fingerprint_tells_what_changes_rows():
    plain = BulkOptions()
    assert plain.fingerprint == BulkOptions().fingerprint
    assert plain.fingerprint != replace(plain, favor="recall").fingerprint
    assert (
        BulkOptions(columns=("id", "text")).fingerprint
        == BulkOptions(columns=("text", "id", "place")).fingerprint
    )


def test_an_empty_page_is_a_row_without_text():
    row = row_of(record(b"", url=None), ALL)
    assert (row["error"], row["text"], row["menu"]) == (None, "", [])
    assert row_of(Record("", START, "a"))["clutter_share"] == 0


def test_text_that_is_not_sure_enough_is_left_out():
    html = Path("examples/site/news/fog-tomatoes.html").read_bytes()
    whole = row_of(record(html), ALL)
    sure = whole["confidence"]
    assert (0 < sure < 1, whole["notes"]) == (True, [])
    same = row_of(record(html), replace(ALL, min_confidence=sure))
    assert (same["text"], same["notes"]) == (whole["text"], [])
    row = row_of(record(html), replace(ALL, min_confidence=1))
    assert row["notes"] == [f"text left out: confidence {sure:g} is below 1"]
    assert row.keys().isdisjoint(("text", "markdown"))
    left = {name: value for name, value in whole.items() if name not in ("text", "markdown")}
    changing = {"notes": [], "seconds": 0}
    assert row | changing == left | changing


def test_text_alone_is_the_text_of_all_columns():
    names = ("text", "page_type", "confidence", "fingerprint")
    page = b"<a id=x href=/a>A</a><h1>A title</h1>" + b"<p>Some words of prose, and more.</p>" * 9
    for body in (page, "<p>caf\xe9, some words of prose".encode("latin-1"), b""):
        record = Record("", START, "x", url="https://x.example/y", body=body, charset="latin-1")
        alone = row_of(record, BulkOptions(columns=names))
        whole = row_of(record, BulkOptions(columns=(*names, "title", "menu")))
        assert {name: alone[name] for name in names} == {name: whole[name] for name in names}
        assert alone["error"] is None


def test_text_alone_minds_the_limit_of_nodes():
    record = Record("", START, "x", body=b"<p>x" * 3000)
    assert row_of(record, BulkOptions(columns=("text",), max_nodes=100))["error"] == "PageTooLarge"
