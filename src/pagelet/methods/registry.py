"""What a method is: a row from which the command line, HTTP, MCP, the forms and the docs are made.

One walk serves every interface: arguments become a `Request` whose options check themselves,
`run` answers it with `Pagelets`, and `Method.write` turns those into a format.
"""

import dataclasses
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeVar, get_args, get_origin, get_type_hints

from pagelet.errors import OptionError
from pagelet.methods.listing import list_pagelets
from pagelet.page.dom import page_of_rows
from pagelet.page.layout import Layout
from pagelet.page.query import NO_QUERY, Query
from pagelet.page.site import SharedRows, Site
from pagelet.page.table import Page
from pagelet.pagelets import Pagelets
from pagelet.wording import (
    A_LIST_OF_STRINGS,
    join_names,
    must_be_a,
    must_be_one_of,
    must_lie,
)

NEEDS = ("page", "site", "boxes")  #: inputs without which a method may be unable to run
USES = ("site", "template", "query", "memory", "boxes")  #: inputs that a method may use where given
HTML_FORMATS = ("html", "page")  #: formats that people open in a browser
DEFAULT = "default"  #: name of the profile with our own values


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a method may use beside the page itself."""

    site: Site | Sequence[Page] = ()  #: other pages of the same site
    query: Query = NO_QUERY  #: words typed into the form that the page answers
    template: SharedRows | None = None  #: rows that the page shares with its site
    parts: Mapping[str, Any] = field(default_factory=dict)
    #: what methods learned of the site, by method, as it is kept with the template
    comparison: Any = None  #: the page compared with its site, by the template method
    layout: Layout | None = None  #: where the rows of the page were rendered
    files: Mapping[str, bytes] = field(default_factory=dict)  #: contents of files named by options

    @property
    def pages(self) -> Sequence[Page]:
        """Other pages of the site that are in memory."""
        return self.site if isinstance(self.site, Sequence) else ()


Run = Callable[[Page, Any, Evidence], Pagelets]
FormMaker = Callable[[Pagelets, Any], dict[str, Any]]  #: a result and its options to an object
Writer = Callable[[Pagelets, Any], str]  #: a result and its options to one format
BinaryWriter = Callable[[Pagelets, Any], bytes]  #: the same for a format that is no text
Learn = Callable[[Sequence[Page], Any, Evidence], Mapping[str, Any]]
#: pages of one site to JSON values, which `Evidence.parts` holds under the name of the method
Notes = Callable[[Pagelets, Any, str], Sequence[str]]  #: lines for people about a written result


# -- options ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Options of a method in one profile; every value is checked when they are made."""

    profile: ClassVar[str] = DEFAULT  #: the profile whose values are the defaults

    def __post_init__(self) -> None:
        for each in option_fields(type(self)):
            value = getattr(self, each.name)
            each.check(value)
            if each.repeatable and not isinstance(value, tuple):  # JSON has lists
                object.__setattr__(self, each.name, tuple(value))


@dataclass(frozen=True, slots=True)
class OptionField:
    """One option: its name, type, default, help, and the values it may have."""

    name: str
    type: Any
    default: Any
    help: str
    low: float | None = None
    high: float | None = None
    applies_to: str = ""  #: the profile or method it acts in, where that is not all of them
    file: bool = False  #: whether it names a file, which no network client may
    local: bool = False  #: whether it only changes what the command line prints

    @property
    def description(self) -> str:
        """The help text, and where the option acts."""
        return f"{self.help} ({self.applies_to})" if self.applies_to else self.help

    @property
    def choices(self) -> tuple[str, ...]:
        """The words a choice may have; empty for numbers and flags."""
        return get_args(self.type) if get_origin(self.type) is Literal else ()

    @property
    def repeatable(self) -> bool:
        """Whether the option takes several values."""
        return get_origin(self.type) is tuple

    def check(self, value: Any) -> None:
        """Refuse a value that is not of the type, the choices or the range."""
        if self.choices:
            if not isinstance(value, str) or value not in self.choices:
                raise OptionError(self.name, value, must_be_one_of(self.choices))
        elif self.repeatable:
            is_list = isinstance(value, list | tuple)
            if not is_list or not all(isinstance(each, str) for each in value):
                raise OptionError(self.name, value, A_LIST_OF_STRINGS)
        elif self.type is not str or not isinstance(value, str):
            self._check_number(value)

    def _check_number(self, value: Any) -> None:
        expected = (int, float) if self.type is float else self.type
        if not isinstance(value, expected) or (isinstance(value, bool) and self.type is not bool):
            raise OptionError(self.name, value, must_be_a(self.type))
        low = -math.inf if self.low is None else self.low
        high = math.inf if self.high is None else self.high
        if not low <= value <= high:  # also refuses NaN
            raise OptionError(self.name, value, must_lie(self.low, self.high))


def option(  # noqa: PLR0913 - what can be declared about an option
    default: Any,
    help: str,
    low: float | None = None,
    high: float | None = None,
    *,
    applies_to: str = "",
    file: bool = False,
    local: bool = False,
) -> Any:
    """A field of an options dataclass with its help text and range."""
    declared = {"help": help, "low": low, "high": high, "applies_to": applies_to}
    return field(default=default, metadata={**declared, "file": file, "local": local})


def option_fields(options: type) -> tuple[OptionField, ...]:
    """The options of a dataclass in order; fields without help are none."""
    if options not in _FIELDS:
        _FIELDS[options] = _read_fields(options)
    return _FIELDS[options]


_FIELDS: dict[type, tuple[OptionField, ...]] = {}  #: fields of dataclasses that were read


def _read_fields(options: type) -> tuple[OptionField, ...]:
    types = get_type_hints(options)
    return tuple(
        OptionField(each.name, types[each.name], each.default, **each.metadata)
        for each in dataclasses.fields(options)
        if each.metadata
    )


OptionsType = TypeVar("OptionsType", bound=Options)


def with_defaults(
    name: str, options: type[OptionsType], profile: str, **defaults: Any
) -> type[OptionsType]:
    """The same options with the defaults of another profile, as a class of its own."""
    declared = {each.name: each for each in dataclasses.fields(options)}
    types = get_type_hints(options)
    fields = [
        (option, types[option], field(default=value, metadata=declared[option].metadata))
        for option, value in defaults.items()
    ]
    own = {"profile": profile, "__module__": options.__module__, "__doc__": options.__doc__}
    return dataclasses.make_dataclass(
        name, fields, bases=(options,), namespace=own, frozen=True, slots=True, kw_only=True
    )


def remote_options(options: type) -> tuple[OptionField, ...]:
    """The options that a network client may set: none that names a file of this machine."""
    return tuple(each for each in option_fields(options) if not each.file and not each.local)


FILES_REFUSED = "a client may not name files"
LOCAL_REFUSED = "it only changes what the command line prints"


# -- methods ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Profile:
    """A named pair of function and options."""

    run: Run
    options: Any
    summary: str = ""  #: whose values these are


def no_notes(_result: Pagelets, _options: Any, _format: str) -> Sequence[str]:
    """Nothing to add."""
    return ()


@dataclass(frozen=True, slots=True)
class Method:
    """One row of the registry."""

    name: str  #: name of the method and of its command
    summary: str  #: one line for help texts
    paper: str  #: the publication and its DOI
    profiles: Mapping[str, Profile]  #: "default", and "paper" where one is followed
    kinds: tuple[str, ...]  #: kinds of its pagelets that can be labelled
    likely: str = ""  #: what its score is the probability of; {role} is the role of a pagelet
    holds_for: Literal["regions", "texts", "direct texts", "boxes"] = "regions"
    #: rows a pagelet speaks of: its subtree, all texts in it, its direct texts, what is seen there
    needs: tuple[str, ...] = ("page",)  #: inputs without which it cannot run, of `NEEDS`
    uses: tuple[str, ...] = ()  #: inputs it uses where they are given, of `USES`
    formats: tuple[str, ...] = ("text", "json", "html")  #: formats it can be written in
    writers: Mapping[str, Writer] = field(default_factory=dict)  #: for formats of its own
    forms: Mapping[str, FormMaker] = field(default_factory=dict)
    #: for formats of its own that are one JSON object
    binary: Mapping[str, BinaryWriter] = field(default_factory=dict)
    #: for formats that are no text; only the command line writes them
    clean: tuple[str, ...] = ()  #: HTML formats whose writer keeps no markup of the page
    notes: Notes = no_notes  #: lines for people about the result
    examples: tuple[str, ...] = ()  #: command lines that show its use
    learn: Learn | None = None  #: what several pages of a site have in common, for other pages
    check: Callable[[Any, Evidence], None] = lambda _options, _evidence: None
    #: refuses options that cannot work, before a page is read

    def __post_init__(self) -> None:
        faults = [
            f"the options of profile {name} are of profile {each.options.profile}"
            for name, each in self.profiles.items()
            if each.options.profile != name
        ]
        allowed = {"formats": {*self.writers, *self.forms, *WRITERS}, "needs": NEEDS, "uses": USES}
        for part, words in allowed.items():
            if strange := [word for word in getattr(self, part) if word not in words]:
                known = join_names(sorted(words))
                faults.append(f"{part} has {join_names(strange)}; it may have {known}")
        faults += [] if DEFAULT in self.profiles else [f"there is no profile {DEFAULT}"]
        if faults:
            raise TypeError(f"the row of method {self.name}: {'; '.join(faults)}")

    @property
    def options(self) -> Any:
        """The options dataclass."""
        return type(self.profiles[DEFAULT].options)

    def profile(self, name: str) -> Profile:
        """A profile by name."""
        if name not in self.profiles:
            noun = "profile" if len(self.profiles) == 1 else "profiles"
            why = f"{self.name} has the {noun} {join_names(self.profiles)}"
            raise OptionError("profile", name, why)
        return self.profiles[name]

    def profile_or_default(self, name: str) -> str:
        """The name of a profile where the method has it, else that of its default."""
        return name if name in self.profiles else DEFAULT

    def with_options(self, profile: str, changes: Mapping[str, Any]) -> Any:
        """The options of a profile with some of them changed, each checked."""
        options = self.profile(profile).options
        for name, value in changes.items():
            if not self.has_option(name):
                raise OptionError(name, value, self.no_such_option)
        return dataclasses.replace(options, **changes) if changes else options

    def has_option(self, name: str) -> bool:
        """Whether there is an option of this name."""
        return any(each.name == name for each in option_fields(self.options))

    @property
    def no_such_option(self) -> str:
        """Why a name is refused that no option has."""
        return f"{self.name} has no such option"

    def takes(self, *inputs: str) -> bool:
        """Whether it needs or uses any of these inputs."""
        return not {*inputs}.isdisjoint((*self.needs, *self.uses))

    @property
    def raw_formats(self) -> tuple[str, ...]:
        """The formats in which markup of the page is written, and sanitised unless raw."""
        return tuple(each for each in self.formats if each in {*HTML_FORMATS} - {*self.clean})

    def form(self, result: Pagelets, options: Any, format: str) -> dict[str, Any] | None:
        """A result as one JSON object; None for a format that is something else."""
        if format in self.forms:
            return self.forms[format](result, options)
        return result.to_dict() if format == "json" and format not in self.writers else None

    def write(self, result: Pagelets, options: Any, format: str, *, raw: bool = False) -> str:
        """A result in one of the method's formats; HTML without active content unless raw."""
        if format not in self.formats:
            raise OptionError("format", format, must_be_one_of(self.formats))
        if format in self.forms:
            return json.dumps(self.forms[format](result, options), ensure_ascii=False)
        text = {**WRITERS, **self.writers}[format](result, options)
        if raw or format not in self.raw_formats:
            return text
        from pagelet.write.inert import make_inert  # noqa: PLC0415 - most results are no HTML

        return make_inert(text, result.page.url)


def ignored_options(options: Any, names: Iterable[str]) -> list[OptionField]:
    """Of some options, those that do not act in the profile or with the method of the others."""
    fields = {each.name: each for each in option_fields(type(options))}
    return [fields[name] for name in names if not _acts(fields[name].applies_to, options)]


def _acts(applies_to: str, options: Any) -> bool:
    if applies_to.endswith(" profile"):
        return applies_to == f"{options.profile} profile"
    if applies_to.startswith("method "):
        return options.method in applies_to.removeprefix("method ").split(" or ")
    return True


def remote_refusal(method: Method, name: str) -> str:
    """Why a network client may not set an option; empty if it may."""
    fields = {each.name: each for each in option_fields(method.options)}
    if name not in fields:
        return method.no_such_option
    return FILES_REFUSED if fields[name].file else LOCAL_REFUSED if fields[name].local else ""


def write_listing(result: Pagelets, options: Any) -> str:
    """One line per pagelet; with the option `explain`, the measures that decided below it."""
    return list_pagelets(result, explain=getattr(options, "explain", False))


def write_json(result: Pagelets, _options: Any) -> str:
    """The JSON form, for people and programs."""
    return result.to_json(indent=2)


def write_html(result: Pagelets, _options: Any) -> str:
    """The page as a document that holds the pagelets alone."""
    return page_of_rows(result.page, [row for item in result for row in item.rows])


#: writers of every method that has no own one for the format
WRITERS: dict[str, Writer] = {"text": write_listing, "json": write_json, "html": write_html}


# -- requests ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Request:
    """One question: a page, a method, options of one of its profiles, and other evidence."""

    page: Page
    method: Method
    options: Any
    evidence: Evidence = Evidence()


def run(request: Request) -> Pagelets:
    """Answer a request; the only way in which interfaces call a method."""
    profile = request.method.profile(request.options.profile)
    return profile.run(request.page, request.options, request.evidence)
