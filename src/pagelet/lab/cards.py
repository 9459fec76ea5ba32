"""Model files and their cards: what a model was made of, and under which licences."""

from pathlib import Path
from typing import Protocol

from pagelet.errors import OptionError


class Model(Protocol):
    """What can be written to a file."""

    def save(self, path: Path) -> None:
        """Write it."""


def check_target(target: Path) -> None:
    """Refuse a file that could not be written or read again, before the work begins."""
    if target.suffix != ".npz":
        raise OptionError("output", str(target), "a model is a file that ends in .npz")
    if not target.absolute().parent.is_dir():
        raise OptionError("output", str(target), "there is no such folder")


def store(model: Model, target: Path) -> None:
    """Write a model; whoever reads the file meanwhile has the old one or the new one, whole."""
    part = target.with_name(f".{target.stem}-part.npz")
    try:
        model.save(part)
        part.replace(target)
    except OSError as error:
        raise OptionError("output", str(target), error.strerror or str(error)) from error


LICENCES = {
    "sites": "Apache-2.0 where the site is Apache's; elsewhere weights of structure only, no text",
    "segments": "public domain",
    "wcxb": "CC-BY-4.0, WCXB, Foley 2026",
    "articles": "Apache-2.0, newspaper4k's evaluation set",
    "mixed": "Apache-2.0, magic-html's evaluation set",
    "records": "MIT",
    "swde": "Apache-2.0",
}
