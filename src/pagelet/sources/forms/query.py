"""The query of a result page: labels of the page with the form, or submissions of a probe."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pagelet.errors import OptionError
from pagelet.models.damage import DAMAGED_FILE, describe_damage
from pagelet.page.query import NO_QUERY, Query
from pagelet.page.table import Page
from pagelet.sources.forms import read_forms


def form_query(page: Page) -> Query:
    """The words of all labels of a page's forms."""
    forms = read_forms(page)
    return Query.of((), (field.label for form in forms for field in form.fields))


def read_submissions(path: Path) -> Query:
    """Labels and values of all submissions in a file that `pagelet probe` wrote."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        rows = [json.loads(line) for line in lines if line.strip()]
    except DAMAGED_FILE as error:
        fault = describe_damage(error)
        fault = fault if isinstance(error, OSError) else f"not a file of submissions: {fault}"
        raise OptionError("submissions", str(path), fault) from error
    query = NO_QUERY
    for row in rows:
        if not isinstance(row, dict):
            raise OptionError(
                "submissions", str(path), "not a file of submissions: a line is no object"
            )
        query |= Query.of(_texts(row.get("values")), _texts(row.get("labels")))
    return query


def _texts(written: Any) -> Iterable[str]:
    """All texts of a list, or of an object's values; nested lists are flattened."""
    if isinstance(written, dict):
        written = list(written.values())
    for value in written if isinstance(written, list) else [written]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            yield from (each for each in value if isinstance(each, str))
