"""Write a page of 12,000 rows and 1.2 MB, the one that the explorer must show within seconds."""

import sys
from collections.abc import Iterator
from pathlib import Path

ROWS = 12_000


def write_large_page(rows: int = ROWS) -> str:
    """A page with a menu, a paragraph and a table of so many rows; always the same."""
    return "\n".join(_lines(rows))


def _lines(rows: int) -> Iterator[str]:
    yield '<!doctype html><html lang="en"><title>Register of harbours</title>'
    yield "<nav><ul>" + "".join(f'<li><a href="/{at}">Part {at}</a></li>' for at in range(8))
    yield "</ul></nav><main><h1>Register of harbours</h1>"
    yield "<p>The register lists every harbour of the coast with its depth, its master and the day "
    yield "of the last survey. It is renewed each spring, when the ice has gone.</p><table>"
    yield "<tr><th>Harbour<th>Depth<th>Surveyed</tr>"
    for at in range(rows):
        day = f"{1 + at % 28:02}.{1 + at % 12:02}.20{at % 25:02}"
        name = f"Harbour {at:05} on the {'north' if at % 2 else 'south'} shore"
        yield f'<tr><td><a href="/harbour/{at}">{name}</a><td>{at % 90} m<td>{day}</tr>'
    yield "</table></main><footer><p>Printed for the harbour masters.</p></footer></html>"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(write_large_page(), encoding="utf-8")
