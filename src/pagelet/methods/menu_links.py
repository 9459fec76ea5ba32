"""The hyperlinks of a page as a table: what each says and where it leads."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.page import Page
from pagelet.methods.menu_words import HOME
from pagelet.tags import NUMBER, TEXT

Floats = NDArray[np.float64]

SHORT = 20  #: characters up to which a label is short


@dataclass(frozen=True, slots=True, eq=False)
class LinkTable:
    """One entry a counted hyperlink, in document order."""

    rows: NDArray[np.intp]
    chars: Floats  #: characters of its text
    alt: Floats  #: characters that stand in for its pictures, where it has no text
    pictures: NDArray[np.bool_]  #: holds a picture
    home: NDArray[np.bool_]  #: is called home in one of many languages
    internal: NDArray[np.bool_]  #: leads to a page of this site
    repeated: NDArray[np.bool_]  #: leads where an earlier link led
    same_place: NDArray[np.bool_]  #: stands at the depth and in the tags of the link before
    same_parent: NDArray[np.bool_]  #: has the parent of the link before

    def per_link(self) -> dict[str, NDArray[np.generic]]:
        """Columns whose means over a range of links are features."""
        label = self.chars + self.alt
        return {
            "label_chars": label,
            "label_square": label**2,
            "label_short": (self.chars > 0) & (self.chars <= SHORT),
            "label_missing": label == 0,
            "no_text": self.chars == 0,
            "pictures": self.pictures,
            "home": self.home,
            "internal": self.internal,
            "repeated": self.repeated,
            "same_place": self.same_place,
            "same_parent": self.same_parent,
        }


def link_table(page: Page) -> LinkTable:
    """Measure every counted hyperlink of a page."""
    rows = page.anchors[page.counted[page.anchors]].astype(np.intp)
    end = page.end[rows]
    image = page.is_tag(NUMBER["img"]) & page.counted
    sums = np.zeros((2, len(page) + 1))
    np.cumsum((page.chars * page.counted, image), axis=1, out=sums[:, 1:])
    chars, pictures = sums[:, end] - sums[:, rows]
    return LinkTable(
        rows=rows,
        chars=chars,
        alt=_alt_chars(page, rows, image) * (chars == 0),
        pictures=pictures > 0,
        home=_is_home(page, rows),
        **_targets([page.hrefs[row].strip() for row in rows.tolist()], page.url),
        **_places(page, rows),
    )


def _alt_chars(page: Page, rows: NDArray[np.intp], image: NDArray[np.bool_]) -> Floats:
    alt = np.zeros(len(rows))
    pictures = np.flatnonzero(image & page.link)
    holders = np.searchsorted(rows, pictures, "right") - 1
    for picture, holder in zip(pictures.tolist(), holders.tolist(), strict=True):
        alt[holder] += len(page.attributes_of(picture).get("alt", "").strip())
    return alt


def _is_home(page: Page, rows: NDArray[np.intp]) -> NDArray[np.bool_]:
    home = np.zeros(len(rows), np.bool_)
    texts = np.flatnonzero((page.tag == TEXT) & page.link & page.counted & (page.chars <= 20))
    said = [page.texts[at].strip().lower() in HOME for at in page.ordinal[texts].tolist()]
    home[np.searchsorted(rows, texts[said], "right") - 1] = True
    return home


def _places(page: Page, rows: NDArray[np.intp]) -> dict[str, NDArray[Any]]:
    parent = page.parent[rows]
    place = (page.depth[rows], page.tag[parent], page.tag[page.parent[parent]])
    return {
        "same_place": _same_as_before(np.array(place)),
        "same_parent": _same_as_before(parent[None, :]),
    }


def _same_as_before(columns: NDArray[np.generic]) -> NDArray[np.bool_]:
    same = np.zeros(columns.shape[1], np.bool_)
    same[1:] = (columns[:, 1:] == columns[:, :-1]).all(axis=0)
    return same


def _targets(hrefs: list[str], url: str | None) -> dict[str, NDArray[Any]]:
    """Where links lead, from their addresses as written."""
    hosts = list(map(_host, hrefs))
    own = _own_hosts(hosts, url)
    return {
        "internal": np.array([host in own for host in hosts], np.bool_),
        "repeated": _repeated(hrefs),
    }


def _repeated(hrefs: list[str]) -> NDArray[np.bool_]:
    """Mark the addresses that stood before."""
    first = {href: at for at, href in reversed(list(enumerate(hrefs)))}
    return np.array([first[href] < at for at, href in enumerate(hrefs)], np.bool_)


def _host(href: str) -> str:
    """Host of an address: empty for one on this site, # for what is no page at all."""
    if href.startswith(("http", "//")):
        return href.partition("//")[2].partition("/")[0].lower()
    if not href or href[0] == "#" or ":" in href.partition("/")[0]:
        return "#"
    return ""


def _own_hosts(hosts: list[str], url: str | None) -> set[str]:
    """This site: relative addresses, the page's own host, the one most absolute links lead to."""
    common = Counter(host for host in hosts if host not in ("", "#")).most_common(1)
    return {"", _host(url) if url else "", *(host for host, _ in common)}
