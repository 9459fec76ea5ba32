"""The compiled core against the Python core: the same answers, byte for byte, on any page.

    python -m pytest --run-soak tests/soak/test_cores.py::test_same_answers

Pages are compared by a process for each processor; the first ones that differ are named.
"""

import os
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

import pytest

from tests.answers import NamedPage, broken_pages, data_pages, hostile_pages
from tests.cores import twins

pytestmark = [pytest.mark.soak, twins]

MAX_SHOWN = 10  #: differing pages after which no more are looked for
PROGRESS_PAGES = 500  #: pages between two lines of progress
PAGES = {
    "data": data_pages,
    "hostile": hostile_pages,
    "broken": partial(broken_pages, 23, 5_000),
}


@pytest.mark.parametrize("kind", PAGES)
def test_same_answers(kind, capsys):
    pages, differing = PAGES[kind](), []
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        for number, found in enumerate(pool.map(NamedPage.difference, pages, chunksize=4), 1):
            differing += [found] if found else []
            if number % PROGRESS_PAGES == 0 or number == len(pages):
                with capsys.disabled():
                    print(
                        f"\n{kind}: {number:,} of {len(pages):,}, {len(differing)} differ", end=""
                    )
            if len(differing) == MAX_SHOWN:
                pool.shutdown(cancel_futures=True)
                break
    assert not differing, "\n".join(differing)
