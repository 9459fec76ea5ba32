"""Lean pages against whole ones on all pages of the data, and on 200,000 sources of tags."""

import random
from contextlib import suppress

import pytest

from pagelet.errors import PageError
from tests.answers import data_pages, hostile_pages
from tests.cores import twins
from tests.page.test_builder_twins import PIECES
from tests.page.test_lean import ELEMENTS, ODD_PIECES, TAGS, TEXTS, assert_alike

pytestmark = [pytest.mark.soak, twins]

SOURCES = 100_000
MAX_PIECES = 40


@pytest.mark.parametrize("pages", [data_pages, hostile_pages])
def test_pages(pages):
    for page in pages():
        source = page.source()
        with suppress(PageError):  # pictures are among the data, and pages that are too large
            if isinstance(source, str | bytes):
                assert_alike(source)


def test_all_tags_in_any_order():
    chance = random.Random(23)
    pieces = [*TAGS, *PIECES, *ODD_PIECES, *TEXTS * 15]
    for _ in range(SOURCES):
        doctype = chance.choice(["", "<!doctype html>"])
        assert_alike(doctype + "".join(chance.choices(pieces, k=chance.randint(1, MAX_PIECES))))


def test_few_tags_in_any_order():
    chance = random.Random(24)
    for _ in range(SOURCES):
        names = chance.sample(ELEMENTS, chance.randint(3, 7))
        tags = [form.format(name) for name in names for form in ("<{}>", "</{}>", "<{} class=a/>")]
        start = chance.choice(["", "<!doctype html>", "<table>"])
        assert_alike(start + "".join(chance.choices([*tags, *TEXTS], k=MAX_PIECES)))
