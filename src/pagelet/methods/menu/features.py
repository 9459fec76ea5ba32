"""Features of menu candidates: every element that could be the main menu of a page.

A candidate is an element with at least two hyperlinks below it. All counts come from two
stacks of prefix sums, one over the rows of the page and one over its hyperlinks: a candidate
covers a range of each, so a count is a difference of two entries.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Ints, Mask, Rows
from pagelet.methods.links.features import NAMING
from pagelet.methods.links.groups import MIN_LINKS, LinkHolders, count_links, prefix
from pagelet.models.features import Features, FeatureTable
from pagelet.page.table import Page, Pairs, style_hides
from pagelet.page.tags import FIRST_CUSTOM_TAG, NUMBER, TEXT, numbers

# Words in class names, ids and labels that count for or against a main menu

#: Words of names. `for`: a menu. `main`: the main one of several menus. `against`: other lists
#: of links; tried first, so that a submenu or a footer menu counts against.
NAME_WORDS = re.compile(
    r"(?P<against>foot|crumb|pathway|social|share|lang|pag(?:er|ing|ination)|related|tags?\b|cloud"
    r"|legal|copy|log-?in|account|user|cart|toc|comment|meta|widget|recent|archive|categor"
    r"|secondary|sub-?nav|sub-?menu|utility|skip|banner|sponsor|ads?\b|partner|news|latest|popular"
    r"|search|mobile|offcanvas|drawer)"
    r"|(?P<for>menu|nav(?!y)|gnb|tabs?\b|rubri|topbar|toolbar)"
    r"|(?P<main>main|primary|top|global|site|header|head\b|principal)"
)


def match_names(names: str) -> frozenset[str]:
    """The groups of NAME_WORDS that class names, an id or a label contain."""
    return frozenset(str(match.lastgroup) for match in NAME_WORDS.finditer(names.lower()))


#: Labels of links to the front page, in lower case.
HOME_LABELS = frozenset(
    "home|homepage|home page|start|startseite|accueil|inicio|início|portada|principal|hjem|hem"
    "|forside|pagina iniziale|strona główna|ana sayfa|úvod|domů|αρχική|главная|головна|начало"
    "|ホーム|トップ|首页|首頁|홈|الرئيسية|דף הבית|خانه|trang chủ|beranda|หน้าแรก".split("|")
)


# The hyperlinks of a page as a table: label and target of each

SHORT_LABEL_CHARS = 20  #: characters up to which a label is short


@dataclass(frozen=True, slots=True, eq=False)
class LinkTable:
    """One entry per counted hyperlink, in document order."""

    rows: Ints
    chars: Floats  #: characters of the link's text
    alt: Floats  #: characters of the alt texts of its pictures, where it has no text
    pictures: Mask  #: whether it holds a picture
    home: Mask  #: whether its label means "home" in one of many languages
    internal: Mask  #: whether it leads to a page of this site
    repeated: Mask  #: whether an earlier link has the same target
    same_place: Mask  #: whether it has the depth and parent tags of the link before
    same_parent: Mask  #: whether it has the parent of the link before
    addresses: list[str]  #: the different addresses
    address: Ints  #: the number of each link's address
    texts: Ints  #: the rows of the texts in links
    holders: Ints  #: the link of each text

    def per_link(self) -> dict[str, NDArray[np.generic]]:
        """Columns whose means over a range of links are features."""
        label = self.chars + self.alt
        return {
            "label_chars": label,
            "label_square": label**2,
            "label_short": (self.chars > 0) & (self.chars <= SHORT_LABEL_CHARS),
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
    texts = np.flatnonzero((page.tag == TEXT) & page.link & page.counted)
    holders = np.searchsorted(rows, texts, "right") - 1
    return LinkTable(
        rows=rows,
        chars=chars,
        alt=_alt_chars(page, rows, image) * (chars == 0),
        pictures=pictures > 0,
        home=_is_home(page, len(rows), texts, holders),
        **_targets(page, rows),
        **_places(page, rows),
        texts=texts,
        holders=holders,
    )


def _alt_chars(page: Page, rows: Ints, image: Mask) -> Floats:
    alt = np.zeros(len(rows))
    pictures = np.flatnonzero(image & page.link)
    holders = np.searchsorted(rows, pictures, "right") - 1
    for picture, holder in zip(pictures.tolist(), holders.tolist(), strict=True):
        alt[holder] += len(page.attributes_of(picture).get("alt", "").strip())
    return alt


def _is_home(page: Page, links: int, texts: Ints, holders: Ints) -> Mask:
    home = np.zeros(links, np.bool_)
    short = page.chars[texts] <= SHORT_LABEL_CHARS
    labels = (page.texts[at].strip().lower() for at in page.ordinal[texts[short]].tolist())
    named = [label in HOME_LABELS for label in labels]
    home[holders[short][named]] = True
    return home


def _places(page: Page, rows: Ints) -> dict[str, Any]:
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


def _targets(page: Page, rows: Ints) -> dict[str, Any]:
    """The different addresses; whether links stay on this site, and repeat an earlier one."""
    number: dict[str, int] = {}
    hrefs = map(page.hrefs.__getitem__, rows.tolist())
    numbers = [number.setdefault(href.strip(), len(number)) for href in hrefs]
    address, place = np.array(numbers, np.intp), np.arange(len(rows))
    hosts = list(map(_host, number))
    own = _own_hosts([hosts[at] for at in numbers], page.url)
    first = np.empty(len(number), np.intp)
    first[address[::-1]] = place[::-1]
    return {
        "internal": np.array([host in own for host in hosts], np.bool_)[address],
        "repeated": first[address] < place,
        "addresses": list(number),
        "address": address,
    }


def _host(href: str) -> str:
    """Host of an address: empty for one on this site, # for what is no page at all."""
    if href.startswith(("http", "//")):
        return href.partition("//")[2].partition("/")[0].lower()
    if not href or href[0] == "#" or ":" in href.partition("/")[0]:
        return "#"
    return ""


def _own_hosts(hosts: list[str], url: str | None) -> set[str]:
    """This site: relative addresses, the page's own host, the one most absolute links lead to."""
    links = Counter(hosts)
    links[""] = links["#"] = 0
    common = max(links, key=links.__getitem__)
    return {"", _host(url) if url else "", common if links[common] else ""}


# The candidates and their features

PROSE_CHARS = 60  #: characters from which a text outside links counts as prose
SEPARATOR_CHARS = 2  #: characters up to which a text outside links counts as a separator
HINTS = ("nav", "for", "against", "main", "hidden")  #: what tags and attributes can hint at
NAV, HIDDEN = HINTS.index("nav"), HINTS.index("hidden")


@dataclass(frozen=True, eq=False)
class Candidates(LinkHolders):
    """The elements that could be the menu."""

    links: LinkTable

    @cached_property
    def mask(self) -> Mask:
        """Mark the rows that are candidates."""
        mask = np.zeros(len(self.page), np.bool_)
        mask[self.rows] = True
        return mask

    @cached_property
    def outer(self) -> Rows:
        """The parent of each candidate as its place; -1 for the outermost.

        What lies around a candidate has its links too, so that it is a candidate.
        """
        place = np.minimum(np.searchsorted(self.rows, self.parent), len(self.rows) - 1)
        return np.where(self.rows[place] == self.page.parent[self.rows], place, -1)

    def around(self, marked: Mask) -> Mask:
        """Mark, in each line, the candidates that are marked or lie below a marked one."""
        kinds = 1 << np.arange(len(marked))
        bits = (kinds @ marked).tolist()
        for at, outer in enumerate(self.outer.tolist()):
            if outer >= 0:  # what is around a candidate stands before it
                bits[at] |= bits[outer]
        return (np.array(bits, np.int64) & kinds[:, None]) > 0


def find_candidates(page: Page) -> Candidates | None:
    """Elements with at least two hyperlinks below them; None when there are none."""
    links = link_table(page)
    before, count = count_links(page, links.rows)
    rows = np.flatnonzero(page.counted & page.element & (count >= MIN_LINKS))
    bounds = before[rows], before[page.end[rows]]
    return Candidates(page, rows, *bounds, links) if len(rows) else None


def menu_features(candidates: Candidates) -> FeatureTable:
    """All features of all candidates."""
    features: Features = {
        **_link_features(candidates),
        **_text_features(candidates),
        **_shape_features(candidates),
        **_family_features(candidates),
        **_hint_features(candidates),
    }
    return FeatureTable.of(features, len(candidates.rows), np.float64)


def _link_features(candidates: Candidates) -> Features:
    """Labels, targets and order of the hyperlinks."""
    table, count = candidates.links, candidates.count
    names = table.per_link()
    means = candidates.over_links(np.array(list(names.values()), float)) / count
    features: Features = dict(zip(names, means, strict=True))
    variance = features.pop("label_square") - features["label_chars"] ** 2
    features["label_std"] = np.sqrt(np.maximum(variance, 0))
    features["home"] *= count
    whole = max(len(table.rows), 1)
    features["links"] = count
    features["link_share"] = count / whole
    features["links_before"] = candidates.first
    features["link_share_before"] = candidates.first / whole
    features["page_links"] = whole
    return features


def _text_features(candidates: Candidates) -> Features:
    """Amount of text in links and outside, here and before."""
    page, count, rows = candidates.page, candidates.count, candidates.rows
    chars = page.chars * page.counted
    plain = chars * ~page.link
    prose = page.counted & ~page.link & (page.chars > PROSE_CHARS)
    short = (page.tag == TEXT) & page.counted & ~page.link & (page.chars <= SEPARATOR_CHARS)
    sums = prefix(np.array((chars, plain, prose, short), float))
    char_sums, plain_sums, prose_sums, _ = sums
    text, outside, _, marks = sums[:, candidates.end] - sums[:, rows]
    all_text, all_plain = max(char_sums[-1], 1.0), max(plain_sums[-1], 1.0)
    parent_text = char_sums[page.end[candidates.parent]] - char_sums[candidates.parent]
    return {
        "link_char_ratio": (text - outside) / np.maximum(text, 1),
        "plain_per_link": outside / count,
        "text_share": text / all_text,
        "plain_share": outside / all_plain,
        "chars_before": char_sums[rows],
        "char_share_before": char_sums[rows] / all_text,
        "plain_before": plain_sums[rows],
        "prose_after": prose_sums[-1] - prose_sums[candidates.end],
        "separators": marks / count,
        "parent_chars": text / np.maximum(parent_text, 1),
        "page_plain": all_plain,
    }


#: Kinds of tags that are counted below a candidate.
COUNTED_KINDS = {
    "lists": "ul ol dl",
    "items": "li td dd",
    "tables": "table",
    "images": "img",
    "inputs": "input select textarea button",
    "headings": "h1 h2 h3 h4 h5 h6",
    "blocks": "div p li td tr section dd dt",
}
SHAPE_LINES = (*COUNTED_KINDS, "nodes")  #: what the prefix sums of shapes count, line by line
#: Kinds of tags that a candidate may be of itself.
OWN_KINDS = {"is_item": "li dd dt", "is_list": "ul ol dl menu"}


def _kind_table(kinds: Mapping[str, str]) -> Mask:
    """Whether each tag is of each kind; the last column is for tags unknown to HTML."""
    table = np.zeros((len(kinds), FIRST_CUSTOM_TAG + 1), np.bool_)
    for line, names in zip(table, kinds.values(), strict=True):
        line[list(numbers(names))] = True
    return table


COUNTED_TABLE, OWN_TABLE = _kind_table(COUNTED_KINDS), _kind_table(OWN_KINDS)


def _shape_features(candidates: Candidates) -> Features:
    """Tags in the subtree, its size and its place in the page."""
    page, count, rows = candidates.page, candidates.count, candidates.rows
    tag = np.minimum(page.tag, FIRST_CUSTOM_TAG)
    sums = prefix(np.vstack((COUNTED_TABLE[:, tag] & page.counted, page.counted)))
    above = sums[:, rows]
    *kinds, subtree = sums[:, candidates.end] - above
    before, totals = (dict(zip(SHAPE_LINES, each, strict=True)) for each in (above, sums[:, -1]))
    counts = dict(zip(COUNTED_KINDS, kinds, strict=True))
    nodes, whole = subtree - 1, max(totals["nodes"], 1.0)
    return {
        **counts,
        "blocks": counts["blocks"] / count,
        **dict(zip(OWN_KINDS, OWN_TABLE[:, tag[rows]], strict=True)),
        "nodes_per_link": nodes / count,
        "size_share": nodes / whole,
        "nodes_before": before["nodes"] / whole,
        "nodes_after": 1 - (before["nodes"] + nodes) / whole,
        "headings_before": before["headings"],
        "depth": page.depth[rows],
        "page_nodes": whole,
        "page_items": totals["items"],
        "page_tables": totals["tables"],
    }


LIST_TAGS, MAIN_TAGS = numbers("ul ol dl"), numbers("main article")


def _family_features(candidates: Candidates) -> Features:
    """How the candidate compares with its ancestors and its largest child."""
    page, rows, count = candidates.page, candidates.rows, candidates.count
    links = np.zeros(len(page))
    links[rows] = count
    above = np.maximum(links[candidates.parent], count)
    # of the candidates below each other, the child with the most links, the first of equals
    order = np.lexsort((-rows, count))
    heir = np.full(len(page), -1)
    heir[page.parent[rows[order]]] = rows[order]
    heir = heir[rows]
    size = page.size[rows]
    own = np.array([page.is_tag(*each)[rows] for each in (LIST_TAGS, MAIN_TAGS)])
    in_list, in_main = candidates.around(own)
    return {
        "parent_links": count / above,
        "parent_nodes": size / page.size[candidates.parent],
        "heir_links": np.where(heir >= 0, links[heir], 0) / count,
        "heir_nodes": np.where(heir >= 0, page.size[heir], 0) / size,
        "in_list": in_list & ~own[0],
        "in_main": in_main,
    }


def _hint_features(candidates: Candidates) -> Features:
    """Hints of tags, roles, class names and ids; in the model their names begin with said_."""
    page, rows = candidates.page, candidates.rows
    tags = page.tag[rows]
    own = np.zeros((len(HINTS) + 2, len(rows)), np.bool_)
    own[NAV], own[-2], own[-1] = (tags == NUMBER[name] for name in ("nav", "header", "footer"))
    marks: list[int] = []
    for at, ordinal in enumerate(page.ordinal[rows].tolist()):
        if pairs := page.attrs[ordinal]:
            marks += [hint * len(rows) + at for hint in _hints(pairs)]
    own.reshape(-1)[marks] = True
    around = candidates.around(own)
    after = np.searchsorted(rows, candidates.end)
    sums = prefix(own[:3])
    below = sums[:, after] - sums[:, :-1] - own[:3]
    # a nav with fewer than two links is no candidate
    small = np.flatnonzero((page.tag == NUMBER["nav"]) & ~candidates.mask)
    below[NAV] += np.searchsorted(small, candidates.end) - np.searchsorted(small, rows)
    outer = candidates.outer
    return {
        **{f"said_{name}": own[at] for at, name in enumerate(HINTS)},
        **{f"said_in_{name}": around[at] & ~own[at] for at, name in enumerate(HINTS)},
        **{f"said_below_{name}": np.minimum(below[at], 3) for at, name in enumerate(HINTS[:3])},
        "said_parent_for": own[1, outer] & (outer >= 0),
        "said_in_header": around[-2],
        "said_in_footer": around[-1],
    }


def _hints(pairs: Pairs) -> list[int]:
    """The hints in the attributes of one candidate, as places in HINTS."""
    names, hints = [], []
    for name, value in pairs:
        if name in NAMING:
            names.append(value or "")
        elif name == "role" and value == "navigation":
            hints.append(NAV)
        elif name == "hidden" or (name == "style" and style_hides(value or "")):
            hints.append(HIDDEN)
    return [*hints, *_name_hints(" ".join(names))] if names else hints


@lru_cache(maxsize=1 << 14)
def _name_hints(names: str) -> tuple[int, ...]:
    return tuple(map(HINTS.index, match_names(names)))
