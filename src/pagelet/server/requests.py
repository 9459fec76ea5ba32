"""What may be asked, as models made from the registry; the OpenAPI description is made of them."""

from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from pagelet.errors import OptionError
from pagelet.methods import METHODS, Method
from pagelet.methods.registry import OptionField, remote_options
from pagelet.server.errors import HttpError

PAGES = 50  #: most pages of a site
BOXES = 200_000  #: most boxes of a layout
TERMS = 1_000  #: most terms of a query
SELECTORS = 100  #: most texts of an option that takes several
FAR = 10_000_000.0  #: pixels beyond which nothing lies

Pixels = Annotated[float, Field(ge=-FAR, le=FAR)]
Edges = tuple[Pixels, Pixels, Pixels, Pixels]


class Form(BaseModel):
    """A form in which everything that is not known is a mistake."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class SitePage(Form):
    """Another page of the site."""

    html: str = Field(description="the page, as HTML")
    url: str | None = Field(None, description="where it came from")


class Box(Form):
    """Where a node was drawn."""

    path: str = Field(description="XPath of the node, as page.path gives it", max_length=20_000)
    box: Edges | None = Field(None, description="left, top, right, bottom of an element")
    lines: list[Edges] = Field(default=[], description="the same of each line of a text")
    style: dict[str, str] = Field(default={}, description="computed values by CSS property")


class Seen(Form):
    """Where the page was drawn."""

    width: Annotated[float, Field(ge=0, le=FAR)] = Field(description="of the page, in CSS pixels")
    height: Annotated[float, Field(ge=0, le=FAR)] = Field(description="of the page")
    boxes: list[Box] = Field(description="what can be seen, as it was painted", max_length=BOXES)


HTML = (str | None, Field(None, description="the page, as HTML"))
URL = (
    str | None,
    Field(
        None,
        max_length=20_000,
        description="where the page came from; without html it is loaded from there, if allowed",
    ),
)
SITE: tuple[Any, Any] = (
    list[SitePage],
    Field(default=[], max_length=PAGES, description="other pages of the same site"),
)
QUERY: tuple[Any, Any] = (
    list[str],
    Field(default=[], max_length=TERMS, description="what was typed into the form"),
)
LAYOUT = (Seen | None, Field(None, description="where the page was drawn"))


@cache
def method_model(name: str) -> type[Form]:
    """What may be asked of a method."""
    method = METHODS[name]
    formats = Literal[formats_of(method)]  # type: ignore[valid-type] # pydantic reads it
    parts: dict[str, Any] = {
        "html": HTML,
        "url": URL,
        "profile": (Literal[tuple(method.profiles)], "default"),
        "options": (option_model(name), Field(default_factory=option_model(name))),
        "format": (formats, Field("json", description="how to answer")),
    }
    if method.takes("site", "template"):
        parts["site"] = SITE
    if method.takes("query"):
        parts["query"] = QUERY
    if "boxes" in method.needs:
        parts["layout"] = LAYOUT
    title = name.capitalize()
    return create_model(f"{title}Request", __base__=Form, __doc__=method.summary, **parts)


@cache
def option_model(name: str) -> type[Form]:
    """The options of a method; what is left out has the value of the profile."""
    fields = {field.name: _option(field) for field in remote_options(METHODS[name].options)}
    about = f"Options of {name}; what is left out has the value of the profile."
    return create_model(f"{name.capitalize()}Options", __base__=Form, __doc__=about, **fields)  # type: ignore[call-overload,no-any-return] # fields are made


@cache
def inspect_model() -> type[Form]:
    """What may be asked of all methods at once."""
    names: Any = list[Literal[tuple(METHODS)]]  # type: ignore[misc] # pydantic reads it
    options = {name: (option_model(name) | None, None) for name in METHODS}
    profiles = {
        name: (Literal[tuple(method.profiles)] | None, None) for name, method in METHODS.items()
    }
    grouped = {"__base__": Form}
    parts: dict[str, Any] = {
        "html": HTML,
        "url": URL,
        "methods": (names | None, Field(None, description="those to run", max_length=20)),
        "profile": (Literal["default", "paper"], "default"),
        "profiles": (create_model("Profiles", **grouped, **profiles) | None, None),  # type: ignore[call-overload] # fields are made
        "options": (create_model("AllOptions", **grouped, **options) | None, None),  # type: ignore[call-overload] # fields are made
        "site": SITE,
        "query": QUERY,
        "layout": LAYOUT,
        "render": (bool, Field(default=False, description="draw the page in a browser")),
    }
    return create_model("InspectRequest", __base__=Form, **parts)


def formats_of(method: Method) -> tuple[str, ...]:
    """The formats of the service: JSON first."""
    return ("json", *(each for each in method.formats if each != "json"))


def read(model: type[Form], body: bytes) -> Any:
    """Read a JSON body; what is wrong with it is told by the place in it."""
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        raise _mistake(error) from None


def _mistake(error: ValidationError) -> Exception:
    first = error.errors(include_url=False, include_context=False)[0]
    if first["type"] == "json_invalid":
        return HttpError(400, "BadRequest", f"the body is no JSON: {first['msg']}")
    name = ".".join(map(str, first["loc"])) or "body"
    return OptionError(name, _short(first["input"]), first["msg"])


def _short(value: Any) -> Any:
    plain = isinstance(value, str | int | float | None)
    shown = value if plain else type(value).__name__
    return shown if len(str(shown)) <= 60 else str(shown)[:59] + "…"


def _option(field: OptionField) -> tuple[Any, Any]:
    """The type of an option and its limits."""
    declared: dict[str, Any] = {"description": field.description}
    if field.repeatable:
        return list[str], Field(default=list(field.default), max_length=SELECTORS, **declared)
    limits = {"ge": field.low, "le": field.high}
    declared |= {name: limit for name, limit in limits.items() if limit is not None}
    return field.type, Field(default=field.default, **declared)
