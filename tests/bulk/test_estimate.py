"""What a crawl would cost: ratios worked by hand, and a small sample that is measured."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.bulk.engine import InlineEngine, LocalEngine
from pagelet.bulk.estimate import Costs, Crawl, Ratio, estimate, measure_passes, ratio
from pagelet.bulk.inputs import InputPlan
from pagelet.bulk.options import BulkOptions
from pagelet.errors import OptionError
from tests.bulk.archives import page, pages, record, write_warc
from tests.bulk.works import QUICK

#: two chunks of 50 pages: 10 ms of workers, 1 ms of the writer a page
COSTS = Costs(
    pages=np.array([50.0, 50.0]),
    read=np.array([2e6, 4e6]),
    html=np.array([1e7, 1e7]),
    made=np.array([5e5, 5e5]),
    reading=np.array([0.1, 0.1]),
    working=np.array([0.4, 0.4]),
    memory=200_000_000,
    writing=0.1,
    table=250_000,
    entry=100.0,
    errors=1,
    skips=2,
    inputs=1,
    seconds=3.0,
)
CRAWL = Crawl(pages=3.6e6, files=36, cores=100, file_rows=10_000)


def test_ratio_by_hand():
    """r = 60 / 30 = 2; rests -4 and 4; the variance is 2 / 1 · 32 / 900, the error 8 / 30."""
    found = ratio(np.array([16.0, 44.0]), np.array([10.0, 20.0]))
    assert found == Ratio(2.0, pytest.approx(2 * 8 / 30))


@given(st.lists(st.integers(1, 64), min_size=2, max_size=30), st.floats(0.001, 1000))
def test_parts_that_agree_leave_no_doubt(counts, each):
    found = ratio(np.array(counts) * each, np.array(counts, float))
    assert found.value == pytest.approx(each)
    assert found.off == pytest.approx(0, abs=each * 1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_the_truth_is_within_the_spread_95_times_in_100(seed):
    chance = np.random.default_rng(seed)
    hits = 0
    for _ in range(400):
        counts = chance.integers(1, 64, 60).astype(float)
        amounts = np.array([chance.exponential(2.0, int(count)).sum() for count in counts])
        found = ratio(amounts, counts)
        hits += abs(found.value - 2.0) <= found.off
    assert 0.91 <= hits / 400 <= 0.98


def test_one_chunk_tells_nothing_of_the_spread():
    assert ratio(np.array([3.0]), np.array([2.0])) == Ratio(1.5, float("inf"))


def test_no_pages_are_no_sample():
    with pytest.raises(OptionError, match="no pages in the sample"):
        ratio(np.zeros(1), np.zeros(1))


def test_a_crawl_by_hand():
    found = estimate([COSTS], CRAWL)
    assert found.html == Ratio(200_000.0, 0.0)
    assert found.read == Ratio(60_000.0, pytest.approx(2 * 2e6 / 100))
    assert (found.made.value, found.table.value) == (10_000, 2_500)
    assert (found.cpu.value, found.reading.value) == pytest.approx((0.01, 0.002))
    assert found.core_hours.value == pytest.approx(10.0)
    assert found.hours.value == pytest.approx(0.1)
    assert found.kept_busy == 5  # half of 10 ms for every 1 ms
    assert found.runs == 20
    assert found.parts == 360
    assert found.rate == pytest.approx(60_000 * 100 / 0.01)
    assert found.whole_file == pytest.approx(1000.0)
    assert found.chunk == 50
    # five workers have ten files in hand; a part holds a tenth of a file beside
    assert found.manifest == pytest.approx(360 * 10.1 * 100)


def test_a_part_names_no_more_inputs_than_it_has_chunks():
    found = estimate([replace(COSTS, writing=1e-6)], replace(CRAWL, cores=100_000))
    assert found.runs == 1
    assert found.manifest == pytest.approx(360 * (10_000 / 50) * 100)


def test_two_passes_are_added():
    one, two = estimate([COSTS], CRAWL), estimate([COSTS, COSTS], CRAWL)
    assert two.cpu.value == pytest.approx(2 * one.cpu.value)
    assert two.read == Ratio(2 * one.read.value, 2 * one.read.off)
    assert two.writing == pytest.approx(2 * one.writing)
    assert (two.table, two.html) == (one.table, one.html)
    assert (one.digests, two.digests) == (Ratio(0.0, 0.0), one.made)


@pytest.mark.parametrize("name", ["pages", "files", "cores", "file_rows"])
@pytest.mark.parametrize("value", [0, float("inf"), float("nan")])
def test_a_crawl_of_nothing_is_refused(name, value):
    with pytest.raises(OptionError, match="must be 1 or more"):
        Crawl(**{name: value})


# -- samples ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_sample_is_measured(tmp_path):
    others = [record("asked", b"GET", "request"), page("large", "<p>" + "x" * 60_000)]
    archive = write_warc(tmp_path / "x.warc.gz", [*pages(10), *others])
    options = replace(QUICK, max_bytes=50_000)
    (found,) = measure_passes(
        InputPlan((str(archive),)), options, LocalEngine(1), tmp_path / "out", 1000
    )
    assert found.pages.sum() == 11
    assert len(found.pages) == 3
    assert found.read.sum() == archive.stat().st_size
    assert found.html.sum() == sum(len(each.split(b"html\r\n\r\n")[1]) - 4 for each in pages(10))
    assert (found.reading > 0).all()
    assert (found.working > 0).all()
    assert found.made.sum() > 0
    assert 20e6 < found.memory < 2e9
    assert found.writing > 0
    table = (tmp_path / "out" / "out" / "pages" / "part-00000.parquet").stat().st_size
    assert (found.table, found.errors, found.skips, found.inputs) == (table, 1, 1, 1)
    assert len(str(archive)) < found.entry < len(str(archive)) + 200


def test_a_sample_ends_when_there_is_enough(tmp_path):
    archive = write_warc(tmp_path / "x.warc.gz", pages(30))
    (found,) = measure_passes(
        InputPlan((str(archive),)), QUICK, InlineEngine(), tmp_path / "out", 9
    )
    assert found.pages.sum() == 12  # whole chunks of 4


def test_sites_take_two_passes_and_their_folder_is_left_alone(tmp_path):
    archive = write_warc(tmp_path / "x.warc.gz", pages(8))
    options = BulkOptions(columns=("template_id",), templates=str(tmp_path / "mine"))
    first, second = measure_passes(
        InputPlan((str(archive),)), options, InlineEngine(), tmp_path / "out", 99
    )
    assert (first.pages.sum(), second.pages.sum()) == (8, 8)
    assert not (tmp_path / "mine").exists()
    assert (tmp_path / "out" / "templates" / "site.example.json").exists()
    (only,) = measure_passes(
        InputPlan((str(archive),)),
        replace(options, learn=False),
        InlineEngine(),
        tmp_path / "one",
        99,
    )
    assert only.pages.sum() == 8


def test_files_are_as_large_as_their_pages(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.html").write_text("<p>" + "x" * 500)
    (found,) = measure_passes(
        InputPlan((str(tmp_path),)), QUICK, InlineEngine(), tmp_path / "out", 99
    )
    assert found.read.tolist() == found.html.tolist() == [1006.0]
