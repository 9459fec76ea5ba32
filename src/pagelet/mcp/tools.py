"""Methods as tools: arguments of a client to a page, a page to text or the JSON form.

A client is a program that the pages it reads may talk into anything. So it names no files, and no
page is loaded unless whoever started the server allows that; private addresses are refused even
then.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pagelet.context import Context
from pagelet.errors import NO_VALUE, OptionError, PageTooLarge
from pagelet.methods import METHODS
from pagelet.methods.registry import Method, OptionField, remote_options, remote_refusal
from pagelet.page.html import parse
from pagelet.page.layout import Rendering
from pagelet.page.query import Query
from pagelet.page.site import MemorySite, Site
from pagelet.page.table import Page
from pagelet.sources import load
from pagelet.sources.options import Limits
from pagelet.sources.site import Access, open_site
from pagelet.wording import must_be_a, must_be_one_of

# -- the schema of a tool ---------------------------------------------------------------------

TYPES = {bool: "boolean", int: "integer", float: "number", str: "string"}
MAX_QUERY_TERMS = 1_000  #: terms of one query

Schema = dict[str, Any]

PAGE: Schema = {
    "html": {"type": "string", "description": "the page, as HTML"},
    "url": {
        "type": "string",
        "description": "where the page came from: its links are resolved against this",
    },
}
LOADED = "; without html, the page is loaded from there"
SITE: Schema = {
    "type": "array",
    "description": "other pages of the same site: what they share helps",
    "items": {"type": "object", "properties": PAGE, "required": ["html"]},
}
QUERY: Schema = {
    "type": "array",
    "description": "words that were typed into the search form",
    "items": {"type": "string"},
    "maxItems": MAX_QUERY_TERMS,
}
START: Schema = {
    "type": "integer",
    "minimum": 0,
    "default": 0,
    "description": "character at which a long text answer goes on",
}


def input_schema(method: Method, *, fetch: bool) -> Schema:
    """The arguments of a method's tool; with `fetch`, a URL alone is enough."""
    about = PAGE["url"]["description"] + (LOADED if fetch else "")
    properties: Schema = {**PAGE, "url": {"type": "string", "description": about}}
    if method.takes("site", "template"):
        properties["site"] = SITE
    if method.takes("query"):
        properties["query"] = QUERY
    if len(formats := formats_of(method)) > 1:
        properties["format"] = _choice(formats, formats[0], "output format")
        properties["start"] = START
    about = "; ".join(f"{name}: {each.summary}" for name, each in method.profiles.items())
    properties["profile"] = _choice(tuple(method.profiles), "default", about)
    properties |= {each.name: field_schema(each) for each in remote_options(method.options)}
    return {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        **({} if fetch else {"required": ["html"]}),
    }


def formats_of(method: Method) -> tuple[str, ...]:
    """The formats of a tool, the usual one first: the method's first of Markdown and JSON."""
    if "markdown" not in method.formats:
        return ("json",)
    usual = next(each for each in method.formats if each in ("markdown", "json"))
    return (usual, *(each for each in method.formats if each != usual))


def field_schema(field: OptionField) -> Schema:
    """One option as JSON schema."""
    if field.choices:
        return _choice(field.choices, field.default, field.description)
    if field.repeatable:
        return {"type": "array", "items": {"type": "string"}, "description": field.description}
    limits = {"minimum": field.low, "maximum": field.high}
    return {
        "type": TYPES[field.type],
        "default": field.default,
        "description": field.description,
        **{name: limit for name, limit in limits.items() if limit is not None},
    }


def _choice(words: tuple[str, ...], default: str, help: str) -> Schema:
    return {"type": "string", "enum": list(words), "default": default, "description": help}


# -- calls ------------------------------------------------------------------------------------

MAX_SITE_PAGES = 50  #: pages of a site in one call
MAX_CHARS = 100_000  #: characters of one answer

Arguments = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Permission:
    """What the tools may do."""

    fetch: bool = False  #: whether pages may be loaded
    access: Access = field(default_factory=Access)  #: how pages of a site are loaded
    limits: Limits = field(default_factory=Limits)  #: limits of a page, given or loaded
    max_chars: int = MAX_CHARS
    call_timeout: float = 120.0  #: seconds of one call, loading included
    memory: int = 2_000  #: megabytes of memory per call


def call(name: str, arguments: Arguments, allowed: Permission) -> tuple[str, dict[str, Any] | None]:
    """The answer of a tool as text, and as the JSON form where it is that."""
    method, changes = METHODS[name], dict(arguments)
    inputs = {
        key: changes.pop(key, None) for key in ("html", "url", "site", "query", "format", "start")
    }
    formats = formats_of(method)
    chosen = _one_of("format", inputs["format"] or formats[0], formats)
    profile = _one_of("profile", changes.pop("profile", "default"), tuple(method.profiles))
    _refuse_local(method, changes)
    options = method.with_options(profile, changes)  # checked before a page is read
    with _open_context(method, inputs, allowed) as context:
        result = context.run(method, options)
        if chosen == "json":
            form = result.to_dict()
            return _bounded(json.dumps(form, ensure_ascii=False), allowed.max_chars), form
        notes = method.notes(result, options, chosen)
        text = method.write(result, options, chosen) or "\n".join(notes) or f"no {method.name}"
        return cut(text, _number(inputs["start"]), allowed.max_chars), None


def _refuse_local(method: Method, changes: Arguments) -> None:
    """Refuse options that name files of this machine, or only change what a terminal shows."""
    for name, value in changes.items():
        if why := remote_refusal(method, name):
            raise OptionError(name, value, why)


@contextmanager
def _open_context(method: Method, inputs: Arguments, allowed: Permission) -> Iterator[Context]:
    """The page of a call, and everything that was given with it."""
    if inputs["query"] is not None and not method.takes("query"):
        raise OptionError("query", NO_VALUE, f"{method.name} takes no query")
    if inputs["site"] is not None and not method.takes("site", "template"):
        raise OptionError("site", NO_VALUE, f"{method.name} looks at one page alone")
    query = Query.of(_terms(inputs["query"] or []))
    if "boxes" in method.needs:
        rendering = _drawn(inputs, allowed)
        yield Context(rendering.page, rendering=rendering, query=query)
        return
    page = _page(inputs, allowed)
    with _site(method, page, inputs, allowed) as site:
        yield Context(page, site, query=query)


def _terms(given: Any) -> list[str]:
    usual = isinstance(given, list) and all(isinstance(each, str) for each in given)
    if not usual or len(given) > MAX_QUERY_TERMS:
        raise OptionError(
            "query", NO_VALUE, f"must be a list of at most {MAX_QUERY_TERMS:,} strings"
        )
    return list(given)


# -- pages ------------------------------------------------------------------------------------


def _page(inputs: Arguments, allowed: Permission) -> Page:
    """The page of a call: as it is given, else loaded."""
    html, url = inputs["html"], _text("url", inputs["url"])
    if html is not None:
        return _given(html, url, allowed.limits)
    if url is None:
        raise OptionError("html", NO_VALUE, "give the page, as HTML")
    if not allowed.fetch:
        why = "this server loads no pages; give html, or start it with --allow-fetch"
        raise OptionError("url", url, why)
    if not _is_address(url):
        raise OptionError("url", url, "give an http or https address")
    private = allowed.access.politeness.allow_private
    return load(url, limits=allowed.limits, allow_private=private)


def _drawn(inputs: Arguments, allowed: Permission) -> Rendering:
    """The page of a call as a browser renders it; HTML that was given loads nothing."""
    from pagelet.sources.browser.options import RenderOptions  # noqa: PLC0415
    from pagelet.sources.browser.render import render  # noqa: PLC0415 - its packages are an extra

    url, private = inputs["url"], allowed.access.politeness.allow_private
    if inputs["html"] is None and allowed.fetch and _is_address(url):
        options = RenderOptions(timeout=allowed.limits.timeout, allow_private=private)
        return render(url, options, allowed.limits)
    page = _page(inputs, allowed)
    return render(page, RenderOptions(network="off", javascript="off"), allowed.limits)


def _is_address(url: Any) -> bool:
    return isinstance(url, str) and "://" in url


def _given(html: Any, url: str | None, limits: Limits) -> Page:
    source = _text("html", html) or ""
    if len(source) > limits.max_bytes:
        raise PageTooLarge(url or "html", limits.max_bytes)
    return parse(source, url=url, max_nodes=limits.max_nodes)


@contextmanager
def _site(method: Method, page: Page, inputs: Arguments, allowed: Permission) -> Iterator[Site]:
    """Other pages of the site: those given, else loaded where the method needs them."""
    given, loadable = inputs["site"], allowed.fetch and _is_address(page.url)
    if given is None and loadable and "site" in method.needs:
        assert page.url is not None
        with open_site(page.url, page.url, access=allowed.access) as opened:
            yield opened
    else:
        yield MemorySite(_pages(given or [], allowed.limits))


def _pages(given: Any, limits: Limits) -> list[Page]:
    usual = isinstance(given, list) and all(isinstance(each, dict) for each in given)
    if not usual or len(given) > MAX_SITE_PAGES:
        raise OptionError(
            "site", NO_VALUE, f"must be a list of at most {MAX_SITE_PAGES} objects with html"
        )
    read = partial(_given, limits=limits)
    return [read(each.get("html"), _text("url", each.get("url"))) for each in given]


# -- values -----------------------------------------------------------------------------------


def cut(text: str, start: int, most: int) -> str:
    """A part of a long text, and where it goes on."""
    part = text[start : start + most]
    if start + most >= len(text):
        return part
    end = start + most
    return f"{part}\n\n[characters {start} to {end} of {len(text)}; go on with start={end}]"


def _bounded(form: str, most: int) -> str:
    """Refuse a JSON form that is too long; a part of it would be no JSON."""
    if len(form) > most:
        why = f"the answer has {len(form):,} characters; start the server with more --max-chars"
        raise OptionError("format", "json", why)
    return form


def _one_of(name: str, value: Any, words: tuple[str, ...]) -> str:
    if value not in words:
        raise OptionError(name, value, must_be_one_of(words))
    return str(value)


def _text(name: str, value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise OptionError(name, value, must_be_a(str))
    return value


def _number(value: Any) -> int:
    if value is None:
        return 0
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise OptionError("start", value, "must be a whole number, 0 or more")
    return value
