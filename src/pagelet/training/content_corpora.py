"""The labelled folders the content model is fitted on."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pagelet.errors import NoGold
from pagelet.scores.annotated import read_labelled
from pagelet.scores.content import ContentGold
from pagelet.scores.data import corpora, data_folder
from pagelet.training.content_examples import Example, read_examples

NAMES = ("wcxb", "articles", "mixed")  #: corpora with main content that people labelled

Say = Callable[[str], None]
Each = Callable[[str, int, int], None]  #: told what is done, how much of it, of how much


def untold(_what: str, _done: int, _total: int) -> None:
    """Tell nobody how far things are."""


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """A labelled folder and what can be learned from it."""

    folder: Path
    golds: tuple[ContentGold, ...]
    examples: tuple[Example, ...]

    @property
    def ours(self) -> bool:
        """Whether it is one of the corpora that a model may ship with."""
        name = self.folder.resolve().name
        return name in NAMES and self.folder.resolve() == (data_folder() / name).resolve()

    @property
    def name(self) -> str:
        """What cards and progress call it."""
        name = self.folder.resolve().name
        return name if self.ours else f"{name} (the user's own)"


def read_corpora(folder: Path, *, alone: bool, say: Say, each: Each = untold) -> list[Corpus]:
    """The folder itself first, then, unless alone, every corpus in the data folder."""
    others = [] if alone else corpora(NAMES)
    folders = [folder, *(other for other in others if other.resolve() != folder.resolve())]
    return [_read(each_folder, say, each) for each_folder in folders]


def _read(folder: Path, say: Say, each: Each) -> Corpus:
    golds = read_labelled(folder, say)
    what = f"reading {folder.resolve().name}"
    examples = read_examples(golds, lambda done, total: each(what, done, total))
    return Corpus(folder, tuple(golds), tuple(examples))


def all_examples(found: Iterable[Corpus]) -> list[Example]:
    """The examples of all corpora, in order."""
    return [example for corpus in found for example in corpus.examples]


def need_sites(examples: Sequence[Example], folder: Path) -> None:
    """Say so where the pages are of too few sites to be split into folds."""
    if len({example.fold for example in examples}) < 2:
        raise NoGold(str(folder), "pages of more sites, which are split into folds")
