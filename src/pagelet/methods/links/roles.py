"""The role of each group of links: boosted trees over its features, one set of trees per role."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pagelet import core
from pagelet.arrays import Floats, Ints, Mask
from pagelet.methods.links.features import role_features
from pagelet.methods.links.groups import LinkGroups
from pagelet.methods.links.options import MIXED, ROLES
from pagelet.methods.phrases import rank_reasons, telling
from pagelet.models.features import FeatureTable
from pagelet.models.trees import Trees
from pagelet.page.tags import BLOCK
from pagelet.page.tree import nearest
from pagelet.pagelets import LazyReason, Words

REASON_FEATURES = 6  #: features named in a reason
SURE = 0.5  #: probability from which on a wrapper has its role whatever the groups inside it have
MIN_SHARE = 0.8  #: share of a wrapper's links that have its role, as the labels define it
PAGE_NUMBERS = 2.5  #: log-odds of pagination for labels that count up
MIN_RUN = 0.5  #: share of the labels that are the next number, in a group of page numbers
MAX_PAGE_CHARS = 8  #: characters outside links for each page number, at most
RELATED_HEADING = 1.0  #: log-odds of related for a group under a heading such as "Latest news"
INLINE_CHARS = 40  #: characters outside links that a link in running text has around it, at least


@dataclass(frozen=True, slots=True, eq=False)
class GroupRoles:
    """The groups of a page and the probability of every role for each."""

    groups: LinkGroups
    features: FeatureTable
    probability: Floats  #: one line per group, one column per role
    role: Ints  #: the role of each group, as a place in ROLES
    inline: Mask  #: for each hyperlink, whether it stands in running text


def find_roles(groups: LinkGroups, model: Trees) -> GroupRoles:
    """The role of every group, predicted once by each model."""
    kept = groups.kept.setdefault("roles", {})
    if model not in kept:
        kept[model] = _predict(groups, model)
    return GroupRoles(groups, *kept[model])


def _predict(groups: LinkGroups, model: Trees) -> tuple[FeatureTable, Floats, Ints, Mask]:
    features = role_features(groups)
    probability = predict_roles(features, model)
    role = _decide(groups, probability)
    inline = inline_links(groups)
    for each in (probability, role, inline):
        each.flags.writeable = False
    return features, probability, role, inline


def _decide(groups: LinkGroups, probability: Floats) -> Ints:
    """The likeliest role of each group; only what holds other groups can have several roles."""
    if core.compiled:
        role = np.empty(len(groups), np.intp)
        bounds = groups.first, groups.last, groups.smallest
        core.kernels.decide_roles(probability, groups.inner, *bounds, SURE, MIN_SHARE, role)
        return role
    wraps = groups.inner > 0
    role = np.where(wraps, probability.argmax(axis=1), probability[:, :MIXED].argmax(axis=1))
    sure = probability[np.arange(len(role)), role] >= SURE
    role[wraps & ~sure & ~_prevails(groups, role)] = MIXED
    return np.asarray(role)


def _prevails(groups: LinkGroups, role: Ints) -> Mask:
    """Mark the groups whose role most of their links have by their smallest groups."""
    own = np.append(role, MIXED)[groups.smallest]
    return np.asarray(count_alike(groups, own, role) >= MIN_SHARE * groups.count)


def count_alike(groups: LinkGroups, of_links: Ints, role: Ints) -> Floats:
    """How many links of each group have the role of the group, where the role of each is given."""
    if core.compiled:
        counts = np.empty(len(role))
        core.kernels.count_alike(of_links, groups.first, groups.last, role, counts)
        return counts
    sums = groups.over_links(of_links == np.arange(len(ROLES))[:, None])
    return np.asarray(sums[role, np.arange(len(role))])


def predict_roles(features: FeatureTable, model: Trees) -> Floats:
    """The probability of every role for each group: one line per group."""
    if not len(features.rows):
        return np.zeros((0, len(ROLES)))
    # the sums below are added up in the order of roles where each role lies in one piece
    odds = np.asfortranarray(model.predict_classes(features.rows, len(ROLES)))
    for role, _, effect in _plain_evidence(features):
        odds[:, role] += effect
    odds = np.exp(odds - odds.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def _plain_evidence(features: FeatureTable) -> Iterator[tuple[int, str, Floats]]:
    """Evidence that few labelled pages have: a role, a feature, and log-odds for each group."""
    counts_up = (features["label_run"] >= MIN_RUN) & (features["to_fragment"] < MIN_RUN)
    counts_up &= features["plain_per_link"] <= MAX_PAGE_CHARS  # rows of a table are counted too
    headed = features["heading_related"] > 0
    yield ROLES.index("pagination"), "label_run", np.where(counts_up, PAGE_NUMBERS, 0.0)
    yield ROLES.index("related"), "heading_related", np.where(headed, RELATED_HEADING, 0.0)


def inline_links(groups: LinkGroups) -> Mask:
    """Mark the hyperlinks in running text: with more text around them than in them."""
    page, rows = groups.page, groups.links.rows
    if core.compiled:
        marked, block = np.empty(len(rows), np.bool_), page.is_tag(*BLOCK)
        core.kernels.mark_inline(
            page.parent, block, page.chars, page.counted, page.link, rows, INLINE_CHARS, marked
        )
        return marked
    owner = nearest(page.parent, page.is_tag(*BLOCK))
    chars = page.chars * page.counted
    held = owner >= 0
    linked, plain = (
        np.bincount(owner[held], (chars * mask)[held], minlength=len(page))
        for mask in (page.link, ~page.link)
    )
    count = np.bincount(owner[rows], minlength=len(page))
    own = owner[rows]
    enough = plain[own] >= INLINE_CHARS * np.maximum(count[own], 1)
    return np.asarray(enough & (plain[own] >= linked[own]))


class RoleReason(LazyReason):
    """The strongest features behind a role and how far each moved it."""

    def __init__(self, roles: GroupRoles, at: int, model: Trees) -> None:
        self._roles, self._at, self._model = roles, at, model

    @cached_property
    def _effects(self) -> dict[str, float]:
        role = int(self._roles.role[self._at])
        row = self._roles.features.rows[self._at].astype(float)
        effects = self._model.of_class(role, len(ROLES)).explain(row)
        for about, name, effect in _plain_evidence(self._roles.features):
            if about == role and effect[self._at]:
                effects[name] = effects.get(name, 0.0) + float(effect[self._at])
        return dict(sorted(effects.items(), key=lambda item: -abs(item[1])))

    def _compute(self) -> dict[str, Any]:
        strongest = list(self._effects)[:REASON_FEATURES]
        table = self._roles.features
        values = {name: float(table[name][self._at]) for name in strongest}
        return {**values, "effects": {name: self._effects[name] for name in strongest}}

    @property
    def why(self) -> Words:
        """The strongest reasons in words, each with its effect."""
        from pagelet.methods.links.reasons import describe  # noqa: PLC0415 - few ask why

        table = self._roles.features
        return rank_reasons(
            (describe(name, float(table[name][self._at])), effect)
            for name, effect in telling(self._effects).items()
        )
