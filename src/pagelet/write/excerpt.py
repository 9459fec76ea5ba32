"""A choice of text rows as people read it: text, Markdown, clean HTML.

`kept` marks rows of the page; the text rows among them are given out, each once and in
document order, and elements are ignored.
"""

import json
import re
from collections.abc import Mapping

import turbohtml
from turbohtml import Markdown

from pagelet.arrays import Mask
from pagelet.page.table import Page
from pagelet.write.text import text_of_rows

MARKDOWN = Markdown(tables=Markdown.Tables(cell_blocks="text"))


def excerpt_text(page: Page, kept: Mask) -> str:
    """The kept text rows as plain text: a line a block, cells of a table row parted by tabs."""
    return text_of_rows(page, kept)


def excerpt_html(page: Page, kept: Mask, *, links: bool = True, images: bool = True) -> str:
    """The kept text rows as clean HTML, with the pictures that lie among them."""
    from pagelet.write.html import Style, html_of_rows  # noqa: PLC0415 - text needs none

    return html_of_rows(page, kept, Style(links=links, images=images))


def excerpt_markdown(page: Page, kept: Mask, *, links: bool = True, images: bool = False) -> str:
    """The kept text rows as Markdown; tables that only lay out the page are unwrapped."""
    from pagelet.write.html import Style, html_of_rows  # noqa: PLC0415 - text needs none

    html = html_of_rows(page, kept, Style(links=links, images=images, flat=True))
    return turbohtml.parse_fragment(html).to_markdown(MARKDOWN).strip()


# -- Values by name as YAML front matter, which stands before a Markdown text -----------------


#: What JSON leaves as it is and YAML does not: controls, line ends of its own, no characters.
STRANGE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")


def front_matter(values: Mapping[str, str | float | None]) -> str:
    """YAML between two lines of dashes, one line a value; what is None is left out."""
    known = [f"{name}: {_quoted(value)}" for name, value in values.items() if value is not None]
    return "\n".join(("---", *known, "---"))


def _quoted(value: str | float) -> str:
    """Texts always in double quotes, so that no date, number or sign is taken for another."""
    return STRANGE.sub(
        lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False)
    )
