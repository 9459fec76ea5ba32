"""What a tool takes, as JSON schema, made from a method's row in the registry."""

from typing import Any

from pagelet.methods.registry import Method, OptionField, option_fields

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
    for field in offered(method):
        properties[field.name] = field_schema(field)
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
