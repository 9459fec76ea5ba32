"""Examples for the menu ranker: candidates of pages, and how well each covers the menu.

Coverage is scored as node precision, recall and F1 of the subtree. Pages that people labelled are
few. Pages with a `nav` element, or with an element named like a menu, are many; their labels are
weak, and the tag, role and names that gave them are hidden from the model.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import numpy as np

from pagelet.arrays import Floats, Ints
from pagelet.lab import Progress, Report, ignore_progress, track
from pagelet.lab.data import MENU_CORPORA, WEAK_CORPORA, corpora
from pagelet.lab.figures import NO_OVERLAP, Overlap, subtree_overlap
from pagelet.lab.fitting import describe_corpora
from pagelet.lab.gold import MENUS, Gold, GoldPage, host_of, read_gold
from pagelet.lab.seen import PageKey, page_key
from pagelet.methods.menu.features import find_candidates, menu_features
from pagelet.methods.menu.ranking import all_features
from pagelet.page.html import parse
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, numbers

MenuFinder = Callable[[GoldPage], int | None]  #: returns the row of the menu, or None

Regions = Sequence[Sequence[int]]  #: the top rows of each region

LABELS = ("menu", "Menu")  #: labels of menus


@dataclass(frozen=True, slots=True)
class MenuScore:
    """Means over groups of the means over pages, and counts of the pages without a menu."""

    precision: float
    recall: float
    f1: float
    perfect: float  #: share of pages with F1 1
    pages: int  #: pages with a menu
    none_right: int  #: pages without a menu for which none was returned
    none_pages: int  #: pages without a menu
    by_group: dict[str, float]  #: mean F1 of each group
    seconds: float  #: processor time of a page


def menus_of(gold: GoldPage) -> Regions:
    """The top rows of each region labelled as a menu."""
    return gold.regions(*LABELS)


def best_overlap(page: Page, row: int | None, menus: Regions) -> Overlap:
    """Overlap with the menu that fits best; no answer scores 0."""
    if row is None:
        return NO_OVERLAP
    overlaps = (subtree_overlap(page, row, *menu) for menu in menus)
    return max(overlaps, key=lambda overlap: overlap.f1)


def score_menus(pages: Iterable[GoldPage], find: MenuFinder, *, by_page: bool) -> MenuScore:
    """Score a menu finder; by_page averages over pages instead of groups."""
    groups: dict[str, list[Overlap]] = defaultdict(list)
    none_right = none_pages = 0
    seconds = []
    for gold in pages:
        find(gold)  # what pages compute once and then keep is not the method's time
        start = process_time()
        row, menus = find(gold), menus_of(gold)
        seconds.append(process_time() - start)
        if menus:
            groups[gold.name if by_page else gold.group].append(best_overlap(gold.page, row, menus))
        else:
            none_pages += 1
            none_right += row is None
    return _summary(groups, (none_right, none_pages), float(np.mean(seconds)))


def _summary(groups: dict[str, list[Overlap]], none: tuple[int, int], seconds: float) -> MenuScore:
    def mean(part: Callable[[Overlap], float]) -> float:
        means = [np.mean([part(overlap) for overlap in group]) for group in groups.values()]
        return float(np.mean(means)) if means else 0.0

    f1 = {name: float(np.mean([overlap.f1 for overlap in group])) for name, group in groups.items()}
    every = [overlap.f1 for group in groups.values() for overlap in group]
    return MenuScore(
        precision=mean(lambda overlap: overlap.precision),
        recall=mean(lambda overlap: overlap.recall),
        f1=mean(lambda overlap: overlap.f1),
        perfect=float(np.mean([value > 1 - 1e-9 for value in every])) if every else 0.0,
        pages=len(every),
        none_right=none[0],
        none_pages=none[1],
        by_group=f1,
        seconds=seconds,
    )


MAX_LABELLED_PAGES = 12  #: pages per labelled site that are learned from
MAX_SITE_PAGES = 2  #: pages per site of a weakly labelled corpus
WEAK_SEED = 1  #: seed of the sampling of weak pages
KEPT_SHARE = 0.1  #: share of the candidates without overlap that are kept of weak pages

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
class MenuExample:
    """The candidates of one page, as the learner sees them."""

    group: str  #: the site
    features: Floats  #: one line per candidate
    overlap: Floats  #: F1 of each candidate with the menu
    weight: Floats
    corpus: str
    key: PageKey  #: what identifies the page
    weak: bool = False


def labelled_examples(
    gold: Sequence[GoldPage], corpus: str, progress: Progress = ignore_progress
) -> list[MenuExample]:
    """Examples from pages that people labelled, at most so many per site."""
    examples, counts = [], Counter[str]()
    for page in track(gold, f"describing {corpus}", progress):
        counts[page.group] += 1
        candidates = find_candidates(page.page)
        if candidates is None or counts[page.group] > MAX_LABELLED_PAGES:
            continue
        every = np.arange(len(candidates.rows))
        features = all_features(candidates, every, menu_features(candidates)).rows
        overlap = overlaps(page.page, candidates.rows, menus_of(page))
        weight, key = np.ones(len(overlap)), page_key(page.group, page.page)
        examples.append(MenuExample(page.group, features, overlap, weight, corpus, key))
    return examples


def overlaps(page: Page, rows: Ints, menus: Regions) -> Floats:
    """F1 of every row's subtree with the menu it fits best."""
    inside = [page.inside(np.array(menu, np.intp)) & page.counted for menu in menus]
    sums = np.zeros((1 + len(menus), len(page) + 1))
    np.cumsum((page.counted, *inside), axis=1, out=sums[:, 1:])
    size, *both = sums[:, page.end[rows]] - sums[:, rows]
    wanted = sums[1:, -1:]
    return np.max(2 * np.array(both) / (size + wanted), axis=0) if menus else np.zeros(len(rows))


# -- weak labels --------------------------------------------------------------------------


def weak_examples(
    folder: Path, labelled: Set[str], progress: Progress = ignore_progress
) -> Iterator[MenuExample]:
    """Examples from pages without labels, where tags or names give the menu away.

    Sites with a labelled page are left out.
    """
    random, counts = np.random.default_rng(WEAK_SEED), Counter[str]()
    step = f"reading weak labels of {folder.name}"
    for path, group, url in track(list(unlabelled_pages(folder)), step, progress):
        counts[group] += 1
        if group in labelled or counts[group] > MAX_SITE_PAGES:
            continue
        page = parse(path.read_bytes(), url=url)
        menu = weak_menu(page)
        candidates = find_candidates(page)
        if menu is None or candidates is None:
            continue
        menus = [(each,) for each in _with_inner(page, candidates.rows, menu)]
        overlap = overlaps(page, candidates.rows, menus)
        near = overlap > 0.02
        kept = np.flatnonzero(near | (random.random(len(near)) < KEPT_SHARE))
        features = all_features(candidates, kept, menu_features(candidates)).rows
        weight = np.where(near, 1.0, 1 / KEPT_SHARE)[kept]
        key = page_key(group, page)
        yield MenuExample(group, features, overlap[kept], weight, folder.name, key, weak=True)


def unlabelled_pages(folder: Path) -> Iterator[tuple[Path, str, str | None]]:
    """Pages of a corpus with their site and, where it is known, their URL."""
    for path in sorted(folder.rglob("*.htm*")):
        label = folder / "ground-truth" / f"{path.stem}.json"
        if label.is_file():
            url = json.loads(label.read_text()).get("url") or None
            yield path, host_of(url or "") or path.stem, url
        else:
            site = path.parent.parent.name if path.name == "page.html" else path.parent.name
            yield path, site, None


def weak_menu(page: Page) -> int | None:
    """The element that is named as the menu: by tag or role, else by class name or id."""
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
    """Class names, id and label of a row in lower case, camel case split."""
    attributes = page.attributes_of(row)
    words = " ".join(attributes.get(name, "") for name in ("class", "id", "aria-label"))
    return re.sub(r"([a-z])([A-Z])", r"\1-\2", words).lower()


def _first_main(page: Page, rows: list[int], *, largest: bool) -> int | None:
    """The first row that can be a main menu, or, with `largest`, a much larger one."""
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
    biggest = max(chosen, key=lambda row: links[row])
    return biggest if largest and links[biggest] >= 2 * links[chosen[0]] else chosen[0]


def _with_inner(page: Page, rows: Ints, menu: int) -> list[int]:
    """The menu and the elements in it that hold nearly all its links; each is a right answer."""
    first, last = np.searchsorted(page.anchors, (menu, page.end[menu]))
    inner = rows[(rows > menu) & (rows < page.end[menu])]
    links = np.searchsorted(page.anchors, page.end[inner]) - np.searchsorted(page.anchors, inner)
    return [menu, *inner[links >= 0.9 * (last - first)].tolist()]


# -- corpora ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MenuCorpora:
    """Examples of all corpora that are available."""

    examples: tuple[MenuExample, ...]

    def without(self, groups: Set[str]) -> list[MenuExample]:
        """Examples of all sites but some, in whatever corpus."""
        return [each for each in self.examples if each.group not in groups]


def other_corpora(folder: Path) -> list[Path]:
    """Corpora of the data folder with menus that people labelled, without the folder itself."""
    return [
        other
        for other in corpora(MENU_CORPORA)
        if (other.name != "wcxb" or (other / MENUS).is_file())
        and other.resolve() != folder.resolve()
    ]


def read_corpora(
    folder: Path,
    gold: Gold,
    report: Report,
    progress: Progress = ignore_progress,
    *,
    alone: bool = False,
) -> MenuCorpora:
    """Examples of the folder itself and, unless alone, of every corpus in the data folder."""
    labelled = [] if alone else other_corpora(folder)
    weak = [] if alone else corpora(WEAK_CORPORA)
    report(describe_corpora(folder, [*labelled, *weak]))
    examples = labelled_examples(gold.pages, folder.name, progress)
    for other in labelled:
        pages = read_gold(other, progress=progress).pages
        examples += labelled_examples(pages, other.name, progress)
    groups = {example.group for example in examples}
    for other in weak:
        examples += weak_examples(other, groups, progress)
    return MenuCorpora(tuple(examples))
