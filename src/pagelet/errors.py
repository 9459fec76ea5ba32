"""The errors that pagelet raises.

PageletError
├─ PageError           the input cannot be read as a page             .source .why
│  ├─ NotHtml          the page is not HTML                           .content_type
│  ├─ PageTooLarge     the page exceeds a limit                       .limit .unit
│  ├─ Unreachable      the file or URL could not be read
│  │  └─ ErrorStatus   the server answered with an error status       .status
│  ├─ UnsafeAddress    not http or https, or not a public address
│  ├─ OutOfScope       a redirect leads to another site               .target
│  ├─ Disallowed       robots.txt does not allow the URL
│  ├─ BudgetSpent      the budget for a host is spent                 .budget .limit
│  ├─ PasswordNeeded   the PDF is encrypted
│  ├─ DamagedRecord    a record of an archive is damaged
│  ├─ OverTime         the page took longer than the time limit       .seconds
│  ├─ WorkerCrashed    worker processes crashed on the page           .how
│  └─ RenderFailed     the browser could not render the page
│     └─ RenderTimeout   it did not render it in time                 .seconds
├─ NotAPage            the argument is no page; also a TypeError
├─ NoSuchNode          a path names no node of the page               .path
├─ MissingLayout       a method needs a rendered page                 .method
├─ NoGold              a folder has no labels for an evaluation       .folder .wanted
│  └─ TooFewSites      its labels are of too few sites                .pages .needed
├─ BrowserMissing      there is no browser to render pages with       .why
├─ NoWorkers           worker processes do not start                  .why
├─ UnwritableOutput    an output folder cannot be written             .folder .why
├─ MissingExtra        optional packages are not installed            .extra .feature
└─ OptionError         an option is not valid; also a ValueError      .name .value .why

A message states the fact, then what to do about it. The fields are the arguments, so that an
error survives pickling on its way back from a worker.
"""

import re
from typing import Literal

#: User name and password in a URL.
CREDENTIALS = re.compile(r"(?<=://)[^\s/?#\\]*@")


def hide_credentials(text: str) -> str:
    """A text without the user names and passwords of its URLs."""
    return CREDENTIALS.sub("", text) if "@" in text else text


#: Value of an option that messages leave out, because it is missing, long or secret.
NO_VALUE = "…"
MAX_VALUE_CHARS = 200  #: characters of a value that a message shows


class PageletError(Exception):
    """The base class of every error that pagelet raises."""


class PageError(PageletError):
    """The input cannot be read as a page."""

    def __init__(self, source: str, why: str = "it is not a page") -> None:
        self.source, self.why = hide_credentials(source), hide_credentials(why)
        super().__init__(self.source, self.why)

    def __str__(self) -> str:
        return f"{self.source}: {self.why}"


class NotHtml(PageError):
    """The content type is not HTML, or the bytes look like something else."""

    def __init__(self, source: str, content_type: str, advice: str = "") -> None:
        why = f"content type {content_type!r} is not HTML; pass an HTML page"
        super().__init__(source, f"looks like {content_type}; {advice}" if advice else why)
        self.args = (self.source, content_type, advice)
        self.content_type = content_type


class PageTooLarge(PageError):
    """The page exceeds the limit in bytes, or that in elements and attributes of its tree."""

    def __init__(self, source: str, limit: int, unit: Literal["bytes", "nodes"] = "bytes") -> None:
        counted = "elements and attributes" if unit == "nodes" else unit
        super().__init__(source, f"larger than {limit:,} {counted}; raise --max-{unit} to read it")
        self.args = (self.source, limit, unit)
        self.limit, self.unit = limit, unit


class Unreachable(PageError):
    """The file or the URL could not be read."""


class ErrorStatus(Unreachable):
    """The server answered with an error status."""

    def __init__(self, source: str, status: int, advice: str = "check the address") -> None:
        super().__init__(source, f"the server answered {status}; {advice}")
        self.args = (self.source, status, advice)
        self.status = status


class UnsafeAddress(PageError):
    """The URL is neither http nor https, or its host has an address that is not public."""


class OutOfScope(PageError):
    """A redirect leads to another site."""

    def __init__(self, source: str, target: str) -> None:
        super().__init__(
            source, f"a redirect leads to another site, {target}; allow it with --scope HOST"
        )
        self.target = hide_credentials(target)
        self.args = (self.source, self.target)


class Disallowed(PageError):
    """The robots.txt of the site does not allow the URL."""


class BudgetSpent(PageError):
    """The budget of pages, bytes or seconds for a host is spent."""

    def __init__(self, source: str, budget: str, limit: float) -> None:
        super().__init__(
            source,
            f"the budget of {limit:,.12g} {budget} for this host is spent; raise --{budget}",
        )
        self.args = (self.source, budget, limit)
        self.budget, self.limit = budget, limit


class PasswordNeeded(PageError):
    """The PDF is encrypted, and no password or a wrong one was given."""

    def __init__(self, source: str) -> None:
        super().__init__(source, "the PDF is encrypted; pass its password")
        self.args = (self.source,)


class RenderFailed(PageError):
    """The browser could not render the page."""


class RenderTimeout(RenderFailed):
    """The browser did not render the page in time."""

    def __init__(self, source: str, seconds: float) -> None:
        super().__init__(
            source, f"not rendered in {seconds:g} s; raise --timeout if no script runs forever"
        )
        self.args = (self.source, seconds)
        self.seconds = seconds


class DamagedRecord(PageError):
    """A record of an archive is damaged."""


class OverTime(PageError):
    """The page took longer than the time limit."""

    def __init__(self, source: str, seconds: float) -> None:
        super().__init__(
            source, f"took more than {seconds:g} seconds; raise --timeout to wait longer"
        )
        self.args = (self.source, seconds)
        self.seconds = seconds


class WorkerCrashed(PageError):
    """Worker processes crashed on the page, each time it was tried."""

    def __init__(self, source: str, how: str) -> None:
        super().__init__(
            source, f"worker processes ended with {how}; run this page alone to see why"
        )
        self.args = (self.source, how)
        self.how = how


class NotAPage(PageletError, TypeError):
    """The argument is no page."""


class NoSuchNode(PageletError):
    """A path names no node of the page."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path

    def __str__(self) -> str:
        return f"no node at {self.path!r}; pass a path that page.path() returned, from /html on"


class MissingLayout(PageletError):
    """A method needs a rendered page."""

    def __init__(self, method: str) -> None:
        super().__init__(method)
        self.method = method

    def __str__(self) -> str:
        return f"{self.method} needs a rendered page; pass the result of pagelet.render"


class NoGold(PageletError):
    """A folder has no labels that the evaluation can read."""

    def __init__(self, folder: str, wanted: str) -> None:
        super().__init__(folder, wanted)
        self.folder, self.wanted = folder, wanted

    def __str__(self) -> str:
        return f"{self.folder}: no labelled pages; expected {self.wanted}"


class TooFewSites(NoGold):
    """The labelled pages of a folder are of one site where several are needed."""

    def __init__(self, folder: str, pages: int, needed: int) -> None:
        super().__init__(folder, f"pages of {needed} sites")
        self.args = (folder, pages, needed)
        self.pages, self.needed = pages, needed

    def __str__(self) -> str:
        pages = "the labelled page is" if self.pages == 1 else f"all {self.pages:,} pages are"
        return (
            f"{self.folder}: {pages} of one site, and {self.needed} are needed; export several"
            " projects together (`pagelet annotate export A B -o DIR`), or add labelled corpora"
            " in $PAGELET_DATA and leave out --alone"
        )


class BrowserMissing(PageletError):
    """There is no browser to render pages with."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why

    def __str__(self) -> str:
        return f"{self.why}; install Chromium, or pass its path with --browser"


class NoWorkers(PageletError):
    """Worker processes do not start."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why

    def __str__(self) -> str:
        return f"worker processes do not start: {self.why}"


class UnwritableOutput(PageletError):
    """An output folder cannot be written, since its disk is full or fails."""

    def __init__(self, folder: str, why: str) -> None:
        super().__init__(folder, why)
        self.folder, self.why = folder, why

    def __str__(self) -> str:
        return (
            f"{self.folder} cannot be written: {self.why};"
            " make room, then run the same command with --resume"
        )


class MissingExtra(PageletError):
    """A feature needs optional packages that are not installed."""

    def __init__(self, extra: str, feature: str) -> None:
        super().__init__(extra, feature)
        self.extra, self.feature = extra, feature

    def __str__(self) -> str:
        return f"{self.feature} needs optional packages; run pip install 'pagelet[{self.extra}]'"


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_VALUE_CHARS else f"{text[:MAX_VALUE_CHARS]}…"


class OptionError(PageletError, ValueError):
    """An option has a value that is not valid."""

    def __init__(self, name: str, value: object, why: str) -> None:
        shown = hide_credentials(value) if isinstance(value, str) else value
        self.name, self.value, self.why = name, shown, hide_credentials(why)
        super().__init__(name, shown, self.why)

    def __str__(self) -> str:
        hidden = isinstance(self.value, str) and self.value == NO_VALUE
        value = "" if hidden else f" = {_shorten(repr(self.value))}"
        return f"option {self.name}{value}: {self.why}"
