"""What takes longer than a test may: every page of the data, and thousands of broken ones."""

import json
import random
from pathlib import Path

import pytest

from pagelet import METHODS, parse
from pagelet.api import analyse
from pagelet.errors import NotHtml
from pagelet.lab.data import data_folder
from tests import hostile
from tests.drawn import drawn

SAMPLES = sorted(Path("examples/site").rglob("*.html"))
BROKEN = 3_000


def answer_everything(html: bytes) -> bool:
    """Ask every method; whether the bytes are a page and not refused as what they look like."""
    try:
        page = parse(html)
    except NotHtml:
        return False
    for name, method in METHODS.items():
        asked = drawn(page) if "boxes" in method.needs else page
        for profile in method.profiles:
            found = analyse(asked, name, profile=profile)
            json.loads(found.to_json())
    return True


@pytest.mark.soak
def test_every_page_of_the_data_is_answered():
    pages = sorted(data_folder().rglob("*.htm*")) if data_folder().is_dir() else SAMPLES
    # some pictures were saved under the names of pages
    refused = [
        path for path in pages if path.is_file() and not answer_everything(path.read_bytes())
    ]
    assert len(refused) < len(pages) / 100, refused


@pytest.mark.soak
@pytest.mark.parametrize("name", hostile.WIDE)
def test_wide_pages_are_answered(name):
    assert answer_everything(hostile.WIDE[name](hostile.MANY_ITEMS).encode())


@pytest.mark.soak
def test_thousands_of_broken_pages_are_answered():
    chance = random.Random(11)
    sources, answered = [path.read_bytes() for path in SAMPLES], 0
    for _ in range(BROKEN):
        html = bytearray(chance.choice(sources))
        for _ in range(chance.randint(1, 60)):
            at = chance.randrange(len(html))
            html[at : at + chance.randint(0, 40)] = chance.randbytes(chance.randint(0, 8))
        answered += answer_everything(bytes(html))
    assert answered > 0.9 * BROKEN  # the others look like binary data
