"""Many pages in one command: what names them, where results go, and what a failure does."""

import csv
import io
import json
import subprocess
import sys

import duckdb
import pytest

from pagelet.cli.pages import name_of_address, name_pages
from pagelet.cli.streams import ResultStream, Written, read_table, write_table
from pagelet.errors import OptionError, Unreachable
from pagelet.methods import METHODS
from tests.effort import growth
from tests.places import ROOT, SITE
from tests.sources.loopback import running
from tests.sources.site import Site

PAGE = "<title>{0}</title><h1>{0}</h1><p>" + "All that there is to say of it. " * 8


@pytest.fixture
def folder(tmp_path):
    for name in ("b.html", "a.htm", "deep/c.html", "deep/a.html"):
        path = tmp_path / "pages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PAGE.format(name))
    (tmp_path / "pages/style.css").write_text("p {}")
    return tmp_path / "pages"


@pytest.fixture
def web():
    with running(Site()) as server:
        yield server


def named(*arguments, **options) -> dict[str, str]:
    pages = name_pages([str(each) for each in arguments], **options).pages
    return {page.source: page.name for page in pages}


# -- names ------------------------------------------------------------------------------------


def test_a_folder_stands_for_its_pages_by_name(folder):
    assert list(named(folder).values()) == ["a", "b", "deep/a", "deep/c"]


def test_a_pattern_stands_for_the_files_that_match(folder):
    assert list(named(f"{folder}/**/*.html").values()) == ["b", "a", "c"]
    assert name_pages([f"{folder}/a.*"]).several


def test_a_file_whose_name_looks_like_a_pattern_is_a_file(folder):
    (folder / "what[1].html").write_text("<p>x")
    assert not name_pages([f"{folder}/what[1].html"]).several


def test_each_page_counts_once_and_has_a_name_of_its_own(folder):
    two = (folder / "a.htm", folder / "deep/a.html", folder / "a.htm")
    assert list(named(*two).values()) == ["a", "a-2"]


def test_a_list_names_pages_too(folder, tmp_path):
    listed = tmp_path / "list.txt"
    listed.write_text(f"# our pages\n{folder}/b.html\n\nhttps://example.org/x\n")
    assert list(named("-", input_file=str(listed)).values()) == ["page", "b", "example.org/x"]


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://example.org", "example.org/index"),
        ("https://example.org/news/one.html?page=2", "example.org/news/one_page=2"),
        ("https://example.org/a/../../etc/passwd", "example.org/a/etc/passwd"),
        ("https://ann:secret@example.org/%2e%2e/x", "example.org/x"),
        ("https://example.org/" + "x" * 300, "example.org/" + "x" * 80),
        ("https://пример.example/ä b/", "пример.example/ä_b"),
        ("http://[", "page"),
    ],
)
def test_an_address_becomes_a_plain_name(address, name):
    assert name_of_address(address) == name


@pytest.mark.parametrize(
    ("arguments", "error"),
    [([], OptionError), (["*.none"], Unreachable), (["."], Unreachable)],
)
def test_what_names_no_page(arguments, error, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error):
        name_pages(arguments)


# -- results ----------------------------------------------------------------------------------


def test_one_stream_of_json_lines(run, folder):
    code, out, err = run("content", folder, "--format", "json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [row["page"].removeprefix(f"{folder}/") for row in rows] == [
        "a.htm", "b.html", "deep/a.html", "deep/c.html",
    ]  # fmt: skip
    assert all(row["method"] == "content" for row in rows)
    assert err == "4 pages written\n"


def test_one_stream_of_texts_names_each_page(run, folder):
    _, out, _ = run("content", folder / "a.htm", folder / "b.html")
    assert [line for line in out.splitlines() if line.startswith("==>")] == [
        f"==> {folder}/a.htm <==", f"==> {folder}/b.html <==",
    ]  # fmt: skip


def test_compact_json_has_text_facts_and_confidence(run, folder):
    _, out, _ = run("content", folder, "--format", "json-compact")
    rows = [json.loads(line) for line in out.splitlines()]
    assert [row["metadata"]["title"] for row in rows] == [
        "a.htm",
        "b.html",
        "deep/a.html",
        "deep/c.html",
    ]
    assert set(rows[0]) == {
        "page", "schema", "url", "method", "text", "metadata", "confidence",
    }  # fmt: skip
    assert all("All that there is to say" in row["text"] for row in rows)


def test_one_table_for_all_pages(run, folder):
    _, out, _ = run("content", folder, "--format", "csv")
    rows = list(csv.DictReader(out.splitlines(keepends=True)))
    assert [row["page"].rpartition("/")[2] for row in rows] == [
        "a.htm",
        "b.html",
        "a.html",
        "c.html",
    ]
    assert rows[1]["title"] == "b.html"
    assert rows[1]["text"].startswith("b.html\n")


@pytest.mark.parametrize(
    ("command", "format", "ending"),
    [("content", "markdown", "md"), ("menu", "json", "json"), ("metadata", "text", "txt"),
     ("forms", "json", "json"), ("clutter", "html", "html"), ("content", "tei", "xml"),
     ("content", "csv", "csv")],
)  # fmt: skip
def test_one_file_per_page(run, folder, tmp_path, command, format, ending):
    code, out, err = run(command, folder, "--format", format, "-o", tmp_path / "out")
    files = sorted(path for path in (tmp_path / "out").rglob("*") if path.is_file())
    names = [path.relative_to(tmp_path / "out").as_posix() for path in files]
    assert names == [f"{name}.{ending}" for name in ("a", "b", "deep/a", "deep/c")]
    without = command in ("menu", "forms")  # they have none
    empty = ", 4 of them empty" if without else ""
    first, *rest = err.splitlines()
    assert (code, out, first) == (0, "", f"4 pages written to {tmp_path / 'out'}{empty}")
    assert [line.startswith(f"no {command}: ") for line in rest] == [True] * without


def test_a_single_page_goes_to_the_file_that_is_named(run, folder, tmp_path):
    run("content", folder / "a.htm", "-o", tmp_path / "one.md", "--format", "markdown")
    run("content", folder / "a.htm", "-o", tmp_path / "two")
    assert (tmp_path / "one.md").read_text().startswith("# a.htm\n")
    assert (tmp_path / "two/a.txt").read_text().startswith("a.htm\n")


def test_the_ending_of_the_file_is_the_format(run, folder, tmp_path):
    code, _, _ = run("content", folder / "a.htm", "-o", tmp_path / "one.md")
    assert (code, (tmp_path / "one.md").read_text().startswith("# a.htm\n")) == (0, True)
    code, _, err = run("menu", folder / "a.htm", "-o", tmp_path / "one.csv")
    assert (code, "give --format text, json, jsonl or html" in err) == (2, True)


# -- one stream -------------------------------------------------------------------------------


SHELVES = [SITE / "search-results-bean.html", SITE / "search-results-tomato.html"]
OBJECTS = {name: ("json", "jsonl") for name, row in METHODS.items() if row.needs == ("page",)}
OBJECTS |= {"metadata": ("json", "jsonl"), "forms": ("json", "jsonl")}
OBJECTS["content"] += ("json-compact",)


@pytest.mark.parametrize(
    ("command", "format"), [(name, form) for name in OBJECTS for form in OBJECTS[name]]
)
def test_json_of_several_pages_is_a_line_each_that_names_its_page(run, command, format):
    code, out, _ = run(command, *SHELVES, "--format", format)
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert list(dict.fromkeys(row["page"] for row in rows)) == list(map(str, SHELVES))
    assert len(rows) == (19 if (command, format) == ("records", "jsonl") else 2)


@pytest.mark.parametrize("command", OBJECTS)
def test_json_lines_of_one_page_name_it_too(run, command):
    code, out, _ = run(command, SHELVES[0], "--format", "jsonl")
    assert code == 0
    assert {json.loads(line)["page"] for line in out.splitlines()} == {str(SHELVES[0])}


def test_rows_of_records_that_noise_leaves_name_their_page(run):
    _, out, _ = run("noise", *SHELVES, "--records", "--format", "json")
    assert {json.loads(line)["page"] for line in out.splitlines()} == set(map(str, SHELVES))


def test_the_records_of_one_page_name_it(run):
    _, out, _ = run("records", SHELVES[0], "--format", "csv")
    assert {row["page"] for row in csv.DictReader(io.StringIO(out))} == {str(SHELVES[0])}
    _, out, _ = run("records", SHELVES[0], "--format", "csv", "--url", "https://seeds.example/")
    assert {row["page"] for row in csv.DictReader(io.StringIO(out))} == {"https://seeds.example/"}


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_the_records_of_several_pages_are_one_file(run, tmp_path, ending):
    path = tmp_path / "made" / f"records.{ending}"
    code, out, err = run("records", *SHELVES, "-o", path)
    assert (code, out, err) == (0, "", f"2 pages written to {path}\n")
    table = duckdb.sql(f"SELECT page, count(*) FROM '{path}' GROUP BY page ORDER BY page")
    assert table.fetchall() == [(str(SHELVES[0]), 9), (str(SHELVES[1]), 10)]


def test_columns_of_several_pages_have_one_type():
    number = write_table({"page": [""], "n": [1], "m": [[]], "o": [None]})
    word = write_table({"page": [""], "n": ["x"], "m": [["y"]]})
    stream = ResultStream("parquet")
    for name, data in (("a", number), ("b", word)):
        stream.add(name, Written(data=data))
    joined = read_table(write_table(stream.table))
    assert joined == {"page": ["a", "b"], "n": ["1", "x"], "m": [[], ["y"]], "o": [None, None]}


def test_one_file_for_the_stream_of_several_pages(run, folder, tmp_path):
    code, out, _ = run("content", folder, "-o", tmp_path / "texts.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "texts.jsonl").read_text().splitlines()]
    assert (code, out, len(rows)) == (0, "", 4)
    run("content", folder, "-o", tmp_path / "texts.txt")
    assert (tmp_path / "texts.txt").read_text().count("==>") == 4
    run("content", folder, "-o", tmp_path / "example.org")  # a name that is no ending
    assert len(list((tmp_path / "example.org").rglob("*.txt"))) == 4


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("content", "-f", "html"), "one document per page; give -o DIR"),
        (("content", "-f", "tei", "-o", "x.xml"), "one document per page; give -o DIR"),
        (("content", "-o", "x.json"), "name it x.jsonl, or give a folder"),
    ],
)
def test_what_cannot_be_one_stream(run, folder, arguments, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command, *rest = arguments
    code, out, err = run(command, folder, *rest)
    assert (code, out, list(tmp_path.glob("x.*"))) == (2, "", [])
    assert words in err


def test_a_page_that_fails_does_not_stop_the_others(run, folder, tmp_path):
    (folder / "big.html").write_text("x" * 5000)
    code, out, err = run("content", folder, "missing.html", "--max-bytes", 2000)
    assert code == 3
    assert out.count("==>") == 4
    assert err.splitlines() == [
        f"pagelet: {folder}/big.html: larger than 2,000 bytes; raise --max-bytes to read it",
        "pagelet: missing.html: no such file; give a file, a URL or -",
        "4 pages written, 2 failed",
    ]


def test_a_mistake_of_the_user_stops_at_once(run, folder):
    code, out, _ = run("content", folder, "--keep", "p[[")
    assert (code, out) == (2, "")


def test_one_picture_is_of_one_page(run, folder):
    code, _, err = run("segments", folder, "--picture", "x.png")
    assert code == 2
    assert "give one page" in err


# -- several answers about one page ------------------------------------------------------------


def test_one_object_holds_several_answers(run, folder):
    code, out, _ = run("content", folder / "a.htm", "--also", "metadata,menu,links")
    form = json.loads(out)
    assert code == 0
    assert form["method"] == "content"
    assert list(form["also"]) == ["metadata", "menu", "links"]
    assert form["also"]["metadata"]["title"] == "a.htm"
    assert form["also"]["links"]["method"] == "links"
    _, alone, _ = run("links", folder / "a.htm", "--format", "json")
    assert form["also"]["links"] == json.loads(alone)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--also", "segments"), "must be metadata, content"),
        (("--also", "menu", "-f", "html"), "one JSON object"),
    ],
)
def test_what_is_no_further_answer(run, folder, arguments, words):
    code, _, err = run("content", folder / "a.htm", *arguments)
    assert code == 2
    assert words in err


# -- addresses --------------------------------------------------------------------------------


def test_several_addresses_are_loaded_politely_by_one_sender(run, web):
    web.robots = (200, b"User-agent: fernbot\nDisallow: /status")
    pages = [f"{web.url}/{name}" for name in ("page?a", "status?code=404", "page?b")]
    rest = ("--allow-private", web.place, "--delay", 0, "--user-agent", "fernbot/1")
    code, out, err = run("content", *pages, *rest, "--header", "X-Key: k", "--cookie", "c=d")
    assert code == 3
    assert out.count("==>") == 2
    assert "robots.txt of the site does not allow it" in err
    assert [one.path for one in web.requests] == ["/robots.txt", "/page?a", "/page?b"]
    assert {one.headers["User-Agent"] for one in web.requests} == {"fernbot/1"}
    assert {(one.headers["X-Key"], one.headers["Cookie"]) for one in web.requests} == {("k", "c=d")}


def test_a_single_address_is_loaded_as_it_is_named(run, web):
    web.robots = (200, b"User-agent: *\nDisallow: /")
    code, _, _ = run("content", f"{web.url}/page", "--allow-private", web.place)
    assert code == 0
    assert [one.path for one in web.requests] == ["/page"]
    code, _, _ = run("content", f"{web.url}/page", "--allow-private", web.place, "--robots")
    assert code == 3


def test_a_host_without_a_scheme_is_pointed_out(run):
    for command in ("content", "urls"):
        code, _, err = run(command, "example.com")
        assert code == 3
        assert "did you mean https://example.com ?" in err


def test_many_pages_of_one_name_are_numbered_in_proportion(tmp_path):
    def folders(size: int) -> list[str]:
        paths = [tmp_path / f"{size}" / f"{number}" / "a.html" for number in range(size)]
        for path in paths:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("<p>x")
        return [str(path) for path in paths]

    names = [page.name for page in name_pages(folders(4)).pages]
    assert names == ["a", "a-2", "a-3", "a-4"]
    assert growth(name_pages, folders, 30) < 6


def test_a_command_reads_no_other_method():
    """Other methods are imported only where their answers are wanted too."""
    code = (
        "import atexit, sys; sys.argv = ['pagelet', 'content', '-']\n"
        "atexit.register(lambda: print(sorted(sys.modules)))\n"
        "from pagelet.cli import main\nmain()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=b"<p>x", capture_output=True, check=True
    )
    assert b"pagelet.methods.content" in done.stdout
    for other in (b"records", b"noise.decision", b"links.roles", b"template.learned"):
        assert b"pagelet.methods." + other not in done.stdout


def test_records_of_pages_with_and_without_advertisements_have_the_same_columns(run, tmp_path):
    pages = ROOT / "tests" / "pages"
    for name in ("cards", "two-kinds"):
        text = (pages / f"records--{name}" / "page.html").read_text(encoding="utf-8")
        (tmp_path / f"{name}.html").write_text(text, encoding="utf-8")
    code, out, _ = run("records", tmp_path, "--format", "csv", "--per-page", "several")
    header, *rows = csv.reader(io.StringIO(out))
    assert code == 0
    assert {len(row) for row in rows} == {len(header)}
    assert {row[header.index("kind")] for row in rows} == {"result", "sponsored"}


def test_pages_without_an_answer_are_counted(run, folder):
    (folder / "none.html").write_text("<title>none</title>")
    for form in ("json-compact", "text", "jsonl"):
        code, _, err = run("content", folder, "--format", form)
        summary, names = err.splitlines()
        assert (code, summary) == (0, "5 pages written, 1 of them empty")
        assert names == f"no content: {folder}/none.html"
