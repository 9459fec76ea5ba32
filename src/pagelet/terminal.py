"""Text that a terminal shows and does not obey."""

import re

#: Characters that change what a terminal does or the order in which it shows text: control
#: characters other than tab and line feed, line separators, bidirectional embeddings, overrides
#: and isolates, lone surrogates. The marks U+200E and U+200F stay: they reorder nothing by force.
CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def escape_controls(text: str) -> str:
    """Write control characters as JSON does: an escape becomes six plain characters."""
    return CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def one_line(text: str) -> str:
    """The same on one line."""
    return escape_controls(text).replace("\n", "\\n")
