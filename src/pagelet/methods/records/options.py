"""Options of record extraction."""

from dataclasses import dataclass
from typing import Literal, TypedDict

from pagelet.methods.records.ranking import MIN_SCORE
from pagelet.methods.registry import Options, option
from pagelet.models.trees import SHIPPED


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsOptions(Options):
    """Options of record extraction."""

    min_score: float = option(
        MIN_SCORE, "lowest expected F1 of elements that are taken for records", 0, 1
    )
    model: str = option(SHIPPED, "model that finds the records: shipped, or an npz file", file=True)
    per_page: Literal["auto", "one", "several"] = option(
        "auto", "whether the pages that a schema is learned from have one record each, or several"
    )
    escape_formulas: bool = option(
        default=False,
        help="put an apostrophe before cells that a spreadsheet would compute (format csv)",
    )
    explain: bool = option(default=False, help="list the reasons behind the result")


class RecordsChanges(TypedDict, total=False):
    """Options of record extraction as keywords."""

    min_score: float
    model: str
    per_page: Literal["auto", "one", "several"]
    escape_formulas: bool
    explain: bool
