"""Single fields of the metadata: only what the wanted ones are made of is read.

Tables of many pages hold few of them.
"""

from collections.abc import Iterable

from pagelet.metadata.facts import Metadata, find_facts, make_metadata
from pagelet.page.table import Page


def some_metadata(page: Page, names: Iterable[str]) -> Metadata:
    """The metadata of a page as `metadata` has it, but for the fields that are not named."""
    return make_metadata(find_facts(page, names))
