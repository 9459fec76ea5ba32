"""Elements that are not shown until a reader acts, by what their names say.

Stylesheets are no part of a page here, but authors name what they hide: menus that drop down,
dialogues, tooltips, texts for screen readers. Inside the records of a page such texts look like
fields; no reader sees them there.
"""

import re
from functools import cache

import numpy as np

from pagelet import core
from pagelet.arrays import Mask
from pagelet.page.table import Page

NAMES = (
    "overlay modal dialog popover popup tooltip lightbox flyout submenu dropdown offscreen"
    " invisible blind accessible assistive visuallyhidden screenreader sronly"
).split()
PAIRS = ("sr-only", "visually-hidden", "screen-reader", "off-screen", "drop-down", "pop-up")
#: Class names that say so by themselves, but not as a part of a longer one ("hidden-xs").
STATES = (
    "hidden hide is-hidden u-hidden js-hidden js-hide ng-hide d-none collapsed is-collapsed".split()
)
MAX_TEXT_SHARE = 0.3  #: share of the page's text from which on an element is no veil but the page


#: Parts of all these names: a value without any of them needs no closer look.
PARTS = (*NAMES, "only", "visually", "reader", "screen", "down", "pop", "hid", "none", "collapsed")


def _pattern() -> str:
    words = "|".join([*NAMES, *(pair.replace("-", "[-_]?") for pair in PAIRS)])
    titled = "|".join(name.capitalize() for name in NAMES)
    states = "|".join(STATES)
    named = rf"(?:(?<![A-Za-z])(?:{words})|(?<=[a-z])(?:{titled}))(?![a-z])"
    return rf"{named}|(?<!\S)(?:{states})(?!\S)"


VEIL = re.compile(_pattern())


def find_veiled(page: Page) -> Mask:
    """Mark the rows that are, or lie below, an element whose class or id hides it.

    A control that unfolds something (aria-expanded) is one too: its text is no field.
    """
    veils = np.zeros(len(page), np.bool_)
    for name in ("class", "id"):
        rows, number, values = page.distinct(name)
        hides = _hiding(values)
        if hides:
            mark = np.zeros(len(values), np.bool_)
            mark[hides] = True
            veils[rows[mark[number]]] = True
    closed = page.attribute("aria-expanded").items()
    veils[[row for row, value in closed if value == "false"]] = True
    veils[: page.body + 1] = False
    if not veils.any():
        return veils
    chars = page.sum_subtree(page.chars * page.counted)
    veils &= chars <= MAX_TEXT_SHARE * chars[max(page.body, 0)]
    return page.inside(veils)


def _hiding(values: tuple[str, ...]) -> list[int]:
    """The places of the values that hide; most values have no part of a name in them."""
    likely = _find_parts_compiled(values) if core.compiled else _find_parts(values)
    return [at for at in likely if VEIL.search(values[at])]


def _find_parts(values: tuple[str, ...]) -> list[int]:
    """The places of the values that hold a part of a name."""
    plain = [value.lower() for value in values]
    joined = "\n".join(plain)
    parts = [part for part in PARTS if part in joined]
    return [at for at, value in enumerate(plain) if any(map(value.__contains__, parts))]


def _find_parts_compiled(values: tuple[str, ...]) -> list[int]:
    """The same by the compiled core; the pattern has ASCII letters only, as parts have."""
    return _parts().find_in(values)


@cache
def _parts() -> "core.kernels.Phrases":
    return core.kernels.Phrases(tuple(part.encode() for part in PARTS))
