"""Where labelled data lies: $PAGELET_DATA, else the folder data/."""

import hashlib
import os
import sys
from collections.abc import MutableMapping
from pathlib import Path

LABELLED = ("sites", "segments")  #: corpora with menus that people labelled
WEAK = ("wcxb", "articles", "mixed", "records", "swde")  #: corpora of pages without such labels


def data_folder() -> Path:
    """The folder that holds the corpora."""
    return Path(os.environ.get("PAGELET_DATA", "data"))


def corpora(names: tuple[str, ...]) -> list[Path]:
    """The folders of those corpora that are there."""
    return [data_folder() / name for name in names if (data_folder() / name).is_dir()]


# -- A digest of a labelled folder, by which a change of the data is told ---------------------


LABELS = (".json", ".csv", ".blocks.html")  #: how files of labels end
SHOWN = 16  #: characters of a digest


def data_digest(folder: Path) -> str:
    """A digest of the labels, byte by byte, and of names and sizes of all other files.

    Where no file is named as labels are, the labels stand in the pages, so all bytes count.
    """
    found = sorted(
        (path.relative_to(folder).as_posix(), path) for path in folder.rglob("*") if path.is_file()
    )
    labels = {name for name, _ in found if name.endswith(LABELS)}
    total = hashlib.sha256()
    for name, path in found:
        total.update(f"{name}\0{path.stat().st_size}\0".encode(errors="surrogateescape"))
        if name in labels or not labels:
            with path.open("rb") as file:
                total.update(hashlib.file_digest(file, "sha256").digest())
    return total.hexdigest()[:SHOWN]


# -- The file a fitted model goes to ----------------------------------------------------------


# -- One thread for linear algebra: fits are many small steps, and threads add up in any order


LIBRARIES = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def one_thread(environment: MutableMapping[str, str] = os.environ) -> None:
    """Ask for one thread unless the user said otherwise; libraries listen when they are loaded.

    On two busy cores a fit of the lexicon took a seventh of the time.
    """
    if "scipy" not in sys.modules:
        for name in LIBRARIES:
            environment.setdefault(name, "1")
