"""Everything noise removal has learned, in one file of arrays."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files as package_files
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any
from zipfile import BadZipFile

import numpy as np

from pagelet.errors import OptionError
from pagelet.models.lexicon import Lexicon
from pagelet.models.trees import ARRAYS, SHIPPED, Trees, narrow_ints, widen_ints

VERSION = 1  #: of the file; a model of another version is refused
PARTS = ("groups", "units")  #: the two ensembles

NO_FILES: Mapping[str, bytes] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class NoiseModel:
    """What names and words say, how records are found, how units are judged."""

    names: Lexicon  #: words of class and id
    words: Mapping[str, float]  #: weights of words of texts
    groups: Trees  #: how well a group of alike elements covers the records
    units: Trees  #: log-odds that a unit is content
    memory: Mapping[int, tuple[float, float]] = field(default_factory=dict)  #: of one site

    def save(self, path: Path) -> None:
        """Write all arrays as npz."""
        arrays: dict[str, Any] = {}
        head: dict[str, Any] = {"version": VERSION}
        head |= {"names": self.names.words, "words": list(self.words)}
        for part in PARTS:
            trees: Trees = getattr(self, part)
            head[part] = {"depth": trees.depth, "names": trees.names}
            arrays |= {f"{part}_{name}": _stored(getattr(trees, name)) for name in ARRAYS}
        np.savez_compressed(
            path,
            **arrays,
            names=self.names.weights.astype(np.float32),
            words=np.array(list(self.words.values()), np.float32),
            memory_keys=np.array(list(self.memory), np.uint64),
            memory_counts=np.array(list(self.memory.values()), np.float32).reshape(-1, 2),
            head=np.array(json.dumps(head, ensure_ascii=False)),
        )


def _stored(array: Any) -> Any:
    """Numbers as narrow as they are stored."""
    return array.astype(np.float32) if array.dtype.kind == "f" else narrow_ints(array)


@lru_cache(maxsize=8)
def read_noise_model(data: bytes, name: str) -> NoiseModel:
    """Read a model from the bytes of an npz file; no pickled object is ever read."""
    try:
        with np.load(BytesIO(data), allow_pickle=False) as stored:
            head = json.loads(str(stored["head"]))
            arrays = {name: stored[name] for name in stored.files if name != "head"}
        if head["version"] != VERSION:
            raise ValueError(f"version {head['version']}, this pagelet reads {VERSION}")
        parts = {part: _trees(part, head[part], arrays) for part in PARTS}
        names = Lexicon(tuple(head["names"]), arrays["names"].astype(np.float64))
        words = dict(zip(head["words"], arrays["words"].tolist(), strict=True))
        counts = map(tuple, arrays["memory_counts"].astype(np.float64).tolist())
        memory = dict(zip(arrays["memory_keys"].tolist(), counts, strict=True))
        return NoiseModel(names, words, **parts, memory=memory)
    except (OSError, ValueError, KeyError, TypeError, EOFError, BadZipFile) as error:
        raise OptionError("model", name, f"not a noise model: {error}") from error


def _trees(part: str, head: Mapping[str, Any], arrays: Mapping[str, Any]) -> Trees:
    kept = {name: widen_ints(arrays[f"{part}_{name}"]) for name in ARRAYS}
    kept = {name: a.astype(np.float64) if a.dtype.kind == "f" else a for name, a in kept.items()}
    return Trees(**kept, depth=int(head["depth"]), names=tuple(head["names"]))


def noise_model(name: str = SHIPPED, files: Mapping[str, bytes] = NO_FILES) -> NoiseModel:
    """The shipped model, or one that `pagelet train noise` wrote."""
    return shipped_model() if name == SHIPPED else read_noise_model(files[name], name)


@cache
def shipped_model() -> NoiseModel:
    """The model that comes with pagelet."""
    own = package_files("pagelet.methods.noise") / "noise.npz"
    return read_noise_model(own.read_bytes(), SHIPPED)
