"""Clutter as pagelets, and the page without it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from pagelet.arrays import Mask, Rows
from pagelet.methods.clutter.options import ClutterOptions
from pagelet.methods.clutter.probability import (
    WEIGHTS,
    ClutterElements,
    choose,
    find_elements,
)
from pagelet.methods.clutter.ratios import ClutterScores, score_blocks, topmost
from pagelet.methods.links import model_of
from pagelet.methods.links.options import ROLES
from pagelet.methods.links.roles import RoleReason
from pagelet.methods.listing import describe_pagelet, list_pagelets
from pagelet.methods.registry import Evidence
from pagelet.methods.registry import write_html as write_pagelets
from pagelet.models.trees import Trees
from pagelet.page.table import Page
from pagelet.page.tags import TEXT
from pagelet.pagelets import LazyReason, Pagelet, Pagelets
from pagelet.write import write_html, write_markdown, write_text


def find_paper(page: Page, options: ClutterOptions, evidence: Evidence) -> Pagelets:
    """The top-most blocks with enough points, or all blocks."""
    scores = score_blocks(page, options, evidence)
    top = topmost(page, scores, options)
    shown = np.ones(len(top), np.bool_) if options.all else top
    items = tuple(_scored(page, scores, at) for at in np.flatnonzero(shown).tolist())
    return _result(options, items, Rest(page, scores.blocks.rows[top]))


def _scored(page: Page, scores: ClutterScores, at: int) -> Pagelet:
    reason = _ratios(scores, at)
    return Pagelet(page, (int(scores.blocks.rows[at]),), "clutter", int(scores.score[at]), reason)


def _ratios(scores: ClutterScores, at: int) -> dict[str, float]:
    """The measures of a block; `repeated` only where it is known."""
    reason = {"tag_ratio": float(scores.tag_ratio[at]), "text_ratio": float(scores.text_ratio[at])}
    if not np.isnan(scores.repeated[at]):
        reason["repeated"] = float(scores.repeated[at])
    return reason


def find_probable(page: Page, options: ClutterOptions, evidence: Evidence) -> Pagelets:
    """The top-most elements that are clutter by the roles of their links, or all elements."""
    model = model_of(options.model, evidence.files)
    found = find_elements(page, options, evidence, model)
    top = choose(page, found, options)
    shown = found if options.all else top
    items = tuple(_probable(shown, at, model) for at in range(len(shown.rows)))
    return _result(options, items, Rest(page, top.rows))


def _probable(found: ClutterElements, at: int, model: Trees) -> Pagelet:
    return Pagelet(
        found.roles.groups.page,
        (int(found.rows[at]),),
        "clutter",
        float(found.probability[at]),
        ClutterReason(found, at, model),
        role=ROLES[int(found.role[at])],
    )


def _result(options: ClutterOptions, items: tuple[Pagelet, ...], rest: "Rest") -> Pagelets:
    more = (lambda: {"rest": rest.text()}) if options.rest else dict
    return Pagelets(rest.page, "clutter", options.profile, items, more, rest)


class ClutterReason(LazyReason):
    """What speaks for clutter: the ratios, and the role of the group that tells most."""

    def __init__(self, found: ClutterElements, at: int, model: Trees) -> None:
        self._found, self._at, self._model = found, at, model

    @cached_property
    def _role(self) -> Mapping[str, Any]:
        """The reason of the group's role; empty where the element has no group."""
        found, groups = self._found, self._found.roles.groups
        row = int(found.rows[self._at])
        at = int(np.searchsorted(groups.rows, row))
        if at == len(groups) or groups.rows[at] >= groups.page.end[row]:
            return {}
        role = found.roles.role.copy()
        role[at] = found.role[self._at]
        return RoleReason(replace(found.roles, role=role), at, self._model)

    @cached_property
    def _ratios(self) -> dict[str, float]:
        block = int(self._found.block[self._at])
        return _ratios(self._found.scores, block) if block >= 0 else {}

    @property
    def why(self) -> Sequence[dict[str, Any]]:
        """The strongest reasons in words, each with its effect."""
        found, block = self._found, int(self._found.block[self._at])
        lines = list(getattr(self._role, "why", ()))
        if block >= 0 and found.scores.score[block] == 2:
            share = self._ratios["text_ratio"]
            lines.append({"text": f"{share:.0%} of its text is linked", "effect": WEIGHTS.listed})
        if found.ad[self._at]:
            lines.append({"text": "its first text is a word for advertising", "effect": 3.0})
        return sorted(lines, key=lambda line: -abs(line["effect"]))

    def _compute(self) -> dict[str, Any]:
        return {**self._ratios, **self._role}


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
            lines += [f"    {each['effect']:+.2f}  {each['text']}" for each in item.why]
    return "\n".join(lines) or "no clutter"


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
