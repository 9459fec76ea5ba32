"""Rows of segments by walking: every subtree is looked at on its own."""

from pagelet.methods.segments.geometry.partition import Segments
from pagelet.page.table import Page


def rows_of_segments(page: Page, segments: Segments) -> list[tuple[int, ...]]:
    """Rows whose boxes all lie in the segment, without those below another; broken rows too."""
    number, row = segments.number.tolist(), segments.boxes.row.tolist()
    below = {
        at: {number[box] for box, own in enumerate(row) if own in page.subtree(at)}
        for at in range(len(page))
    }
    body = max(page.body, 0)
    found = []
    for segment in range(len(segments)):
        whole = {at for at in range(body, len(page)) if below[at] == {segment}}
        tops = {at for at in whole if page.parent[at] not in whole}
        own = {own for own, said in zip(row, number, strict=True) if said == segment and own >= 0}
        broken = {at for at in own if below[at] != {segment}}
        found.append(tuple(sorted(tops | broken)))
    return found


def lifetimes(boxes: int, parent: list[int], level: list[float], segments: Segments) -> list[tuple]:
    """When each segment was made and when it was joined on: by the members of every cluster."""
    members = [{at} for at in range(boxes)] + [set() for _ in level]
    for entity, above in enumerate(parent):
        if above >= 0:
            members[above] |= members[entity]
    found = []
    for segment in range(len(segments)):
        wanted = {box for box, number in enumerate(segments.number.tolist()) if number == segment}
        entity = members.index(wanted)
        above = parent[entity]
        found.append((level[entity - boxes], level[above - boxes] if above >= 0 else 1.0))
    return found
