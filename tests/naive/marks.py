"""Marks by definition: every row asks its ancestors, every pair of rows is compared."""

from pagelet.page.table import Page


def above(page: Page, row: int) -> list[int]:
    """A row and all above it, the nearest first."""
    found = []
    while row >= 0:
        found.append(row)
        row = int(page.parent[row])
    return found


def decided(page: Page, said: dict[int, bool], otherwise: bool) -> list[bool]:
    """What the nearest label at or above each row says."""
    return [
        next((said[each] for each in above(page, row) if each in said), otherwise)
        for row in range(len(page))
    ]


def own_rows(page: Page, template: list[int], slots: list[int]) -> list[bool]:
    """Counted rows that are neither template nor above template."""
    said = dict.fromkeys(template, True) | dict.fromkeys(slots, False)
    otherwise = bool(slots) or not template
    shared = [page.counted[row] and says for row, says in enumerate(decided(page, said, otherwise))]
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
