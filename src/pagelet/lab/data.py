"""The labelled data: its folder ($PAGELET_DATA, else data/), digests of corpora, one thread."""

import hashlib
import os
import sys
from collections.abc import MutableMapping
from pathlib import Path

MENU_CORPORA = ("sites", "segments")  #: corpora with menus that people labelled
WEAK_CORPORA = ("wcxb", "articles", "mixed", "records", "swde")  #: corpora without labelled menus
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
