"""`pagelet estimate`: what it prints."""

import json
import os

import pytest

from pagelet.bulk import estimate as sample
from pagelet.cli import estimate as command
from tests.bulk.archives import pages, write_warc
from tests.bulk.test_estimate import COSTS

CRAWL = ("--pages", "3.6e6", "--files", 36, "--cores", 100, "--file-rows", 10_000)

TEXT = """\
sample: 100 pages in 2 chunks; inputs: 1, passes: 1, seconds: 3.0, error rows: 1, records skipped: 2
warning: sample too small for an error estimate (2 chunks); give more pages
                            per page              3,600,000 pages
HTML                        200 kB ± 0%           720 GB
read from the store         60 kB ± 67%           216 GB
rows sent to the writer     10 kB ± 0%            36 GB
table                       2.5 kB ± 0%           9 GB
workers                     10 ms ± 0%            10 core-hours
  of which reading          2 ms ± 0%             2 core-hours
writer                      1 ms                  1 core-hours
memory                      200 MB per worker     20 GB
time: 0.1 hours on 100 cores, 0.1 to 0.1; 100 pages/s per core, 600 MB/s read from the store
runs: 20 parallel runs needed: one writer process at 50 % load keeps up with 5 workers
files: 360 of the table, 25 MB each; 364 kB of manifests
slowest: a file that cannot be split takes one core 1,000 seconds; 36 files
assumed: pages like the sample's, cores like this machine's, none idle, none lost;
the store is fast enough. ± is chance alone: 95 of 100 samples like this one
"""


@pytest.fixture
def archive(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "getloadavg", lambda: (0.5, 9.0, 9.0))
    return write_warc(tmp_path / "x.warc", pages(3))


def test_figures_in_words(run, archive, monkeypatch):
    monkeypatch.setattr(sample, "measure_passes", lambda *_: [COSTS])
    assert run("estimate", archive, *CRAWL) == (0, TEXT, "")


def test_a_busy_machine_is_told(run, archive, monkeypatch):
    monkeypatch.setattr(sample, "measure_passes", lambda *_: [COSTS])
    monkeypatch.setattr(os, "getloadavg", lambda: (13.24, 0.0, 0.0))
    monkeypatch.setattr(command, "usable_cores", lambda: 2)
    _, out, _ = run("estimate", archive, *CRAWL)
    assert (
        "warning: this machine is busy, with a load of 13.2 on 2 cores; times are too long\n" in out
    )


def test_digests_of_a_first_pass_are_told(run, archive, monkeypatch):
    monkeypatch.setattr(sample, "measure_passes", lambda *_: [COSTS, COSTS])
    _, out, _ = run("estimate", archive, *CRAWL)
    assert "passes: 2" in out
    assert "digests sent to the writer  10 kB ± 0%            36 GB\n" in out


def test_figures_as_json(run, archive):
    code, out, _ = run("estimate", archive, "-j", 1, "--columns", "text", "-f", "json", *CRAWL)
    assert code == 0
    found = json.loads(out, parse_constant=pytest.fail)
    assert found["sample"]["pages"] == 3
    assert found["crawl"]["pages"] == 3.6e6
    assert found["cpu"]["off"] is None  # one chunk tells nothing of it
    assert found["core_hours"]["value"] == pytest.approx(found["cpu"]["value"] * 1000)
    assert found["read"]["value"] == pytest.approx(archive.stat().st_size / 3)
    assert found["runs"] >= 1


def test_a_sample_without_pages_is_told(run, tmp_path):
    archive = write_warc(tmp_path / "x.warc", [])
    code, _, err = run("estimate", archive, "-j", 1)
    assert code == 2
    assert "no pages in the sample; give more of the crawl" in err


@pytest.mark.parametrize(
    ("amount", "said"),
    [(0, "0 B"), (999, "999 B"), (999.6, "1 kB"), (1.5e6, "1.5 MB"), (5e21, "5e+03 EB")],
)  # fmt: skip
def test_sizes(amount, said):
    assert command.size(amount) == said


@pytest.mark.parametrize(
    ("amount", "said"),
    [(0.0, "0"), (6748.9, "6,750"), (1.234e9, "1,230,000,000"), (0.01234, "0.0123"),
     (float("inf"), "?")],
)  # fmt: skip
def test_numbers_that_count(amount, said):
    assert command.rounded(amount) == said
