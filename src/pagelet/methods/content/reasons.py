"""Measures of text blocks in words, for people who ask why a block was kept or dropped."""

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pagelet.methods.content.words import NAMED, PHRASES
from pagelet.methods.phrases import (
    DECISIVE,
    describe,
    explain_density,
    line,
    rank_reasons,
    telling,
)
from pagelet.pagelets import LazyReason, Words

if TYPE_CHECKING:
    from pagelet.methods.content.answer import ContentAnswer

REASON_FEATURES = 5  #: features named in a reason
LIKELY = 0.5  #: probability from which on a block is content by itself
MAX_LOG_ODDS = 20.0  #: log-odds of a probability of 0 or 1


class ContentReason(LazyReason):
    """What decided on a block, or on a part of one."""

    def __init__(
        self, answer: "ContentAnswer", block: int, selector: int, *, kept: bool, explained: bool
    ) -> None:
        self._answer, self._block, self._selector = answer, block, selector
        self._kept, self.explained = kept, explained

    @property
    def _rule(self) -> str | None:
        """The selector of the user that decided."""
        overrides = self._answer.overrides
        decided = overrides is not None and self._selector >= 0
        return str(overrides.selectors[self._selector]) if decided and overrides else None

    @property
    def _titled(self) -> bool:
        """Whether it is kept only because it is the heading, or the line below it."""
        return self._kept and self._selector < 0 and self._answer.is_added(self._block)

    @property
    def _repeated(self) -> bool:
        decision = self._answer.decision
        return decision is not None and bool(decision.repeated[self._block])

    @cached_property
    def _effects(self) -> dict[str, float]:
        """How far each feature moved the log-odds of content, the strongest first."""
        decision, model = self._answer.decision, self._answer.model
        if decision is None or model is None:
            return {}
        return model.trees.explain(decision.features.rows[self._block].astype(np.float64))

    def _compute(self) -> dict[str, Any]:
        reason: dict[str, Any] = {"title": True} if self._titled else {}
        if self._rule is not None:
            reason["rule"] = self._rule
        if self._answer.decision is None:
            return reason | {"density": float(self._answer.score[self._block])}
        if self._repeated:
            reason["repeated"] = True
        strongest = list(self._effects.items())[:REASON_FEATURES] if self.explained else ()
        return reason | {name: round(effect, 3) for name, effect in strongest}

    @property
    def why(self) -> Words:
        """The strongest reasons in words; effects above 0 speak for keeping, or for dropping."""
        decided = [line(text, effect) for text, effect in self._decided()]
        if self._answer.decision is None:
            density = float(self._answer.score[self._block])
            measured = explain_density(density, self._answer.threshold, kept=self._kept)
        else:
            measured = rank_reasons(self._measured())
        return sorted([*decided, *measured], key=lambda each: -abs(each["effect"]))

    def _decided(self) -> Iterator[tuple[str, float]]:
        """What decides by itself, whatever the text looks like."""
        if self._rule is not None:
            yield f"your selector: {self._rule}", DECISIVE
        if self._titled:
            yield "the heading of the page, or the line below it", DECISIVE
        if self._repeated:
            sign = -1 if self._kept else 1
            yield "repeats a text that stands elsewhere on the page", sign * DECISIVE
        elif self._rule is None and not self._titled:
            yield from self._moved()
        yield from self._site()

    def _site(self) -> Iterator[tuple[str, float]]:
        """What the template of the site says, where there is one."""
        decision = self._answer.decision
        if decision is None or decision.shared is None:
            return
        effect = float(decision.shared[self._block])
        if effect:
            text = "other pages of the site have it too" if effect < 0 else "only this page has it"
            yield text, effect if self._kept else -effect

    def _moved(self) -> Iterator[tuple[str, float]]:
        """What the neighbourhood changed: text is kept whole, and tables by rows."""
        answer, own = self._answer, float(self._answer.score[self._block])
        decision = answer.decision
        if decision is None:
            return
        others = answer.score[~decision.kept & ~decision.repeated]
        if self._kept and own < LIKELY and own < others.max(initial=0.0):
            yield "belongs to the text around it, which is kept", _log_odds(1 - own)
        if not self._kept and own >= LIKELY:
            yield "a label, or part of something that is dropped", _log_odds(own)

    def _measured(self) -> Iterator[tuple[str, float]]:
        """The features in words, with effects for what was decided."""
        decision = self._answer.decision
        assert decision is not None
        place = {name: at for at, name in enumerate(decision.features.names)}
        line_of = decision.features.rows[self._block]
        for name, effect in telling(self._effects).items():
            value = float(line_of[place[name]])
            if name.startswith("lexicon"):
                text = self._name(name, value if value * effect > 0 else 0.0)
            else:
                text = describe(PHRASES, name, value)
            yield text, effect if self._kept else -effect

    def _name(self, feature: str, value: float) -> str:
        """The class or id behind a feature of names; a value of 0 stands for none that tells."""
        kind, side = int(feature[len("lexicon")]), feature[len("lexicon0") :]
        block = self._block + {"": 0, "_before": -1, "_after": 1}[side]
        name = ""
        if value and 0 <= block < len(self._answer.blocks):
            name = self._strongest(block, kind, 1 if value > 0 else -1)
        return f"{NAMED[side]}named “{name}”" if name else describe(PHRASES, feature, value)

    def _strongest(self, block: int, kind: int, sign: int) -> str:
        answer = self._answer
        assert answer.model is not None
        holder = int(answer.blocks.holder[block])
        return answer.model.lexicon.strongest_name(answer.page, holder, sign, kind)


def _log_odds(probability: float) -> float:
    """Log-odds, within limits."""
    if not 0 < probability < 1:
        return MAX_LOG_ODDS if probability else -MAX_LOG_ODDS
    return float(np.log(probability / (1 - probability)))
