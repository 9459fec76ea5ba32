"""All tables of site templates on one labelled folder."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pagelet.lab import Progress, ignore_progress
from pagelet.lab.figures import Figures
from pagelet.lab.gold import gold_format, read_gold
from pagelet.lab.template.constants import evaluate_constants
from pagelet.lab.template.evaluation import evaluate_gain, evaluate_template
from pagelet.lab.template.published import published_table
from pagelet.methods.template.options import TemplateOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateTables:
    """Which tables are made, and how pages are read."""

    grid: bool = False  #: every number of pages and votes too
    constants: bool = False  #: the default profile with each constant changed
    from_disk: bool = False  #: read pages from the folder, not over HTTP
    tuned: Mapping[str, TemplateOptions] = field(default_factory=dict)  #: further options by name


def evaluate_template_tables(
    folder: Path, how: TemplateTables, progress: Progress = ignore_progress
) -> dict[str, Figures]:
    """The tables by name; what other methods gain only where main content is labelled."""
    profiles = evaluate_template(
        folder, grid=how.grid, from_disk=how.from_disk, tuned=how.tuned, progress=progress
    )
    tables = {"profiles": profiles, "published": published_table()}
    if how.constants:
        tables["constants"] = evaluate_constants(folder, progress=progress)
    if gold_format(folder) == "sites":
        step = "measuring what a known template helps"
        progress(step, 0, 1)
        tables["gain"] = evaluate_gain(folder, read_gold(folder))
        progress(step, 1, 1)
    return tables
