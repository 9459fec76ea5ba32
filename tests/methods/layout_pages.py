"""Generated pages of many layouts of one host, without links; what is their own is marked."""

from random import Random

import numpy as np

from pagelet import Page, parse
from pagelet.arrays import Mask
from tests.methods.weak_sites import OWN, phrase, prose, word


def layout_html(layout: int, number: int) -> str:
    """A page of a layout: boxes of its own in any order, one of which depends on the page.

    The first and the last box are the same on the whole host.
    """
    fixed, random = Random(f"layout {layout}"), Random(f"page {layout} {number}")
    boxes = [_box(fixed) for _ in range(fixed.randint(3, 7))]
    names = [word(fixed) for _ in range(fixed.randint(1, 3))]
    inner = f"<h2>{phrase(random)}</h2>{prose(random, random.randint(2, 8))}"
    own = f"<div class='{names[0]}' {OWN}>{inner}</div>"
    for name in names[1:]:
        own = f"<div class='{name}'><b>{phrase(fixed, 1, 2)}</b>{own}</div>"
    boxes.insert(fixed.randint(1, len(boxes)), own)
    head, foot = (_box(Random(part)) for part in ("head", "foot"))
    return f"<!DOCTYPE html><title>{phrase(random)}</title><body>{head}{''.join(boxes)}{foot}"


def _box(fixed: Random) -> str:
    """A box of a layout, the same on each of its pages."""
    items = "".join(f"<li><a href='#'>{phrase(fixed, 1, 3)}</a></li>" for _ in range(5))
    return f"<div class='{word(fixed)}'><h3>{phrase(fixed, 1, 2)}</h3><ul>{items}</ul></div>"


def layout_page(layout: int, number: int) -> tuple[Page, Mask]:
    """A page without its mark, and its own rows."""
    html = layout_html(layout, number)
    marked, page = parse(html), parse(html.replace(f" {OWN}", ""))
    (holder,) = marked.attribute(OWN)
    own = np.zeros(len(page), np.bool_)
    own[holder + 1 : page.end[holder]] = True
    return page, own & page.counted
