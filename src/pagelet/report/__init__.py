"""One self-contained HTML report: the page drawn in a sandboxed frame, every pagelet coloured."""

from pagelet.report.document import report

__all__ = ["report"]
