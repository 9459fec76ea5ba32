"""Model files and their cards: the data, licences and parameters that made a model."""

import json
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

from pagelet.errors import OptionError

PACKAGES = ("numpy", "scipy", "lightgbm", "turbohtml")  #: another version may give other weights
LICENCES = {
    "sites": "Apache-2.0 where the site is Apache's; elsewhere weights of structure only, no text",
    "segments": "public domain",
    "wcxb": "CC-BY-4.0, WCXB, Foley 2026",
    "articles": "Apache-2.0, newspaper4k's evaluation set",
    "mixed": "Apache-2.0, magic-html's evaluation set",
    "records": "MIT",
    "swde": "Apache-2.0",
}
USER_LICENCE = "the user's own"


class ModelFile(Protocol):
    """A model that can be written to a file."""

    def save(self, path: Path) -> None:
        """Write the model."""


def check_target(target: Path) -> None:
    """Refuse a file that could not be written or read again, before the work begins."""
    if target.suffix != ".npz":
        raise OptionError("output", str(target), "a model is a file that ends in .npz")
    if not target.absolute().parent.is_dir():
        raise OptionError("output", str(target), "there is no such folder")


def write_model(model: ModelFile, target: Path) -> None:
    """Write a model; a reader of the file meanwhile gets the old model or the new one, whole."""
    part = target.with_name(f".{target.stem}-part.npz")
    try:
        model.save(part)
        part.replace(target)
    except OSError as error:
        raise OptionError("output", str(target), error.strerror or str(error)) from error


def write_card(card: Mapping[str, Any], target: Path) -> None:
    """Write the card of a model beside its file."""
    text = json.dumps(card, indent=2) + "\n"
    target.with_suffix(".json").write_text(text, encoding="utf-8")


def licence_of(corpus: str) -> str:
    """The licence of a corpus by its name."""
    return LICENCES.get(corpus, USER_LICENCE)


def package_versions() -> dict[str, str]:
    """Versions of the packages that a fit depends on."""
    return {name: version(name) for name in PACKAGES}
