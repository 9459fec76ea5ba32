"""What the annotator keeps: marks, and the pages they are made on."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

PERSON, SPREAD = "person", "spread"  #: sources of marks; a method's is SUGGESTION and its name
SUGGESTION = "suggestion:"


@dataclass(frozen=True, slots=True)
class Mark:
    """Something said of a page: by a person, by a method, or carried from another page."""

    kind: str
    paths: tuple[str, ...]
    source: str = PERSON  #: person, suggestion:METHOD, or spread
    suggested_by: str | None = None  #: what proposed it, once a person accepted it
    sure: float | None = None  #: of a mark that was carried, 0 to 1
    id: int = 0  #: 0 until it is kept
    made: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))

    @property
    def by_person(self) -> bool:
        """Whether a person made or accepted it."""
        return self.source == PERSON

    @property
    def proposed_by(self) -> str | None:
        """What proposed it: a method, or spread; None where a person made it alone."""
        return self.suggested_by if self.by_person else self.source.removeprefix(SUGGESTION)

    def form(self) -> dict[str, Any]:
        """It as JSON."""
        return {
            "id": self.id,
            "kind": self.kind,
            "paths": list(self.paths),
            "source": self.source,
            "suggested_by": self.suggested_by,
            "sure": self.sure,
            "made": self.made,
        }


@dataclass(frozen=True, slots=True)
class Stored:
    """A page as it is kept; its HTML is read when asked for."""

    id: int
    project: int
    name: str
    url: str | None
    digest: str


def mark_of(form: dict[str, Any]) -> Mark:
    """A mark from its JSON."""
    return Mark(**{**form, "paths": tuple(form["paths"])})
