"""Boosted trees, fitted by LightGBM and turned into plain arrays."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from pagelet.errors import MissingExtra
from pagelet.models.trees import Trees


def lightgbm() -> Any:
    """The library that fits trees; it comes with the extra `train`."""
    try:
        import lightgbm as library  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtra("train", "training") from error
    return library


def trees_of(dumped: Sequence[dict[str, Any]], names: tuple[str, ...], models: int = 1) -> Trees:
    """Arrays from LightGBM's own description of its trees, averaged over so many models."""
    nodes: list[list[float]] = []  # feature, threshold, left child, value
    roots, depth = [], 0
    for tree in dumped:
        roots.append(len(nodes))
        depth = max(depth, _add(tree["tree_structure"], nodes))
    asked, threshold, left, value = np.array(nodes, float).T
    root, feature, below = (column.astype(np.intp) for column in (np.array(roots), asked, left))
    return Trees(root, feature, threshold, below, value / models, depth, names)


def _add(top: dict[str, Any], nodes: list[list[float]]) -> int:
    """Append one tree level by level, the two children of a node together; return its depth."""
    order, depth = [(len(nodes), top)], 0
    nodes.append(_leaf(top, len(nodes)))
    level = order
    while level:
        below = []
        for at, node in level:
            if "split_feature" in node:
                nodes[at][:3] = [node["split_feature"], node["threshold"], len(nodes)]
                for child in (node["left_child"], node["right_child"]):
                    below.append((len(nodes), child))
                    nodes.append(_leaf(child, len(nodes)))
        depth += bool(below)
        order, level = order + below, below
    _fill_means(order, nodes)
    return depth


def _leaf(node: dict[str, Any], at: int) -> list[float]:
    return [0.0, np.inf, at, node.get("leaf_value", 0.0)]


def _fill_means(order: list[tuple[int, dict[str, Any]]], nodes: list[list[float]]) -> None:
    """Give inner nodes the mean of their leaves, weighted by how many examples fell there."""
    counts: dict[int, float] = {}
    for at, node in reversed(order):
        if "split_feature" not in node:
            counts[at] = node.get("leaf_count", 1) or 1
            continue
        left = int(nodes[at][2])
        counts[at] = counts[left] + counts[left + 1]
        total = nodes[left][3] * counts[left] + nodes[left + 1][3] * counts[left + 1]
        nodes[at][3] = total / counts[at]
