"""A digest of a labelled folder, by which a change of the data is told."""

import hashlib
from pathlib import Path

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
