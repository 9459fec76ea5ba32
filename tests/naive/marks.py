"""Marks by definition: every row looks at its ancestors, every pair of rows is compared."""

from pagelet.page.table import Page


def above(page: Page, row: int) -> list[int]:
    """A row and all above it, the nearest first."""
    rows = []
    while row >= 0:
        rows.append(row)
        row = int(page.parent[row])
    return rows


def nearest_label(page: Page, labels: dict[int, bool], default: bool) -> list[bool]:
    """The nearest label at or above each row."""
    return [
        next((labels[each] for each in above(page, row) if each in labels), default)
        for row in range(len(page))
    ]


def own_rows(page: Page, template: list[int], slots: list[int]) -> list[bool]:
    """Counted rows that are neither template nor above template."""
    labels = dict.fromkeys(template, True) | dict.fromkeys(slots, False)
    values = nearest_label(page, labels, bool(slots) or not template)
    shared = [page.counted[row] and value for row, value in enumerate(values)]
    closed = {up for row in range(len(page)) if shared[row] for up in above(page, row)}
    return [bool(page.counted[row]) and row not in closed for row in range(len(page))]


def kappa(one: list[bool], other: list[bool]) -> float:
    """Cohen's kappa from the four counts of the table."""
    table = {(a, b): 0 for a in (True, False) for b in (True, False)}
    for pair in zip(one, other, strict=True):
        table[pair] += 1
    total = len(one)
    same = (table[True, True] + table[False, False]) / total
    chance = sum(
        sum(table[answer, b] for b in (True, False)) * sum(table[a, answer] for a in (True, False))
        for answer in (True, False)
    ) / (total * total)
    return 1.0 if chance == 1 else (same - chance) / (1 - chance)
