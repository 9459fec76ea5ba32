"""Inline styles that hide their element."""

from functools import lru_cache

MAX_STYLES, MAX_STYLE_CHARS = 2_000, 100  #: styles that are remembered; pages share many


def style_hides(style: str) -> bool:
    """Whether an inline style hides the element."""
    return _short_style_hides(style) if len(style) <= MAX_STYLE_CHARS else _hides(style)


def _hides(style: str) -> bool:
    style = style.lower()
    if "none" not in style and "hidden" not in style:  # spares most styles the splitting
        return False
    rules = (rule.partition(":") for rule in style.split(";"))
    values = {name.strip(): value.replace("!important", "").strip() for name, _, value in rules}
    return values.get("display") == "none" or values.get("visibility") == "hidden"


_short_style_hides = lru_cache(MAX_STYLES)(_hides)
