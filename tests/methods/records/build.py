"""Result pages for tests: records with any fields, within a page that has a menu and a footer."""

from collections.abc import Mapping, Sequence

from pagelet import parse
from pagelet.methods.records.places import Span
from pagelet.methods.records.ranking import LocatedRecord
from pagelet.methods.records.table import RecordTable, build_table
from pagelet.page.table import Page

MENU = "<nav><ul><li><a href=/>Home</a><li><a href=/about>About us</a></ul></nav>"
FOOTER = "<footer><p>© 2024 Example</p></footer>"


def wrap(body: str) -> str:
    """A page with the body between its menu and its footer."""
    return f"<body>{MENU}<main><h1>Results</h1>{body}</main>{FOOTER}"


def item(fields: Mapping[str, str]) -> str:
    """A list item whose fields are spans with class names."""
    cells = "".join(f"<p class={name}>{text}</p>" for name, text in fields.items())
    return f"<li>{cells}</li>"


def listing(records: Sequence[Mapping[str, str]]) -> str:
    """A list of records."""
    return wrap(f"<ul class=results>{''.join(map(item, records))}</ul>")


def table_of_items(html: str, selector: str = "li") -> tuple[Page, RecordTable]:
    """The table of all elements with one tag below main."""
    page = parse(html, url="https://example.org/")
    main = page.row("/html/body/main")
    rows = [row for row in page.subtree(main) if page.name(row) == selector]
    found = [LocatedRecord(Span(row, int(page.end[row])), 0, 1.0) for row in rows]
    return page, build_table([page], [found])


def rows_of(html: str, selector: str = "li") -> list[dict[str, object]]:
    """The values of all records."""
    return list(table_of_items(html, selector)[1].rows())
