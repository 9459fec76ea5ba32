"""A large archive: pages of the sample site, each a little different."""

import gzip
import random
from collections.abc import Iterator
from pathlib import Path

from tests.bulk.archives import page, record
from tests.places import SITE

WORDS = "harbour tomato bean tide jar label wall winter drying seed packet fog storm letter".split()
OTHER = 10  #: pages after which there is a record of another kind


def large_records(count: int) -> Iterator[bytes]:
    """Records of so many pages, and of other kinds between them."""
    sources = [path.read_text(encoding="utf-8") for path in sorted(SITE.rglob("*.html"))]
    for number in range(count):
        yield page(number, varied(sources[number % len(sources)], number))
        if number % OTHER == 0:
            yield record(f"asked-{number}", b"GET / HTTP/1.1\r\n\r\n", "request")


def varied(html: str, number: int) -> str:
    """A page with words, links and paragraphs of its own."""
    chance = random.Random(number)
    said = " ".join(chance.choices(WORDS, k=chance.randint(20, 200)))
    more = f"<p>Page {number} says: {said}.</p><ul><li><a href='/{number}'>{number}</a></ul>"
    return html.replace("</main>", f"{more}</main>").replace("<title>", f"<title>{number} ")


def write_large(path: Path, count: int) -> Path:
    """An archive of so many pages, packed."""
    with path.open("wb") as file:
        for each in large_records(count):
            file.write(gzip.compress(each, 1))
    return path
