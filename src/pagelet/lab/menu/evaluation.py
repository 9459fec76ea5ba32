"""Menu detection: the paper's profile, the shipped model, and models that never saw the pages."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from pagelet.context import read_files
from pagelet.lab import Progress, Report, ignore_progress, track
from pagelet.lab.figures import Figures, subtree_overlap
from pagelet.lab.fitting import answering_note, too_few_sites
from pagelet.lab.gold import Gold, GoldPage
from pagelet.lab.learners import FOLDS, lightgbm, site_folds
from pagelet.lab.menu.examples import MenuCorpora, MenuFinder, MenuScore, read_corpora, score_menus
from pagelet.lab.menu.fit import fit_ranker
from pagelet.lab.template.scores import template_finder
from pagelet.methods.menu import MENU
from pagelet.methods.menu.copies import find_copies
from pagelet.methods.menu.options import MenuOptions
from pagelet.methods.menu.ranking import rank
from pagelet.methods.registry import Evidence
from pagelet.models.trees import Trees
from pagelet.page.site import SharedRows
from pagelet.page.table import Page

COLUMNS = ("menu", "precision", "recall", "F1", "perfect", "pages", "none right", "of", "ms")
#: Their evaluation on 50 pages (section 4.1); the paper has no pages without a menu.
PUBLISHED = ("published", 0.9821, 0.9413, 0.9446, 0.74, 50, "-", "-", 5380.0)

NOT_TUNED: Mapping[str, MenuOptions] = MappingProxyType({})

UNSEEN = "default, unseen"
TRANSFER = "default, transfer"
WITH_SITE = "default, unseen, --site"

MET = 0.5  #: F1 above which a copy meets a labelled one
SINGLE_PAGES = ("blocks", "menus")  #: formats whose sites have one page each

#: Sites made with the same theme are left out together: PyCon's of three years are one.
FAMILIES = {"pycon-2013": "pycon", "pycon-2014": "pycon", "pycon-2016": "pycon"}


def evaluate_menu(
    folder: Path,
    gold: Gold,
    *,
    fit: bool,
    tuned: Mapping[str, MenuOptions] = NOT_TUNED,
    report: Report = print,
    progress: Progress = ignore_progress,
) -> Figures:
    """Score every profile; with `fit`, also models fitted without the pages they answer.

    `tuned` are options to score beside those of the profiles, by name.
    """
    finders: dict[str, MenuFinder] = {
        "paper": _profile("paper", MenuOptions()),
        "paper, sqrt_of_ratio": _profile("paper", MenuOptions(text_ratio_reading="sqrt_of_ratio")),
        "paper, linear": _profile("paper", MenuOptions(text_ratio_reading="linear")),
        "paper, no fallback": _profile("paper", MenuOptions(candidate_fallback="none")),
        "default, shipped": _profile("default", MenuOptions()),
    }
    for name, options in tuned.items():
        finders[f"{options.profile}, {name}"] = _profile(options.profile, options)
    if fit:
        lightgbm()  # raises before any page is read
        corpora = read_corpora(folder, gold, report, progress)
        finders |= fitted_finders(folder, gold, corpora, report, progress)
    by_page = gold.format in SINGLE_PAGES
    scores = {
        name: score_menus(gold.pages, finders[name], by_page=by_page)
        for name in track(list(finders), "scoring", progress)
    }
    rows = [(name, *_cells(score)) for name, score in scores.items()]
    notes = (answering_note(fitted=UNSEEN in scores), *_notes(scores, gold), *gold.notes)
    return Figures(f"menu detection on {folder.name}", COLUMNS, (*rows, PUBLISHED), notes)


def _profile(name: str, options: MenuOptions) -> MenuFinder:
    run, evidence = MENU.profile(name).run, Evidence(files=read_files(options))

    def find(gold: GoldPage) -> int | None:
        pagelets = run(gold.page, options, evidence)
        return pagelets[0].row if pagelets else None

    return find


def _cells(score: MenuScore) -> tuple[object, ...]:
    means = (score.precision, score.recall, score.f1, score.perfect)
    return (*means, score.pages, score.none_right, score.none_pages, score.seconds * 1000)


def _notes(scores: dict[str, MenuScore], gold: Gold) -> tuple[str, ...]:
    groups = "pages" if gold.format in SINGLE_PAGES else "sites"
    notes = [
        f"Means over {groups}. none right: pages without a menu for which none was returned.",
        "ms: processor time of a parsed page. published: the paper's own pages and machine.",
    ]
    if UNSEEN in scores and gold.format not in SINGLE_PAGES:
        by_f1 = sorted(scores[UNSEEN].by_group.items(), key=lambda item: item[1])
        weakest = ", ".join(f"{name} {f1:.2f}" for name, f1 in by_f1[:4])
        notes.append(f"Weakest unseen: {weakest}.")
    if gold.format == "menus":
        notes.append(_copies_note(gold.pages))
    return tuple(notes)


def _copies_note(pages: Iterable[GoldPage]) -> str:
    """How many copies of the labelled menus are named, and are labelled."""
    named, right, labelled, found = (
        sum(column) for column in zip(*map(_count_copies, pages), strict=True)
    )
    return (
        f"Copies of the labelled menus: {named} are named, {right} of them labelled;"
        f" {found} of {labelled} labelled ones are named."
    )


def _count_copies(gold: GoldPage) -> tuple[int, int, int, int]:
    """Copies that are named, are so rightly, are labelled, and are found."""
    if not gold.rows("menu"):
        return 0, 0, 0, 0
    page, (menu, *others) = gold.page, gold.rows("menu")
    labelled = [row for row in others if row >= page.end[menu] or page.end[row] <= menu]
    named = find_copies(page, menu)
    met = [(one, other) for one in named for other in labelled if _meets(page, one, other)]
    right, found = ({pair[side] for pair in met} for side in (0, 1))
    return len(named), len(right), len(labelled), len(found)


def _meets(page: Page, one: int, other: int) -> bool:
    return subtree_overlap(page, one, other).f1 > MET


# -- models that never saw the pages they answer ----------------------------------------------


def split_groups(gold: Gold) -> list[set[str]]:
    """Groups to leave out together: a site each, or a fifth of the pages of single-page sites."""
    groups = sorted({page.group for page in gold.pages})
    if gold.format in SINGLE_PAGES:
        fold = site_folds(groups)
        folds = [{group for group in groups if fold[group] == at} for at in range(FOLDS)]
        return [each for each in folds if each]
    family = {group: FAMILIES.get(group, group) for group in groups}
    return [
        {group for group in groups if family[group] == name} for name in sorted({*family.values()})
    ]


def fitted_finders(
    folder: Path, gold: Gold, corpora: MenuCorpora, report: Report, progress: Progress
) -> dict[str, MenuFinder]:
    """Menu finders with models that never saw the pages; none where too few sites are labelled."""
    groups = {page.group for page in gold.pages}
    if not all(corpora.without(left_out) for left_out in split_groups(gold)):
        report(too_few_sites(groups, 2))
        return {}
    models = unseen_models(gold, corpora, progress)
    finders = {UNSEEN: ranking_finder(models)}
    if gold.format == "sites":
        finders[WITH_SITE] = ranking_finder(models, template_finder(folder))
    if elsewhere := corpora.without(groups):
        progress(f"fitting without {folder.name}", 0, 1)
        finders[TRANSFER] = ranking_finder(fit_ranker(elsewhere))
        progress(f"fitting without {folder.name}", 1, 1)
    return finders


def unseen_models(gold: Gold, corpora: MenuCorpora, progress: Progress) -> dict[str, Trees]:
    """A model for each group that was fitted without the group."""
    models: dict[str, Trees] = {}
    for groups in track(split_groups(gold), "fitting", progress):
        models |= dict.fromkeys(groups, fit_ranker(corpora.without(groups)))
    return models


def ranking_finder(
    models: dict[str, Trees] | Trees,
    template: Callable[[GoldPage], SharedRows | None] = lambda _: None,
) -> MenuFinder:
    """A menu finder with a model of its own for each group, or one for all."""
    options = MenuOptions()

    def find(gold: GoldPage) -> int | None:
        model = models if isinstance(models, Trees) else models[gold.group]
        penalties = options.size_penalty, options.share_penalty
        best = rank(gold.page, model, *penalties, template(gold))
        return best.row if best is not None and best.score >= options.min_score else None

    return find
