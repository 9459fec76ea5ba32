"""Examples for the menu ranker: candidates of pages, and how well each covers the menu.

Pages that people labelled are few. Pages with a `nav` element, or with an element whose name
says menu, are many; there the label is weak, and what gave it away (tag, role, names) is
hidden from the model.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pagelet.arrays import Floats, Ints
from pagelet.lab.data import LABELLED, WEAK, corpora
from pagelet.lab.gold import Gold, GoldPage, read_gold
from pagelet.lab.menu.scores import menus_of
from pagelet.methods.menu.features import find_candidates, menu_features
from pagelet.page.html import parse
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, numbers

PER_SITE = 4  #: most pages a site of a weak corpus
WEAK_SEED = 1  #: seed of the sampling of weak pages
KEPT_APART = 0.2  #: share of the candidates far from any menu that weak pages keep

MENU_NAME = re.compile(
    r"(?:^|[\s_-])(?:(?:main|top|global|primary|site|gnb|nav|h?menu|header|hd)[\s_-]?)*"
    r"(?:nav|menu|navigation|navbar|mainnav|topnav|navmenu|mainmenu|topmenu|globalnav|gnav|tabs"
    r"|nav_?bar|menubar)(?:$|[\s_-])"
)
OTHER_NAME = re.compile(
    r"foot|crumb|pathway|social|share|lang|pag(?:er|ing|ination)|related|tag|legal|login|account"
    r"|user|cart|toc|comment|secondary|sub|utility|skip|mobile|offcanvas|drawer|side|local|anchor"
    r"|jump|section|categor|post|entry|doc|content|table|next|prev|recent|archive|widget|item"
    r"|li\b|button|toggle|icon|wrap|outer|container|bg|inner"
)
MAIN_NAME = re.compile(r"main|primary|site|global|header|top|principal|head")


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One page as the learner sees it."""

    group: str  #: the site
    features: Floats  #: a line a candidate
    overlap: Floats  #: F1 of each candidate with the menu
    weight: Floats
    corpus: str
    weak: bool = False


def labelled(gold: Iterable[GoldPage], corpus: str) -> list[Example]:
    """Examples from pages that people labelled."""
    found = []
    for page in gold:
        candidates = find_candidates(page.page)
        if candidates is None:
            continue
        features = menu_features(candidates).rows
        overlap = overlaps(page.page, candidates.rows, menus_of(page))
        found.append(Example(page.group, features, overlap, np.ones(len(overlap)), corpus))
    return found


def overlaps(page: Page, rows: Ints, menus: Sequence[int]) -> Floats:
    """F1 of every row's subtree with the menu it fits best."""
    sums = np.concatenate(([0], np.cumsum(page.counted)))
    end, size = page.end[rows], sums[page.end[rows]] - sums[rows]
    best = np.zeros(len(rows))
    for menu in menus:
        first, last = np.maximum(rows, menu), np.minimum(end, page.end[menu])
        both = np.where(last > first, sums[np.maximum(last, first)] - sums[first], 0)
        wanted = sums[page.end[menu]] - sums[menu]
        best = np.maximum(best, 2 * both / (size + wanted))
    return best


# -- weak labels --------------------------------------------------------------------------


def weak(folder: Path, seed: int) -> Iterator[Example]:
    """Examples from pages nobody labelled, where tags or names give the menu away."""
    chance, taken = np.random.default_rng(seed), Counter[str]()
    for path, group, url in unlabelled_pages(folder):
        taken[group] += 1
        if taken[group] > PER_SITE:
            continue
        page = parse(path.read_bytes(), url=url)
        menu = weak_menu(page)
        candidates = find_candidates(page)
        if menu is None or candidates is None:
            continue
        features = menu_features(candidates).rows
        overlap = overlaps(page, candidates.rows, _with_inner(page, candidates.rows, menu))
        near = overlap > 0.02
        kept = near | (chance.random(len(near)) < KEPT_APART)
        weight = np.where(near, 1.0, 1 / KEPT_APART)[kept]
        yield Example(group, features[kept], overlap[kept], weight, folder.name, weak=True)


def unlabelled_pages(folder: Path) -> Iterator[tuple[Path, str, str | None]]:
    """Pages of a corpus with the name of their site and their URL where it is known."""
    for path in sorted(folder.rglob("*.htm*")):
        said = folder / "ground-truth" / f"{path.stem}.json"
        if said.is_file():
            url = json.loads(said.read_text()).get("url") or None
            host = (url or "").partition("//")[2].partition("/")[0].lower()
            yield path, host or path.stem, url
        else:
            site = path.parent.parent.name if path.name == "page.html" else path.parent.name
            yield path, site, None


def weak_menu(page: Page) -> int | None:
    """The element that calls itself the menu: by tag or role, else by class name or id."""
    nav = page.is_tag(NUMBER["nav"])
    nav[[row for row, role in page.attribute("role").items() if role == "navigation"]] = True
    by_tag = np.flatnonzero(nav & page.counted)
    outer = by_tag[~page.inside(nav)[page.parent[by_tag]]]
    return _first_main(page, outer.tolist(), largest=True) or _first_main(
        page, _named_menu(page), largest=False
    )


def _named_menu(page: Page) -> list[int]:
    unlikely = numbers("a li span body button input i")
    rows = sorted({*page.attribute("class"), *page.attribute("id")})
    return [
        row
        for row in rows
        if page.counted[row]
        and page.tag[row] not in unlikely
        and MENU_NAME.search(_name(page, row))
    ]


def _name(page: Page, row: int) -> str:
    """Class names, id and label of a row, camel case taken apart."""
    attributes = page.attributes_of(row)
    said = " ".join(attributes.get(name, "") for name in ("class", "id", "aria-label"))
    return re.sub(r"([a-z])([A-Z])", r"\1-\2", said).lower()


def _first_main(page: Page, rows: list[int], *, largest: bool) -> int | None:
    """The first of the rows that can be a main menu; a much larger one is taken instead."""
    elsewhere = page.inside(page.is_tag(*numbers("footer main article aside")))
    links = {
        row: int(np.diff(np.searchsorted(page.anchors, (row, page.end[row])))[0]) for row in rows
    }
    fit = [
        row
        for row in rows
        if links[row] >= 3 and not elsewhere[row] and not OTHER_NAME.search(_name(page, row))
    ]
    shown = [row for row in fit if not (page.hidden[row] or page.aria_hidden[row])]
    chosen = [row for row in shown if MAIN_NAME.search(_name(page, row))] or shown or fit
    if not chosen:
        return None
    most = max(chosen, key=lambda row: links[row])
    return most if largest and links[most] >= 2 * links[chosen[0]] else chosen[0]


def _with_inner(page: Page, rows: Ints, menu: int) -> list[int]:
    """The menu and the elements in it that hold nearly all its links: all are right answers."""
    first, last = np.searchsorted(page.anchors, (menu, page.end[menu]))
    inner = rows[(rows > menu) & (rows < page.end[menu])]
    links = np.searchsorted(page.anchors, page.end[inner]) - np.searchsorted(page.anchors, inner)
    return [menu, *inner[links >= 0.9 * (last - first)].tolist()]


Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Corpora:
    """Examples of all corpora at hand."""

    examples: tuple[Example, ...]

    def without(self, left_out: set[tuple[str, str]]) -> list[Example]:
        """Examples of all (corpus, group) pairs but these."""
        return [each for each in self.examples if (each.corpus, each.group) not in left_out]


def read_corpora(folder: Path, gold: Gold, say: Progress) -> Corpora:
    """Examples of the folder itself and of every corpus in the data folder."""
    examples = labelled(gold.pages, folder.name)
    for other in corpora(LABELLED):
        if other.resolve() != folder.resolve():
            say(f"reading {other.name}")
            examples += labelled(read_gold(other).pages, other.name)
    for other in corpora(WEAK):
        say(f"reading {other.name}")
        examples += weak(other, WEAK_SEED)
    return Corpora(tuple(examples))
