"""`--memory FILE`: thresholds that worked, remembered for pages of the same template."""

from pathlib import Path
from typing import Any

from pagelet.errors import OptionError
from pagelet.methods.registry import Request
from pagelet.methods.segments import divide, list_segments
from pagelet.methods.segments.memory import (
    ThresholdMemory,
    read_memory,
    recall_threshold,
    threshold_to_remember,
)
from pagelet.methods.segments.options import AUTO, SegmentsOptions
from pagelet.pagelets import Pagelets
from pagelet.sources.files import read_file, write_whole

DEFAULTS = {"threshold": AUTO}  #: options that change where a memory is given


def check_memory(path: Path, options: Any) -> None:
    """Refuse a memory that cannot be used before a page is rendered."""
    if options.method == "vips":
        raise OptionError("memory", str(path), "vips has no threshold; use --method bcs")
    load_memory(path)


def load_memory(path: Path) -> ThresholdMemory:
    """The memory in a file; empty when there is no such file yet."""
    return read_memory(read_file("memory", path), str(path)) if path.exists() else ThresholdMemory()


def run_remembering(request: Request, path: Path) -> Pagelets:
    """Run a request with the threshold that is remembered; remember the one that worked."""
    options: SegmentsOptions = request.options
    memory, page = load_memory(path), request.page
    chosen, recalled = recall_threshold(memory, page, options)
    division = divide(page, request.evidence.layout, chosen, request.evidence.files)
    keep = None if recalled else threshold_to_remember(options, division)
    if keep is not None:
        write_whole("memory", path, memory.learn(page, options, keep).to_json())
    state = "recalled" if recalled else "not kept" if keep is None else "kept"
    return list_segments(page, division, options, request.evidence.template, memory=state)
