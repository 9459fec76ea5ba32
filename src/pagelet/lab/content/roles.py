"""Roles of blocks by snippets: comments must have the role of comments, wanted text must not.

A snippet is counted where exactly one block of the page holds it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from pagelet.api import extract_content
from pagelet.lab.content.examples import fold_of
from pagelet.lab.content.snippet_gold import SnippetGold, fold
from pagelet.lab.figures import Figures
from pagelet.methods.content import CONTENT
from pagelet.methods.content.roles import AROUND_ROLES, ROLES
from pagelet.models.trees import SHIPPED

KINDS = ("comments", "wanted", "unwanted")
AROUND = (*AROUND_ROLES, "comment", "byline", "title")  #: roles of what is not the text itself


def evaluate_roles(
    folder: Path, golds: Sequence[SnippetGold], models: Mapping[int, str]
) -> Figures:
    """How often snippets of each kind stand in blocks of each role."""
    counts = {kind: Counter[str]() for kind in KINDS}
    for gold in golds:
        model = models[fold_of(gold.domain)] if models else SHIPPED
        options = CONTENT.with_options("default", {"model": model, "explain": True})
        blocks = extract_content(gold.html, options=options, url=gold.url)
        texts = [(fold(block.text), str(block.role)) for block in blocks]
        for kind, counted in counts.items():
            counted.update(_roles(texts, getattr(gold, kind)))
    rows = tuple((kind, *_shares(counts[kind])) for kind in KINDS)
    note = "Snippets that one block holds; around: title, byline, comment and what is no content."
    columns = ("snippets", "number", "comment", "around", *ROLES)
    return Figures(f"roles of blocks on {folder.resolve().name}", columns, rows, (note,))


def _roles(texts: Sequence[tuple[str, str]], snippets: Sequence[str]) -> list[str]:
    """The roles of the blocks that hold a snippet, where one block does."""
    found = ([role for text, role in texts if fold(each) in text] for each in snippets)
    return [roles[0] for roles in found if len(roles) == 1]


def _shares(counts: Counter[str]) -> tuple[float, ...]:
    number = max(counts.total(), 1)
    around = sum(counts[role] for role in AROUND) / number
    return (counts.total(), counts["comment"] / number, around, *(counts[role] for role in ROLES))
