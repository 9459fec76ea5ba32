"""Clutter as pagelets, and the page without it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from pagelet.arrays import Mask, Rows
from pagelet.methods.clutter.options import ClutterOptions
from pagelet.methods.clutter.probability import (
    ClutterElements,
    choose,
    find_elements,
)
from pagelet.methods.clutter.ratios import ClutterScores, score_blocks, topmost
from pagelet.methods.clutter.reasons import ClutterReason, explain_ratios, ratios_of
from pagelet.methods.links import model_of
from pagelet.methods.links.options import ROLES
from pagelet.methods.listing import describe_pagelet, list_pagelets, list_reason
from pagelet.methods.registry import Evidence
from pagelet.methods.registry import write_html as write_pagelets
from pagelet.models.trees import Trees
from pagelet.page.table import Page
from pagelet.page.tags import TEXT
from pagelet.pagelets import Pagelet, Pagelets, WordedReason
from pagelet.write import write_html, write_markdown, write_text


def find_paper(page: Page, options: ClutterOptions, evidence: Evidence) -> Pagelets:
    """The top-most blocks with enough points, or all blocks."""
    scores = score_blocks(page, options, evidence)
    top = topmost(page, scores, options)
    shown = np.ones(len(top), np.bool_) if options.all else top
    items = tuple(_scored(page, scores, at, options) for at in np.flatnonzero(shown).tolist())
    return _result(options, items, Rest(page, scores.blocks.rows[top]))


def _scored(page: Page, scores: ClutterScores, at: int, options: ClutterOptions) -> Pagelet:
    values = ratios_of(scores, at)
    reason = WordedReason(values, partial(explain_ratios, values, options))
    return Pagelet(page, (int(scores.blocks.rows[at]),), "clutter", int(scores.score[at]), reason)


def find_probable(page: Page, options: ClutterOptions, evidence: Evidence) -> Pagelets:
    """The top-most elements that are clutter by the roles of their links, or all elements."""
    model = model_of(options.model, evidence.files)
    found = find_elements(page, options, evidence, model)
    top = choose(page, found, options)
    shown = found if options.all else top
    return _result(options, partial(_list_probable, shown, model, options), Rest(page, top.rows))


def _list_probable(
    found: ClutterElements, model: Trees, options: ClutterOptions
) -> Iterator[Pagelet]:
    return (_probable(found, at, model, options) for at in range(len(found.rows)))


def _probable(found: ClutterElements, at: int, model: Trees, options: ClutterOptions) -> Pagelet:
    return Pagelet(
        found.roles.groups.page,
        (int(found.rows[at]),),
        "clutter",
        float(found.probability[at]),
        ClutterReason(found, at, model, options.site_weight),
        role=ROLES[int(found.role[at])],
    )


def _result(
    options: ClutterOptions,
    items: Iterable[Pagelet] | Callable[[], Iterable[Pagelet]],
    rest: "Rest",
) -> Pagelets:
    more = (lambda: {"rest": rest.text()}) if options.rest else dict
    return Pagelets(rest.page, "clutter", options.profile, items, more, rest)


# -- formats -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Rest:
    """A page and the top rows of its clutter."""

    page: Page
    clutter: Rows

    @property
    def kept(self) -> Mask:
        """The text rows outside clutter."""
        page = self.page
        inside = page.inside(self.clutter.astype(np.int32))
        return np.asarray((page.tag == TEXT) & page.counted & ~inside)

    def text(self) -> str:
        """The page without its clutter as plain text."""
        return write_text(self.page, self.kept)


def list_clutter(result: Pagelets, options: ClutterOptions) -> str:
    """One line per element; with `rest` the text of the page without them."""
    if options.rest:
        rest: Rest = result.source
        return rest.text()
    if options.profile != "default":
        return list_pagelets(result, explain=options.explain)
    lines = []
    for item in result:
        lines.append(describe_pagelet(item, f"{item.score:.2f} {item.role}"))
        if options.explain:
            lines += list_reason(item)
    return "\n".join(lines)


def write_clutter_markdown(result: Pagelets, options: ClutterOptions) -> str:
    """The clutter as Markdown, or with `rest` the page without it."""
    rest: Rest = result.source
    page = rest.page
    kept = rest.kept
    if not options.rest:
        kept = (page.tag == TEXT) & page.counted & ~kept
    return write_markdown(page, kept)


def write_clutter_html(result: Pagelets, options: ClutterOptions) -> str:
    """A document with the clutter alone, or with `rest` the page without it as clean HTML."""
    rest: Rest = result.source
    return write_html(rest.page, rest.kept) if options.rest else write_pagelets(result, options)


def list_notes(_result: Pagelets, options: ClutterOptions, _format: str) -> Sequence[str]:
    """A minimum score that no probability reaches."""
    if options.profile == "default" and options.min_score > 1:
        return ["scores are probabilities, 0 to 1; points are scored by --profile paper"]
    return ()
