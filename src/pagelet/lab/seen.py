"""The pages that a model was trained on, kept in its file, and how many it is scored on.

A page is kept as two digests, of its site and of its HTML, so that a model gives neither away.
"""

import hashlib
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np

from pagelet.models.damage import DAMAGED_FILE
from pagelet.page.table import Page
from pagelet.sources.files import read_file
from pagelet.wording import count_of

PageKey = tuple[int, int]  #: digests of the site and of the HTML
PART = "trained_on"  #: name of the array in the file of a model
DIGEST_BYTES = 8
UNKNOWN = "its file does not say which pages it was trained on; it may have seen these."


def page_key(site: str, page: Page | str) -> PageKey:
    """What identifies a page of a site."""
    html = page if isinstance(page, str) else page.source or "\n".join(page.texts)
    return _digest(site), _digest(html)


def _digest(text: str) -> int:
    data = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(data[:DIGEST_BYTES], "big")


def with_seen_pages(model: bytes, pages: Iterable[PageKey]) -> bytes:
    """The file of a model with the pages it was trained on; the same pages give the same bytes."""
    file, array = BytesIO(model), BytesIO()
    np.save(array, np.array(sorted(set(pages)), np.uint64).reshape(-1, 2))
    with ZipFile(file, "a", ZIP_DEFLATED) as parts:
        parts.writestr(ZipInfo(f"{PART}.npy"), array.getvalue(), ZIP_DEFLATED)
    return file.getvalue()


def read_seen_pages(model: bytes) -> set[PageKey] | None:
    """The pages that a model was trained on; None where its file does not tell."""
    try:
        with ZipFile(BytesIO(model)) as parts:
            array = np.load(BytesIO(parts.read(f"{PART}.npy")), allow_pickle=False)
        return {(int(site), int(html)) for site, html in array.tolist()}
    except DAMAGED_FILE:
        return None


def own_model_note(path: str, pages: Iterable[PageKey]) -> tuple[str, ...]:
    """A note on a model that a user named: how many of the pages it was trained on."""
    if not path:
        return ()
    seen = read_seen_pages(read_file("model", path))
    words = UNKNOWN if seen is None else describe_seen(seen, list(pages))
    return (f"{Path(path).name}: {words}",)


def describe_seen(seen: set[PageKey], pages: list[PageKey]) -> str:
    """How many pages a model was trained on, and how many others are of the same sites."""
    sites, htmls = ({key[at] for key in seen} for at in (0, 1))
    learned = sum(html in htmls for _, html in pages)
    near = sum(site in sites and html not in htmls for site, html in pages)
    used = f"{learned:,} of {count_of(len(pages), 'page')} were used for training this model"
    if not learned and not near:
        return f"{used}, nor others of their sites."
    more = f", and {near:,} more {'is' if near == 1 else 'are'} of the same sites" if near else ""
    return f"{used}{more}: expect less on other sites."
