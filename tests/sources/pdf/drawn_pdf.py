"""Pages of PDF files, and what is where on them."""

from pagelet.page.layout import Rendering
from pagelet.sources.pdf import PdfFile, PdfOptions
from tests.sources.pdf.written_pdf import Sheet, pdf


def drawn(sheet: Sheet, **options) -> Rendering:
    with PdfFile(pdf(sheet), options=PdfOptions(**options)) as file:
        return file.page(1)


def texts(found: Rendering) -> list[str]:
    return [found.page.text(row) for row in found.layout.line_row.tolist()]


def edges(found: Rendering, name: str) -> list[list[float]]:
    """Places of the rows with a tag, rounded."""
    rows = [row for row in range(len(found.page)) if found.page.name(row) == name]
    return found.layout.edges[rows].round(1).tolist()
