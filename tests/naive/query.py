"""Matches of a query by definition: every text is split by itself, every ancestor walked."""

from __future__ import annotations

import unicodedata

from tests.naive.tree import Node, ancestors, body_of, chain, counted, is_sign, walk


def words(text: str) -> list[str]:
    """Lower case, compatible forms made one; signs of Han and kana alone, other words of two."""
    found, run = [], ""
    for char in unicodedata.normalize("NFKC", text).lower() + " ":
        letter = (char.isalnum() or char == "_") and not is_sign(char)
        if letter:
            run += char
            continue
        found += [run] if len(run) > 1 else []
        found += [char] if is_sign(char) else []
        run = ""
    return found


def matches(node: Node, wanted: frozenset[str]) -> int:
    if node.name or not counted(node):
        return 0
    return sum(word in wanted for word in words(node.text))


def phrases(node: Node, phrase: str) -> int:
    own, wanted = words(node.text), phrase.split()
    places = range(len(own) - len(wanted) + 1)
    return sum(own[at : at + len(wanted)] == wanted for at in places)


def query_score(node: Node, wanted: frozenset[str]) -> float:
    below = [inner for inner in walk(node) if inner is not node and matches(inner, wanted)]
    return sum(matches(text, wanted) / (1 + ancestors(text).index(node)) for text in below)


def simple_matches(node: Node, wanted: frozenset[str]) -> int:
    return sum(matches(child, wanted) for child in node.children)


def body_distance(node: Node) -> int:
    line = chain(node)
    body = body_of(line[-1])
    return line.index(body) if body in line else 0
