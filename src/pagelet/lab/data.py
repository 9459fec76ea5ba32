"""The labelled data: its folder ($PAGELET_DATA, else data/), digests, and cards of models."""

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Mapping, MutableMapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

from pagelet.errors import OptionError
from pagelet.lab.seen import PageKey, with_seen_pages
from pagelet.sources.files import write_whole

MENU_CORPORA = ("sites", "segments", "wcxb")  #: corpora with menus that people labelled
WEAK_CORPORA = (
    "wcxb",
    "articles",
    "mixed",
    "records",
    "swde",
)  #: corpora with weakly labelled menus
LABEL_ENDINGS = (".json", ".csv", ".blocks.html")  #: endings of the names of label files
DIGEST_CHARS = 16
THREAD_VARIABLES = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def data_folder() -> Path:
    """The folder that holds the corpora."""
    return Path(os.environ.get("PAGELET_DATA", "data"))


def corpora(names: tuple[str, ...]) -> list[Path]:
    """The folders of those corpora that exist."""
    return [data_folder() / name for name in names if (data_folder() / name).is_dir()]


def data_digest(folder: Path) -> str:
    """A digest of the bytes of label files, and of the names and sizes of all other files.

    Without a label file, the labels are in the pages, and the bytes of all files count.
    """
    files = sorted(
        (path.relative_to(folder).as_posix(), path) for path in folder.rglob("*") if path.is_file()
    )
    labels = {name for name, _ in files if name.endswith(LABEL_ENDINGS)}
    total = hashlib.sha256()
    for name, path in files:
        total.update(f"{name}\0{path.stat().st_size}\0".encode(errors="surrogateescape"))
        if name in labels or not labels:
            with path.open("rb") as file:
                total.update(hashlib.file_digest(file, "sha256").digest())
    return total.hexdigest()[:DIGEST_CHARS]


def use_one_thread(environment: MutableMapping[str, str] = os.environ) -> None:
    """Give linear algebra one thread, unless the user set another number.

    Fits are many small steps, and threads add up in any order: on two busy cores a fit of the
    lexicon took a seventh of the time. Libraries read the variables when they are loaded.
    """
    if "scipy" not in sys.modules:
        for name in THREAD_VARIABLES:
            environment.setdefault(name, "1")


PACKAGES = ("numpy", "scipy", "lightgbm", "turbohtml")  #: another version may give other weights
LICENCES = {
    "sites": "Apache-2.0 where the site is Apache's; elsewhere weights of structure only, no text",
    "segments": "public domain",
    "wcxb": "CC-BY-4.0, WCXB, Foley 2026",
    "articles": "Apache-2.0, newspaper4k's evaluation set",
    "mixed": "Apache-2.0, magic-html's evaluation set",
    "gate": "Apache-2.0, trafilatura's evaluation set",
    "records": "MIT",
    "swde": "Apache-2.0",
}
USER_LICENCE = "the user's own"


class ModelFile(Protocol):
    """A model that can be written to a file."""

    def to_bytes(self) -> bytes:
        """The file of the model."""


def check_target(target: Path) -> None:
    """Refuse a file that could not be written or read again, before the work begins."""
    if target.suffix != ".npz":
        raise OptionError("output", str(target), "a model is a file that ends in .npz")
    _check_folder(target)


def check_options_file(target: Path | None) -> None:
    """Refuse a name for options that reads like a model's, or cannot be written."""
    if target is None:
        return
    if target.suffix != ".json":
        raise OptionError("output", str(target), "options are a file that ends in .json")
    _check_folder(target)


def _check_folder(target: Path) -> None:
    if not target.absolute().parent.is_dir():
        raise OptionError("output", str(target), "no such folder")


def write_model(model: ModelFile, target: Path, pages: Iterable[PageKey]) -> None:
    """Write a model and the pages it was trained on.

    A reader of the file meanwhile gets the old model or the new one, whole.
    """
    write_whole("output", target, with_seen_pages(model.to_bytes(), pages))


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
