"""Facts that other parts find out, joined with what the page states."""

from pagelet.metadata.detection import detect_language
from pagelet.metadata.facts import Metadata, with_facts
from pagelet.metadata.lookup import Fact
from pagelet.page.table import Page


def join_type(found: Metadata, page_type: str | None, probability: float | None) -> Metadata:
    """Metadata with the type of the page by the content model."""
    return with_facts(found, page_type=Fact(page_type, "model", round(probability or 0.0, 4)))


def join_detected(found: Metadata, page: Page) -> Metadata:
    """Metadata with the language of its text, where the page declares none."""
    return found if found.language else with_facts(found, language=detect_language(page))
