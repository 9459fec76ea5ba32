"""Draw the icons of the extension: a page whose parts are told apart by colour."""

from pathlib import Path

from PIL import Image, ImageDraw

ICONS = Path(__file__).parents[1] / "extension" / "icons"
SIZES = (16, 32, 48, 128)
FINE = 8  #: pixels drawn for one of the icon, along a side
INK, PAPER = "#1c2733", "#ffffff"

#: left, top, right, bottom in sixteenths of the icon, and the colour
PARTS = (
    ((3, 3, 13, 5), "#0072b2"),
    ((3, 6, 6, 13), "#d55e00"),
    ((7, 6, 13, 10), "#009e73"),
    ((7, 11, 13, 13), "#e69f00"),
)


def main() -> None:
    """Write every size."""
    ICONS.mkdir(exist_ok=True)
    for size in SIZES:
        path = ICONS / f"{size}.png"
        icon(size).save(path, optimize=True)
        print(f"{path.name}: {path.stat().st_size:,} bytes")


def icon(size: int) -> Image.Image:
    """One icon; drawn large, then made small, so that corners are smooth."""
    side = size * FINE
    large = Image.new("RGBA", (side, side), (0, 0, 0, 0))
    draw = ImageDraw.Draw(large)
    unit = side / 16
    draw.rounded_rectangle((0, 0, side - 1, side - 1), 3 * unit, fill=INK)
    draw.rounded_rectangle((2 * unit, 2 * unit, 14 * unit - 1, 14 * unit - 1), unit, fill=PAPER)
    for edges, colour in PARTS:
        left, top, right, bottom = (edge * unit for edge in edges)
        draw.rectangle((left, top, right - 1, bottom - 1), fill=colour)
    return large.resize((size, size), Image.Resampling.LANCZOS)


if __name__ == "__main__":
    main()
