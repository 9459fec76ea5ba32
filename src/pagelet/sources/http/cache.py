"""The HTTP cache of a user: where it lies, and how a loader asks for cached responses only."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx

ONLY_IF_CACHED = "pagelet.only_if_cached"  #: extension of a request that must not be sent


class CacheMiss(Exception):
    """The cache has no response that may be used without a request."""


@dataclass(frozen=True, slots=True)
class Cache:
    """Responses kept in a folder; without one, in the user's cache folder."""

    folder: Path | None = None

    def path(self) -> Path | None:
        """The folder to use; None when the user has none."""
        return self.folder or default_folder(os.environ)


def default_folder(environment: Mapping[str, str]) -> Path | None:
    """The cache folder by the XDG rules; else a hidden one in the user's home."""
    named = environment.get("XDG_CACHE_HOME") or environment.get("LOCALAPPDATA") or ""
    if Path(named).is_absolute():
        return Path(named) / "pagelet"
    try:
        return Path.home() / ".cache" / "pagelet"
    except RuntimeError:  # a user without a home
        return None


def is_from_cache(response: httpx.Response) -> bool:
    """Whether the body of a response came from the cache, not over the network."""
    caching = response.extensions.get("caching")
    return bool(caching and caching["from_cache"])
