"""Readers of files that were broken at random: no whole record is lost, no worker dies."""

from random import Random

import pytest

from pagelet.bulk import engine as engines
from pagelet.bulk.engine import InlineEngine, LocalEngine
from pagelet.bulk.options import BulkOptions
from pagelet.bulk.run import bulk
from tests.bulk.archives import rows
from tests.bulk.fuzz import KINDS, check, check_places, is_told, write_broken

OPTIONS = BulkOptions(columns=("id", "text", "error"), chunk_records=5)
SEEDS = range(4)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", SEEDS)
def test_no_whole_record_of_a_broken_file_is_lost(tmp_path, kind, seed):
    broken = write_broken(tmp_path / f"x.{kind}", kind, seed)
    done = bulk([broken.path], tmp_path / "out", OPTIONS, engine=InlineEngine())
    found = rows(tmp_path / "out") if done.rows else []
    check([broken], found, done)
    assert is_told(broken, found, done), broken.breaks
    check_places(broken.path, OPTIONS, Random(seed))


@pytest.mark.slow
def test_no_worker_dies_of_broken_files(tmp_path, monkeypatch):
    deaths = []
    monkeypatch.setattr(engines.LocalRun, "_blame_page", lambda *given: deaths.append(given))
    broken = [write_broken(tmp_path / f"{at}.{kind}", kind, at) for at, kind in enumerate(KINDS)]
    done = bulk([each.path for each in broken], tmp_path / "out", OPTIONS, engine=LocalEngine(1))
    whole, touched = check(broken, rows(tmp_path / "out"), done)
    assert not deaths
    assert whole > 50
    assert touched > 10
