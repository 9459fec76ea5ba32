"""Make the pictures of segments in docs/pictures: sample pages, drawn, divided and drawn over.

The last one is a PDF that the browser prints of a sample page. Pictures are scaled down and get
a palette, so that the repository stays small.
"""

import io
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from PIL import Image

from pagelet.methods.segments import divide
from pagelet.methods.segments.options import PaperSegmentsOptions, SegmentsOptions
from pagelet.page.layout import Rendering
from pagelet.report.picture import BLACK, PALETTE, WHITE, draw_png
from pagelet.sources.browser.options import RenderOptions, find_browser
from pagelet.sources.browser.render import Browser
from pagelet.sources.pdf import PdfFile

ROOT = Path(__file__).parents[1]
SITE = ROOT / "examples" / "site"
PICTURES = ROOT / "docs" / "pictures"
WIDTH = 800  #: pixels of a picture, at most
COLOURS = 128
MOST = 150_000  #: bytes of a picture


@dataclass(frozen=True)
class Picture:
    """A picture of the docs."""

    name: str
    page: str
    options: SegmentsOptions
    printed: bool = False  #: a PDF of the page instead of the page itself


WANTED = (
    Picture("segments-blocks", "index.html", SegmentsOptions()),
    Picture("segments-paragraphs", "index.html", SegmentsOptions(granularity="paragraphs")),
    Picture("segments-paper", "index.html", PaperSegmentsOptions()),
    Picture("segments-vips", "index.html", SegmentsOptions(method="vips")),
    Picture("segments-rtl", "ar/index.html", SegmentsOptions()),
    Picture(
        "segments-pdf",
        "news/fog-tomatoes.html",
        SegmentsOptions(granularity="paragraphs"),
        printed=True,
    ),
)


def main() -> None:
    """Write every picture, or those that are named."""
    names = set(sys.argv[1:])
    with Browser(RenderOptions(width=1024, picture=True, folder=str(SITE))) as browser:
        for picture in WANTED:
            if names and picture.name not in names:
                continue
            file = SITE / picture.page
            drawn = printed(file) if picture.printed else browser.render(str(file))
            path = PICTURES / f"{picture.name}.png"
            path.write_bytes(small(picture_of(drawn, picture.options)))
            print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")


def picture_of(drawn: Rendering, options: SegmentsOptions) -> bytes:
    """A page with its segments; it is made small first, so that numbers keep their size."""
    found = divide(drawn.page, drawn.layout, options).segments
    picture = Image.open(io.BytesIO(drawn.picture)).convert("RGB")
    share = min(WIDTH / picture.width, 1.0)
    out = io.BytesIO()
    picture.resize((round(picture.width * share), round(picture.height * share))).save(out, "PNG")
    return draw_png(replace(drawn, picture=out.getvalue(), scale=drawn.scale * share), found)


def printed(file: Path) -> Rendering:
    """The first page of a PDF that the browser makes of a file."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - one picture needs it

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(file.as_uri())
        data = page.pdf(print_background=True, format="A4", scale=0.8)
        browser.close()
    with PdfFile(data, name=file.name) as pdf:
        return pdf.page(1)


def small(png: bytes) -> bytes:
    """The same picture in few bytes; the colours of segments stay what they are."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    own = [part for colour in (*PALETTE, BLACK, WHITE) for part in colour]
    found = picture.quantize(COLOURS - len(own) // 3).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette(own + found[: COLOURS * 3 - len(own)])
    out = io.BytesIO()
    picture.quantize(palette=palette, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    if len(out.getvalue()) > MOST:
        raise SystemExit(f"a picture has {len(out.getvalue()):,} bytes; {MOST:,} is the most")
    return out.getvalue()


if __name__ == "__main__":
    main()
