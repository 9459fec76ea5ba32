"""Menu detection as the paper's definitions and two algorithms say, node by node."""

from collections.abc import Mapping
from math import sqrt

from tests.naive.tree import Node, body_of, counted, in_link, is_anchor, own_chars, walk

Weights = Mapping[Node, float]  #: only nodes that have a weight


def below(node: Node) -> list[Node]:
    """Proper descendants that belong to the page."""
    return [inner for inner in walk(node) if inner is not node and counted(inner)]


def children(node: Node) -> list[Node]:
    return [child for child in node.children if counted(child)]


def elements(node: Node) -> list[Node]:
    return [child for child in children(node) if child.name]


def amplitude(node: Node) -> float:
    return 1 - 1 / len(children(node))


def link_ratio(node: Node) -> float:
    D = len(below(node))
    H = sum(is_anchor(inner) for inner in below(node))
    return 0.0 if H < 2 else (H + D) / (2 * D)


def plain_chars(node: Node) -> int:
    texts = [inner for inner in walk(node) if counted(inner) and not in_link(inner)]
    return sum(own_chars(text) for text in texts)


def text_ratio(node: Node, body: Node, reading: str) -> float:
    own, whole = plain_chars(node), plain_chars(body)
    if whole == 0:
        return 1.0
    return {
        "literal": 1 - own / sqrt(whole),
        "sqrt_of_ratio": 1 - sqrt(own / whole),
        "linear": 1 - own / whole,
    }[reading]


def representative(node: Node, match: str) -> float:
    classes, name = node.attrs.get("class", "").lower(), node.attrs.get("id", "").lower().strip()
    for word in ("menu", "nav"):
        if match == "substring" and (word in classes or word in name):
            return 1.0
        if match == "token" and (word in classes.split() or word == name):
            return 1.0
    return float(node.name == "nav")


def position(node: Node, body: Node) -> float:
    page = [inner for inner in walk(body) if counted(inner)]
    return 1 - page.index(node) / len(page)


def properties(node: Node, body: Node, reading: str, match: str) -> dict[str, float]:
    return {
        "amplitude": amplitude(node),
        "link_ratio": link_ratio(node),
        "text_ratio": text_ratio(node, body, reading),
        "ul_ratio": float(node.name == "ul"),
        "representative": representative(node, match),
        "position": position(node, body),
    }


def weights(root: Node, options) -> dict[Node, float]:
    """Weight of every element that has a child."""
    body = body_of(root)
    found = {}
    for node in walk(root):
        if counted(node) and node.name and children(node):
            values = properties(node, body, options.text_ratio_reading, options.menu_word_match)
            found[node] = sum(getattr(options, f"{name}_weight") * values[name] for name in values)
    return found


def candidates(weight: Weights, options) -> tuple[list[Node], str]:
    linked = [node for node in weight if link_ratio(node) > 0]  # definition 5: two links at least
    heavy = [node for node in linked if weight[node] > options.candidate_threshold]
    top = max((weight[node] for node in linked), default=0)
    if heavy or options.candidate_fallback == "none" or top <= 0:
        return heavy, "absolute"
    return [
        node for node in linked if weight[node] >= options.candidate_threshold * top
    ], "relative"


def root_of(candidate: Node, weight: Weights, threshold: float) -> Node:
    """Algorithm 1."""
    best = current = candidate
    base = weight[candidate]
    while current.parent is not None and counted(current.parent):
        parent = current.parent
        heavy = [child for child in elements(parent) if weight.get(child, -1e99) > threshold * base]
        if 2 * len(heavy) <= len(elements(parent)):
            break
        current = parent
        if len(elements(parent)) > 1:
            best = parent
    return best


def score(root: Node, weight: Weights, options) -> float:
    """Algorithm 2: the mean weight of the heavy nodes."""
    among = root.children if options.heavy_rows == "children" else list(walk(root))
    heavy = [weight[node] for node in among if weight.get(node, -1e99) > options.menu_threshold]
    return sum(heavy) / len(heavy) if heavy else 0.0


def choose(root: Node, weight: Weights, options) -> tuple[Node, float, str] | None:
    """The menu, its score and the rule that found the candidates."""
    found, rule = candidates(weight, options)
    if not found:
        return None
    roots = {root_of(candidate, weight, options.root_threshold) for candidate in found}
    scores = {node: score(node, weight, options) for node in walk(root) if node in roots}
    if max(scores.values()) <= 0:
        scores, rule = {node: weight[node] for node in scores}, "heaviest"
    best = max(scores, key=lambda node: round(scores[node], 12))  # the first of equals
    return best, scores[best], rule
