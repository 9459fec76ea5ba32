"""The HTML that Markdown is made of, by the core that computes."""

from contextlib import suppress

from pagelet import Page, core
from pagelet.arrays import Mask
from pagelet.write.compiled_html import _flat, _write
from pagelet.write.html import html_of_rows


def flat_html(page: Page, kept: Mask, *, links: bool = True) -> str:
    """The kept text rows as clean HTML for Markdown, without pictures."""
    style = _flat(links)
    if core.compiled:
        with suppress(UnicodeEncodeError):
            return _write(page, kept, style).html()
    return html_of_rows(page, kept, style)
