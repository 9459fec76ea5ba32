"""Two passes: templates of hosts are learned, kept, and used; the order of pages is nothing."""

import json
import random

import pytest

from pagelet import parse
from pagelet.bulk import sites
from pagelet.bulk.engine import InlineEngine
from pagelet.bulk.options import COLUMNS, BulkOptions
from pagelet.bulk.records import Record
from pagelet.bulk.run import bulk
from pagelet.bulk.sites import HostSample, LearnWork, host_bucket
from pagelet.bulk.templates import template_file
from pagelet.methods.template.learned import learn, read_learned
from pagelet.methods.template.table import MAX_PAGES
from pagelet.sources.warc.reader import START
from tests.bulk.archives import answer, page, pages, record, rows, write_warc
from tests.labelled import html_of
from tests.methods.layout_pages import layout_html


@pytest.fixture
def archive(tmp_path):
    lone = record("x", answer(html_of(77).encode())).replace(b"site.example", b"lone.example")
    return write_warc(tmp_path / "x.warc", [*pages(8), lone])


def go(archive, out, folder, **more):
    options = BulkOptions(templates=str(folder), columns=COLUMNS, chunk_records=3)
    return bulk([archive], out, options, engine=InlineEngine(), **more)


def test_hosts_are_learned_and_used(tmp_path, archive):
    folder = tmp_path / "templates"
    go(archive, tmp_path / "out", folder)
    assert [path.name for path in folder.iterdir()] == ["site.example.json"]
    known = {row["id"]: row for row in rows(tmp_path / "out")}
    assert known["<urn:x:3>"]["template_id"] == "site.example"
    assert 0 < known["<urn:x:3>"]["template_share"] < 1
    assert known["<urn:x:x>"]["template_id"] is None
    found = read_learned((folder / "site.example.json").read_text())
    wanted = learn(parse(html_of(at), f"https://site.example/{at}") for at in range(8))
    assert found.pages.keys() == wanted.pages.keys()
    assert found.to_json() == wanted.to_json()


def test_the_next_crawl_adds_to_what_is_known(tmp_path, archive):
    folder = tmp_path / "templates"
    go(archive, tmp_path / "out", folder)
    more = write_warc(tmp_path / "y.warc", [page(at) for at in range(8, 10)])
    go(more, tmp_path / "out2", folder)
    found = read_learned((folder / "site.example.json").read_text())
    assert len(found.seen) == 10
    assert {row["template_id"] for row in rows(tmp_path / "out2")} == {"site.example"}


def test_a_run_that_goes_on_learns_nothing_again(tmp_path, archive):
    folder = tmp_path / "templates"
    go(archive, tmp_path / "out", folder)
    before = rows(tmp_path / "out")
    template_file(str(folder), "site.example").unlink()
    assert go(archive, tmp_path / "out", folder, resume=True).pages == 0
    assert rows(tmp_path / "out") == before
    assert not list(folder.iterdir())


def test_stopped_in_the_first_pass_it_goes_on_there(tmp_path, archive):
    folder, asked = tmp_path / "templates", []

    def stop():
        asked.append(1)
        return len(asked) > 2

    done = go(archive, tmp_path / "out", folder, stop=stop)
    assert done.stopped
    assert done.rows == 0
    assert not folder.exists()
    go(archive, tmp_path / "out", folder, resume=True)
    assert len(rows(tmp_path / "out")) == 9
    undisturbed = tmp_path / "undisturbed"
    go(archive, undisturbed, tmp_path / "other")
    assert rows(tmp_path / "out") == rows(undisturbed)


def test_without_learning_only_what_is_there_is_used(tmp_path, archive):
    options = BulkOptions(templates=str(tmp_path / "none"), learn=False)
    bulk([archive], tmp_path / "out", options, engine=InlineEngine())
    assert {row["template_id"] for row in rows(tmp_path / "out")} == {None}
    assert not (tmp_path / "out" / "_sites").exists()


def test_a_worker_tells_few_of_many_pages_but_all_of_the_sample(monkeypatch):
    monkeypatch.setattr(sites, "MAX_PAGES", 4)
    work = LearnWork(BulkOptions())
    numbers = list(range(60))
    random.Random(5).shuffle(numbers)
    told = []
    for number in numbers:
        one = Record("", START, str(number), url="https://a.example/", body=html_of(number))
        told += [row["name"] for row in work.rows(one)["digests"]]
    every = sorted(name for at in numbers for name in learn([parse(html_of(at))]).pages)
    assert set(every[:4]) <= set(told)
    assert len(told) < 25


def test_few_hosts_are_remembered(monkeypatch):
    monkeypatch.setattr(sites, "MAX_HOSTS", 2)
    work = LearnWork(BulkOptions())
    for host in "abcd":
        work.rows(Record("", START, "1", url=f"https://{host}.example/", body=html_of(1)))
    assert list(work.samples) == ["c.example", "d.example"]


@pytest.mark.parametrize(
    "one",
    [
        Record("", START, "1", url="https://a.example/", body="<frameset></frameset>"),
        Record("", START, "1", url="https://a.example/", error="PageTooLarge"),
    ],
)
def test_what_teaches_nothing(one):
    assert LearnWork(BulkOptions()).rows(one) == {"digests": []}


def test_pages_of_a_folder_are_told_apart_by_layout(tmp_path):
    for layout in range(3):
        for number in range(6):
            file = tmp_path / "pages" / f"{layout}-{number}.html"
            file.parent.mkdir(exist_ok=True)
            file.write_text(layout_html(layout, number))
    go(tmp_path / "pages", tmp_path / "out", tmp_path / "templates")
    names = {}
    for row in rows(tmp_path / "out"):
        names.setdefault(row["id"].rpartition("/")[2][0], set()).add(row["template_id"])
    assert sorted(names) == ["0", "1", "2"]
    assert sorted(name for (name,) in names.values()) == [f"(no host)#{at}" for at in (1, 2, 3)]


def test_a_rare_layout_is_sampled_beside_a_common_one():
    sample, told = HostSample(), []
    for at in range(500):
        told += [at] if sample.admit(f"a{at:04}", 1) else []
    assert told == list(range(MAX_PAGES))
    assert sample.admit("z", 2)  # the largest name of all, but the first of its structure
    assert not sample.admit("z", 2)


def test_hosts_are_put_together_share_by_share(tmp_path, monkeypatch):
    monkeypatch.setattr(sites, "MAX_DIGEST_BYTES", 10_000)
    records = [
        page(at).replace(b"site.example", f"s{at % 5}te.example".encode()) for at in range(20)
    ]
    folder = tmp_path / "templates"
    go(write_warc(tmp_path / "x.warc", records), tmp_path / "out", folder)
    assert len(list(folder.iterdir())) == 5
    assert json.loads((tmp_path / "out" / "_sites" / "_learned.json").read_text()) == {"hosts": 5}


def test_buckets_are_the_same_everywhere():
    assert host_bucket("site.example") == host_bucket("site.example") < sites.BUCKETS
    assert host_bucket("site.example") != host_bucket("other.example")


def test_the_order_of_pages_leaves_no_trace_in_a_template(tmp_path):
    """More pages than are kept: workers that see the kept ones first tell of fewer others."""
    records = pages(MAX_PAGES + 8)
    found = {}
    for name, ordered in (("one", records), ("other", records[::-1])):
        archive = write_warc(tmp_path / f"{name}.warc", ordered)
        options = BulkOptions(templates=str(tmp_path / name), columns=("id",))
        bulk([archive], tmp_path / f"{name}-out", options, engine=InlineEngine())
        found[name] = template_file(str(tmp_path / name), "site.example").read_text()
    assert found["one"] == found["other"]
    assert json.loads(found["one"])["learned"] == json.loads(found["one"])["kept"] == MAX_PAGES
