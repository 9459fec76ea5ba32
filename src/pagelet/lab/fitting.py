"""What an evaluation fits its models on, whether that is enough, and which model answers.

Without `--fit` the shipped model answers. With it, models that have not seen the site of a page
answer too, if the labels and the corpora in the data folder cover enough sites.
"""

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from pagelet.lab import Report
from pagelet.lab.data import data_folder
from pagelet.sources.files import read_file
from pagelet.wording import count_of, join_names

NUMBERS = ("no", "one", "two", "three", "four", "five")  #: words for small numbers
SHIPPED_NOTE = (
    "The shipped model answers; it may have seen these pages. With --fit, models that have not"
    " seen them answer too."
)
FITTED_NOTE = (
    "unseen: models fitted without the page's site. shipped: a model that may have seen these"
    " pages."
)
NO_MODEL_NOTE = "No model answers: nothing here was fitted to labelled pages."


def warn_of_one_site(sites: Iterable[str], report: Report) -> None:
    """Say that a model learned from one site alone."""
    if len(set(sites)) == 1:
        report("labels are of one site: how well the model does on others cannot be told")


def read_own_model(path: str) -> dict[str, bytes]:
    """The file of a model that a user trained, by its name; empty where none is named."""
    return {path: read_file("model", path)} if path else {}


def answering_note(*, fitted: bool) -> str:
    """One line on the models that answer, and whether they may have seen the pages."""
    return FITTED_NOTE if fitted else SHIPPED_NOTE


def describe_corpora(folder: Path, others: Sequence[Path]) -> str:
    """What is fitted on, before it is read: the folder, and corpora of the data folder."""
    names = list(dict.fromkeys(other.name for other in others))
    if not names:
        return f"fitting on {folder.resolve().name} alone"
    count = count_of(len(names), "corpus", "corpora")
    return (
        f"fitting on {folder.resolve().name} and {count} under {data_folder()}: {join_names(names)}"
    )


def too_few_sites(sites: Collection[str], needed: int) -> str:
    """Why nothing is fitted: labels of too few sites to leave some out."""
    have = len(set(sites))
    covered = f"labels cover {_word(have)} {'site' if have == 1 else 'sites'}"
    if have >= needed:  # of some, nothing can be learned
        covered += ", too few of which have pages to learn from"
    return f"{covered}; {_word(needed)} are needed to score unseen pages: scored without fitting"


def _word(number: int) -> str:
    return NUMBERS[number] if number < len(NUMBERS) else f"{number:,}"
