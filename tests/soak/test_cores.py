"""The compiled core against the Python core: the same answers, byte for byte, on any page."""

import pytest

from pagelet.lab.data import data_folder
from tests import hostile
from tests.cases import case
from tests.cores import twins
from tests.fuzzed import SAMPLES, broken_pages
from tests.methods.content.test_answers_twins import compare_answers

pytestmark = [pytest.mark.soak, twins]

BROKEN = 5_000


def test_every_page_of_the_data():
    pages = sorted(data_folder().rglob("*.htm*")) if data_folder().is_dir() else SAMPLES
    for path in pages:
        if path.is_file():
            with case(str(path)):
                compare_answers(path.read_bytes(), "https://www.example.org/a/page.html")


def test_hostile_pages():
    for name in hostile.QUICK:
        with case(name):
            compare_answers(hostile.page(name))


def test_thousands_of_broken_pages():
    for number, page in enumerate(broken_pages(23, BROKEN)):
        with case(f"broken page {number}"):
            compare_answers(page)
