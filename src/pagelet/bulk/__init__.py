"""Runs over many pages: archives and folders in, tables out, one machine or a cluster."""

from importlib import import_module
from typing import Any

#: what users call, and where it is; it is imported when it is first asked for
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
