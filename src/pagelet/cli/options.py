"""Command-line options made from the fields of an options dataclass."""

import dataclasses
import inspect
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

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


# -- Flags made from the fields of a plain dataclass, such as the options of a probe ----------


Options = TypeVar("Options")


@dataclasses.dataclass(frozen=True, slots=True)
class Flag:
    """What the help says of a field that does not say it itself."""

    help: str
    metavar: str | None = None
    low: float | None = None


def flag_parameters(options: type, panel: str, said: Mapping[str, Flag]) -> list[Parameter]:
    """One keyword parameter a field; a field is left out when nothing is said of it."""
    types = get_type_hints(options)
    return [
        _flag_parameter(field, types[field.name], panel, _flag(field, said))
        for field in dataclasses.fields(options)
        if field.metadata or field.name in said
    ]


def _flag(field: "dataclasses.Field[Any]", said: Mapping[str, Flag]) -> Flag:
    own = Flag(field.metadata.get("help", ""), low=field.metadata.get("low"))
    told = said.get(field.name, own)
    return Flag(told.help or own.help, told.metavar, own.low if told.low is None else told.low)


def _flag_parameter(
    field: "dataclasses.Field[Any]", kind: Any, panel: str, flag: Flag
) -> Parameter:
    name = "--" + field.name.replace("_", "-")
    several = get_origin(kind) is tuple
    option = typer.Option(
        f"{name}/--no-{name[2:]}" if kind is bool else name,
        help=f"{flag.help} [dim]({_default(field.default)})[/dim]",
        rich_help_panel=panel,
        min=flag.low,
        show_default=False,
        metavar=flag.metavar,
    )
    read = list[get_args(kind)[0]] if several else kind  # type: ignore[misc] # typer reads it
    return Parameter(
        field.name, Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[read | None, option]
    )


def _default(value: Any) -> str:
    if isinstance(value, tuple):
        return "may be said several times"
    if isinstance(value, bool):
        return f"default: {'yes' if value else 'no'}"
    if isinstance(value, str):
        return f"default: {value or 'none'}"
    return f"default: {value:,}" if isinstance(value, int) else f"default: {value:g}"


def options_from(options: type[Options], arguments: Mapping[str, Any]) -> Options:
    """The dataclass with the fields a user set."""
    names = [field.name for field in dataclasses.fields(options)]  # type: ignore[arg-type]
    given = {name: arguments[name] for name in names if arguments.get(name) is not None}
    plain = {name: tuple(said) if isinstance(said, list) else said for name, said in given.items()}
    return options(**plain)


# -- Arguments that several commands share ----------------------------------------------------


PageArgument = Annotated[
    str, typer.Argument(metavar="PAGE", help="A file, an http(s) URL, or - for standard input.")
]
ProfileOption = Annotated[
    str,
    typer.Option(
        "--profile",
        "-p",
        help="default: ours; paper: the publication's values.",
        metavar="default|paper",
    ),
]
ExplainOption = Annotated[
    bool, typer.Option("--explain", "-e", help="Print the measures behind the answer.")
]
UrlOption = Annotated[
    str | None,
    typer.Option("--url", help="Where the page came from; links are resolved against it."),
]
BytesOption = Annotated[int, typer.Option("--max-bytes", help="Refuse larger pages.", min=1)]
TimeoutOption = Annotated[float, typer.Option("--timeout", help="Seconds a URL may take.", min=0.1)]
AllowPrivateOption = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-private",
        help="A host that may be asked though its address is not public; may be said several"
        " times.",
        metavar="HOST:PORT",
        show_default=False,
    ),
]
