"""Values by name as YAML front matter, which stands before a Markdown text."""

import json
import re
from collections.abc import Mapping

#: What JSON leaves as it is and YAML does not: controls, line ends of its own, no characters.
STRANGE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")


def front_matter(values: Mapping[str, str | float | None]) -> str:
    """YAML between two lines of dashes, one line a value; what is None is left out."""
    known = [f"{name}: {_quoted(value)}" for name, value in values.items() if value is not None]
    return "\n".join(("---", *known, "---"))


def _quoted(value: str | float) -> str:
    """Texts always in double quotes, so that no date, number or sign is taken for another."""
    return STRANGE.sub(
        lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False)
    )
