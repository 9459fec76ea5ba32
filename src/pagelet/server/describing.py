"""The service described: its methods for forms, its requests as OpenAPI 3.1."""

from typing import Any

from pagelet.methods import METHODS, Method
from pagelet.methods.registry import OptionField, remote_options
from pagelet.server.bodies import FILE_FIELD
from pagelet.server.requests import (
    BOXES,
    PAGES,
    Form,
    formats_of,
    inspect_model,
    method_model,
)
from pagelet.server.settings import Settings
from pagelet.server.work import can_draw

SCHEMAS = "#/components/schemas/"
TYPES = {bool: "boolean", int: "integer", float: "number", str: "string"}
STATUSES = {
    "400": "the body cannot be read",
    "401": "a token is needed, or it is wrong",
    "403": "not from here, or not that address",
    "408": "the body did not arrive in time",
    "413": "too many bytes",
    "415": "the content type is not one that is read",
    "421": "the Host is not one of the service",
    "422": "the request can be read but not done",
    "429": "too much is waiting",
    "500": "a mistake in pagelet",
    "503": "no time, or no process, is left for it",
}
REFUSAL = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("error", "message", "request")},
    "required": ["error", "message"],
}
PAGELET = {
    "type": "object",
    "properties": {
        "kind": {"type": "string"},
        "path": {"type": ["string", "null"]},
        "paths": {"type": "array", "items": {"type": "string"}},
        "box": {"type": "array", "items": {"type": "number"}},
        "score": {"type": "number"},
        "text": {"type": "string"},
        "links": {"type": "array", "items": {"type": "object"}},
        "reason": {"type": "object"},
    },
    "required": ["kind", "path", "score", "text", "links", "reason"],
}
ANSWER = {
    "type": "object",
    "properties": {
        "schema": {"const": 1},
        "url": {"type": ["string", "null"]},
        "method": {"type": "string"},
        "profile": {"type": "string"},
        "pagelets": {"type": "array", "items": {"$ref": f"{SCHEMAS}Pagelet"}},
    },
    "required": ["schema", "url", "method", "profile", "pagelets"],
}
INSPECTED = {
    "type": "object",
    "properties": {
        "schema": {"const": 1},
        "methods": {"type": "object", "additionalProperties": {"$ref": f"{SCHEMAS}Answer"}},
        "drawing": {"type": "string"},
        "rows": {"type": "object"},
    },
    "required": ["schema", "url", "title", "methods", "kinds", "drawing", "rows"],
}
OWN = {"Refusal": REFUSAL, "Pagelet": PAGELET, "Answer": ANSWER, "Inspected": INSPECTED}


def describe_service(settings: Settings) -> dict[str, Any]:
    """The methods with all that a form needs to offer them."""
    return {
        "methods": [method_form(method) for method in METHODS.values()],
        "fetch": settings.allow_fetch,
        "render": can_draw(settings),
        "limits": {
            "bytes": settings.max_bytes,
            "seconds": settings.timeout,
            "site": PAGES,
            "boxes": BOXES,
        },
    }


def method_form(method: Method) -> dict[str, Any]:
    """One method."""
    fields = remote_options(method.options)
    return {
        "name": method.name,
        "summary": method.summary,
        "paper": method.paper,
        "needs": list(method.needs),
        "uses": list(method.uses),
        "formats": list(formats_of(method)),
        "profiles": {
            name: {field.name: _plain(getattr(profile.options, field.name)) for field in fields}
            for name, profile in method.profiles.items()
        },
        "options": [option_form(field) for field in fields],
    }


def option_form(field: OptionField) -> dict[str, Any]:
    """One option."""
    kind = "choice" if field.choices else "strings" if field.repeatable else TYPES[field.type]
    return {
        "name": field.name,
        "type": kind,
        "default": _plain(field.default),
        "help": field.help,
        "applies_to": field.applies_to,
        "low": field.low,
        "high": field.high,
        "choices": list(field.choices),
    }


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


# -- OpenAPI ----------------------------------------------------------------------------------


def operation(model: type[Form], answer: str, formats: tuple[str, ...] = ("json",)) -> Any:
    """What the description says of a request with a body, beside its address."""
    asked = {"$ref": SCHEMAS + model.__name__}
    said = {"application/json": {"schema": {"$ref": SCHEMAS + answer}}}
    if {"text", "html", "markdown"} & {*formats}:
        said |= {f"text/{kind}": {"schema": {"type": "string"}} for kind in _texts(formats)}
    return {
        "parameters": [_parameter(name) for name in ("url", "profile", "format", "options")],
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {"schema": asked},
                "text/html": {"schema": {"type": "string"}},
                "multipart/form-data": {"schema": _upload()},
            },
        },
        "responses": {"200": {"description": "what was found", "content": said}, **refusals()},
    }


def _texts(formats: tuple[str, ...]) -> list[str]:
    names = {"text": "plain", "markdown": "markdown", "html": "html", "page": "html"}
    return list(dict.fromkeys(names[each] for each in formats if each in names))


def batch_operation(model: type[Form]) -> Any:
    """The same of a batch: JSON objects, one a line."""
    lines = {"application/x-ndjson": {"schema": {"type": "string"}}}
    about = f"one {model.__name__} a line"
    return {
        "requestBody": {"required": True, "description": about, "content": lines},
        "responses": {
            "200": {"description": "one answer a line", "content": lines},
            **refusals(),
        },
    }


def refusals() -> dict[int | str, dict[str, Any]]:
    """Every way in which a request may fail."""
    content = {"application/json": {"schema": {"$ref": f"{SCHEMAS}Refusal"}}}
    return {
        status: {"description": about, "content": content} for status, about in STATUSES.items()
    }


def _parameter(name: str) -> dict[str, Any]:
    about = "of a page that is sent as bytes" + ("; JSON" if name == "options" else "")
    return {"name": name, "in": "query", "schema": {"type": "string"}, "description": about}


def _upload() -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {
            FILE_FIELD: {"type": "string", "format": "binary"},
            "url": {"type": "string"},
        },
        "required": [FILE_FIELD],
    }


def schemas() -> dict[str, Any]:
    """All models by name."""
    found: dict[str, Any] = dict(OWN)
    for model in (*map(method_model, METHODS), inspect_model()):
        schema = model.model_json_schema(ref_template=SCHEMAS + "{model}")
        found |= schema.pop("$defs", {})
        found[model.__name__] = schema
    return found
