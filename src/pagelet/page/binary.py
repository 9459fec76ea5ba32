"""Bytes that are no HTML: what they look like, by their first bytes, and what reads them."""

import re

from pagelet.errors import NotHtml

UNPACK = "unpack it first"
SHOW = "pass an HTML page"
#: First bytes of files, what they are called, and what to use for them.
SIGNATURES = (
    (b"%PDF-", "a PDF file", "`pagelet segments` and pagelet.sources.pdf read those"),
    (b"\x89PNG\r\n", "a PNG picture", SHOW),
    (b"\xff\xd8\xff", "a JPEG picture", SHOW),
    (b"GIF8", "a GIF picture", SHOW),
    (b"BM", "a BMP picture", SHOW),
    (b"II*\0", "a TIFF picture", SHOW),
    (b"MM\0*", "a TIFF picture", SHOW),
    (b"\0\0\1\0", "an icon", SHOW),
    (b"RIFF", "a picture, sound or film", SHOW),
    (b"OggS", "a sound or film", SHOW),
    (b"ID3", "a sound", SHOW),
    (b"\x1aE\xdf\xa3", "a film", SHOW),
    (b"\x1f\x8b", "gzip data", "pagelet.load and every command read the file"),
    (b"\x28\xb5\x2f\xfd", "Zstandard data", "pagelet.load and every command read the file"),
    (b"PK\3\4", "a ZIP archive or an Office document", UNPACK),
    (b"PK\5\6", "a ZIP archive", UNPACK),
    (b"BZh", "bzip2 data", UNPACK),
    (b"\xfd7zXZ", "xz data", UNPACK),
    (b"7z\xbc\xaf", "a 7z archive", UNPACK),
    (b"Rar!", "a RAR archive", UNPACK),
    (b"\xd0\xcf\x11\xe0", "an Office document", "save it as HTML"),
    (b"PAR1", "a Parquet file", "`pagelet bulk` reads those"),
    (b"WARC/", "a WARC file", "`pagelet bulk` reads those"),
    (b"SQLite format 3", "an SQLite database", SHOW),
    (b"\x7fELF", "a program", SHOW),
    (b"MZ", "a program", SHOW),
    (b"wOFF", "a font", SHOW),
    (b"wOF2", "a font", SHOW),
)
NO_TEXT = (b"%PDF-", b"WARC/", b"SQLite format 3")  #: readable signatures that say enough
INITIALS = frozenset(signature[:1] for signature, _, _ in SIGNATURES)
TAR_MAGIC, TAR_PLACE = b"ustar", 257
LOOKED_AT_BYTES = 4096
TAG = re.compile(rb"<[a-zA-Z!/?]")
#: Bytes that no text has: controls other than white space and the escape of ISO-2022.
CONTROLS = bytes([*range(9), 11, *range(14, 27), *range(28, 32), 127])
MAX_CONTROL_RATIO = 0.02
MIN_BINARY_BYTES = 64  #: bytes without a signature by which they can be told from text
WIDE_TAG = re.compile(rb"<\0[a-zA-Z!/?]\0|\0<\0[a-zA-Z!/?]")  #: a tag in UTF-16


def check_bytes(data: bytes, name: str) -> None:
    """Refuse bytes that are plainly no HTML with NotHtml, which names what they look like."""
    found = describe_binary(data)
    if found is not None:
        raise NotHtml(name, *found)


def describe_binary(data: bytes) -> tuple[str, str] | None:
    """What bytes look like and what to do about them; None for text."""
    if data[:1] in INITIALS:
        for signature, kind, advice in SIGNATURES:
            if data.startswith(signature) and (_is_sure(signature) or _has_controls(data)):
                return kind, advice
    if data[4:8] == b"ftyp":
        return "a film or picture", SHOW
    if data[TAR_PLACE : TAR_PLACE + len(TAR_MAGIC)] == TAR_MAGIC and b"\0" in data[:TAR_PLACE]:
        return "a tar archive", UNPACK
    long = len(data) >= MIN_BINARY_BYTES
    return ("binary data", SHOW) if long and _has_controls(data) and not _is_wide(data) else None


def _is_sure(signature: bytes) -> bool:
    """Whether no text begins like this."""
    return signature in NO_TEXT or not (signature.isascii() and signature.decode().isprintable())


def _has_controls(data: bytes) -> bool:
    """Whether bytes hold more controls than text may have, and cannot be decoded as UTF-8."""
    head = data[:LOOKED_AT_BYTES]
    controls = len(head) - len(head.translate(None, CONTROLS))
    if controls <= MAX_CONTROL_RATIO * len(head):
        return False
    zeros = head.count(b"\0")
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start < len(head) - 3 or zeros > 0
    return zeros > 0 and TAG.search(head) is None


def _is_wide(data: bytes) -> bool:
    """Whether bytes are UTF-16: with its mark, or with tags in it."""
    head = data[:LOOKED_AT_BYTES]
    return head[:2] in (b"\xff\xfe", b"\xfe\xff") or WIDE_TAG.search(head) is not None
