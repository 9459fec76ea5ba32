"""Decodes the bytes of a page, and says how.

Bytes are decoded by their byte-order mark, else as UTF-8 when they are valid UTF-8 but for some
stray bytes, else by the label of the HTTP header or of the page. A label is overruled when the
text it gives is plainly none and that of another encoding is.
"""

import re
from typing import NamedTuple

import turbohtml

from pagelet.errors import OptionError
from pagelet.page.expansion import MAX_NODES, check_expansion, scan_tags

BOMS = {b"\xef\xbb\xbf": "utf-8", b"\xfe\xff": "utf-16-be", b"\xff\xfe": "utf-16-le"}
MIN_VALID_RATIO = 4  #: valid sequences of UTF-8 per stray byte
MAX_BAD_RATIO = 0.005  #: share of the characters beyond ASCII that may be none
MAX_ODD_WORDS = 0.3  #: share of the words beyond ASCII that may look wrong
SAMPLE_CHARS = 200_000  #: characters of a page by which its text is judged
WORDS = re.compile(r"[^\W\d_]*[^\W\d_\x00-\x7f][^\W\d_]*")  #: words with a letter beyond ASCII
BAD = re.compile("[\ufffd\x80-\x9f]")
#: Letters beyond ASCII in a row that no language in Latin letters has.
LATIN_RUN = re.compile("[\u00a1-\u00ff]{4,}\\Z")
#: Latin beside Cyrillic, Greek, Hebrew or Arabic letters in one word.
MIXED = re.compile("[a-zA-Z][\u0370-\u06ff]|[\u0370-\u06ff][a-zA-Z]")
LABEL = re.compile(rb"charset|encoding", re.IGNORECASE)


class Decoded(NamedTuple):
    """The text of a page, and the encoding that gave it."""

    text: str
    charset: str


def decode_page(
    data: bytes,
    charset: str | None = None,
    *,
    max_nodes: int = MAX_NODES,
    name: str = "the page",
) -> Decoded:
    """Decode bytes; a sequence that cannot be decoded becomes U+FFFD, nothing is dropped.

    PageTooLarge if a parser has to look for the encoding, and the page has too many nodes for it.
    """
    for mark, codec in BOMS.items():
        if data.startswith(mark):
            return Decoded(data[len(mark) :].decode(codec, "replace"), codec)
    if b"\x1b" not in data and b"\0" not in data:  # those may be ISO-2022-JP or UTF-16
        try:
            return Decoded(data.decode("utf-8"), "utf-8")
        except UnicodeDecodeError:
            pass
        text = data.decode("utf-8", "replace")
        if _is_mostly_valid(text):
            return Decoded(text, "utf-8")
    labelled = _decode_labelled(data, charset) or _decode_detected(data, (max_nodes, name))
    return labelled if is_plausible(labelled.text) else _overrule(data, labelled)


def decode_as(data: bytes, charset: str) -> Decoded:
    """Decode bytes with the encoding that a user names."""
    import turbohtml.detect  # noqa: PLC0415, F401 - registers the codecs of the web

    label = charset.strip().lower()
    try:
        text = data.decode(f"whatwg-{label}", "replace")
    except (LookupError, ValueError) as error:
        why = "no such encoding; use a label such as utf-8, windows-1252 or shift_jis"
        raise OptionError("charset", charset, why) from error
    return Decoded(text.removeprefix("\ufeff"), label)


def _is_mostly_valid(text: str) -> bool:
    """Whether a text that was decoded as UTF-8 has only some stray bytes."""
    stray = text.count("\ufffd")
    valid = len(text) - stray - _ascii_chars(text)
    return valid >= MIN_VALID_RATIO * stray


def _ascii_chars(text: str) -> int:
    """The number of ASCII characters of a text."""
    return len(text.encode("ascii", "ignore"))


def _decode_labelled(data: bytes, charset: str | None) -> Decoded | None:
    if not charset:
        return None
    import turbohtml.detect  # noqa: PLC0415, F401 - registers the codecs of the web

    label = charset.strip().lower()
    try:
        return Decoded(data.decode(f"whatwg-{label}"), label)
    except (LookupError, ValueError):  # an unknown charset counts as none
        return None


def _decode_detected(data: bytes, limit: tuple[int, str]) -> Decoded:
    """Decode bytes by the page's own label, wherever it stands, or by their look."""
    from turbohtml.detect import detect  # noqa: PLC0415 - loads the codecs

    match = detect(data)
    label = match.encoding
    if match.confidence < 1:  # a meta beyond the first kilobyte is seen only by a full parse
        for guess in ("windows-1252", label or "utf-8"):  # the tags are the same in most
            source = data.decode(f"whatwg-{guess.lower()}")
            check_expansion(scan_tags(source), *limit)
        label = turbohtml.parse(data, detect_encoding=True, positions=False).encoding
    label = (label or "utf-8").lower()
    return Decoded(data.decode(f"whatwg-{label}"), label)


def _overrule(data: bytes, labelled: Decoded) -> Decoded:
    """The text by the look of the bytes, if that is plainly right where the label is not."""
    from turbohtml.detect import detect  # noqa: PLC0415 - loads the codecs

    unlabelled = LABEL.sub(lambda match: b"x" * len(match[0]), data)
    label = (detect(unlabelled).encoding or labelled.charset).lower()
    if label in (labelled.charset, "utf-8"):
        return labelled
    other = Decoded(data.decode(f"whatwg-{label}"), label)
    return other if is_plausible(other.text) else labelled


def is_plausible(text: str) -> bool:
    """Whether a text can be meant: few broken characters, words of letters that go together."""
    sample = text[:SAMPLE_CHARS]
    beyond = len(sample) - _ascii_chars(sample)
    if len(BAD.findall(sample)) > MAX_BAD_RATIO * beyond:
        return False
    words = WORDS.findall(sample)
    odd = sum(bool(LATIN_RUN.match(word) or MIXED.search(word)) for word in words)
    return odd <= MAX_ODD_WORDS * len(words)
