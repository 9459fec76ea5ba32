"""Noise of a result page: for every element with text, noise or content."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from pagelet.methods.content import cetd
from pagelet.methods.noise.decision import Judged, judge, page_query
from pagelet.methods.noise.model import noise_model
from pagelet.methods.noise.paper import paper_features, units_of
from pagelet.methods.noise.records import Record, records_of
from pagelet.methods.noise.runs import CONTROLS
from pagelet.methods.noise.sheet import Sheet
from pagelet.methods.registry import Evidence, Method, Profile, option
from pagelet.models.trees import SHIPPED, Trees, load_trees, shipped
from pagelet.page.query import NO_QUERY, Query
from pagelet.page.table import Page
from pagelet.pagelets import Pagelet, Pagelets

FACTS = ("score", "coverage", "path_members", "query", "said", "path_names")  #: told in reasons
COUNTS = ("path_members", "query")  #: of them, whole numbers
STRONGEST = 5  #: features named with --explain


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseOptions:
    """Options of noise removal."""

    method: Literal["learned", "cetd"] = option(
        "learned", "judge each element as learned, or keep what text density keeps (CETD)"
    )
    threshold: float = option(0.3, "probability from which an element is content (learned)", 0, 1)
    url_query: bool = option(default=True, help="take the words of the page's own query string too")
    model: str = option(SHIPPED, "the model: shipped, or an npz file (learned)")
    explain: bool = option(default=False, help="tell what weighed most (default)")


def detect_noise(
    page: Page,
    options: NoiseOptions | None = None,
    *,
    profile: str = "default",
    query: Query = NO_QUERY,
) -> Pagelets:
    """Say of every element with text whether it is noise or content.

    Without options, those of the profile act.
    """
    row = NOISE.profile(profile)
    return row.run(page, options or row.options, Evidence(query=query))


def _default(page: Page, options: NoiseOptions, evidence: Evidence) -> Pagelets:
    if options.method == "cetd":
        return _density(page, "default")
    query = page_query(evidence.query, page, url=options.url_query)
    sheet = Sheet(page)
    if not len(sheet.rows):
        return Pagelets(page, "noise", "default", (), partial(_more, page, (), None))
    if len(sheet.units) == 1:
        return _alone(page, "default", int(sheet.units[0]))
    judged = judge(sheet, noise_model(options.model), query)
    items = tuple(_items(judged, options))
    more = partial(_more, page, items, judged, options.threshold)
    return Pagelets(page, "noise", "default", items, more)


class Reason(Mapping[str, Any]):
    """What decided on one unit; worked out when first read, as most callers want the answer."""

    def __init__(self, judged: Judged, at: int, *, explain: bool) -> None:
        self.judged, self._at, self._explain = judged, at, explain

    @cached_property
    def _told(self) -> dict[str, Any]:
        judged, at = self.judged, self._at
        told: dict[str, Any] = {"probability": float(judged.probability[at])}
        if judged.query.words:
            told["without_query"] = float(judged.without_query[at])
        told |= {name: float(judged.features[name][at]) for name in FACTS}
        told |= {name: round(told[name]) for name in COUNTS}
        if self._explain:
            moved = judged.model.units.explain(judged.features.rows[at])
            told |= {f"moved_{name}": moved[name] for name in list(moved)[:STRONGEST]}
        return told

    def __getitem__(self, name: str) -> Any:
        return self._told[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._told)

    def __len__(self) -> int:
        return len(self._told)


def _items(judged: Judged, options: NoiseOptions) -> Iterator[Pagelet]:
    page, units, likely = judged.sheet.page, judged.sheet.units, judged.probability
    choices = page.inside(page.is_tag(*CONTROLS))[units]
    threshold = np.where(choices, np.inf, options.threshold)  # what is to choose from is noise
    lines = zip(units.tolist(), likely.tolist(), threshold.tolist(), strict=True)
    for at, (row, each, least) in enumerate(lines):
        reason = Reason(judged, at, explain=options.explain)
        yield _pagelet(page, row, each, least, reason)


def _pagelet(
    page: Page, row: int, likely: float, threshold: float, reason: Mapping[str, Any]
) -> Pagelet:
    kind = "content" if likely >= threshold else "noise"
    return Pagelet(page, (row,), kind, likely if kind == "content" else 1 - likely, reason)


def _paper(page: Page, options: NoiseOptions, evidence: Evidence) -> Pagelets:
    if options.method == "cetd":
        return _density(page, "paper")
    query = page_query(evidence.query, page, url=options.url_query)
    units = units_of(page)
    if len(units) == 1:
        return _alone(page, "paper", int(units[0]))
    features = paper_features(page, query).rows
    model = paper_tree(options.model)
    items = tuple(
        _pagelet(page, row, likely, options.threshold, dict(zip(model.names, line, strict=True)))
        for row, likely, line in zip(
            units.tolist(), model.predict(features).tolist(), features.tolist(), strict=True
        )
    )
    return Pagelets(page, "noise", "paper", items, partial(_more, page, items, None))


def _alone(page: Page, profile: str, row: int) -> Pagelets:
    """A page with text in one element only: nothing could be noise to it."""
    items = (Pagelet(page, (row,), "content", 1.0, {"alone": True}),)
    return Pagelets(page, "noise", profile, items, partial(_more, page, items, None))


@cache
def paper_tree(name: str) -> Trees:
    """The shipped tree over the paper's features, or one that `pagelet train noise` wrote."""
    return shipped(__name__, "noise_paper") if name == SHIPPED else load_trees(Path(name))


def _density(page: Page, profile: str) -> Pagelets:
    """What text density keeps is content."""
    choice = cetd.find_content(page)
    kept = page.sum_children(cetd.kept_text(page, choice))
    items = tuple(
        Pagelet(
            page,
            (row,),
            "content" if kept[row] else "noise",
            1.0,
            {"density": float(choice.density[row]), "threshold": choice.threshold},
        )
        for row in units_of(page).tolist()
    )
    return Pagelets(page, "noise", profile, items, partial(_more, page, items, None))


def found_records(found: Pagelets) -> list[Record]:
    """The records of an answer."""
    reason = found[0].reason if found else None
    judged = reason.judged if isinstance(reason, Reason) else None
    return records_of(found.page, found.items, judged)


def _more(
    page: Page, items: tuple[Pagelet, ...], judged: Judged | None, threshold: float = 0
) -> dict[str, Any]:
    """The records, and how much the query helped."""
    more: dict[str, Any] = {"records": [each.to_dict() for each in records_of(page, items, judged)]}
    if judged is not None and judged.query.words:
        likely, without = judged.probability, judged.without_query
        more["query"] = {
            "words": sorted(judged.query.words),
            "matches": int(judged.sheet.words.count_words(judged.query.words).sum()),
            "changed": int(((likely >= threshold) != (without >= threshold)).sum()),
            "mean_change": float(np.abs(likely - without).mean()),
        }
    return more


NOISE = Method(
    name="noise",
    summary="noise or content, for every element with text of a result page",
    needs=("page",),
    uses=("query",),
    paper="Lutz, Heuser: Noise discovery in hidden-web pages (paper profile)",
    profiles={
        "default": Profile(_default, NoiseOptions()),
        "paper": Profile(_paper, NoiseOptions(threshold=0.5)),
    },
)
