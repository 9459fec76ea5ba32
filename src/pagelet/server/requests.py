"""Models of requests, generated from the registry; OpenAPI and validation use them."""

from functools import cache
from typing import Annotated, Any, Literal

from pydantic import Base64Bytes, BaseModel, ConfigDict, Field, ValidationError, create_model

from pagelet.methods import METHODS, Method, list_profiles
from pagelet.methods.registry import DEFAULT, OptionField, remote_options
from pagelet.server.validation import convert_error

MAX_SITE_PAGES = 50
MAX_BOXES = 200_000  #: boxes of a layout
MAX_QUERY_TERMS = 1_000
MAX_OPTION_TEXTS = 100  #: values of a repeatable option
MAX_PIXELS = 10_000_000.0  #: largest coordinate of a layout
MAX_URL_CHARS = 20_000
MAX_PATH_CHARS = 20_000
MAX_FILES = 400  #: files that are sent with a page

Pixels = Annotated[float, Field(ge=-MAX_PIXELS, le=MAX_PIXELS)]
Length = Annotated[float, Field(ge=0, le=MAX_PIXELS)]
Edges = tuple[Pixels, Pixels, Pixels, Pixels]


class RequestModel(BaseModel):
    """Base of all request models: unknown fields and wrong types are errors."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class SitePage(RequestModel):
    """Another page of the site."""

    html: str = Field(description="the page, as HTML")
    url: str | None = Field(None, description="its URL")


class Box(RequestModel):
    """Position and style of one node."""

    path: str = Field(description="XPath of the node, as in answers", max_length=MAX_PATH_CHARS)
    box: Edges | None = Field(None, description="left, top, right, bottom of an element")
    lines: list[Edges] = Field(
        default=[], description="left, top, right, bottom of each line of a text"
    )
    style: dict[str, str] = Field(default={}, description="computed values by CSS property")


class DrawnLayout(RequestModel):
    """The layout of the page as a browser drew it."""

    width: Length = Field(description="width of the page, in CSS pixels")
    height: Length = Field(description="height of the page, in CSS pixels")
    boxes: list[Box] = Field(description="visible nodes, in painting order", max_length=MAX_BOXES)


HTML = (str | None, Field(None, description="the page, as HTML"))
URL = (
    str | None,
    Field(
        None,
        max_length=MAX_URL_CHARS,
        description="URL of the page; without html the page is loaded, if the service allows it",
    ),
)
SITE: tuple[Any, Any] = (
    list[SitePage],
    Field(default=[], max_length=MAX_SITE_PAGES, description="other pages of the same site"),
)
QUERY: tuple[Any, Any] = (
    list[str],
    Field(default=[], max_length=MAX_QUERY_TERMS, description="search terms that led to the page"),
)
LAYOUT = (DrawnLayout | None, Field(None, description="the layout of the page"))
REASONS = (
    Annotated[int, Field(ge=0)] | None,
    Field(
        None,
        description="pagelets of a method up to which they have reasons; without it they all do",
    ),
)
BRIEF = (
    Annotated[int, Field(ge=0)] | None,
    Field(
        None,
        description="pagelets of a method beyond which its answer is brief: no links, no reasons,"
        " nothing written out; without it no answer is",
    ),
)
ABOUT_PROFILE = "where the values of the options come from: ours, or those of a publication"
ABOUT_OPTIONS = "options that differ from those of the profile"
PATH = (
    str | None,
    Field(
        None,
        max_length=MAX_PATH_CHARS,
        description="XPath of a node: the answer has the pagelets there alone",
    ),
)


class SentFile(RequestModel):
    """A style sheet, picture or font of the page."""

    name: str = Field(description="its path in the folder", max_length=MAX_PATH_CHARS)
    data: Base64Bytes = Field(description="its bytes, in Base64")


FILES: tuple[Any, Any] = (
    list[SentFile],
    Field(default=[], max_length=MAX_FILES, description="files that the page refers to"),
)
NAME = (
    str,
    Field("", max_length=MAX_PATH_CHARS, description="path of the page in the folder of its files"),
)


@cache
def method_model(name: str) -> type[RequestModel]:
    """The request model of a method."""
    method = METHODS[name]
    formats = Literal[list_formats(method)]  # type: ignore[valid-type] # pydantic reads it
    parts: dict[str, Any] = {
        "html": HTML,
        "url": URL,
        "profile": (Literal[tuple(method.profiles)], Field(DEFAULT, description=ABOUT_PROFILE)),
        "options": (
            option_model(name),
            Field(default_factory=option_model(name), description=ABOUT_OPTIONS),
        ),
        "format": (formats, Field("json", description="format of the answer")),
        "reasons": REASONS,
        "brief": BRIEF,
        "path": PATH,
    }
    if method.takes("site", "template"):
        parts["site"] = SITE
    if method.takes("query"):
        parts["query"] = QUERY
    if method.takes("boxes"):
        parts["layout"] = LAYOUT
    title = name.capitalize()
    return create_model(f"{title}Request", __base__=RequestModel, __doc__=method.summary, **parts)


@cache
def option_model(name: str) -> type[RequestModel]:
    """The model of a method's options."""
    fields = {field.name: _option_field(field) for field in remote_options(METHODS[name].options)}
    about = f"Options of {name}; the profile sets those that are left out."
    title = f"{name.capitalize()}Options"
    return create_model(title, __base__=RequestModel, __doc__=about, **fields)  # type: ignore[call-overload,no-any-return] # dynamic fields


@cache
def inspect_model() -> type[RequestModel]:
    """The request model of all methods at once."""
    names: Any = list[Literal[tuple(METHODS)]]  # type: ignore[misc] # pydantic reads it
    options = {
        name: (option_model(name) | None, Field(None, description=f"options of {name}"))
        for name in METHODS
    }
    profiles = {
        name: (
            Literal[tuple(method.profiles)] | None,
            Field(None, description=f"profile of {name}"),
        )
        for name, method in METHODS.items()
    }
    grouped = {"__base__": RequestModel}
    parts: dict[str, Any] = {
        "html": HTML,
        "url": URL,
        "methods": (names | None, Field(None, description="methods to run", max_length=20)),
        "profile": (Literal[list_profiles()], Field(DEFAULT, description=ABOUT_PROFILE)),
        "profiles": (
            create_model("Profiles", **grouped, **profiles) | None,  # type: ignore[call-overload] # dynamic fields
            Field(None, description="other profiles, by method"),
        ),
        "options": (
            create_model("AllOptions", **grouped, **options) | None,  # type: ignore[call-overload] # dynamic fields
            Field(None, description="options that differ from those of the profile, by method"),
        ),
        "site": SITE,
        "query": QUERY,
        "layout": LAYOUT,
        "reasons": REASONS,
        "brief": BRIEF,
        "path": PATH,
        "files": FILES,
        "name": NAME,
        "render": (bool, Field(default=False, description="draw the page in a browser")),
    }
    return create_model("InspectRequest", __base__=RequestModel, **parts)


def list_formats(method: Method) -> tuple[str, ...]:
    """The formats of a method, JSON first."""
    return ("json", *(each for each in method.formats if each != "json"))


def read_form(model: type[RequestModel], body: bytes, subject: str = "") -> Any:
    """Read a JSON body; an error names the field. The subject is a method, or inspect."""
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        raise convert_error(error, subject) from None


def _option_field(field: OptionField) -> tuple[Any, Any]:
    """Type, default and limits of an option."""
    declared: dict[str, Any] = {"description": field.description}
    if field.repeatable:
        return list[str], Field(
            default=list(field.default), max_length=MAX_OPTION_TEXTS, **declared
        )
    limits = {"ge": field.low, "le": field.high}
    declared |= {name: limit for name, limit in limits.items() if limit is not None}
    return field.type, Field(default=field.default, **declared)
