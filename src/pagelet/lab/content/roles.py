"""Roles of blocks: by snippets, where comments must have their role, and by marked elements.

A snippet is counted where exactly one block of the page holds it. A marked element is met by the
role that most characters in it have.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from pagelet.api import extract_content
from pagelet.lab.content.snippet_gold import SnippetGold, fold
from pagelet.lab.figures import Figures
from pagelet.lab.learners import fold_of
from pagelet.labels import AnnotatedPage, read_annotations
from pagelet.methods.content import CONTENT
from pagelet.methods.content.roles import AROUND_ROLES, ROLES
from pagelet.models.trees import SHIPPED

NOTHING = "none"  #: stands for the role where no block was returned
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


# -- elements that people marked ---------------------------------------------------------------


def evaluate_marked_roles(folder: Path) -> Figures:
    """For each role that was marked in the annotator, the roles that were returned there."""
    pairs: list[tuple[str, str]] = []
    for annotated in read_annotations(folder, "roles"):
        pairs += match_marked(annotated)
    returned = {role: Counter(other for one, other in pairs if one == role) for role in ROLES}
    rows = tuple(
        (role, counts.total(), counts[role] / counts.total(), _listed(counts))
        for role, counts in returned.items()
        if counts
    )
    right = sum(one == other for one, other in pairs)
    note = f"{right} of {len(pairs)} marked blocks have the role that was marked."
    columns = ("role", "marked", "right", "returned as")
    title = f"roles of blocks that were marked on {folder.resolve().name}"
    return Figures(title, columns, rows, (note,))


def match_marked(annotated: AnnotatedPage) -> list[tuple[str, str]]:
    """The marked role of each element, and the role of most characters in it."""
    page = annotated.page
    options = CONTENT.with_options("default", {"explain": True})
    chars: dict[int, tuple[str, int]] = {}
    for block in extract_content(page, options=options):
        for row in block.rows:
            chars[row] = str(block.role), int(page.chars[row])
    pairs = []
    for row, role in annotated.roles("roles").items():
        inside = Counter[str]()
        for other, (returned, count) in chars.items():
            if row <= other < page.end[row] or other <= row < page.end[other]:
                inside[returned] += max(count, 1)
        pairs.append((role, inside.most_common(1)[0][0] if inside else NOTHING))
    return pairs


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{role} {count}" for role, count in counts.most_common())
