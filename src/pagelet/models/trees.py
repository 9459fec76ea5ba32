"""Boosted trees as arrays: evaluated for many rows at once, and explained for one.

A node is a place in the arrays. An inner node sends a row left when its feature is at most
the threshold, else right; the right child stands behind the left one. A leaf leads to itself,
so that a walk of `depth` steps ends in a leaf.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from pagelet.errors import OptionError

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """An ensemble whose answer is the sum of one leaf a tree."""

    roots: Ints  #: the first node of each tree
    feature: Ints  #: the feature an inner node asks for; 0 in leaves
    threshold: Floats  #: at most this goes left; infinite in leaves
    left: Ints  #: the left child; the right one is the next node; a leaf itself in leaves
    value: Floats  #: mean answer at a node; in leaves, what the tree adds
    depth: int  #: steps of the longest walk
    names: tuple[str, ...]  #: the features in order

    def predict(self, features: NDArray[np.floating], trees: slice = slice(None)) -> Floats:
        """The answer for each row of features, of all trees or of some."""
        roots = self.roots[trees]
        node = np.broadcast_to(roots, (len(features), len(roots)))
        flat = features.T.ravel()  # no copy where each feature's values lie side by side
        row, step = np.arange(len(features))[:, None], len(features)
        feature = self.feature * step
        for _ in range(self.depth):
            asked = flat.take(feature.take(node) + row)
            node = self.left.take(node) + (asked > self.threshold.take(node))
        return np.asarray(self.value.take(node).sum(axis=1))

    def explain(self, features: Floats) -> dict[str, float]:
        """How much each feature moved the answer for one row, the strongest first.

        A step down a tree moves the mean answer; the move is put down to the feature asked.
        """
        moved = np.zeros(len(self.names))
        node = self.roots
        for _ in range(self.depth):
            below = self.left[node] + (features[self.feature[node]] > self.threshold[node])
            np.add.at(moved, self.feature[node], self.value[below] - self.value[node])
            node = below
        strongest = np.argsort(-np.abs(moved), kind="stable")
        return {self.names[at]: float(moved[at]) for at in strongest.tolist() if moved[at] != 0}

    def save(self, path: Path) -> None:
        """Write the arrays as npz."""
        small: dict[str, Any] = {name: narrowest(getattr(self, name)) for name in ARRAYS}
        head = json.dumps({"depth": self.depth, "names": self.names})
        np.savez_compressed(path, **small, head=np.array(head))


SHIPPED = "shipped"  #: stands for the model that comes with pagelet
ARRAYS = ("roots", "feature", "threshold", "left", "value")


def narrowest(array: NDArray[Any]) -> NDArray[Any]:
    """Whole numbers as narrow as they are stored."""
    return array if array.dtype.kind == "f" else array.astype(np.int32)


def widest(array: NDArray[Any]) -> NDArray[Any]:
    """Whole numbers as wide as numpy indexes with, which spares it a conversion a look-up."""
    return array if array.dtype.kind == "f" else array.astype(np.intp)


def load_trees(path: Any) -> Trees:
    """Read an ensemble from npz; no pickled object is ever read."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            head = json.loads(str(stored["head"]))
            arrays = {name: widest(stored[name]) for name in ARRAYS}
    except (OSError, ValueError, KeyError, TypeError, EOFError, BadZipFile) as error:
        raise OptionError("model", str(path), f"not a model of ours: {error}") from error
    return Trees(**arrays, depth=head["depth"], names=tuple(head["names"]))


@cache
def shipped(name: str) -> Trees:
    """An ensemble that comes with pagelet."""
    return load_trees(files("pagelet.models") / f"{name}.npz")
