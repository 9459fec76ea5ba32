"""Answers kept on disk, as RFC 9111 says: where they lie, and how a loader asks for them."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import httpx

from pagelet.errors import OptionError
from pagelet.sources.http.addresses import Admission

if TYPE_CHECKING:
    from pagelet.sources.http.cache_store import Keeper

FILE = "http-2.sqlite"  #: the file in its folder; the number is that of hishel's tables
ONLY_KEPT = "pagelet.only_kept"  #: on a request that may not go to the network


class NotKept(Exception):
    """The cache has no answer that may be given without asking the server."""


@dataclass(frozen=True, slots=True)
class Cache:
    """Answers kept in a folder; without one, in the user's folder for such things."""

    folder: Path | None = None

    def over(self, transport: httpx.BaseTransport, admission: Admission) -> "Keeper | None":
        """A transport that keeps answers; None when the user's own folder cannot be written."""
        # the packages behind it take a while to import, and most commands never load a page
        from pagelet.sources.http.cache_store import Keeper, open_store  # noqa: PLC0415

        folder = self.folder or default_folder(os.environ)
        if folder is None:
            return None
        try:
            store = open_store(folder / FILE)
        except OSError as error:
            if self.folder is None:
                return None
            why = f"{error.strerror or error}; give a folder that can be written, or --no-cache"
            raise OptionError("cache", str(folder), why) from error
        return Keeper(transport, store, admission)


def default_folder(environment: Mapping[str, str]) -> Path | None:
    """The folder for caches that the system names, by the XDG rules; else a hidden one at home."""
    named = environment.get("XDG_CACHE_HOME") or environment.get("LOCALAPPDATA") or ""
    if Path(named).is_absolute():
        return Path(named) / "pagelet"
    try:
        return Path.home() / ".cache" / "pagelet"
    except RuntimeError:  # a user without a home
        return None


def was_kept(response: httpx.Response) -> bool:
    """Whether the body of an answer came from the cache, not over the network."""
    told = response.extensions.get("caching")
    return bool(told and told["from_cache"])
