"""Trees by masks of leaves against trees in numpy: the same answers, bit for bit."""

import pickle
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import core
from pagelet.lab.learners import trees_of
from pagelet.methods.content.model import content_model
from pagelet.methods.menu.ranking import FIRST_TREES
from pagelet.methods.noise.decision import noise_model
from pagelet.models.trees import BATCH_ROWS, Trees, load_shipped
from tests.cores import ask_both, twins, using
from tests.models.test_trees import NAMES, forests

pytestmark = twins

SHIPPED = {
    "content": lambda: content_model().trees,
    "noise groups": lambda: noise_model().groups,
    "noise units": lambda: noise_model().units,
    "links": partial(load_shipped, "pagelet.methods.links", "links"),
    "menu": partial(load_shipped, "pagelet.methods.menu", "menu"),
    "noise paper": partial(load_shipped, "pagelet.methods.noise", "noise_paper"),
    "records": partial(load_shipped, "pagelet.methods.records", "records"),
    "segments": partial(load_shipped, "pagelet.methods.segments.visual", "segments"),
}


def features_for(trees: Trees, rows: int, seed: int = 0) -> np.ndarray:
    """Features at the thresholds, just below and above; some with one value, some that are none."""
    draw = np.random.default_rng(seed)
    limits = draw.choice(trees.threshold[np.isfinite(trees.threshold)], (rows, len(trees.names)))
    features = np.nextafter(limits, limits + draw.integers(-1, 2, limits.shape))
    features[:, ::3] = features[:1, ::3]
    features[draw.random(features.shape) < 0.002] = np.nan
    return features


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_shipped_trees(name, order, dtype):
    trees = SHIPPED[name]()
    with np.errstate(over="ignore"):
        features = np.asarray(features_for(trees, 40), dtype, order)
    for rows in (40, 1):
        compiled, python = ask_both(lambda rows=rows: trees.predict(features[:rows]))
        assert compiled.tobytes() == python.tobytes()


@given(forests, st.integers(0, 9))
def test_small_forests_and_parts_of_them(forest, seed):
    trees = trees_of(forest, NAMES)
    features = np.random.default_rng(seed).integers(-4, 5, (7, 3)).astype(float)
    for part in (slice(None), slice(1, None), slice(0, 1), slice(2, 1)):
        compiled, python = ask_both(lambda part=part: trees.predict(features, part))
        assert compiled.tobytes() == python.tobytes()


@pytest.mark.parametrize("rows", [0, 1, BATCH_ROWS, BATCH_ROWS + 1])
def test_classes_and_batches(rows):
    links = SHIPPED["links"]()
    features = np.asfortranarray(features_for(links, rows).astype(np.float32))
    compiled, python = ask_both(lambda: links.predict_classes(features, 7))
    assert compiled.shape == python.shape == (rows, 7)
    assert np.ascontiguousarray(compiled).tobytes() == np.ascontiguousarray(python).tobytes()


def test_a_row_has_the_same_answer_alone_and_among_others():
    links = SHIPPED["links"]()
    features = features_for(links, 30)
    alone, beside = ask_both(lambda: [links.predict(line[None])[0] for line in features])
    assert alone == beside == links.predict(features).tolist()


def chain(levels: int) -> Trees:
    """One tree whose right child goes on, level by level."""
    left = np.arange(2 * levels + 1)
    left[: 2 * levels : 2] += 1
    inner = left != np.arange(len(left))
    return Trees(
        roots=np.zeros(1, np.intp),
        feature=np.zeros(len(left), np.intp),
        threshold=np.where(inner, left / 2, np.inf),
        left=left,
        value=left.astype(float),
        depth=levels,
        names=("a",),
    )


@pytest.mark.parametrize("levels", [0, 1, 31, 32, 63, 64, 99])
def test_any_number_of_leaves(levels):
    trees = chain(levels)
    features = np.arange(-1.0, levels + 2)[:, None]
    compiled, python = ask_both(lambda: trees.predict(features))
    assert compiled.tolist() == python.tolist()


def test_a_walk_ends_at_the_stated_depth():
    trees = chain(40)
    short = Trees(*(getattr(trees, name) for name in ("roots", "feature", "threshold", "left")),
                  value=trees.value, depth=5, names=trees.names)  # fmt: skip
    compiled, python = ask_both(lambda: short.predict(np.full((2, 1), 99.0)))
    assert compiled.tolist() == python.tolist() == [11.0, 11.0]


@pytest.mark.parametrize(
    ("name", "values"),
    [("left", [5, 1, 2]), ("left", [2, 1, 2]), ("left", [-1, 1, 2]), ("roots", [3]),
     ("roots", [-1]), ("feature", [1, 0, 0]), ("value", [0.0])],
)  # fmt: skip
def test_arrays_that_lead_nowhere_are_refused(name, values):
    arrays = {
        "roots": [0], "feature": [0, 0, 0], "threshold": [0.0, np.inf, np.inf],
        "narrow": [0.0, np.inf, np.inf], "left": [1, 1, 2], "value": [0.0, 1.0, 2.0],
    }  # fmt: skip
    kinds = dict.fromkeys(arrays, np.intp) | {
        "threshold": np.float64, "narrow": np.float32, "value": np.float64
    }  # fmt: skip
    arrays[name] = values
    with pytest.raises(ValueError, match=r"exist|together"):
        core.kernels.TreeScorer(*(np.array(arrays[key], kinds[key]) for key in arrays), 1, 3)


def test_features_that_are_too_few_are_refused():
    links = SHIPPED["links"]()
    with using("compiled"), pytest.raises(ValueError, match="features"):
        links.predict(np.zeros((3, 5)))


def test_the_first_trees_need_the_first_features_alone():
    menu = SHIPPED["menu"]()
    features = features_for(menu, 5)[:, :67]
    compiled, python = ask_both(lambda: menu.predict(features, slice(None, FIRST_TREES)))
    assert compiled.tobytes() == python.tobytes()


def test_trees_survive_pickling():
    links = SHIPPED["links"]()
    features = features_for(links, 3)
    with using("compiled"):
        assert links.predict(features).tolist() == links.predict(features).tolist()
        again = pickle.loads(pickle.dumps(links))
    assert again.predict(features).tolist() == links.predict(features).tolist()
