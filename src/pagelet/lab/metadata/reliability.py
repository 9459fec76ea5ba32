"""How often each source of metadata is right: counts to learn confidences from, and a table."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zlib import crc32

from pagelet.lab.figures import Figures
from pagelet.lab.metadata.gold import MetadataGold, compared, read_metadata_gold
from pagelet.metadata.confidence import confidence_of, evidence_of
from pagelet.metadata.facts import find_facts
from pagelet.metadata.lookup import Fact
from pagelet.page.html import parse
from pagelet.page.site import host_of

FOLDS = 2  #: parts of the hosts; the confidences of one are measured on the others
MIN_VALUES = 10  #: labelled values from which on a source is counted
COLUMNS = ("field", "from", "values", "mean confidence", "right", "difference")


def judge_values(gold: MetadataGold, values: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    """The fields that a page states and people labelled, and whether each is right.

    A date where people found none is wrong.
    """
    for name, label in gold.labels.items():
        if found := compared(name, values.get(name)):
            yield name, found == label
    if gold.undated and values.get("published"):
        yield "published", False


@dataclass(frozen=True, slots=True)
class JudgedValue:
    """A value of a labelled page."""

    fold: int  #: half of the hosts that the page is of
    field: str
    fact: Fact
    is_right: bool


@dataclass(slots=True)
class Reliability:
    """The values of labelled pages, each with a confidence that was measured on other hosts."""

    values: list[JudgedValue] = field(default_factory=list)

    def add(self, gold: MetadataGold) -> None:
        """Add the values of one page."""
        facts = find_facts(parse(gold.html, gold.url))
        fold = crc32(host_of(gold.url or gold.id).encode()) % FOLDS
        judged = judge_values(gold, {name: fact.value for name, fact in facts.items()})
        self.values += [JudgedValue(fold, name, facts[name], right) for name, right in judged]

    def counts(self, left_out: int | None = None) -> dict[str, dict[str, tuple[int, int]]]:
        """Right and all values by field and evidence, where enough are labelled."""
        counts: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
        for each in self.values:
            if each.fold != left_out:
                two = counts[each.field][evidence_of(each.fact)]
                two[0] += each.is_right
                two[1] += 1
        return {
            name: {kind: (two[0], two[1]) for kind, two in of.items() if two[1] >= MIN_VALUES}
            for name, of in counts.items()
        }

    def figures(self, title: str) -> Figures:
        """A line for each field and source with enough values, and one for all."""
        pairs: dict[tuple[str, str], list[tuple[float, bool]]] = defaultdict(list)
        others = [self.counts(fold) for fold in range(FOLDS)]
        for each in self.values:
            sure = confidence_of(each.field, each.fact, others[each.fold])
            pairs[each.field, each.fact.source].append((sure, each.is_right))
        rows = [(*key, *_means(of)) for key, of in sorted(pairs.items()) if len(of) >= MIN_VALUES]
        every = [pair for of in pairs.values() for pair in of]
        rows += [("all", "", *_means(every))] if every else []
        notes = (
            f"Sources with at least {MIN_VALUES} labelled values. right: share of them.",
            "Confidences are measured on the other half of the hosts.",
        )
        return Figures(title, COLUMNS, tuple(rows), notes)


def _means(pairs: Sequence[tuple[float, bool]]) -> tuple[int, float, float, float]:
    """Number of values, mean confidence, share that is right, and the difference."""
    sure = sum(confidence for confidence, _ in pairs) / len(pairs)
    right = sum(is_right for _, is_right in pairs) / len(pairs)
    return len(pairs), sure, right, right - sure


def count_evidence(folders: Sequence[Path]) -> dict[str, dict[str, tuple[int, int]]]:
    """Right and all values of folders by field and evidence."""
    reliability = Reliability()
    for gold in (gold for folder in folders for gold in read_metadata_gold(folder)):
        reliability.add(gold)
    return reliability.counts()
