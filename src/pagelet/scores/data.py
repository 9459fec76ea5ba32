"""Where labelled data lies: $PAGELET_DATA, else the folder data/."""

import os
from pathlib import Path

LABELLED = ("sites", "segments")  #: corpora with menus that people labelled
WEAK = ("wcxb", "articles", "mixed", "records", "swde")  #: corpora of pages without such labels


def data_folder() -> Path:
    """The folder that holds the corpora."""
    return Path(os.environ.get("PAGELET_DATA", "data"))


def corpora(names: tuple[str, ...]) -> list[Path]:
    """The folders of those corpora that are there."""
    return [data_folder() / name for name in names if (data_folder() / name).is_dir()]
