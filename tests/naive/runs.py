"""Flat runs of siblings, the slow way: children are searched, looks are words."""

from collections import Counter
from itertools import groupby

from pagelet.page.signatures import class_keys
from pagelet.page.table import Page

BREAKS = {"br": 1, "hr": 2}
HEADS = ("dt", "h1", "h2", "h3", "h4", "h5", "h6")
INLINE = ("", "a", "b", "span", "i", "em", "font", "img", "input")


def has_text(page: Page, row: int) -> bool:
    return any(not page.name(below) and page.counted[below] for below in page.subtree(row))


def below(page: Page, row: int) -> list[int]:
    return [
        child
        for child in range(row + 1, len(page))
        if page.parent[child] == row and (page.name(child) in BREAKS or has_text(page, child))
    ]


def look(page: Page, row: int) -> str:
    names = class_keys([page.attributes_of(row).get("class", "")])[0]
    return f"{page.name(row)}.{names}" if page.name(row) else ""


def shape(page: Page, row: int) -> tuple[str, ...]:
    inner = [page.name(child) for child in below(page, row)]
    inner = sorted(name for name in inner if name and name not in BREAKS)
    return (page.name(row), *inner) if len(inner) > 1 else ()


def looks(page: Page, children: list[int]) -> dict[int, str]:
    """Looks, one name for those of one tag whose usual members have the same children."""
    seen: dict[str, Counter] = {}
    for child in children:
        seen.setdefault(look(page, child), Counter())[shape(page, child)] += 1
    usual = {name: count.most_common(1)[0][0] for name, count in seen.items()}
    first = {}
    for name, shown in usual.items():
        first.setdefault(shown or name, name)
    return {child: first[usual[look(page, child)] or look(page, child)] for child in children}


def lines(page: Page, row: int) -> list[tuple[list[int], int]]:
    """Children of one row line by line, each with the breaks before it."""
    found, gap = [], 0
    number = 0
    numbered = []
    for child in below(page, row):
        name = page.name(child)
        if name in BREAKS:
            number += 1
            numbered.append((number, None, BREAKS[name]))
        elif name in INLINE:
            numbered.append((number, child, 0))
        else:
            number += 2
            numbered.append((number - 1, child, 0))
    for _, group in groupby(numbered, key=lambda each: each[0]):
        held = list(group)
        gap += sum(each[2] for each in held)
        children = [child for _, child, _ in held if child is not None]
        if children:
            found.append((children, gap))
            gap = 0
    return found


def parts(page: Page, row: int) -> list[list[int]]:
    """The records among the children of one row; none where they are no run."""
    found = lines(page, row)
    named = looks(page, below(page, row))
    kinds = [named[children[0]] for children, _ in found]
    tags = [page.name(children[0]) for children, _ in found]
    tried = [kind for kind in dict.fromkeys(kinds) if kind and kinds.count(kind) > 1]
    heads = [kind for kind in tried if tags[kinds.index(kind)] in HEADS]
    more = 1 if heads else 2
    best: list[list[int]] = []
    for kind in (heads or tried)[:4]:
        starts = [
            at
            for at, each in enumerate(kinds)
            if each == kind and not (tags[at] == "dt" and at and kinds[at - 1] == kind)
        ]
        cut = [list(range(a, b)) for a, b in zip(starts, [*starts[1:], len(kinds)], strict=True)]
        if len(cut) >= 2 and alike(cut, kinds, tags) and (not best or len(cut) >= len(best) + more):
            best = cut
    if kinds and not best and all(tag in INLINE for tag in tags):
        starts = [at for at, (_, gap) in enumerate(found) if at == 0 or gap >= 2]
        cut = [list(range(a, b)) for a, b in zip(starts, [*starts[1:], len(kinds)], strict=True)]
        best = cut if len(cut) >= 3 else []
    return [[child for at in part for child in found[at][0]] for part in best]


def alike(cut: list[list[int]], kinds: list[str], tags: list[str]) -> bool:
    lead = tags[cut[0][0]]
    if lead in INLINE:
        return True
    others = {kinds[at] for part in cut for at in part if tags[at] != lead}
    if any(
        sum(any(kinds[at] == other for at in p) for p in cut) > len(cut) / 2 for other in others
    ):
        return True
    orders = [tuple(kinds[at] for at in part) for part in cut]
    usual = max(orders, key=orders.count)
    return len(usual) > 1 and len(cut) >= 3 and orders.count(usual) >= 0.8 * len(cut)
