"""Noise of a result page: for every element with text, noise or content."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np

from pagelet.errors import OptionError
from pagelet.methods.content import cetd
from pagelet.methods.listing import describe_pagelet, list_pagelets
from pagelet.methods.noise.decision import Judgement, judge_site, noise_model, page_query
from pagelet.methods.noise.options import NoiseOptions, PaperNoiseOptions
from pagelet.methods.noise.page_kind import OTHER, RESULTS, dense_units, kind_of
from pagelet.methods.noise.paper import (
    DESCENDANT_FEATURES,
    PAPER_FEATURES,
    paper_features,
    units_of,
)
from pagelet.methods.noise.reasons import NoiseReason, TreeReason, density_reason
from pagelet.methods.noise.records import ResultRecord, find_records, records_html
from pagelet.methods.noise.sheet import TextSheet
from pagelet.methods.phrases import DECISIVE, line
from pagelet.methods.registry import Evidence, Method, Profile
from pagelet.models.trees import SHIPPED, Trees, load_shipped, read_trees
from pagelet.page.table import Page
from pagelet.page.textblocks import CONTROLS
from pagelet.pagelets import Pagelet, Pagelets, WordedReason

MAX_QUERY_WORDS = 5  #: words of the query that the summary shows


def _default(page: Page, options: NoiseOptions, evidence: Evidence) -> Pagelets:
    if options.method == "cetd":
        return _density(page, "default")
    query = page_query(evidence.query, page, url=options.url_query)
    sheet = TextSheet(page)
    if not len(sheet.rows):
        return Pagelets(page, "noise", "default", (), partial(_more, page, (), None))
    if len(sheet.units) == 1:
        return _alone(page, "default", int(sheet.units[0]))
    model = noise_model(options.model, evidence.files)
    judgement = judge_site(sheet, evidence.pages, model, query)
    kind = kind_of(judgement)
    items = _Items(judgement, options, kind)
    more = partial(_more, page, items, judgement, options.threshold, kind)
    return Pagelets(page, "noise", "default", items, more)


class _Items:
    """Makes the pagelets when they are first needed, once."""

    def __init__(self, judgement: Judgement, options: NoiseOptions, kind: str) -> None:
        self._judgement, self._options, self._kind = judgement, options, kind

    def __call__(self) -> tuple[Pagelet, ...]:
        return self._made

    @cached_property
    def _made(self) -> tuple[Pagelet, ...]:
        if self._kind == RESULTS:
            return tuple(_items(self._judgement, self._options))
        return tuple(_other_items(self._judgement))


def _other_items(judgement: Judgement) -> Iterator[Pagelet]:
    """Units of a page that is no page of results: what text density keeps, and its heading."""
    page, units = judgement.sheet.page, judgement.sheet.units
    choice, kept = cetd.find_content(page), dense_units(judgement)
    for row, each in zip(units.tolist(), kept.tolist(), strict=True):
        reason = density_reason(float(choice.density[row]), choice.threshold, kept=each)
        yield Pagelet(page, (row,), "content" if each else "noise", 1.0, reason)


def _items(judgement: Judgement, options: NoiseOptions) -> Iterator[Pagelet]:
    page, units, likely = judgement.sheet.page, judgement.sheet.units, judgement.probability
    choices = page.inside(page.is_tag(*CONTROLS))[units]
    threshold = np.where(choices, np.inf, options.threshold)  # choices of controls are noise
    lines = zip(units.tolist(), likely.tolist(), threshold.tolist(), strict=True)
    for at, (row, each, least) in enumerate(lines):
        reason = NoiseReason(judgement, at, least, explained=options.explain)
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
    model = paper_tree(options.model, evidence.files)
    features = paper_features(page, query, model.names).rows
    items = tuple(
        _pagelet(
            page,
            row,
            likely,
            options.threshold,
            TreeReason(model, line, likely >= options.threshold),
        )
        for row, likely, line in zip(
            units.tolist(), model.predict(features).tolist(), features.tolist(), strict=True
        )
    )
    return Pagelets(page, "noise", "paper", items, partial(_more, page, items, None))


def _alone(page: Page, profile: str, row: int) -> Pagelets:
    """A page with text in one element only, which is its content."""
    reason = WordedReason({"alone": True}, [line("the only text of the page", DECISIVE)])
    items = (Pagelet(page, (row,), "content", 1.0, reason),)
    return Pagelets(page, "noise", profile, items, partial(_more, page, items, None))


def paper_tree(name: str, files: Mapping[str, bytes]) -> Trees:
    """The shipped tree over the paper's features, or one that `pagelet train noise` wrote."""
    if name == SHIPPED:
        return load_shipped(__name__, "noise_paper")
    model = read_trees(files[name], name)
    if not set(model.names) <= {*PAPER_FEATURES, *DESCENDANT_FEATURES}:
        raise OptionError("model", name, "made for other features; train it with --profile paper")
    return model


def _density(page: Page, profile: str) -> Pagelets:
    """The classification by text density."""
    choice = cetd.find_content(page)
    kept = page.sum_children(cetd.kept_text(page, choice))
    items = tuple(
        Pagelet(
            page,
            (row,),
            "content" if kept[row] else "noise",
            1.0,
            density_reason(float(choice.density[row]), choice.threshold, kept=bool(kept[row])),
        )
        for row in units_of(page).tolist()
    )
    return Pagelets(page, "noise", profile, items, partial(_more, page, items, None))


def list_records(result: Pagelets) -> list[ResultRecord]:
    """The records of a result."""
    reason = result[0].reason if result else None
    judgement = reason.judgement if isinstance(reason, NoiseReason) else None
    return find_records(result.page, result.items, judgement)


def _more(
    page: Page,
    items: tuple[Pagelet, ...] | Callable[[], tuple[Pagelet, ...]],
    judgement: Judgement | None,
    threshold: float = 0,
    kind: str = RESULTS,
) -> dict[str, Any]:
    """The records, the kind of the page, and how much the query helped."""
    made = items() if callable(items) else items
    records = find_records(page, made, judgement if kind == RESULTS else None)
    more: dict[str, Any] = {"records": [record.to_dict() for record in records]}
    if judgement is not None:
        more |= {"page_type": kind, "pages": judgement.pages}
    if judgement is not None and judgement.query.words:
        likely, without = judgement.probability, judgement.without_query
        more["query"] = {
            "words": sorted(judgement.query.words),
            "matches": int(judgement.sheet.words.count_stems(judgement.query.words).sum()),
            "changed": int(((likely >= threshold) != (without >= threshold)).sum()),
            "mean_change": float(np.abs(likely - without).mean()),
        }
    return more


# -- formats ----------------------------------------------------------------------------------


def write_text(result: Pagelets, options: NoiseOptions) -> str:
    """One line per element with text, or one paragraph per record."""
    if not options.records:
        return list_pagelets(result, explain=options.explain, line=_line) if result else ""
    fields = (record["fields"].values() for record in result.extra["records"])
    return "\n\n".join(map("\n".join, fields))


def _line(item: Pagelet) -> str:
    return describe_pagelet(item, f"{item.score:.2f}".rjust(6 + len("content") - len(item.kind)))


def write_json(result: Pagelets, options: NoiseOptions) -> str:
    """The JSON form, or one object per line and record."""
    if not options.records:
        return result.to_json(indent=2)
    records = (json.dumps(each, ensure_ascii=False) for each in result.extra["records"])
    return "\n".join(records)


def write_html(result: Pagelets, _options: NoiseOptions) -> str:
    """The records as an HTML document."""
    return records_html(result.page, list_records(result))


def summarise(result: Pagelets, _options: NoiseOptions, format: str) -> Sequence[str]:
    """How much is content, how many records it makes, how much the query helped."""
    if format != "text":
        return ()
    kinds = Counter(item.kind for item in result)
    records = len(result.extra["records"])
    parts = [
        f"{kinds['content']} content, {kinds['noise']} noise",
        f"{records} record{'s' * (records != 1)}" if records else "no records",
    ]
    if (query := result.extra.get("query")) is not None:
        words = query["words"]
        shown = ", ".join(words[:MAX_QUERY_WORDS]) + ", …" * (len(words) > MAX_QUERY_WORDS)
        parts.append(
            f"query {shown}: {query['matches']} matches changed {query['changed']} answers,"
            f" probabilities by {query['mean_change']:.3f} on average"
        )
    elif result.extra.get("page_type") == OTHER:
        parts.append(
            "no page of results: answered by text density, see `pagelet content`;"
            " --query says that it is one"
        )
    elif result.profile == "default":
        parts.append("no query; --query gives the words that were searched for")
    return ["; ".join(parts)]


NOISE = Method(
    name="noise",
    summary="noise or content, for every element with text of a result page",
    paper="Lutz, Heuser: Noise discovery in hidden-web pages (paper profile)",
    profiles={
        "default": Profile(_default, NoiseOptions(), "our values"),
        "paper": Profile(_paper, PaperNoiseOptions(), "the publication's values"),
    },
    examples=(
        "pagelet noise results.html --query tomato",
        "pagelet noise results.html --records --format json",
    ),
    kinds=("noise", "content"),
    holds_for="direct texts",
    uses=("query", "site"),
    writers={"text": write_text, "json": write_json, "html": write_html},
    notes=summarise,
)
