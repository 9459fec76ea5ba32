"""What can go wrong, by name.

PageletError
├─ PageError           the input cannot be read as a page             .source
│  ├─ NotHtml          the content type says it is something else     .content_type
│  ├─ PageTooLarge     more bytes than the limit allows               .limit
│  ├─ Unreachable      the file or URL could not be read              .why
│  │  └─ ErrorStatus   the server answered with an error              .status
│  ├─ UnsafeAddress    not http or https, or not a public address     .why
│  ├─ OutOfScope       a redirect leads away from the site            .target
│  ├─ Disallowed       robots.txt does not allow the URL              .why
│  ├─ BudgetSpent      a host has cost as much as it may              .budget .limit
│  ├─ PasswordNeeded   a PDF that is encrypted
│  ├─ DamagedRecord    a record of an archive is not whole            .why
│  ├─ OverTime         a page took longer than it may                 .seconds
│  ├─ WorkerCrashed    a page brought worker processes down           .how
│  └─ RenderFailed     the browser could not draw the page            .why
│     └─ RenderTimeout   it was not drawn in time                     .seconds
├─ NotAPage            also a TypeError: the argument is no page
├─ NoSuchNode          a path that names no node of the page          .path
├─ MissingLayout       a method that needs a rendered page            .method
├─ NoGold              a folder without the labels an evaluation reads .folder
├─ BrowserMissing      there is no browser to draw pages with         .why
├─ NoWorkers           worker processes end before they begin         .why
├─ MissingExtra        a feature whose optional packages are absent   .extra
└─ OptionError         also a ValueError                              .name .value .why

Every message says what is wrong, then what to do about it. The fields are the
arguments, so that an error survives pickling on its way back from a worker.
"""


class PageletError(Exception):
    """Anything pagelet raises on purpose."""


class PageError(PageletError):
    """The input cannot be read as a page."""

    def __init__(self, source: str, why: str = "it is not a page") -> None:
        super().__init__(source, why)
        self.source, self.why = source, why

    def __str__(self) -> str:
        return f"{self.source}: {self.why}"


class NotHtml(PageError):
    """The server or the file says that this is no HTML."""

    def __init__(self, source: str, content_type: str) -> None:
        super().__init__(source, f"content type {content_type!r} is not HTML; give an HTML page")
        self.args = (source, content_type)
        self.content_type = content_type


class PageTooLarge(PageError):
    """The page has more bytes than the limit."""

    def __init__(self, source: str, limit: int) -> None:
        super().__init__(source, f"more than {limit:,} bytes; raise --max-bytes to read it")
        self.args = (source, limit)
        self.limit = limit


class Unreachable(PageError):
    """The file or the URL could not be read."""


class ErrorStatus(Unreachable):
    """The server answered, with the status of an error."""

    def __init__(self, source: str, status: int, advice: str = "check the address") -> None:
        super().__init__(source, f"the server answered {status}; {advice}")
        self.args = (source, status, advice)
        self.status = status


class UnsafeAddress(PageError):
    """The URL is of a kind that is never fetched, or leads to an address that is not public."""


class OutOfScope(PageError):
    """A redirect leads away from the site."""

    def __init__(self, source: str, target: str) -> None:
        super().__init__(
            source, f"a redirect leads off the site, to {target}; say --scope HOST if it may"
        )
        self.args = (source, target)
        self.target = target


class Disallowed(PageError):
    """The robots.txt of the site does not allow the URL."""


class BudgetSpent(PageError):
    """A host has cost as many pages, bytes or seconds as it may."""

    def __init__(self, source: str, budget: str, limit: float) -> None:
        super().__init__(
            source, f"the {limit:,.12g} {budget} for this host are spent; raise --{budget} to go on"
        )
        self.args = (source, budget, limit)
        self.budget, self.limit = budget, limit


class PasswordNeeded(PageError):
    """The PDF is encrypted, and no password or a wrong one was given."""

    def __init__(self, source: str) -> None:
        super().__init__(source, "the PDF is encrypted; give its password")
        self.args = (source,)


class RenderFailed(PageError):
    """The browser could not draw the page."""


class RenderTimeout(RenderFailed):
    """The page was not drawn in the time it may take."""

    def __init__(self, source: str, seconds: float) -> None:
        super().__init__(
            source, f"not drawn in {seconds:g} s; a script may never end, or raise --timeout"
        )
        self.args = (source, seconds)
        self.seconds = seconds


class DamagedRecord(PageError):
    """A record of an archive is not whole."""


class OverTime(PageError):
    """A page took longer than it may."""

    def __init__(self, source: str, seconds: float) -> None:
        super().__init__(source, f"more than {seconds:g} seconds; raise --timeout to wait longer")
        self.args = (source, seconds)
        self.seconds = seconds


class WorkerCrashed(PageError):
    """A page brought worker processes down, each time it was tried."""

    def __init__(self, source: str, how: str) -> None:
        super().__init__(source, f"worker processes ended with {how}; look at the page by itself")
        self.args = (source, how)
        self.how = how


class NotAPage(PageletError, TypeError):
    """What was given as a page is none."""


class NoSuchNode(PageletError):
    """A path names no node of the page."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path

    def __str__(self) -> str:
        return f"no node at {self.path!r}; paths start at /html and are those page.path() gives"


class MissingLayout(PageletError):
    """A method looks at a rendered page and was given none."""

    def __init__(self, method: str) -> None:
        super().__init__(method)
        self.method = method

    def __str__(self) -> str:
        return f"{self.method} needs a rendered page; pagelet.render gives a page and its layout"


class NoGold(PageletError):
    """A folder holds no labels that the evaluation can read."""

    def __init__(self, folder: str, wanted: str) -> None:
        super().__init__(folder, wanted)
        self.folder, self.wanted = folder, wanted

    def __str__(self) -> str:
        return f"{self.folder}: no labelled pages here; expected {self.wanted}"


class BrowserMissing(PageletError):
    """There is no browser to draw pages with."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why

    def __str__(self) -> str:
        return f"{self.why}; install Chromium, or say where it is: --browser PATH"


class NoWorkers(PageletError):
    """Worker processes end before they begin."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why

    def __str__(self) -> str:
        return f"worker processes do not start: {self.why}"


class MissingExtra(PageletError):
    """A feature needs packages that are not installed."""

    def __init__(self, extra: str, feature: str) -> None:
        super().__init__(extra, feature)
        self.extra, self.feature = extra, feature

    def __str__(self) -> str:
        return f"{self.feature} needs more packages; pip install 'pagelet[{self.extra}]'"


class OptionError(PageletError, ValueError):
    """An option has a value it cannot have."""

    def __init__(self, name: str, value: object, why: str) -> None:
        super().__init__(name, value, why)
        self.name, self.value, self.why = name, value, why

    def __str__(self) -> str:
        return f"option {self.name} = {self.value!r}: {self.why}"
