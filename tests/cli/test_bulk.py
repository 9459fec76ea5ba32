"""`pagelet bulk`: what it prints, where, and how it ends."""

import io
import re
import socket
import sys
from http.server import BaseHTTPRequestHandler
from urllib.parse import urljoin

import duckdb
import pyarrow as pa
import pytest
from pyarrow import dataset
from rich.console import Console

from pagelet.bulk.options import DEFAULT_COLUMNS
from pagelet.bulk.run import Progress
from pagelet.cli import bulk as command
from pagelet.errors import OptionError
from tests.bulk.archives import page, pages, record, rows, write_warc
from tests.places import ROOT
from tests.sources.loopback import Loopback, running


@pytest.fixture
def bulk(run, tmp_path):
    def runner(*arguments):
        return run("bulk", *arguments, "-o", tmp_path / "out", "-j", 0)

    return runner


def test_a_run_is_summed_up(bulk, tmp_path):
    records = [
        *pages(3),
        page("png", b"", kind="image/png"),
        record("asked", b"GET", "request"),
        record("again", b"GET", "request"),
        page("large", "<p>" + "x" * 9000),
    ]
    code, out, err = bulk(write_warc(tmp_path / "x.warc", records), "--max-bytes", 8000)
    assert (code, err) == (0, "")
    first, second, *rest = out.splitlines()
    assert first.startswith("4 pages in ")
    assert second == f"{tmp_path}/out/pages: 4 rows, 1 of them errors"
    assert rest == [
        "error: PageTooLarge: 1",
        "skipped: record type request: 2",
        "skipped: content type image/png: 1",
    ]


def test_text_below_a_confidence_is_left_out_and_counted(bulk, tmp_path):
    archive = write_warc(tmp_path / "x.warc", pages(2))
    code, out, _ = bulk(archive, "--min-confidence", 1)
    assert (code, out.splitlines()[2:]) == (0, ["without text: 2 rows below --min-confidence"])
    for row in rows(tmp_path / "out"):
        assert (row["text"], row["error"], row["confidence"] < 1) == (None, None, True)
        assert row["notes"][0].startswith("text left out: confidence 0.")


def test_columns_are_chosen_or_added(bulk, run, tmp_path):
    archive = write_warc(tmp_path / "x.warc", pages(1))
    assert bulk(archive, "--columns", "title, text")[0] == 0
    assert list(rows(tmp_path / "out")[0]) == ["source", "place", "title", "text"]
    run("bulk", archive, "-o", tmp_path / "more", "-j", 0, "--columns", "+markdown")
    assert "markdown" in rows(tmp_path / "more")[0]


def test_addresses_of_links_by_their_role(bulk, tmp_path):
    shop = (ROOT / "tests/methods/links/pages/listing.html").read_bytes()
    broken = page("large", "<p>" + "x" * 9000)
    archive = write_warc(tmp_path / "x.warc", [page("shop", shop), *pages(1), broken])
    names = "url,links_pagination,links_content,error"
    assert bulk(archive, "--columns", names, "--max-bytes", 8000)[0] == 0
    table = dataset.dataset(tmp_path / "out" / "pages")
    assert table.schema.names == ["source", "place", "url", *names.split(",")[1:]]
    assert table.schema.field("links_content").type == pa.list_(pa.string())
    first, _, last = rows(tmp_path / "out")
    assert first["links_pagination"] == [
        f"{urljoin(first['url'], '/tools/')}?page={number}" for number in (1, 3, 4)
    ]
    assert len(first["links_content"]) == 6
    assert (last["error"], last["links_content"]) == ("PageTooLarge", None)


def test_names_of_columns():
    assert command.column_names("id,text") == ("id", "text")
    assert command.column_names("+markdown") == (*DEFAULT_COLUMNS, "markdown")
    with pytest.raises(OptionError, match="such as id,url,text"):
        command.column_names(",")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["--columns", "nonsense"],
            "option columns = 'nonsense': no such column; choose from source, place",
        ),
        (["--format", "csv"], "option format = 'csv': must be parquet, jsonl"),
        (["--allow-private", "x"], ""),
    ],
)
def test_wrong_options_are_told(bulk, tmp_path, arguments, said):
    code, _, err = bulk(write_warc(tmp_path / "x.warc", pages(1)), *arguments)
    assert code == (2 if said else 0)
    assert said in err


def test_an_input_that_is_not_there(bulk, tmp_path):
    code, _, err = bulk(tmp_path / "gone.warc")
    assert code == 3
    assert "no such file; check the address" in err


def test_an_input_that_cannot_be_read_is_told_in_the_end(bulk, tmp_path):
    listed = tmp_path / "list.txt"
    listed.write_text("https://a.example/")
    archive = write_warc(tmp_path / "x.warc", pages(2))
    code, out, _ = bulk(listed, archive)
    assert code == 3
    assert "2 rows, 0 of them errors" in out
    assert f"not read: {listed}: OptionError: option load" in out


def test_damage_is_told_and_ends_with_the_code_of_what_cannot_be_read(bulk, tmp_path):
    archive = write_warc(tmp_path / "x.warc", pages(3))
    archive.write_bytes(archive.read_bytes()[:-300])
    code, out, _ = bulk(archive)
    assert code == 3
    assert "error: DamagedRecord: 1" in out
    assert f"damaged: {archive}: 1 place; all else in it was read" in out


def test_an_input_that_is_named_twice_is_read_once(bulk, tmp_path):
    archive = write_warc(tmp_path / "x.warc", pages(3))
    again = f"{tmp_path}/./x.warc"
    code, out, err = bulk(archive, again)
    assert (code, err) == (0, f"warning: {again} is named twice, and read once\n")
    assert "3 rows, 0 of them errors" in out


def test_many_inputs_named_twice_are_not_all_listed(bulk, tmp_path):
    for at in range(30):
        (tmp_path / f"{at}.html").write_text("<p>a")
    code, _, err = bulk(f"{tmp_path}/*.html", f"{tmp_path}/./*.html")
    assert (code, len(err.splitlines())) == (0, 11)
    assert err.endswith("warning: so are 20 more\n")


def test_an_absurd_request_rate_is_an_error_row(bulk, tmp_path):
    with running(Loopback(Slow)) as server:
        listed = tmp_path / "list.txt"
        listed.write_text(f"{server.url}/page/1\n{server.url}/page/2")
        code, out, _ = bulk(listed, "--load", "--allow-private", server.place)
    assert code == 0
    assert "error: BudgetSpent: 2" in out


def test_labels_and_lines(bulk, tmp_path):
    archive = write_warc(tmp_path / "x.warc", pages(1))
    assert bulk(archive, "--labels", "--format", "jsonl")[0] == 0
    assert (tmp_path / "out" / "labels" / "part-00000.jsonl").read_text().count("\n") > 10


class Site(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.requests.append(self.path)
        found = self.path.startswith("/page")
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/html; charset=koi8-r")
        self.end_headers()
        self.wfile.write("<p>Привет, это страница.".encode("koi8-r"))

    def log_message(self, *_):
        pass


class Slow(Site):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"User-agent: *\nRequest-rate: 1/" + b"9" * 400)


def test_web_addresses_of_a_list_are_loaded_politely(bulk, tmp_path):
    with running(Loopback(Site)) as server:
        listed = tmp_path / "list.txt"
        urls = [f"{server.url}/page/{at}" for at in range(5)]
        listed.write_text("\n".join([*urls, f"{server.url}/gone"]))
        told = ("--load", "--delay", 0, "--allow-private", server.place, "--chunk-records", 2)
        code, out, _ = bulk(listed, *told)
        assert code == 0
        assert server.requests.count("/robots.txt") == 1  # one loader goes through the whole host
        assert [path for path in server.requests if "page" in path] == [
            f"/page/{at}" for at in range(5)
        ]
    found = {row["id"]: row for row in rows(tmp_path / "out")}
    assert found[urls[0]]["text"] == "Привет, это страница."
    assert found[f"{server.url}/gone"]["error"] == "ErrorStatus"
    assert "error: ErrorStatus: 1" in out


# -- engines ------------------------------------------------------------------------------------


@pytest.fixture
def on_ray(run, tmp_path, monkeypatch):
    """Ask for a cluster; the folder that would be written must not be begun."""
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    archive = write_warc(tmp_path / "x.warc", pages(1))

    def runner(*arguments):
        code, _, err = run("bulk", archive, "-o", tmp_path / "out", "--engine", "ray", *arguments)
        assert not (tmp_path / "out").exists()
        return code, err

    return runner


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--jobs", 0], "option jobs = 0: a cluster needs at least one"),
        (["--address", "ray://a:1"], "option address = 'ray://a:1': it is not HOST:PORT or auto"),
        (["--address", "rubbish"], "option address = 'rubbish': it is not HOST:PORT or auto"),
        (["--address", "127.0.0.1:99999"], "nothing answers there"),
        (["--address", f"{'x' * 70}.example:6379"], "nothing answers there"),
    ],
)
def test_a_cluster_that_cannot_be(on_ray, arguments, said):
    code, err = on_ray(*arguments)
    assert code == 2
    assert said in err


def test_a_cluster_that_does_not_answer(on_ray):
    with socket.socket() as held:  # nobody else gets its port, and nobody listens
        held.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{held.getsockname()[1]}"
        code, err = on_ray("--address", address)
    assert code == 2
    assert f"option address = '{address}': nothing answers there; start Ray on this machine" in err


def test_a_cluster_without_its_packages(on_ray, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    assert on_ray() == (
        5,
        "pagelet: the Ray engine needs optional packages; run pip install 'pagelet[ray]'\n",
    )


def test_an_address_is_for_a_cluster(bulk, tmp_path):
    code, _, err = bulk(write_warc(tmp_path / "x.warc", pages(1)), "--address", "auto")
    assert code == 2
    assert "option address = 'auto': only a cluster has one; add --engine ray" in err


# -- how far it is ------------------------------------------------------------------------------


def progress(**more):
    return Progress(**{"size": 1000, "done": 250, "pages": 30, "began": 0.0} | more)


def test_how_far_a_run_is(monkeypatch):
    monkeypatch.setattr("pagelet.bulk.run.monotonic", lambda: 10.0)
    assert command.line(progress()) == "30 pages, 3/s, 0 errors, 0:00:30 left"
    assert command.share(progress(resumed=500)) == 0.75
    assert progress(resumed=500).left == 10.0
    assert command.line(progress(done=0)) == "30 pages, 3/s, 0 errors"
    assert command.share(progress(size=0)) == 0.0


def test_lines_are_told_now_and_then(monkeypatch):
    now = iter([0.0, 5.0, 11.0, 11.0, 12.0])
    monkeypatch.setattr(command, "monotonic", lambda: next(now))
    said = []
    told = command._lines(said.append)
    for _ in range(3):
        told(progress())
    assert len(said) == 1
    assert said[0].startswith("25.0%, 30 pages, ")


def test_a_terminal_has_a_bar(monkeypatch, tmp_path):
    screen = io.StringIO()
    monkeypatch.setattr(
        command, "console", lambda **_: Console(file=screen, force_terminal=True, width=120)
    )
    with command.shown(tmp_path) as told:
        told(progress())
    assert "30 pages" in screen.getvalue()


def test_a_finished_run_has_nothing_left_to_do(run, tmp_path):
    archive, output = write_warc(tmp_path / "x.warc", pages(1)), tmp_path / "out"
    _, out, _ = run("bulk", archive, "-o", output, "-j", 0)
    assert out.startswith("1 page in ")
    assert ": 1 row, 0 of them errors" in out
    _, out, _ = run("bulk", archive, "-o", output, "-j", 0, "--resume")
    assert out.startswith(f"nothing left to do\n{output}/pages: 1 row, 0 of them errors")


def test_the_guide_removes_copies(run, tmp_path):
    crawl = tmp_path / "crawl"
    crawl.mkdir()
    story = " ".join(f"word{n % 37} stands {n} before the wall" for n in range(60))
    other = story.replace("wall", "sea").replace("stands", "swims")
    for name, text in {"a": story, "b": story + " again", "c": other, "d": ""}.items():
        (crawl / f"{name}.html").write_text(f"<title>{name}</title><p>{text}</p>")
    out = tmp_path / "DIR"
    columns = ("--columns", "id,url,text,fingerprint")
    assert run("bulk", crawl, "-o", out, *columns)[0] == 0
    [guide] = re.findall(r"```sql\n(.*?)```", (ROOT / "docs/bulk.md").read_text(), re.DOTALL)
    *make, select = guide.replace("DIR", str(out)).strip().split(";\n\n")
    database = duckdb.connect()
    for statement in make:
        database.sql(statement)
    kept = database.sql(select).fetchall()
    assert sorted(row[2].rpartition("/")[2] for row in kept) == ["a.html", "c.html"]
