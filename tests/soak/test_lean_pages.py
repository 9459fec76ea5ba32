"""Lean pages against whole ones on all pages of the data, and on 100,000 sources of tags."""

import random

import pytest

from tests.answers import data_pages
from tests.cores import twins
from tests.page.test_builder_twins import PIECES
from tests.page.test_lean import ODD_PIECES, TAGS, assert_alike

pytestmark = [pytest.mark.soak, twins]

SOURCES = 100_000
MAX_PIECES = 40


def test_pages_of_the_data():
    for page in data_pages():
        assert_alike(page.source())


def test_tags_in_any_order():
    chance = random.Random(23)
    blanks = [" ", "\n", "x", " y "] * 30
    pieces = [*TAGS, *PIECES, *ODD_PIECES, *blanks]
    for _ in range(SOURCES):
        doctype = chance.choice(["", "<!doctype html>"])
        assert_alike(doctype + "".join(chance.choices(pieces, k=chance.randint(1, MAX_PIECES))))
