"""A choice of text rows as people read it: text, Markdown, clean HTML.

`kept` marks rows of the page; the text rows among them are given out, each once and in
document order, and elements are ignored.
"""

import turbohtml
from turbohtml import Markdown

from pagelet.columns.page import Mask, Page
from pagelet.parse.excerpt_text import text_of_rows

MARKDOWN = Markdown(tables=Markdown.Tables(cell_blocks="text"))


def excerpt_text(page: Page, kept: Mask) -> str:
    """The kept text rows as plain text: a line a block, cells of a table row parted by tabs."""
    return text_of_rows(page, kept)


def excerpt_html(page: Page, kept: Mask, *, links: bool = True, images: bool = True) -> str:
    """The kept text rows as clean HTML, with the pictures that lie among them."""
    from pagelet.parse.excerpt_html import Style, html_of_rows  # noqa: PLC0415 - text needs none

    return html_of_rows(page, kept, Style(links=links, images=images))


def excerpt_markdown(page: Page, kept: Mask, *, links: bool = True, images: bool = False) -> str:
    """The kept text rows as Markdown; tables that only lay out the page are unwrapped."""
    from pagelet.parse.excerpt_html import Style, html_of_rows  # noqa: PLC0415 - text needs none

    html = html_of_rows(page, kept, Style(links=links, images=images, flat=True))
    return turbohtml.parse_fragment(html).to_markdown(MARKDOWN).strip()
