"""What a tool answers: arguments of a client to a page, a page to text or the JSON form.

A client is a program that may be talked into anything by the pages it reads. So it names no
files, and no page is loaded unless whoever started the server allows that; private addresses
are refused even then.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pagelet.analysis import analyse, extract, without_template
from pagelet.errors import OptionError, PageTooLarge
from pagelet.methods import METHODS
from pagelet.methods.registry import Method, OptionField, option_fields
from pagelet.methods.template import TemplateOptions, detect_template
from pagelet.page.html import parse
from pagelet.page.layout import Rendering
from pagelet.page.site import MemorySite, Site
from pagelet.page.table import Page
from pagelet.sources import load
from pagelet.sources.limits import Limits
from pagelet.sources.site import Access, open_site

# -- What a tool takes, as JSON schema, made from a method's row in the registry --------------


#: options that name files of this machine; a client may not choose those
FILES = ("rules", "model", "template")
TYPES = {bool: "boolean", int: "integer", float: "number", str: "string"}

Schema = dict[str, Any]

OWN: Schema = {
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
    "items": {"type": "object", "properties": OWN, "required": ["html"]},
}
START: Schema = {
    "type": "integer",
    "minimum": 0,
    "default": 0,
    "description": "character at which a long text answer goes on",
}


def input_schema(method: Method, *, fetch: bool) -> Schema:
    """The arguments of a method's tool; with `fetch`, a URL alone is enough."""
    said = OWN["url"]["description"] + (LOADED if fetch else "")
    properties: Schema = {**OWN, "url": {"type": "string", "description": said}}
    if uses_site(method):
        properties["site"] = SITE
    if len(formats := formats_of(method)) > 1:
        properties["format"] = _choice(formats, formats[0], "how to answer")
        properties["start"] = START
    names = tuple(method.profiles)
    properties["profile"] = _choice(names, "default", "default: ours; paper: the publication's")
    for each in offered(method):
        properties[each.name] = field_schema(each)
    return {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        **({} if fetch else {"required": ["html"]}),
    }


def offered(method: Method) -> list[OptionField]:
    """The options that a client may set."""
    return [field for field in option_fields(method.options) if field.name not in FILES]


def uses_site(method: Method) -> bool:
    """Whether other pages of the site help."""
    return bool({"site", "template"} & {*method.uses, *method.needs})


def formats_of(method: Method) -> tuple[str, ...]:
    """How a tool can answer, the usual way first; what is no text is JSON."""
    if "markdown" not in method.formats:
        return ("json",)
    return ("markdown", *(each for each in method.formats if each != "markdown"))


def field_schema(field: OptionField) -> Schema:
    """One option as JSON schema."""
    if field.choices:
        return _choice(field.choices, field.default, field.help)
    if field.several:
        return {"type": "array", "items": {"type": "string"}, "description": field.help}
    limits = {"minimum": field.low, "maximum": field.high}
    return {
        "type": TYPES[field.type],
        "default": field.default,
        "description": field.help,
        **{name: limit for name, limit in limits.items() if limit is not None},
    }


def _choice(words: tuple[str, ...], default: str, help: str) -> Schema:
    return {"type": "string", "enum": list(words), "default": default, "description": help}


# -- What a tool answers: arguments of a client to a page, a page to text or the JSON form ----


NAMES = ("content", "menu", "clutter", "template", "segments")  #: methods that are tools
PAGES = 50  #: most pages of a site in one call
MAX_CHARS = 100_000  #: of one answer

Arguments = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Permission:
    """What the tools may do."""

    fetch: bool = False  #: whether pages may be loaded
    access: Access = field(default_factory=Access)  #: how they are
    limits: Limits = field(default_factory=Limits)  #: of a page, given or loaded
    max_chars: int = MAX_CHARS


def tools() -> dict[str, Method]:
    """The methods that are offered, by name."""
    return {name: METHODS[name] for name in NAMES if name in METHODS}


def call(name: str, arguments: Arguments, allowed: Permission) -> tuple[str, dict[str, Any] | None]:
    """The answer of a tool as text; and as the JSON form, where it is that."""
    method, said = METHODS[name], dict(arguments)
    chosen = {key: said.pop(key, None) for key in ("html", "url", "site", "format", "start")}
    formats = formats_of(method)
    form = _one_of("format", chosen["format"] or formats[0], formats)
    profile = _one_of("profile", said.pop("profile", "default"), tuple(method.profiles))
    for key in FILES:
        if key in said:
            raise OptionError(key, said[key], "a client may not name files")
    method.with_options(profile, said)  # a mistake is told before a page is read
    if "boxes" in method.needs:
        answer: Any = analyse(_drawn(chosen, allowed), name, profile=profile, **said).to_dict()
    else:
        page = _page(chosen, allowed)
        with _site(method, page, chosen, allowed) as site:
            answer = _answer(method, page, form, profile, site, said)
    if isinstance(answer, str):
        return cut(answer, _number(chosen["start"]), allowed.max_chars), None
    return _bounded(json.dumps(answer, ensure_ascii=False), allowed.max_chars), answer


def _answer(
    method: Method, page: Page, format: Any, profile: str, site: Site, changes: dict[str, Any]
) -> str | dict[str, Any]:
    if method.name == "template":
        if format == "json":
            options: TemplateOptions = method.with_options(profile, changes)
            return detect_template(page, options, profile=profile, site=site).to_dict()
        return without_template(page, format=format, profile=profile, site=site, **changes)
    pages = [there for url in site.addresses() if (there := site.load(url)) is not None]
    if format == "json":
        return analyse(page, method.name, profile=profile, site=pages, **changes).to_dict()
    return extract(page, format=format, profile=profile, site=pages, **changes)


# -- pages ------------------------------------------------------------------------------------


def _page(chosen: Arguments, allowed: Permission) -> Page:
    """The page of a call: as it is given, else loaded."""
    html, url = chosen["html"], _text("url", chosen["url"])
    if html is not None:
        return _given(html, url, allowed.limits)
    if url is None:
        raise OptionError("html", None, "give the page, as HTML")
    if not allowed.fetch:
        why = "this server loads no pages; give html, or start it with --allow-fetch"
        raise OptionError("url", url, why)
    if not _is_address(url):
        raise OptionError("url", url, "give an http or https address")
    private = allowed.access.politeness.allow_private
    return load(url, limits=allowed.limits, allow_private=private)


def _drawn(chosen: Arguments, allowed: Permission) -> Rendering:
    """The page of a call as a browser draws it: what is given asks the web for nothing."""
    from pagelet.sources.browser.options import RenderOptions  # noqa: PLC0415
    from pagelet.sources.browser.render import render  # noqa: PLC0415 - its packages are an extra

    if chosen["site"] is not None:
        raise OptionError("site", "…", "segments looks at one page alone")
    url, private = chosen["url"], allowed.access.politeness.allow_private
    if chosen["html"] is None and allowed.fetch and _is_address(url):
        options = RenderOptions(timeout=allowed.limits.timeout, allow_private=private)
        return render(url, options, allowed.limits)
    page = _page(chosen, allowed)
    return render(page, RenderOptions(network="off", javascript="off"), allowed.limits)


def _is_address(url: Any) -> bool:
    return isinstance(url, str) and "://" in url


def _given(html: Any, url: str | None, limits: Limits) -> Page:
    source = _text("html", html) or ""
    if len(source) > limits.max_bytes:
        raise PageTooLarge(url or "html", limits.max_bytes)
    return parse(source, url=url)


@contextmanager
def _site(method: Method, page: Page, chosen: Arguments, allowed: Permission) -> Iterator[Site]:
    """Other pages of the site: as they are given, else loaded where only they tell."""
    given, loadable = chosen["site"], allowed.fetch and _is_address(page.url)
    if given is not None and not uses_site(method):
        raise OptionError("site", "…", f"{method.name} looks at one page alone")
    if given is None and loadable and "site" in method.needs:
        assert page.url is not None
        with open_site(page.url, page.url, access=allowed.access) as opened:
            yield opened
    else:
        yield MemorySite(_pages(given or [], allowed.limits))


def _pages(given: Any, limits: Limits) -> list[Page]:
    usual = isinstance(given, list) and all(isinstance(each, dict) for each in given)
    if not usual or len(given) > PAGES:
        raise OptionError("site", "…", f"expected a list of at most {PAGES} objects with html")
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
        raise OptionError(name, value, f"one of {', '.join(words)}")
    return str(value)


def _text(name: str, value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise OptionError(name, value, "expected a text")
    return value


def _number(value: Any) -> int:
    if value is None:
        return 0
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise OptionError("start", value, "expected a number from 0 on")
    return value
