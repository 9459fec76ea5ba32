"""Phrases that messages share: lists of names, counts of things, what a value must be."""

from collections.abc import Iterable

#: What a value of each type must be.
TYPE_WORDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a string",
    dict: "an object",
    list: "a list",
}
NO_FOLDER = "no such folder"
A_LIST_OF_STRINGS = "must be a list of strings"


def join_names(names: Iterable[str], last: str = "and") -> str:
    """Names as a list in a sentence: a, b and c."""
    *most, end = names
    return f"{', '.join(most)} {last} {end}" if most else end


def count_of(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun: 1 page, 2,000 pages."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def must_be_one_of(words: Iterable[str]) -> str:
    """What a choice must be: one of some words."""
    return f"must be {join_names(words, 'or')}"


def must_be_a(kind: type) -> str:
    """What a value must be: of this type."""
    return f"must be {TYPE_WORDS[kind]}"


def must_lie(low: float | None, high: float | None) -> str:
    """What a number must be: within one or two limits."""
    if low is None:
        return f"must be {high:,.15g} or less"
    if high is None:
        return f"must be {low:,.15g} or more"
    return f"must be between {low:,.15g} and {high:,.15g}"


def describe_os_error(error: OSError | ValueError, missing: str = "no such file") -> str:
    """Why a file cannot be read or written; a ValueError is a name that no file can have."""
    if isinstance(error, FileNotFoundError) or not isinstance(error, OSError):
        return missing
    if isinstance(error, IsADirectoryError):
        return "it is a folder, not a file"
    text = error.strerror or str(error)
    return text[:1].lower() + text[1:]


def missing_styles(count: int) -> str:
    """So many style sheets could not be loaded."""
    return f"{count_of(count, 'style sheet')} missing"


def missing_styles_note(count: int) -> str:
    """A warning about a page that is drawn without its style sheets."""
    return (
        f"{missing_styles(count)}: the page is not drawn as its readers see it; name the folder"
        " of its files with --folder, or turn the network on"
    )
