"""The compiled core against the Python core: the same answers, byte for byte, on any page.

    python -m pytest --run-soak tests/soak/test_cores.py::test_same_answers

Pages are compared by a process for each processor; the first ones that differ are named.
"""

import os
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context

import pytest

from pagelet.lab.data import data_folder
from tests import hostile
from tests.answers import NamedPage
from tests.cores import twins
from tests.fuzzed import SAMPLES

pytestmark = [pytest.mark.soak, twins]

SEED, BROKEN = 23, 5_000
MAX_SHOWN = 10  #: differing pages after which no more are looked for


def data_pages() -> list[NamedPage]:
    """Every page of the data; the sample site where there is none."""
    pages = sorted(data_folder().rglob("*.htm*")) if data_folder().is_dir() else SAMPLES
    return [NamedPage("file", str(path)) for path in pages if path.is_file()]


def hostile_pages() -> list[NamedPage]:
    return [NamedPage("hostile", name) for name in hostile.QUICK]


def broken_pages() -> list[NamedPage]:
    return [NamedPage("broken", f"{SEED}/{number}") for number in range(BROKEN)]


@pytest.mark.parametrize("pages", [data_pages, hostile_pages, broken_pages])
def test_same_answers(pages):
    named = pages()
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        found = pool.map(NamedPage.difference, named, chunksize=4)
        differing = list(islice(filter(None, found), MAX_SHOWN))
        pool.shutdown(cancel_futures=True)
    assert not differing, "\n".join(differing)
