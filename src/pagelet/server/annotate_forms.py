"""What may be asked of the annotator."""

from typing import Annotated

from fastapi import Path, Query
from pydantic import Field

from pagelet.server.annotate_rules import MOST_PARTS
from pagelet.server.requests import Form

Number = Annotated[int, Path(ge=1, le=2**53)]
Plain = r"^\S(?:[^\x00-\x1f\x7f]*\S)?$"  #: a name without control characters or blanks around it
Name = Annotated[str, Field(min_length=1, max_length=100, pattern=Plain)]
Who = Annotated[str, Query(min_length=1, max_length=100, pattern=Plain)]
Row = Annotated[int, Field(ge=0, le=2**31)]
Rows = Annotated[list[Row], Field(min_length=1, max_length=MOST_PARTS)]
Ids = Annotated[list[Annotated[int, Field(ge=1, le=2**53)]], Field(max_length=10_000)]


class NewProject(Form):
    """A project by name."""

    name: Name


class Said(Form):
    """Who asks."""

    annotator: Name


class NewMark(Said):
    """A mark: elements by their rows."""

    kind: str
    rows: Rows


class Moved(Said):
    """Where a mark is put."""

    rows: Rows


class Chosen(Said):
    """Marks by their numbers."""

    ids: Ids


class Suggest(Said):
    """A method that is to suggest marks."""

    method: str


class Targets(Said):
    """Pages that marks are carried to; all of the same template if none are named."""

    pages: Ids | None = None


class Looked(Said):
    """A kind that was looked for."""

    kind: str
    looked: bool
