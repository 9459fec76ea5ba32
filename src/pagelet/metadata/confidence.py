"""How far each source of a fact can be trusted: the share of its values that proved right.

`confidences.json` counts, for each field and kind of evidence, the values on labelled pages and
those that were right; `python scripts/measure_metadata.py` writes it.
"""

import json
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files

from pagelet.metadata.lookup import Fact

FILE = "confidences.json"
MAX_EVIDENCE = 1_000  #: fields with their evidence that are remembered; pages share most of them
PRIOR_PAGES = 10  #: labelled pages that the estimate before any measurement counts for

Counts = Mapping[str, Mapping[str, tuple[int, int]]]  #: right and all values, by field, evidence


@cache
def read_counts() -> Counts:
    """The counts that come with pagelet."""
    counts: Counts = json.loads((files("pagelet.metadata") / FILE).read_text(encoding="utf-8"))
    return counts


def evidence_of(fact: Fact) -> str:
    """The kind of evidence: the source, and the estimate that tells its variants apart."""
    return f"{fact.source} {fact.confidence:g}"


def confidence_of(field: str, fact: Fact, counts: Counts | None = None) -> float:
    """The share of such values that are right, measured; an estimate where few are labelled."""
    if counts is None:
        return _measured_confidence(field, fact.source, fact.confidence)
    return _estimate(counts.get(field, {}).get(evidence_of(fact), (0, 0)), fact.confidence)


@lru_cache(MAX_EVIDENCE)
def _measured_confidence(field: str, source: str, confidence: float) -> float:
    """The same by the counts that come with pagelet."""
    return confidence_of(field, Fact(None, source, confidence), read_counts())


def _estimate(counted: tuple[int, int], confidence: float) -> float:
    right, values = counted
    return round((right + PRIOR_PAGES * confidence) / (values + PRIOR_PAGES), 2)
