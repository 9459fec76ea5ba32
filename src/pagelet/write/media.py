"""Addresses and pictures of the kept rows: absolute, safe, each picture once."""

import re
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from urllib.parse import urljoin

import numpy as np

from pagelet.arrays import Int32s, Ints, Mask
from pagelet.page.addresses import strip_credentials
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, TEXT, numbers
from pagelet.page.tree import nearest

SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
ABSOLUTE = re.compile(r"https?://[^\[\]/?#]+(?:[/?#]|\Z)")  #: addresses that need no base
INVISIBLE = dict.fromkeys((9, 10, 13))  #: characters that browsers remove from addresses
CONTROLS = "".join(map(chr, range(33)))  #: characters that browsers strip from the ends
LINK_SCHEMES = ("http", "https", "mailto", "tel")
PICTURE_SCHEMES = ("http", "https")
#: Attributes with the address of a picture that is loaded late, the most reliable first.
LAZY_ATTRIBUTES = ("data-src", "data-lazy-src", "data-original", "data-lazy", "data-url")
SRCSET_ATTRIBUTES = ("srcset", "data-srcset", "data-lazy-srcset")
#: File names of placeholder pictures.
PLACEHOLDER = re.compile(r"blank|spacer|placeholder|pixel|transparent|1x1|lazy", re.IGNORECASE)
DENSITY = re.compile(r"([0-9.]+)[wx]\Z")
MAX_WIDTH = 1600.0  #: width of the widest picture that is taken from a srcset
TAGS_WITH_PICTURE = numbers("figure p")


def link_address(href: str, base: str | None) -> str | None:
    """The absolute address of a link; None when a reader cannot follow it."""
    return _address(href, base, LINK_SCHEMES)


@lru_cache(maxsize=4096)
def _address(written: str, base: str | None, schemes: tuple[str, ...]) -> str | None:
    """An address made absolute; None when it is empty, broken or of another scheme."""
    address = written.strip(CONTROLS).translate(INVISIBLE)
    if not address:
        return None
    if base is not None and not ABSOLUTE.match(address):
        try:
            address = urljoin(base, address)
        except ValueError:  # such as a broken IPv6 host
            return None
    scheme = SCHEME.match(address)
    if scheme is not None and scheme[1].lower() not in schemes:
        return None
    return strip_credentials(address)


@dataclass(frozen=True, slots=True)
class KeptNearby:
    """Which rows have kept texts near them."""

    between: Mask  #: rows whose nearest counted texts, before and after, are kept
    places: Mask  #: rows in a figure or paragraph that has kept text


def kept_nearby(page: Page, kept: Mask) -> KeptNearby:
    """Mark the rows at which pictures belong to the kept texts."""
    holders = page.is_tag(*TAGS_WITH_PICTURE)
    within = nearest(page.parent, holders)
    has_text = np.append(page.sum_subtree(kept) > 0, False)  # the place -1 stands for no row
    return KeptNearby(between_kept(page, kept, np.arange(len(page))), has_text[within])


def between_kept(page: Page, kept: Mask, rows: Ints) -> Mask:
    """Mark those of some rows whose nearest counted texts, before and after, are kept."""
    texts = np.flatnonzero((page.tag == TEXT) & (page.counted | kept))
    is_kept = np.concatenate(([False], kept[texts], [False]))
    at = np.searchsorted(texts, rows)
    return np.asarray(is_kept[at] & is_kept[at + 1])


def pictures(page: Page, near: KeptNearby) -> dict[int, str]:
    """The pictures that belong to the kept texts, as HTML by row, none of them twice."""
    images = page.tag == NUMBER["img"]
    rows = np.flatnonzero(images & (near.between | near.places))
    spare = page.inside(page.is_tag(NUMBER["noscript"]))
    base, seen, shown = page.base_url, set[str](), dict[int, str]()
    texts = np.cumsum(page.tag == TEXT)
    last_text = -1  # how many texts lay before the picture shown last
    for row in rows.tolist():
        source = _source(page, row, base)
        twin = bool(spare[row]) and last_text == texts[row]
        if source is None or source in seen or twin:
            continue
        seen.add(source)
        last_text = int(texts[row])
        shown[row] = _image(source, page.attributes_of(row))
    return shown


def _image(source: str, attributes: dict[str, str]) -> str:
    alt, title = (" ".join(attributes.get(name, "").split()) for name in ("alt", "title"))
    titled = f' title="{escape(title)}"' if title else ""
    return f'<img src="{escape(source)}" alt="{escape(alt)}"{titled}>'


def _source(page: Page, row: int, base: str | None) -> str | None:
    """The address of a picture, also when it is loaded late; None for a placeholder."""
    attributes = page.attributes_of(row)
    if _is_tracker(attributes):
        return None
    source = attributes.get("src", "")
    offered = [attributes[name] for name in LAZY_ATTRIBUTES if name in attributes]
    offered += [] if _is_placeholder(source) else [source]
    offered += [_widest(attributes[name]) for name in SRCSET_ATTRIBUTES if name in attributes]
    offered += [] if any(offered) else _beside(page, row)
    for written in (*offered, source):
        address = _address(written, base, PICTURE_SCHEMES)
        if address is not None:
            return address
    return None


def _is_placeholder(source: str) -> bool:
    """Whether an address is empty, a data URL, or that of a placeholder."""
    start = source.lstrip()[:5].lower()
    name = source[-80:].rpartition("/")[2]
    return start in ("", "data:") or PLACEHOLDER.search(name) is not None


def _is_tracker(attributes: dict[str, str]) -> bool:
    """Whether a picture is a tracking pixel, too small to be seen."""
    return any(
        attributes.get(name, "").strip() in ("0", "1", "1px") for name in ("width", "height")
    )


def _beside(page: Page, row: int) -> list[str]:
    """The addresses in the sources before an image in its `picture`."""
    above = int(page.parent[row])
    if above < 0 or page.tag[above] != NUMBER["picture"]:
        return []
    beside: Int32s = np.arange(above + 1, min(row, above + 17), dtype=np.int32)
    sources = (page.attributes_of(one) for one in beside.tolist())
    return [_widest(one[name]) for one in sources for name in SRCSET_ATTRIBUTES if name in one]


def _widest(candidates: str) -> str:
    """The widest picture of a srcset that is not wider than the maximum."""
    best, best_width = "", -1.0
    for candidate in re.split(r",\s+", candidates[:8192]):
        address, _, size = candidate.strip().partition(" ")
        match = DENSITY.match(size.strip())
        width = float(match[1]) if match and match[1].count(".") < 2 and match[1] != "." else 1.0
        if best_width < width <= MAX_WIDTH or not best:
            best, best_width = address.rstrip(","), width
    return best
