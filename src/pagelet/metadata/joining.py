"""Facts that other parts find out, joined with what the page states."""

from pagelet.metadata.detection import detect_language
from pagelet.metadata.facts import Metadata, find_facts, make_metadata, with_facts
from pagelet.metadata.lookup import Fact
from pagelet.page.table import Page


def join_type(page: Page, page_type: str | None, probability: float | None) -> Metadata:
    """Metadata of a page with its type by the content model."""
    likely = Fact(page_type, "model", round(probability or 0.0, 4))
    return make_metadata({**find_facts(page), "page_type": likely})


def join_detected(found: Metadata, page: Page) -> Metadata:
    """Metadata with the language of its text, where the page declares none."""
    return found if found.language else with_facts(found, language=detect_language(page))
