"""The colour that lies behind each row of a rendered page."""

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.layout import Layout
from pagelet.columns.page import Page
from pagelet.columns.tree import nearest

WHITE = 255
OPAQUE = 255


def seen_background(page: Page, layout: Layout) -> NDArray[np.uint8]:
    """Red, green, blue behind each row: its own background, else that of the nearest row above.

    What is half transparent is mixed with what lies behind it; behind the root all is white.
    The background of body is that of the whole page, however small body is.
    """
    shown = layout.drawn.copy()
    shown[: page.body + 1] = True
    opacity = np.where(shown, layout.background[:, 3], 0)
    above = nearest(page.parent, opacity > 0)
    seen = np.vstack((layout.background[:, :3], (WHITE,) * 3)).astype(np.float64)
    mixed = np.flatnonzero((opacity > 0) & (opacity < OPAQUE))
    behind = np.append(above, -1)[page.parent[mixed]]
    share = opacity[mixed] / OPAQUE
    for row, under, part in zip(mixed.tolist(), behind.tolist(), share.tolist(), strict=True):
        seen[row] = seen[row] * part + seen[under] * (1 - part)
    return np.asarray(np.rint(seen[above]), np.uint8)
