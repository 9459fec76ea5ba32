"""The model of noise removal, in one file of arrays."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files as package_files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.models.lexicon import Lexicon
from pagelet.models.trees import NO_FILES, SHIPPED, Trees, open_model

VERSION = 1  #: version of the file; a model of another version is refused
PARTS = ("groups", "units")  #: the two ensembles


@dataclass(frozen=True, slots=True, eq=False)
class NoiseModel:
    """Weights of names and words, and the trees that find records and classify units."""

    names: Lexicon  #: words of class and id
    words: Mapping[str, float]  #: weights of words of texts
    groups: Trees  #: how well a group of alike elements covers the records
    units: Trees  #: log-odds that a unit is content
    memory: Mapping[int, tuple[float, float]] = field(default_factory=dict)  #: memory of a site

    def save(self, path: Path) -> None:
        """Write all arrays as npz."""
        arrays: dict[str, Any] = {}
        head: dict[str, Any] = {"version": VERSION}
        head |= {"names": self.names.words, "words": list(self.words)}
        for part in PARTS:
            trees: Trees = getattr(self, part)
            head[part] = {"depth": trees.depth, "names": trees.names}
            arrays |= {name: _single(a) for name, a in trees.to_arrays(f"{part}_").items()}
        np.savez_compressed(
            path,
            **arrays,
            names=self.names.weights.astype(np.float32),
            words=np.array(list(self.words.values()), np.float32),
            memory_keys=np.array(list(self.memory), np.uint64),
            memory_counts=np.array(list(self.memory.values()), np.float32).reshape(-1, 2),
            head=np.array(json.dumps(head, ensure_ascii=False)),
        )


def _single(array: NDArray[Any]) -> NDArray[Any]:
    """An array with floating-point numbers in single precision."""
    return array.astype(np.float32) if array.dtype.kind == "f" else array


@lru_cache(maxsize=8)
def read_noise_model(data: bytes, name: str) -> NoiseModel:
    """Read a model from the bytes of an npz file."""
    with open_model(data, name, "noise model") as (head, arrays):
        if head["version"] != VERSION:
            raise ValueError(f"version {head['version']}, this pagelet reads {VERSION}")
        parts = {part: Trees.of_arrays(head[part], arrays, f"{part}_") for part in PARTS}
        names = Lexicon(tuple(head["names"]), arrays["names"].astype(np.float64))
        words = dict(zip(head["words"], arrays["words"].tolist(), strict=True))
        counts = map(tuple, arrays["memory_counts"].astype(np.float64).tolist())
        memory = dict(zip(arrays["memory_keys"].tolist(), counts, strict=True))
        return NoiseModel(names, words, **parts, memory=memory)


def noise_model(name: str = SHIPPED, files: Mapping[str, bytes] = NO_FILES) -> NoiseModel:
    """The shipped model, or one that `pagelet train noise` wrote."""
    return shipped_model() if name == SHIPPED else read_noise_model(files[name], name)


@cache
def shipped_model() -> NoiseModel:
    """The model that comes with pagelet."""
    own = package_files("pagelet.methods.noise") / "noise.npz"
    return read_noise_model(own.read_bytes(), SHIPPED)
