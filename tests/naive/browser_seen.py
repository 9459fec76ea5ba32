"""Through which window a row is seen, found by walking up from it."""

from pagelet.page.table import Page

Edges = tuple[float, ...]


def window(page: Page, row: int, clips: list[bool], positions: list[str], boxes: list[Edges],
           whole: Edges) -> Edges:  # fmt: skip
    """Cut the page by every box that clips and that the row is placed in."""
    seen, position, above = whole, positions[row], int(page.parent[row])
    while above >= 0:
        if position == "fixed":
            break
        holds = position != "absolute" or positions[above] != "static"
        if holds:
            if clips[above]:
                seen = both(seen, boxes[above])
            position = positions[above]
        above = int(page.parent[above])
    return seen


def both(one: Edges, other: Edges) -> Edges:
    low = [max(pair) for pair in zip(one[:2], other[:2], strict=True)]
    return (*low, *(min(pair) for pair in zip(one[2:], other[2:], strict=True)))
