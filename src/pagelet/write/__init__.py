"""Writes kept text rows of a page as text, Markdown or clean HTML.

`kept` marks rows of the page; the text rows among them are written, each once and in document
order, and marked elements are ignored.
"""

import json
import re
from collections.abc import Mapping, Sequence

from pagelet.arrays import Mask
from pagelet.page.table import Page
from pagelet.write.text import write_text

__all__ = ["write_front_matter", "write_html", "write_markdown", "write_text"]

#: Characters that JSON leaves as they are and YAML does not allow: controls, some line ends.
YAML_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")


def write_html(page: Page, kept: Mask, *, links: bool = True, images: bool = True) -> str:
    """Write the kept text rows as clean HTML, with the pictures among them."""
    from pagelet.write.html import Style, html_of_rows  # noqa: PLC0415 - plain text needs no HTML

    return html_of_rows(page, kept, Style(links=links, images=images))


def write_markdown(page: Page, kept: Mask, *, links: bool = True, images: bool = False) -> str:
    """Write the kept text rows as Markdown; tables that only lay out the page are unwrapped."""
    from pagelet.write.compiled_html import flat_markdown  # noqa: PLC0415 - plain text needs no HTML
    from pagelet.write.html import Style, html_of_rows  # noqa: PLC0415
    from pagelet.write.markdown import render_markdown  # noqa: PLC0415

    if not images:
        return flat_markdown(page, kept, links=links)
    return render_markdown(html_of_rows(page, kept, Style(links=links, images=True, flat=True)))


def write_front_matter(values: Mapping[str, str | float | Sequence[str] | None]) -> str:
    """Write YAML between two lines of dashes, one line per value or list; None is left out.

    Texts are always in double quotes, so that none is taken for a date, a number or a sign.
    """
    lines = [f"{name}: {_quote(value)}" for name, value in values.items() if value is not None]
    return "\n".join(("---", *lines, "---"))


def _quote(value: str | float | Sequence[str]) -> str:
    written = json.dumps(value, ensure_ascii=False)
    return YAML_ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", written)
