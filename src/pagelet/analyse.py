"""One call: a page and the name of a method, and out come its pagelets."""

from collections.abc import Sequence
from typing import Any

from pagelet.columns.page import Page
from pagelet.errors import OptionError
from pagelet.methods import METHODS
from pagelet.methods.registry import Evidence
from pagelet.pagelets import Pagelets


def analyse(
    page: Page,
    method: str,
    *,
    profile: str = "default",
    site: Sequence[Page] = (),
    **changes: Any,
) -> Pagelets:
    """Run one method on one page, its profile's options changed where said."""
    if method not in METHODS:
        raise OptionError("method", method, f"one of {', '.join(METHODS)}")
    row = METHODS[method]
    options = row.with_options(profile, changes)
    return row.profile(profile).run(page, options, Evidence(site=site))
