"""What is measured of every place where a main menu could be.

A candidate is an element with at least two hyperlinks below it. All counts come from two
stacks of prefix sums, one over the rows of the page and one over its hyperlinks: a candidate
covers a range of each, so a count is a difference of two entries.
"""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Ints, Mask, Rows
from pagelet.page.table import Page, Pairs, style_hides
from pagelet.page.tags import KNOWN, NUMBER, TEXT, numbers

# -- Words in class names, ids and labels that speak for or against a main menu ---------------


#: `for`: what menus are called by. `main`: which of several menus is meant. `against`: other
#: lists of links; tried first, so that a submenu or a footer menu speaks against.
WORDS = re.compile(
    r"(?P<against>foot|crumb|pathway|social|share|lang|pag(?:er|ing|ination)|related|tags?\b|cloud"
    r"|legal|copy|log-?in|account|user|cart|toc|comment|meta|widget|recent|archive|categor"
    r"|secondary|sub-?nav|sub-?menu|utility|skip|banner|sponsor|ads?\b|partner|news|latest|popular"
    r"|search|mobile|offcanvas|drawer)"
    r"|(?P<for>menu|nav(?!y)|gnb|tabs?\b|rubri|topbar|toolbar)"
    r"|(?P<main>main|primary|top|global|site|header|head\b|principal)"
)


@lru_cache(maxsize=1 << 14)
def words_for_and_against(words: str) -> frozenset[str]:
    """What class names, an id or a label say: some of for, against, main."""
    return frozenset(str(match.lastgroup) for match in WORDS.finditer(words.lower()))


#: What the link to the front page is called.
HOME = frozenset(
    "home|homepage|home page|start|startseite|accueil|inicio|início|portada|principal|hjem|hem"
    "|forside|pagina iniziale|strona główna|ana sayfa|úvod|domů|αρχική|главная|головна|начало"
    "|ホーム|トップ|首页|首頁|홈|الرئيسية|דף הבית|خانه|trang chủ|beranda|หน้าแรก".split("|")
)


# -- The hyperlinks of a page as a table: what each says and where it leads -------------------


SHORT = 20  #: characters up to which a label is short


@dataclass(frozen=True, slots=True, eq=False)
class LinkTable:
    """One entry a counted hyperlink, in document order."""

    rows: Ints
    chars: Floats  #: characters of its text
    alt: Floats  #: characters that stand in for its pictures, where it has no text
    pictures: Mask  #: holds a picture
    home: Mask  #: is called home in one of many languages
    internal: Mask  #: leads to a page of this site
    repeated: Mask  #: leads where an earlier link led
    same_place: Mask  #: stands at the depth and in the tags of the link before
    same_parent: Mask  #: has the parent of the link before

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


def _alt_chars(page: Page, rows: Ints, image: Mask) -> Floats:
    alt = np.zeros(len(rows))
    pictures = np.flatnonzero(image & page.link)
    holders = np.searchsorted(rows, pictures, "right") - 1
    for picture, holder in zip(pictures.tolist(), holders.tolist(), strict=True):
        alt[holder] += len(page.attributes_of(picture).get("alt", "").strip())
    return alt


def _is_home(page: Page, rows: Ints) -> Mask:
    home = np.zeros(len(rows), np.bool_)
    texts = np.flatnonzero((page.tag == TEXT) & page.link & page.counted & (page.chars <= 20))
    said = [page.texts[at].strip().lower() in HOME for at in page.ordinal[texts].tolist()]
    home[np.searchsorted(rows, texts[said], "right") - 1] = True
    return home


def _places(page: Page, rows: Ints) -> dict[str, NDArray[Any]]:
    parent = page.parent[rows]
    place = (page.depth[rows], page.tag[parent], page.tag[page.parent[parent]])
    return {
        "same_place": _same_as_before(np.array(place)),
        "same_parent": _same_as_before(parent[None, :]),
    }


def _same_as_before(columns: NDArray[np.generic]) -> Mask:
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


def _repeated(hrefs: list[str]) -> Mask:
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


# -- What is measured of every place where a main menu could be -------------------------------


Table = dict[str, Floats]

LONG_TEXT = 60  #: characters from which a text outside links reads as prose
SAID = ("nav", "for", "against", "main", "hidden")  #: what tags and names can say
NAV, HIDDEN = SAID.index("nav"), SAID.index("hidden")
NAMING = ("class", "id", "aria-label")  #: attributes that name an element
SEPARATOR = 2  #: characters up to which one reads as a separator


@dataclass(frozen=True, eq=False)
class Candidates:
    """The places where a menu could be, and the sums they are measured by."""

    page: Page
    links: LinkTable
    rows: Rows  #: the candidates, in document order
    first: Rows  #: the first hyperlink of each
    last: Rows  #: one past its last hyperlink

    @cached_property
    def count(self) -> Floats:
        """Hyperlinks of each candidate."""
        return (self.last - self.first).astype(float)

    @cached_property
    def end(self) -> Rows:
        """First row after each candidate."""
        return self.page.end[self.rows]

    @cached_property
    def parent(self) -> Rows:
        """Parent of each candidate; body's is the root."""
        return np.maximum(self.page.parent[self.rows], 0)

    def over_rows(self, *columns: NDArray[np.generic]) -> Floats:
        """Sum columns of the page over each candidate's subtree: one line of answers a column."""
        sums = prefix(columns, len(self.page))
        return sums[:, self.end] - sums[:, self.rows]

    def over_links(self, *columns: NDArray[np.generic]) -> Floats:
        """Sum columns of the link table over each candidate's hyperlinks."""
        sums = prefix(columns, len(self.links.rows))
        return sums[:, self.last] - sums[:, self.first]


def prefix(columns: tuple[NDArray[np.generic], ...], length: int) -> Floats:
    """Prefix sums of several columns, one line each."""
    sums = np.zeros((len(columns), length + 1))
    for line, column in enumerate(columns):
        sums[line, 1:] = column
    return np.asarray(np.cumsum(sums, axis=1, out=sums))


def find_candidates(page: Page) -> Candidates | None:
    """Elements with at least two hyperlinks below them; None when there are none."""
    links = link_table(page)
    before = np.zeros(len(page) + 1, np.intp)
    before[links.rows + 1] = 1
    before = np.cumsum(before)
    first, last = before[:-1], before[page.end]
    own = before[1:] - before[:-1]
    rows = np.flatnonzero(page.counted & page.element & (last - first - own >= 2))
    return Candidates(page, links, rows, first[rows], last[rows]) if len(rows) else None


def measure(found: Candidates) -> tuple[Floats, tuple[str, ...]]:
    """All features of all candidates, a line a candidate, and their names."""
    columns: Table = {}
    for part in (links_part, text_part, shape_part, around_part, words_part):
        columns |= part(found)
    return np.array(list(columns.values())).T, tuple(columns)


def links_part(found: Candidates) -> Table:
    """What the hyperlinks are like: their words, their targets, their order."""
    table, count = found.links, found.count
    names = table.per_link()
    means = found.over_links(*names.values()) / count
    columns = dict(zip(names, means, strict=True))
    columns["label_std"] = np.sqrt(
        np.maximum(columns.pop("label_square") - columns["label_chars"] ** 2, 0)
    )
    columns["home"] *= count
    whole = max(len(table.rows), 1)
    columns["links"] = count
    columns["link_share"] = count / whole
    columns["links_before"] = found.first.astype(float)
    columns["link_share_before"] = found.first / whole
    columns["page_links"] = np.full(len(count), float(whole))
    return columns


def text_part(found: Candidates) -> Table:
    """How much text there is, in links and outside, here and before."""
    page, count = found.page, found.count
    chars = page.chars * page.counted
    plain = chars * ~page.link
    prose = page.counted & ~page.link & (page.chars > LONG_TEXT)
    short = (page.tag == TEXT) & page.counted & ~page.link & (page.chars <= SEPARATOR)
    sums = prefix((chars, plain, prose, short), len(page))
    text, outside, _, marks = sums[:, found.end] - sums[:, found.rows]
    all_text, all_plain = max(sums[0, -1], 1.0), max(sums[1, -1], 1.0)
    parent_text = sums[0, page.end[found.parent]] - sums[0, found.parent]
    return {
        "link_char_ratio": (text - outside) / np.maximum(text, 1),
        "plain_per_link": outside / count,
        "text_share": text / all_text,
        "plain_share": outside / all_plain,
        "chars_before": sums[0, found.rows],
        "char_share_before": sums[0, found.rows] / all_text,
        "plain_before": sums[1, found.rows],
        "prose_after": sums[2, -1] - sums[2, found.end],
        "separators": marks / count,
        "parent_chars": text / np.maximum(parent_text, 1),
        "page_plain": np.full(len(count), all_plain),
    }


#: What subtrees are built of; the last two are asked of the candidate itself.
KINDS = {
    "lists": "ul ol dl",
    "items": "li td dd",
    "tables": "table",
    "images": "img",
    "inputs": "input select textarea button",
    "headings": "h1 h2 h3 h4 h5 h6",
    "blocks": "div p li td tr section dd dt",
    "is_item": "li dd dt",
    "is_list": "ul ol dl menu",
}
BUILT = 7  #: kinds that are counted below a candidate


def _kind_table() -> Mask:
    """For each kind, whether a tag is of it; one more column for tags HTML does not know."""
    table = np.zeros((len(KINDS), KNOWN + 1), np.bool_)
    for line, names in zip(table, KINDS.values(), strict=True):
        line[list(numbers(names))] = True
    return table


KIND_TABLE = _kind_table()


def shape_part(found: Candidates) -> Table:
    """What the subtree is built of, how large it is, where it stands."""
    page, count = found.page, found.count
    tag = np.minimum(page.tag, KNOWN)
    sums = prefix((page.counted, *(KIND_TABLE[:BUILT, tag] & page.counted)), len(page))
    before = sums[:, found.rows]
    within = sums[:, found.end] - before
    nodes, whole = within[0] - 1, max(sums[0, -1], 1.0)
    columns = dict(zip(KINDS, within[1:], strict=False))
    columns["blocks"] = columns["blocks"] / count
    own = KIND_TABLE[BUILT:, tag[found.rows]].astype(float)
    return {
        **columns,
        "is_item": own[0],
        "is_list": own[1],
        "nodes_per_link": nodes / count,
        "size_share": nodes / whole,
        "nodes_before": before[0] / whole,
        "nodes_after": 1 - (before[0] + nodes) / whole,
        "headings_before": before[6],
        "depth": page.depth[found.rows].astype(float),
        "page_nodes": np.full(len(count), whole),
        "page_items": np.full(len(count), sums[2, -1]),
        "page_tables": np.full(len(count), sums[3, -1]),
    }


def around_part(found: Candidates) -> Table:
    """How the candidate stands to what is above and directly below it."""
    page, rows = found.page, found.rows
    links = np.zeros(len(page))
    links[rows] = found.count
    above = np.maximum(links[found.parent], found.count)
    # of the candidates below each other, the child with the most links, the first of equals
    order = np.lexsort((-rows, found.count))
    heir = np.full(len(page), -1)
    heir[page.parent[rows[order]]] = rows[order]
    heir = heir[rows]
    size = page.size[rows]
    return {
        "parent_links": found.count / above,
        "parent_nodes": size / page.size[found.parent],
        "heir_links": np.where(heir >= 0, links[heir], 0) / found.count,
        "heir_nodes": np.where(heir >= 0, page.size[heir], 0) / size,
        "in_list": _inside(found, page.is_tag(*numbers("ul ol dl")), strict=True),
        "in_main": _inside(found, page.is_tag(*numbers("main article"))),
    }


def _inside(found: Candidates, marked: Mask, *, strict: bool = False) -> Floats:
    inside = found.page.inside(marked)[found.rows]
    return (inside & ~marked[found.rows] if strict else inside).astype(float)


def words_part(found: Candidates) -> Table:
    """What tags, roles, class names and ids say; the names of these features begin with said_."""
    page, rows = found.page, found.rows
    marked = np.zeros((len(SAID), len(page)), np.bool_)
    marked[0] = page.tag == NUMBER["nav"]
    heard: list[tuple[int, int]] = []
    for row, at in zip(rows.tolist(), page.ordinal[rows].tolist(), strict=True):
        if pairs := page.attrs[at]:
            heard += [(place, row) for place in _said(pairs)]
    if heard:
        marked[tuple(np.array(heard).T)] = True
    own = marked[:, rows].astype(float)
    below = found.over_rows(*marked) - own
    columns = {f"said_{name}": own[at] for at, name in enumerate(SAID)}
    columns |= {
        f"said_in_{name}": _inside(found, marked[at], strict=True) for at, name in enumerate(SAID)
    }
    columns |= {f"said_below_{name}": np.minimum(below[at], 3) for at, name in enumerate(SAID[:3])}
    columns["said_parent_for"] = marked[1, found.parent].astype(float)
    columns["said_in_header"] = _inside(found, page.is_tag(NUMBER["header"]))
    columns["said_in_footer"] = _inside(found, page.is_tag(NUMBER["footer"]))
    return columns


def _said(pairs: Pairs) -> list[int]:
    """What the attributes of one candidate say, as places in SAID."""
    words, found = [], []
    for name, value in pairs:
        if name in NAMING:
            words.append(value or "")
        elif name == "role" and value == "navigation":
            found.append(NAV)
        elif name == "hidden" or (name == "style" and style_hides(value or "")):
            found.append(HIDDEN)
    return [*found, *map(SAID.index, words_for_and_against(" ".join(words)))] if words else found
