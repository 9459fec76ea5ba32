"""What type of page it is, from words about the page: a softmax over learned weights."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

TYPES = ("article", "service", "product", "collection", "forum", "listing", "documentation")

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class PageTypes:
    """Weights of words, one for each type."""

    words: dict[str, int]  #: the place of each word
    weights: Floats  #: one row a word
    bias: Floats

    def probabilities(self, said: Iterable[str]) -> Floats:
        """How likely each type is, given what is said of the page, each word once."""
        known = sorted(self.words[word] for word in said if word in self.words)
        score = self.bias + self.weights[known].sum(axis=0)
        odds = np.exp(score - score.max())
        return np.asarray(odds / odds.sum())
