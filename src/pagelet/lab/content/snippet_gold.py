"""Labels that are snippets: what must be in the text of a page, and what must not.

A folder holds `snippets.json`, by URL: the `file` in `html/`, snippets `with` and `without`.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pagelet.arrays import Floats
from pagelet.errors import NoGold
from pagelet.lab.seen import PageKey, page_key
from pagelet.methods.content.structure import looks_of
from pagelet.models.columns import number_values
from pagelet.page.html import decode
from pagelet.page.site import registered_domain
from pagelet.page.table import Page
from pagelet.page.textblocks import TextBlocks

FILE = "snippets.json"
SNIPPET_WEIGHT = 30.0  #: weight of a snippet, in words
ALIKE_WEIGHT = 0.3  #: weight of a word in blocks that look like those of a snippet


@dataclass(frozen=True, slots=True)
class SnippetGold:
    """A page with snippets that must and must not be in its text."""

    url: str
    path: Path
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]
    comments: tuple[str, ...] = ()  #: snippets of comments of readers

    @property
    def domain(self) -> str:
        """The registered domain; folds never split one."""
        return registered_domain(self.url) or self.url

    @property
    def html(self) -> bytes:
        """The page as it was stored."""
        return self.path.read_bytes()

    @property
    def key(self) -> PageKey:
        """What identifies the page."""
        return page_key(self.domain, decode(self.html))


def fold(text: str) -> str:
    """A text with its white space folded."""
    return " ".join(text.split())


def has_snippets(folder: Path) -> bool:
    """Whether the labels of a folder are snippets."""
    return (folder / FILE).is_file()


def read_snippets(folder: Path) -> list[SnippetGold]:
    """The pages of a folder, in the order of their file."""
    try:
        labels = json.loads((folder / FILE).read_bytes())
        golds = [
            SnippetGold(
                url,
                folder / "html" / label["file"],
                tuple(label["with"]),
                tuple(label["without"]),
                tuple(label.get("comments") or ()),
            )
            for url, label in labels.items()
        ]
    except (OSError, ValueError, KeyError, AttributeError) as error:
        raise NoGold(str(folder), f"{FILE} with file, with and without by URL") from error
    return [gold for gold in golds if gold.path.is_file()]


def label_by_snippets(page: Page, blocks: TextBlocks, gold: SnippetGold) -> tuple[Floats, Floats]:
    """The label of each block, 1 or 0, and its weight; most blocks weigh nothing.

    A block with a snippet is labelled by it; with less weight, so are the blocks with the same
    tags and classes above them, unless they hold snippets of both kinds.
    """
    texts = block_texts(page, blocks)
    wanted, unwanted = (_places(texts, each) for each in (gold.wanted, gold.unwanted))
    group = number_values(looks_of(page).path[blocks.holder])
    count = np.bincount(group)
    for_, against = (np.bincount(group, each, len(count))[group] for each in (wanted, unwanted))
    label = np.where(wanted + unwanted > 0, wanted > unwanted, for_ > against)
    words = np.minimum(blocks.sum(page.words), SNIPPET_WEIGHT)
    weight = np.where((for_ > 0) != (against > 0), ALIKE_WEIGHT * words, 0.0)
    direct = (wanted > 0) != (unwanted > 0)
    weight[direct] = np.maximum(SNIPPET_WEIGHT * (wanted + unwanted)[direct], weight[direct])
    return label.astype(np.float64), weight


def block_texts(page: Page, blocks: TextBlocks) -> list[str]:
    """The text of each block, white space folded."""
    texts, bounds = blocks.texts(page), [*blocks.first.tolist(), len(blocks.rows)]
    return [fold("".join(texts[bounds[at] : bounds[at + 1]])) for at in range(len(blocks))]


def _places(texts: list[str], snippets: tuple[str, ...]) -> Floats:
    """For each text, the sum over the snippets in it of the share that it has of each."""
    places = np.zeros(len(texts))
    for snippet in map(fold, snippets):
        inside = np.array([snippet in text for text in texts], np.bool_)
        places[inside] += 1 / max(int(inside.sum()), 1)
    return places
