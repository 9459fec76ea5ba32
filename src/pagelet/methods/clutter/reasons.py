"""Why an element is clutter: the ratios of the paper, and the roles of its links, in words."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from pagelet.methods.clutter.options import ClutterOptions
from pagelet.methods.clutter.probability import WEIGHTS, ClutterElements
from pagelet.methods.clutter.ratios import ClutterScores, threshold_factor
from pagelet.methods.links.roles import RoleReason
from pagelet.methods.phrases import Phrases, line, measure, rank_reasons
from pagelet.models.trees import Trees
from pagelet.pagelets import LazyReason, Words

AD_EFFECT = 3.0  #: log-odds that the heading of an advertisement is shown with

#: Words for the measures of the paper, by name.
PHRASES: Phrases = {
    "tag_ratio": measure("{:.0%} of its tags are links"),
    "text_ratio": measure("{:.0%} of its text is linked"),
    "repeated": measure("other pages of the site repeat {:.0%} of its links"),
}


def ratios_of(scores: ClutterScores, at: int) -> dict[str, float]:
    """The measures of a block; `repeated` only where it is known."""
    reason = {"tag_ratio": float(scores.tag_ratio[at]), "text_ratio": float(scores.text_ratio[at])}
    if not np.isnan(scores.repeated[at]):
        reason["repeated"] = float(scores.repeated[at])
    return reason


def explain_ratios(values: Mapping[str, float], options: ClutterOptions) -> list[dict[str, Any]]:
    """The ratios in words, each with what it is above its threshold, or below."""
    repeated = np.array([values.get("repeated", np.nan)])
    factor = float(threshold_factor(repeated, options.site_weight)[0])
    lines = []
    for name, threshold in (("tag", options.tag_threshold), ("text", options.text_threshold)):
        value, least = values[f"{name}_ratio"], threshold * factor
        text = f"{PHRASES[f'{name}_ratio'](value)}; {least:.0%} are enough for a point"
        lines.append(line(text, value - least))
    if "repeated" in values:
        lines.append(line(PHRASES["repeated"](values["repeated"]), 1 - factor))
    return sorted(lines, key=lambda each: -abs(each["effect"]))


class ClutterReason(LazyReason):
    """What speaks for clutter: the ratios, and the role of the group that tells most."""

    def __init__(self, found: ClutterElements, at: int, model: Trees, site_weight: float) -> None:
        self._found, self._at, self._model = found, at, model
        self._site_weight = site_weight

    @cached_property
    def _role(self) -> RoleReason | None:
        """The reason of the group's role; None where the element has no group."""
        found, groups = self._found, self._found.roles.groups
        row = int(found.rows[self._at])
        at = int(np.searchsorted(groups.rows, row))
        if at == len(groups) or groups.rows[at] >= groups.page.end[row]:
            return None
        role = found.roles.role.copy()
        role[at] = found.role[self._at]
        return RoleReason(replace(found.roles, role=role), at, self._model)

    @cached_property
    def _ratios(self) -> dict[str, float]:
        block = int(self._found.block[self._at])
        return ratios_of(self._found.scores, block) if block >= 0 else {}

    @property
    def why(self) -> Words:
        """The strongest reasons in words, each with its effect."""
        role = self._role.why if self._role is not None else ()
        return rank_reasons((*self._lines(), *((each["text"], each["effect"]) for each in role)))

    def _lines(self) -> Iterator[tuple[str, float]]:
        """What speaks for clutter beside the role."""
        found, block = self._found, int(self._found.block[self._at])
        if block >= 0 and found.scores.score[block] == 2:
            yield (
                f"a list of links: {PHRASES['text_ratio'](self._ratios['text_ratio'])}",
                (WEIGHTS.listed),
            )
        if "repeated" in self._ratios:
            share = self._ratios["repeated"]
            effect = WEIGHTS.site * self._site_weight * (2 * share - 1)
            yield PHRASES["repeated"](share), effect
        if found.ad[self._at]:
            yield "its first text is a word for advertising", AD_EFFECT

    def _compute(self) -> dict[str, Any]:
        return {**self._ratios, **(self._role or {})}
