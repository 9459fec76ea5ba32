"""The model of content extraction, in one file of arrays; page types are part of it."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files as package_files
from urllib.parse import urlsplit

import numpy as np

from pagelet import core
from pagelet.arrays import Floats
from pagelet.metadata.structured import types as named_types
from pagelet.models.features import FeatureTable
from pagelet.models.lexicon import Lexicon
from pagelet.models.trees import NO_FILES, SHIPPED, Trees, npz_bytes, open_model
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER

WORD = re.compile(r"[a-z]{2,20}")
YEAR = re.compile(r"/(19|20)\d\d/")
NUMBERED = re.compile(r"\d{4,}")
MAX_VALUE_CHARS = 600  #: characters of an attribute or URL that are read
MAX_PATH_PARTS, MAX_HYPHENS, MAX_LOG_COUNT = 6, 8, 6  #: higher counts are taken for these

#: Tags of which the logarithm of the count is a word.
COUNTED_TAGS = """
article main time form table pre code iframe video select h1 h2 h3 figure dl blockquote
input button img li p label textarea""".split()

COUNTED_NUMBERS = np.array([NUMBER[name] for name in COUNTED_TAGS], np.int32)
#: The words of each, by the logarithm of the count.
COUNT_WORDS = [[f"{name}:{at}" for at in range(MAX_LOG_COUNT + 1)] for name in COUNTED_TAGS]

#: Features of which the number of steps they exceed is a word.
FEATURE_STEPS: dict[str, tuple[float, ...]] = {
    "page_words": (50, 150, 300, 500, 800, 1200, 2000, 4000, 8000),
    "page_blocks": (20, 50, 100, 200, 400, 800),
    "page_links": (0.05, 0.1, 0.2, 0.3, 0.4, 0.55, 0.7),
    "page_mean": (2, 3, 4, 6, 9, 14, 20),
    "page_paragraphs": (0.02, 0.1, 0.2, 0.35, 0.5, 0.7),
    "page_long": (0.02, 0.1, 0.2, 0.35, 0.5, 0.7),
    "page_stops": (0.01, 0.02, 0.03, 0.045, 0.06, 0.08),
    "page_plain": (50, 150, 300, 600, 1000, 2000, 4000),
    "page_money": (0.0005, 0.002, 0.005, 0.01, 0.02, 0.04),
    "core30_share": (0.1, 0.2, 0.3, 0.45, 0.6),
    "core50_share": (0.1, 0.2, 0.3, 0.45, 0.6, 0.8),
    "core70_share": (0.2, 0.35, 0.5, 0.65, 0.8),
}

#: The words of each, by the number of steps.
STEP_WORDS = {
    name: [f"{name}:{at}" for at in range(len(steps) + 1)] for name, steps in FEATURE_STEPS.items()
}


def type_probabilities(types: "PageTypes", page: Page, features: FeatureTable) -> Floats:
    """The probability of each type of page, given the features of its blocks."""
    if core.compiled:
        return _weigh_compiled(types, page, features)
    totals = {name: float(features[name][0]) for name in FEATURE_STEPS}
    return types.probabilities(type_words(page, totals))


def _weigh_compiled(types: "PageTypes", page: Page, features: FeatureTable) -> Floats:
    """The same by the compiled core."""
    totals = core.kernels.read_first(features.lines, features.lines_of(FEATURE_STEPS))
    words = [*_url_words(page.url or ""), *[f"is:{name}" for name in named_types(page)]]
    score: Floats = np.empty(len(types.bias))
    table = _compiled_words(types)
    table.score(page.wanted, page.tag, page.body, totals, words, _words_of, score)
    np.exp(score, out=score)
    core.kernels.divide_by_sum(score)
    return score


@lru_cache(maxsize=8)
def _compiled_words(types: "PageTypes") -> "core.kernels.TypeWords":
    """The words of a model, for the compiled core."""
    row, steps = types.words, tuple(FEATURE_STEPS.values())
    phrases = tuple(word.encode("utf-8", "surrogatepass") for word in row)
    table = core.kernels.PhraseTable(phrases, np.arange(1, len(row) + 1))
    counts = np.array([[row.get(word, -1) for word in words] for words in COUNT_WORDS], np.int32)
    exceeded = np.full((len(steps), max(map(len, steps)) + 1), -1, np.int32)
    for at, words in enumerate(STEP_WORDS.values()):
        exceeded[at, : len(words)] = [row.get(word, -1) for word in words]
    weights = types.weights.astype(np.float64, "C", copy=False), types.bias.astype(np.float64)
    return core.kernels.TypeWords(table, COUNTED_NUMBERS, counts, steps, exceeded, *weights)


def type_words(page: Page, totals: Mapping[str, float]) -> set[str]:
    """Words from the URL, head, body tag and structured data of a page, and from its counts."""
    words = {*_url_words(page.url or ""), *_root_words(page), *_meta_words(page), *_tag_words(page)}
    words.update(f"is:{name}" for name in named_types(page))
    words.update(
        [
            STEP_WORDS[name][bisect_left(steps, totals[name])]
            for name, steps in FEATURE_STEPS.items()
        ]
    )
    return words


def _url_words(url: str) -> Iterator[str]:
    if not url:
        yield "url:none"
        return
    try:
        parts = urlsplit(url[:MAX_VALUE_CHARS].lower())
    except ValueError:
        return
    names = [name for name in parts.path.split("/") if name]
    yield from (f"path:{word}" for word in WORD.findall(parts.path))
    yield from (f"query:{word}" for word in WORD.findall(parts.query))
    yield from (f"host:{name}" for name in (parts.hostname or "").split(".")[:-1][:-1])
    yield f"parts:{min(len(names), MAX_PATH_PARTS)}"
    last = names[-1] if names else ""
    yield f"hyphens:{min(last.count('-') + last.count('_'), MAX_HYPHENS)}"
    if YEAR.search(parts.path):
        yield "path:YEAR"
    if NUMBERED.search(parts.path):
        yield "path:NUMBER"


def _root_words(page: Page) -> Iterator[str]:
    for row in _roots(page):
        for name in ("class", "id"):
            yield from _words_of("body", page.value_of(row, name))


def _roots(page: Page) -> tuple[int, ...]:
    """The rows of the first element and of body."""
    return tuple(row for row in dict.fromkeys((0, page.body)) if 0 <= row < len(page))


def _words_of(kind: str, value: str) -> list[str]:
    """The words of a value of an attribute, the first ones of the name of a program."""
    if kind == "meta":
        return [f"meta:{value[:MAX_VALUE_CHARS]}"]
    words = WORD.findall(value[:MAX_VALUE_CHARS].lower())
    return [f"{kind}:{word}" for word in (words[:3] if kind == "made" else words)]


def _meta_words(page: Page) -> Iterator[str]:
    for name in page.values_of("property"):
        if name.startswith(("article:", "product:")):
            yield from _words_of("meta", name)
    for row in page.rows_with("name", _is_generator, "generator"):
        yield from _words_of("made", page.value_of(row, "content"))


def _is_generator(name: str) -> bool:
    return name.lower() == "generator"


def _tag_words(page: Page) -> Iterator[str]:
    every = np.bincount(page.tag, minlength=len(page.names))
    counts = every[COUNTED_NUMBERS].tolist()
    for words, count in zip(COUNT_WORDS, counts, strict=True):
        yield words[min((count + 1).bit_length() - 1, MAX_LOG_COUNT)]


LEXICON_KINDS = 3  #: kinds of pages for which the lexicon has weights
TYPES = ("article", "service", "product", "collection", "forum", "listing", "documentation")


@dataclass(frozen=True, slots=True, eq=False)
class PageTypes:
    """A softmax over learned weights of words, one weight for each type."""

    words: dict[str, int]  #: row of each word in `weights`
    weights: Floats  #: one row per word
    bias: Floats

    def probabilities(self, words: Iterable[str]) -> Floats:
        """The probability of each type, given the words of a page, each once."""
        rows = sorted(row for row in map(self.words.get, words) if row is not None)
        score = self.bias + self.weights[rows].sum(axis=0)
        odds = np.exp(score - score.max())
        return np.asarray(odds / odds.sum())


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

    def to_bytes(self) -> bytes:
        """The file of this model."""
        head = {
            "depth": self.trees.depth,
            "names": self.trees.names,
            "lexicon": self.lexicon.words,
            "types": list(self.types.words),
        }
        arrays = {
            "lexicon": self.lexicon.weights.astype(np.float32),
            "types": self.types.weights.astype(np.float32),
            "bias": self.types.bias.astype(np.float32),
            "expected": self.expected,
            "reached": self.reached,
        }
        return npz_bytes(head, self.trees.to_arrays("tree_") | arrays)


@lru_cache(maxsize=8)
def read_content_model(data: bytes, name: str) -> ContentModel:
    """Read a model from the bytes of an npz file."""
    with open_model(data, name, "content model") as (head, arrays):
        lexicon = Lexicon(tuple(head["lexicon"]), arrays["lexicon"].astype(np.float64))
        places = {word: at for at, word in enumerate(head["types"])}
        types = PageTypes(places, arrays["types"].astype(np.float64), arrays["bias"])
        trees = Trees.of_arrays(head, arrays, "tree_")
        _check_shapes(lexicon, types, arrays["expected"], arrays["reached"])
        return ContentModel(lexicon, types, trees, arrays["expected"], arrays["reached"])


def _check_shapes(lexicon: Lexicon, types: PageTypes, expected: Floats, reached: Floats) -> None:
    """Raise ValueError for weights of other words or types than the model has."""
    usual = (len(types.words), len(TYPES))
    fit = types.weights.shape == usual and types.bias.shape == usual[1:]
    kinds = lexicon.weights.shape[1:] == (LEXICON_KINDS,)
    rising = expected.ndim == 1 and len(expected) > 0 and expected.shape == reached.shape
    if not (fit and kinds and rising):
        raise ValueError("its weights do not fit its words")


def content_model(name: str = SHIPPED, files: Mapping[str, bytes] = NO_FILES) -> ContentModel:
    """The shipped model, or one that `pagelet train content` wrote."""
    return shipped_model() if name == SHIPPED else read_content_model(files[name], name)


@cache
def shipped_model() -> ContentModel:
    """The model that comes with pagelet."""
    own = package_files("pagelet.methods.content") / "content.npz"
    return read_content_model(own.read_bytes(), SHIPPED)
