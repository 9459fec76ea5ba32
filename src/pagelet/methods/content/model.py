"""The model of content extraction, in one file of arrays."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files as package_files
from pathlib import Path

import numpy as np

from pagelet.arrays import Floats
from pagelet.methods.content.page_type import PageTypes
from pagelet.models.lexicon import Lexicon
from pagelet.models.trees import NO_FILES, SHIPPED, Trees, open_model


@dataclass(frozen=True, slots=True, eq=False)
class ContentModel:
    """The lexicon, the page types, the trees over blocks, and how sure answers turned out."""

    lexicon: Lexicon
    types: PageTypes
    trees: Trees
    expected: Floats  #: rising values of the expected F1 …
    reached: Floats  #: … and the F1 that answers with such values reached

    def confidence(self, expected: float) -> float:
        """The F1 that answers with this expected F1 reached on pages the model had not seen."""
        return float(np.interp(expected, self.expected, self.reached))

    def save(self, path: Path) -> None:
        """Write all arrays as npz."""
        head = {
            "depth": self.trees.depth,
            "names": self.trees.names,
            "lexicon": self.lexicon.words,
            "types": list(self.types.words),
        }
        np.savez_compressed(
            path,
            **self.trees.to_arrays("tree_"),
            lexicon=self.lexicon.weights.astype(np.float32),
            types=self.types.weights.astype(np.float32),
            bias=self.types.bias.astype(np.float32),
            expected=self.expected,
            reached=self.reached,
            head=np.array(json.dumps(head, ensure_ascii=False)),
        )


@lru_cache(maxsize=8)
def read_content_model(data: bytes, name: str) -> ContentModel:
    """Read a model from the bytes of an npz file."""
    with open_model(data, name, "content model") as (head, arrays):
        lexicon = Lexicon(tuple(head["lexicon"]), arrays["lexicon"].astype(np.float64))
        places = {word: at for at, word in enumerate(head["types"])}
        types = PageTypes(places, arrays["types"].astype(np.float64), arrays["bias"])
        trees = Trees.of_arrays(head, arrays, "tree_")
        return ContentModel(lexicon, types, trees, arrays["expected"], arrays["reached"])


def content_model(name: str = SHIPPED, files: Mapping[str, bytes] = NO_FILES) -> ContentModel:
    """The shipped model, or one that `pagelet train content` wrote."""
    return shipped_model() if name == SHIPPED else read_content_model(files[name], name)


@cache
def shipped_model() -> ContentModel:
    """The model that comes with pagelet."""
    own = package_files("pagelet.methods.content") / "content.npz"
    return read_content_model(own.read_bytes(), SHIPPED)
