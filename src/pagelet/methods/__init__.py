"""The methods, a package each, and the registry that every interface is generated from.

A row is imported when it is first looked up: a command that runs one method loads no other.
"""

from collections.abc import Iterator, MutableMapping
from importlib import import_module

from pagelet.methods.registry import Method, Profile

ROWS = {
    "content": "CONTENT",
    "menu": "MENU",
    "clutter": "CLUTTER",
    "links": "LINKS",
    "noise": "NOISE",
    "records": "RECORDS",
    "template": "TEMPLATE",
    "segments": "SEGMENTS",
}  #: name of each method, which is that of its package, and of its row there


class Registry(MutableMapping[str, Method]):
    """Methods by name, in the order in which they are shown."""

    def __init__(self, rows: dict[str, str]) -> None:
        self._rows: dict[str, str | Method] = dict(rows)

    def __getitem__(self, name: str) -> Method:
        row = self._rows[name]
        if isinstance(row, str):
            row = getattr(import_module(f"{__name__}.{name}"), row)
            self._rows[name] = row
        assert isinstance(row, Method)
        return row

    def __setitem__(self, name: str, method: Method) -> None:
        self._rows[name] = method

    def __delitem__(self, name: str) -> None:
        del self._rows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, name: object) -> bool:
        return name in self._rows


METHODS = Registry(ROWS)


def list_profiles() -> tuple[str, ...]:
    """The names of all profiles, in the order of the methods that have them."""
    return tuple(dict.fromkeys(name for method in METHODS.values() for name in method.profiles))


__all__ = ["METHODS", "Method", "Profile", "Registry", "list_profiles"]
