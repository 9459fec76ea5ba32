"""Boosted trees as arrays: evaluated for many rows at once, and explained for one.

A node is a place in the arrays. An inner node sends a row left when its feature is at most
the threshold, else right; the right child stands behind the left one. A leaf leads to itself,
so that a walk of `depth` steps ends in a leaf. The first steps are not walked: the conditions of
the topmost nodes of all trees are evaluated at once, which costs less than a look-up per step.
The compiled core has a twin (`pagelet_core/trees.pxi`). Both add up the trees one after the other,
so that the answer for a row does not depend on the rows beside it.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO
from sys import intern
from types import MappingProxyType
from typing import Any
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

from pagelet import core
from pagelet.arrays import Floats, Ints, Mask, Singles
from pagelet.errors import OptionError
from pagelet.models.damage import DAMAGED_FILE, describe_damage

TOP_STEPS = 3  #: first steps, evaluated for all nodes at once
BATCH_ROWS = 4096  #: rows that are evaluated together
MAX_TREE_DEPTH = 100  #: levels of a tree in a file
MAX_MODEL_BYTES = 500_000_000  #: bytes of all arrays in a file


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """An ensemble whose answer is the sum of one leaf per tree."""

    roots: Ints  #: the first node of each tree
    feature: Ints  #: the feature that an inner node compares; 0 in leaves
    threshold: Floats  #: largest value that goes left; infinite in leaves
    left: Ints  #: the left child; the right one is the next node; a leaf itself in leaves
    value: Floats  #: mean answer at a node; in leaves, the answer of the tree
    depth: int  #: steps of the longest walk
    names: tuple[str, ...]  #: names of the features, in order

    narrow: Singles = field(init=False, repr=False)  #: thresholds, rounded down
    top: Ints = field(init=False, repr=False)  #: the topmost nodes of each tree, level by level
    scorer: Any = field(init=False, repr=False, default=None)  #: the same for the compiled core

    def __post_init__(self) -> None:
        with np.errstate(over="ignore"):
            narrow = self.threshold.astype(np.float32)
        down = np.nextafter(narrow, np.float32(-np.inf))
        object.__setattr__(self, "narrow", np.where(narrow > self.threshold, down, narrow))
        levels, leaf = [self.roots[None, :]], self.left == np.arange(len(self.left))
        for _ in range(TOP_STEPS):
            sides = (self.left[levels[-1]], self.left[levels[-1]] + ~leaf[levels[-1]])
            levels.append(np.stack(sides, axis=1).reshape(-1, len(self.roots)))
        object.__setattr__(self, "top", np.concatenate(levels))

    def __reduce__(self) -> tuple[Any, ...]:
        arrays = tuple(getattr(self, name) for name in ARRAYS)
        return Trees, (*arrays, self.depth, self.names)

    def predict(self, features: NDArray[np.floating], trees: slice = slice(None)) -> Floats:
        """The answer for each row of features, of all trees or of some."""
        if core.compiled and len(features):
            return np.asarray(self._score(features, trees, 1)[0])
        parts = range(0, len(features), BATCH_ROWS)
        answers = [
            _add_up(self._leaves(features[part : part + BATCH_ROWS].T, trees)) for part in parts
        ]
        return np.concatenate(answers) if answers else np.zeros(0)

    def predict_lines(self, lines: Singles) -> Floats:
        """The answer of all trees for each item of a table with one line per feature."""
        if not core.compiled or not lines.shape[1]:
            return self.predict(lines.T)
        answers = np.zeros((1, lines.shape[1]))
        self._compiled.predict_narrow(lines, answers, 0, len(self.roots))
        return np.asarray(answers[0])

    def predict_classes(self, features: NDArray[np.floating], classes: int) -> Floats:
        """The answers for each row of features, one column per class.

        The trees stand in rounds, in each round one tree per class.
        """
        if core.compiled and len(features):
            return self._score(features, slice(None), classes).T
        answers = [np.zeros((0, classes))]
        for part in range(0, len(features), BATCH_ROWS):
            leaves = self._leaves(features[part : part + BATCH_ROWS].T, slice(None))
            answers.append(_add_up(leaves.reshape(-1, classes, leaves.shape[1])).T)
        return np.concatenate(answers)

    def _score(self, features: NDArray[np.floating], trees: slice, classes: int) -> Floats:
        """One line of answers per class, by the compiled core."""
        single = features.dtype == np.float32
        lines = np.ascontiguousarray(features.T, np.float32 if single else np.float64)
        answers = np.zeros((classes, len(features)))
        first, last, _ = trees.indices(len(self.roots))
        score = self._compiled.predict_narrow if single else self._compiled.predict_wide
        score(lines, answers, first, max(first, last))
        return answers

    @property
    def _compiled(self) -> Any:
        """The trees for the compiled core; made on first use."""
        if self.scorer is None:
            object.__setattr__(self, "scorer", self._make_scorer())
        return self.scorer

    def _make_scorer(self) -> "core.kernels.TreeScorer":
        roots, feature, left = map(np.ascontiguousarray, (self.roots, self.feature, self.left))
        threshold, value = map(np.ascontiguousarray, (self.threshold, self.value))
        sizes = (len(self.names), max(self.depth, TOP_STEPS))
        return core.kernels.TreeScorer(roots, feature, threshold, self.narrow, left, value, *sizes)

    def of_class(self, number: int, classes: int) -> "Trees":
        """The trees of one class alone."""
        return replace(self, roots=self.roots[number::classes])

    def _leaves(self, features: NDArray[np.floating], trees: slice) -> Floats:
        """The answer of each tree for one batch, given one line per feature."""
        single = features.dtype == np.float32  # compared with singles rounded down all the same
        threshold = self.narrow if single else self.threshold
        node = self._below_top(features, threshold, self.top[:, trees])
        flat, rows = features.ravel(), features.shape[1]  # no copy where rows lie side by side
        feature, row = self.feature * rows, np.arange(rows)
        for _ in range(self.depth - TOP_STEPS):
            value = flat.take(feature.take(node) + row)
            node = self.left.take(node) + (value > threshold.take(node))
        return np.asarray(self.value.take(node))

    def _below_top(
        self, features: NDArray[np.floating], threshold: NDArray[np.floating], top: Ints
    ) -> Ints:
        """The node that each tree leads each row to in the first steps."""
        inner = top[: 2**TOP_STEPS - 1]
        limits = threshold[inner].reshape(-1, 1)
        right = features[self.feature[inner].ravel()] > limits
        right = right.reshape(*inner.shape, features.shape[1])
        first = right[0]
        second = _either(first, right[2], right[1])
        third = _either(
            first, _either(second, right[6], right[5]), _either(second, right[4], right[3])
        )
        place = (4 * first.view(np.uint8) + 2 * second.view(np.uint8) + third).astype(np.intp)
        trees = inner.shape[1]
        below = top[-(2**TOP_STEPS) :].ravel().take(place * trees + np.arange(trees)[:, None])
        return np.asarray(below)

    def explain(self, features: Floats, most: int | None = None) -> dict[str, float]:
        """How much features moved the answer for one row, the strongest first, all or the most.

        A step down a tree moves the mean answer; the move is attributed to the feature compared.
        """
        walk = self._walk_one if len(self.roots) == 1 else self._walk_all
        compared, moves = walk(features)
        moved = np.bincount(compared, moves, len(self.names))
        strongest = np.argsort(-np.abs(moved), kind="stable")[:most]
        return {self.names[at]: float(moved[at]) for at in strongest.tolist() if moved[at] != 0}

    def _walk_all(self, features: Floats) -> tuple[Ints, Floats]:
        """The features that one row's walks compare, and how far each step moves the answer."""
        node, compared, moves = self.roots, [self.roots[:0]], [self.value[:0]]
        for _ in range(self.depth):
            below = self.left[node] + (features[self.feature[node]] > self.threshold[node])
            inner = np.flatnonzero(below != node)
            if not len(inner):
                break
            compared.append(self.feature[node][inner])
            moves.append((self.value[below] - self.value[node])[inner])
            node = below[inner]
        return np.concatenate(compared), np.concatenate(moves)

    def _walk_one(self, features: Floats) -> tuple[Ints, Floats]:
        """The same where there is one tree: a walk in Python costs less than arrays of one."""
        node, compared, moves = int(self.roots[0]), [], []
        feature, threshold = self.feature.item, self.threshold.item
        left, value, measure = self.left.item, self.value.item, features.item
        while (below := left(node)) != node:
            at = feature(node)
            below += measure(at) > threshold(node)
            compared.append(at)
            moves.append(value(below) - value(node))
            node = below
        return np.array(compared, np.intp), np.array(moves, np.float64)

    def to_arrays(self, prefix: str = "") -> dict[str, Any]:
        """The arrays as they are stored: whole numbers in 32 bits."""
        arrays = {prefix + name: getattr(self, name) for name in ARRAYS}
        return {
            name: array if array.dtype.kind == "f" else array.astype(np.int32)
            for name, array in arrays.items()
        }

    @classmethod
    def of_arrays(
        cls, head: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], prefix: str = ""
    ) -> "Trees":
        """The ensemble that was stored; whole numbers as wide as numpy's indexes, for speed."""
        wide: dict[str, Any] = {
            name: array.astype(np.float64 if array.dtype.kind == "f" else np.intp)
            for name, array in ((name, arrays[prefix + name]) for name in ARRAYS)
        }
        names, depth = tuple(intern(str(name)) for name in head["names"]), int(head["depth"])
        _check_trees(wide, len(names), depth)
        return cls(**wide, depth=depth, names=names)

    def to_bytes(self) -> bytes:
        """The file of these trees."""
        return npz_bytes({"depth": self.depth, "names": self.names}, self.to_arrays())


def _check_trees(arrays: Mapping[str, NDArray[Any]], features: int, depth: int) -> None:
    """Raise ValueError for arrays in which a walk would leave the trees, or not end."""
    roots, feature, threshold, left, value = (arrays[name] for name in ARRAYS)
    nodes = np.arange(len(left))
    if not 0 <= depth <= MAX_TREE_DEPTH:
        raise ValueError(f"trees of {depth} levels; at most {MAX_TREE_DEPTH}")
    if any(array.ndim != 1 for array in arrays.values()) or not (
        len(feature) == len(threshold) == len(value) == len(nodes)
    ):
        raise ValueError("the arrays of its trees do not fit together")
    right = left + (left != nodes)
    inside = ((left >= nodes) & (right < len(nodes)) & (feature >= 0) & (feature < features)).all()
    if not inside or not ((roots >= 0) & (roots < len(nodes))).all():
        raise ValueError("its trees lead to nodes or features that do not exist")
    leaf = left == nodes
    if (threshold[leaf] != np.inf).any():
        raise ValueError("its trees go on below their leaves")
    if np.isnan(threshold).any() or not np.isfinite(value).all():
        raise ValueError("its trees have values that are no numbers")


def npz_bytes(head: Mapping[str, Any], arrays: Mapping[str, Any]) -> bytes:
    """An npz file of a model: its arrays, and a head as JSON."""
    file = BytesIO()
    text = json.dumps(head, ensure_ascii=False)
    np.savez_compressed(file, head=np.array(text), **dict(arrays))
    return file.getvalue()


def _add_up(leaves: Floats) -> Floats:
    """The sum over the trees, in their order; numpy adds a single row up in another order."""
    return np.asarray(leaves.cumsum(axis=0)[-1] if leaves[:1].size == 1 else leaves.sum(axis=0))


def _either(which: Mask, yes: Mask, no: Mask) -> Mask:
    return (which & yes) | (no & ~which)


ARRAYS = ("roots", "feature", "threshold", "left", "value")
SHIPPED = "shipped"  #: name of the model that comes with pagelet
NO_FILES: Mapping[str, bytes] = MappingProxyType({})  #: files of the user, where there are none


@contextmanager
def open_model(
    data: bytes, name: str, kind: str
) -> Iterator[tuple[dict[str, Any], dict[str, NDArray[Any]]]]:
    """Head and arrays of an npz file; pickled objects, and errors while it is read, are refused."""
    try:
        with ZipFile(BytesIO(data)) as parts:
            if sum(part.file_size for part in parts.infolist()) > MAX_MODEL_BYTES:
                raise ValueError(f"more than {MAX_MODEL_BYTES:,} bytes, unpacked")
        with np.load(BytesIO(data), allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files if name != "head"}
            yield json.loads(str(stored["head"])), arrays
    except DAMAGED_FILE as error:
        raise OptionError("model", name, f"not a {kind}: {describe_damage(error)}") from error


@lru_cache(maxsize=8)
def read_trees(data: bytes, name: str) -> Trees:
    """Read an ensemble from the bytes of an npz file."""
    with open_model(data, name, "model of pagelet") as (head, arrays):
        return Trees.of_arrays(head, arrays)


@cache
def load_shipped(package: str, name: str) -> Trees:
    """An ensemble that comes with pagelet, in the package of the method that uses it."""
    return read_trees((files(package) / f"{name}.npz").read_bytes(), name)
