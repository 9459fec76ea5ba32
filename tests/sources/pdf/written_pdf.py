"""PDF files written by hand: a few objects, an index of where they begin, and no more."""

from collections.abc import Sequence
from dataclasses import dataclass, field

Numbers = Sequence[float]

FONTS = {"F1": "/BaseFont/Helvetica", "F2": "/BaseFont/Helvetica-Bold"}
LIES = "/FirstChar 32/LastChar 33/Widths[500 500]/FontDescriptor<</Type/FontDescriptor/FontName/Odd"
FONTS["F3"] = f"/BaseFont/Odd{LIES}/Flags 32/FontBBox[0 -9000 999 9000]/Ascent 9000/Descent -9000>>"


@dataclass(frozen=True)
class Sheet:
    """One page: what is painted on it, and how it lies."""

    content: str = ""
    size: tuple[float, float] = (612, 792)
    rotate: int = 0
    crop: tuple[float, float, float, float] | None = None
    images: dict[str, "Pixels"] = field(default_factory=dict)
    forms: dict[str, str] = field(default_factory=dict)  #: content that is painted by name


@dataclass(frozen=True)
class Pixels:
    """An image: rows of pixels of red, green and blue, and how opaque they are."""

    colours: list[list[tuple[int, int, int]]]
    opacity: list[list[int]] | None = None


def words(said: str, x: float, y: float, size: float = 12, font: str = "F1", turn: str = "") -> str:
    """A text whose first letter stands at a point; `turn` is the first part of a matrix."""
    code = said.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"BT /{font} {size} Tf {turn or '1 0 0 1'} {x} {y} Tm ({code}) Tj ET\n"


def colour(red: int, green: int, blue: int) -> str:
    """What follows is filled with this colour."""
    return f"{red / 255:.4f} {green / 255:.4f} {blue / 255:.4f} rg\n"


def rectangle(x: float, y: float, width: float, height: float, paint: str = "f") -> str:
    """A rectangle, filled unless told otherwise."""
    return f"{x} {y} {width} {height} re {paint}\n"


def image(name: str, x: float, y: float, width: float, height: float) -> str:
    """An image over a rectangle."""
    return f"q {width} 0 0 {height} {x} {y} cm /{name} Do Q\n"


def form(name: str, matrix: str = "1 0 0 1 0 0") -> str:
    """Content that has a name, painted somewhere."""
    return f"q {matrix} cm /{name} Do Q\n"


def pdf(*sheets: Sheet, title: str = "", more: str = "") -> bytes:
    """A whole file with these pages; `more` goes into its trailer."""
    objects = _Objects()
    catalog, tree = objects.place(), objects.place()
    fonts = " ".join(
        f"/{name} {objects.add(f'<</Type/Font/Subtype/Type1{said}>>')} 0 R"
        for name, said in FONTS.items()
    )
    pages = [_page(objects, sheet, tree, fonts) for sheet in sheets]
    kids = " ".join(f"{page} 0 R" for page in pages)
    objects.put(tree, f"<</Type/Pages/Count {len(pages)}/Kids[{kids}]>>")
    objects.put(catalog, f"<</Type/Catalog/Pages {tree} 0 R>>")
    if title:
        more += f"/Info {objects.add(f'<</Title({title})>>')} 0 R"
    return objects.file(f"/Root {catalog} 0 R{more}")


def _page(objects: "_Objects", sheet: Sheet, tree: int, fonts: str) -> int:
    named = [(name, _image(objects, pixels)) for name, pixels in sheet.images.items()]
    for name, content in sheet.forms.items():
        inner = " ".join(f"/{each} {number} 0 R" for each, number in named)
        head = f"/Type/XObject/Subtype/Form/BBox[-9999 -9999 9999 9999]/Resources<</Font<<{fonts}>>"
        named.append((name, objects.stream(f"{head}/XObject<<{inner}>>>>", content.encode())))
    names = " ".join(f"/{name} {number} 0 R" for name, number in named)
    content = objects.stream("", sheet.content.encode("latin-1"))
    crop = f"/CropBox[{' '.join(map(str, sheet.crop))}]" if sheet.crop else ""
    return objects.add(
        f"<</Type/Page/Parent {tree} 0 R/MediaBox[0 0 {sheet.size[0]} {sheet.size[1]}]{crop}"
        f"/Rotate {sheet.rotate}/Contents {content} 0 R"
        f"/Resources<</Font<<{fonts}>>/XObject<<{names}>>>>>>"
    )


def _image(objects: "_Objects", pixels: Pixels) -> int:
    size = f"/Width {len(pixels.colours[0])}/Height {len(pixels.colours)}/BitsPerComponent 8"
    head = f"/Type/XObject/Subtype/Image{size}/ColorSpace"
    mask = ""
    if pixels.opacity:
        data = bytes(value for row in pixels.opacity for value in row)
        mask = f"/SMask {objects.stream(f'{head}/DeviceGray', data)} 0 R"
    data = bytes(value for row in pixels.colours for pixel in row for value in pixel)
    return objects.stream(f"{head}/DeviceRGB{mask}", data)


class _Objects:
    """The numbered objects of a file."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []

    def place(self) -> int:
        """A number for an object that follows."""
        self.bodies.append(b"")
        return len(self.bodies)

    def put(self, number: int, body: str | bytes) -> None:
        self.bodies[number - 1] = body if isinstance(body, bytes) else body.encode("latin-1")

    def add(self, body: str | bytes) -> int:
        number = self.place()
        self.put(number, body)
        return number

    def stream(self, head: str, data: bytes) -> int:
        start = f"<<{head}/Length {len(data)}>>stream\n".encode("latin-1")
        return self.add(start + data + b"\nendstream")

    def file(self, trailer: str) -> bytes:
        out, starts = bytearray(b"%PDF-1.7\n"), []
        for number, body in enumerate(self.bodies, 1):
            starts.append(len(out))
            out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
        index = "".join(f"{start:010} 00000 n \n" for start in starts)
        size = len(starts) + 1
        head = f"xref\n0 {size}\n0000000000 65535 f \n{index}trailer\n"
        tail = f"<</Size {size}{trailer}>>\nstartxref\n{len(out)}\n%%EOF"
        return bytes(out) + (head + tail).encode()
