"""One announced page, and which of them a user wants."""

from dataclasses import asdict, dataclass
from datetime import date
from fnmatch import fnmatchcase
from typing import Any
from urllib.parse import urlsplit

from pagelet.errors import OptionError


@dataclass(frozen=True, slots=True)
class Announced:
    """A page that a site announces."""

    url: str
    date: str | None = None  #: day of the last change, or of publication in a feed; ISO 8601
    language: str | None = None
    title: str | None = None
    source: str = ""  #: address of the sitemap or feed

    def to_dict(self) -> dict[str, Any]:
        """The fields by name."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlFilter:
    """Which announced pages are wanted; a page that does not say is left out where it must."""

    path: tuple[str, ...] = ()  #: patterns such as /news/*, one of which the path must match
    since: str = ""  #: first day
    until: str = ""  #: last day
    language: str = ""  #: language of the page, such as de; de-AT is German too

    def __post_init__(self) -> None:
        for name in ("since", "until"):
            if day := getattr(self, name):
                try:
                    date.fromisoformat(day)
                except ValueError:
                    raise OptionError(name, day, "a day such as 2026-03-01 is needed") from None

    def matches(self, page: Announced) -> bool:
        """Whether a page is wanted."""
        path = urlsplit(page.url).path or "/"
        if self.path and not any(fnmatchcase(path, pattern) for pattern in self.path):
            return False
        if self.language and not _is_language(page.language, self.language):
            return False
        if (self.since or self.until) and page.date is None:
            return False
        day = (page.date or "")[:10]
        return (not self.since or day >= self.since) and (not self.until or day <= self.until)


def _is_language(stated: str | None, wanted: str) -> bool:
    """Whether a language tag is the wanted one, or a regional form of it."""
    tag, name = (stated or "").lower().replace("_", "-"), wanted.lower().replace("_", "-")
    return tag == name or tag.startswith(f"{name}-")
