"""Command-line options made from the fields of an options dataclass."""

import inspect
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import typer

from pagelet.methods.registry import Method, OptionField, option_fields

Parameter = inspect.Parameter

SHORT = {"explain": ("-e",)}  #: options that have a letter too
FILES = dict.fromkeys(("rules", "model", "template"), "FILE")
NAMES = {**FILES, "keep": "SELECTOR", "drop": "SELECTOR"}


def option_parameters(method: Method) -> list[Parameter]:
    """One keyword parameter an option; None means the value of the profile."""
    return [_parameter(field, method) for field in option_fields(method.options)]


def format_parameter(method: Method) -> Parameter:
    """The parameter that says how to answer, of what a method can write."""
    said = typer.Option("--format", "-f", help="How to answer.", metavar="|".join(method.formats))
    kind = Annotated[Literal[method.formats], said]  # type: ignore[name-defined] # typer reads it
    return Parameter("format", Parameter.KEYWORD_ONLY, default=method.formats[0], annotation=kind)


def _parameter(field: OptionField, method: Method) -> Parameter:
    flag = "--" + field.name.replace("_", "-")
    flags = f"{flag}/--no-{flag[2:]}" if field.type is bool else flag
    said = typer.Option(
        flags,
        *SHORT.get(field.name, ()),
        help=f"{field.help} [dim]({_defaults(field, method)})[/dim]",
        rich_help_panel=f"Options of {method.name}",
        min=field.low,
        max=field.high,
        show_default=False,
        metavar=_metavar(field),
    )
    kind = list[str] if field.several else str if field.choices else field.type
    return Parameter(
        field.name, Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, said]
    )


def _metavar(field: OptionField) -> str | None:
    return "|".join(field.choices) if field.choices else NAMES.get(field.name)


def _defaults(field: OptionField, method: Method) -> str:
    if field.several:
        return "may be said several times"
    values = {name: getattr(row.options, field.name) for name, row in method.profiles.items()}
    if len(set(values.values())) == 1:
        return f"default: {_shown(field.default)}"
    return ", ".join(f"{name}: {_shown(value)}" for name, value in values.items())


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) or "none"


def changes_of(method: Method, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The options a user set, by name."""
    names = [field.name for field in option_fields(method.options)]
    return {name: arguments[name] for name in names if arguments.get(name) is not None}


def with_parameters(run: Callable[..., None], extra: list[Parameter]) -> Callable[..., None]:
    """Give a function that takes **options named parameters for typer to read.

    A parameter of the same name that the function has already is read as the new one says.
    """
    parameters = {
        parameter.name: parameter
        for parameter in inspect.signature(run).parameters.values()
        if parameter.kind is not Parameter.VAR_KEYWORD
    }
    parameters |= {parameter.name: parameter for parameter in extra}
    signature = inspect.Signature(list(parameters.values()))

    def command(**arguments: Any) -> None:
        run(**arguments)

    command.__signature__ = signature  # type: ignore[attr-defined] # what inspect reads first
    command.__doc__ = run.__doc__
    return command
