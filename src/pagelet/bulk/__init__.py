"""Bulk runs: tables of the pages in archives and folders, on one machine or a cluster."""

from importlib import import_module
from typing import Any

#: public names and their modules, which are imported on first use
NAMES = {
    "BulkOptions": "options",
    "LocalEngine": "engine",
    "OutputOptions": "outputs",
    "Record": "records",
    "Summary": "run",
    "bulk": "run",
    "map_batches": "batches",
    "row_of": "row",
    "rows_of": "run",
}
__all__ = list(NAMES)


def __getattr__(name: str) -> Any:
    if name in NAMES:
        return getattr(import_module(f"{__name__}.{NAMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
