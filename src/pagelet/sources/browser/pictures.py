"""Mean colours of images: of their opaque pixels, or of the picture where they are drawn."""

import base64
import binascii
import io
import warnings
from typing import Any
from urllib.parse import unquote_to_bytes

import numpy as np

from pagelet.arrays import Bytes, Floats, Int64s
from pagelet.errors import MissingExtra
from pagelet.page.layout import Layout
from pagelet.page.table import Page
from pagelet.sources.browser.capture import REPLACED, Capture
from pagelet.sources.browser.html import Snapshot

GREY = (128, 128, 128)  #: colour of an image that cannot be read
MAX_IMAGE_PIXELS = 100_000_000  #: pixels of an image that is decoded
REDUCED_SIDE = 64  #: pixels along a side that are enough for a mean
MAX_SUMMED_PIXELS = 2_000_000  #: pixels of the picture that are summed up

Colour = tuple[int, ...]


def image_colours(
    snapshot: Snapshot, page: Page, layout: Layout, rows: Int64s, capture: Capture
) -> Bytes:
    """The colours of a layout, including those of images."""
    colour = layout.colour.copy()
    replaced = [number for number, name in enumerate(page.names) if name.lower() in REPLACED]
    drawn = np.flatnonzero(layout.drawn & page.is_tag(*replaced)).astype(np.int32)
    images = image_addresses(snapshot, rows)
    mean_of = {url: mean_colour(image_bytes(url, capture)) for url in set(images.values())}
    means = {row: mean_of[images[row]] for row in drawn.tolist() if row in images}
    colour[drawn] = GREY
    others = drawn[[means.get(row) is None for row in drawn.tolist()]] if len(drawn) else drawn
    if len(others) and capture.picture:
        colour[others] = picture_means(capture.picture, layout.edges[others] * capture.scale)
    for row, mean in means.items():
        if mean is not None:
            colour[row] = mean
    return colour


def image_addresses(snapshot: Snapshot, rows: Int64s) -> dict[int, str]:
    """The address of the image that each row shows."""
    sources = snapshot.nodes["currentSourceURL"]
    pairs = zip(sources["index"], sources["value"], strict=True)
    return {int(rows[node]): snapshot.text(url) for node, url in pairs if rows[node] >= 0}


def image_bytes(url: str, capture: Capture) -> bytes:
    """The file of an image; empty when it was not loaded."""
    if not url.startswith("data:"):
        return capture.images.get(url.partition("#")[0], b"")
    head, _, data = url.partition(",")
    try:
        raw = unquote_to_bytes(data)
        return base64.b64decode(raw) if head.endswith(";base64") else raw
    except (ValueError, binascii.Error):
        return b""


def mean_colour(body: bytes) -> Colour | None:
    """The mean of the opaque pixels of an image; None when it cannot be read or has none."""
    if not body:
        return None
    image_library = import_pillow()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # large and odd images, which are dealt with here
            with image_library.open(io.BytesIO(body)) as image:
                if image.width * image.height > MAX_IMAGE_PIXELS:
                    return None
                image.draft("RGB", (REDUCED_SIDE, REDUCED_SIDE))
                pixels = np.asarray(_reduced(image.convert("RGBA")), np.float64)
    except Exception:  # noqa: BLE001 - whatever a decoder of foreign bytes may raise
        return None
    return _mean(pixels.reshape(-1, 4))


def _reduced(image: Any) -> Any:
    """The image with fewer pixels, each the mean of several."""
    factor = (max(image.width // REDUCED_SIDE, 1), max(image.height // REDUCED_SIDE, 1))
    return image.convert("RGBa").reduce(factor)  # clear pixels have no colour to mix in


def _mean(pixels: Floats) -> Colour | None:
    opacity = pixels[:, 3]
    if not opacity.any():
        return None
    means = 255 * pixels[:, :3].sum(axis=0) / opacity.sum()
    return tuple(np.rint(np.minimum(means, 255)).astype(int).tolist())


def picture_means(picture: bytes, edges: Floats) -> Bytes:
    """The mean colour of parts of a picture, from one summed-area table."""
    image = import_pillow().open(io.BytesIO(picture)).convert("RGB")
    factor = max(1, int(np.ceil(np.sqrt(image.width * image.height / MAX_SUMMED_PIXELS))))
    pixels = np.asarray(image.reduce(factor) if factor > 1 else image, np.float64)
    sums = np.zeros((pixels.shape[0] + 1, pixels.shape[1] + 1, 3))
    sums[1:, 1:] = pixels.cumsum(axis=0).cumsum(axis=1)
    most = np.array([pixels.shape[1], pixels.shape[0]] * 2)
    corner = np.clip(np.rint(edges / factor), 0, most).astype(np.int64)
    corner[:, 2:] = np.maximum(corner[:, 2:], np.minimum(corner[:, :2] + 1, most[:2]))
    left, top, right, bottom = corner.T
    area = ((right - left) * (bottom - top))[:, None]
    total = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
    means = np.where(area > 0, total / np.maximum(area, 1), GREY)
    return np.asarray(np.rint(means), np.uint8)


def import_pillow() -> Any:
    """The module `PIL.Image`, which comes with the extra `browser`."""
    try:
        from PIL import Image  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtra("browser", "reading images") from error
    return Image
