"""The content model: files that bring back the same, the shipped one, files that are none."""

from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.errors import OptionError
from pagelet.lab.learners import trees_of
from pagelet.methods.content.choice import decide, model_features
from pagelet.methods.content.model import (
    TYPES,
    ContentModel,
    PageTypes,
    content_model,
    read_content_model,
)
from pagelet.models.lexicon import Lexicon
from pagelet.page.textblocks import text_blocks
from pagelet.sources.files import read_file
from tests.build import html, page_of


def read_model(path):
    return read_content_model(read_file("model", path), str(path))


PAGE = html(
    ("nav", {"class": "menu"}, ("a", {"href": "/"}, "Home")),
    ("main", {"id": "content"}, ("h1", "Title"), *[("p", "Some words, and more. " * 9)] * 3),
)
ARRAYS = ("roots", "feature", "threshold", "left", "value")


def leaf(value):
    return {"leaf_value": value, "leaf_count": 3}


def small(rng=None):
    """A model as fitting makes it, with weights that single precision can hold."""
    rng = rng or np.random.default_rng(5)
    split = {"split_feature": 1, "threshold": 0.1, "left_child": leaf(1 / 3)}
    trees = trees_of([{"tree_structure": {**split, "right_child": leaf(-0.7)}}], ("a", "ö"))
    words = ("menu", "日本", "role:main")
    return ContentModel(
        Lexicon(words, rng.normal(size=(3, 3)).astype(np.float32).astype(np.float64)),
        PageTypes(
            {"url:none": 0, "path:ü": 1},
            rng.normal(size=(2, 7)).astype(np.float32).astype(np.float64),
            rng.normal(size=7).astype(np.float32).astype(np.float64),
        ),
        trees,
        np.array([0.1, 1 / 3, 0.9]),
        np.array([0.2, 0.5, 1.0]),
    )


def test_a_file_brings_back_the_same_model(tmp_path):
    model = small()
    (tmp_path / "m.npz").write_bytes(model.to_bytes())
    again = read_model(tmp_path / "m.npz")
    assert again.lexicon.words == model.lexicon.words
    assert again.types.words == model.types.words
    assert (again.trees.names, again.trees.depth) == (model.trees.names, model.trees.depth)
    pairs = [(getattr(again.trees, name), getattr(model.trees, name)) for name in ARRAYS]
    pairs += [(again.lexicon.weights, model.lexicon.weights)]
    pairs += [(again.types.weights, model.types.weights), (again.types.bias, model.types.bias)]
    pairs += [(again.expected, model.expected), (again.reached, model.reached)]
    assert all(np.array_equal(one, other) for one, other in pairs)
    words = ["url:none", "path:ü"]
    assert again.types.probabilities(words).tobytes() == model.types.probabilities(words).tobytes()


def test_saving_what_was_loaded_writes_the_same_bytes(tmp_path):
    (tmp_path / "one.npz").write_bytes(small().to_bytes())
    (tmp_path / "two.npz").write_bytes(read_model(tmp_path / "one.npz").to_bytes())
    one, two = (np.load(tmp_path / f"{name}.npz", allow_pickle=False) for name in ("one", "two"))
    assert one.files == two.files
    for name in one.files:
        assert (one[name].dtype, one[name].tobytes()) == (two[name].dtype, two[name].tobytes())


def test_the_shipped_model_is_small_and_needs_no_pickle():
    path = files("pagelet.methods.content") / "content.npz"
    assert path.stat().st_size < 1_000_000
    with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
        assert all(stored[name].dtype.kind in "fiuU" for name in stored.files)


def test_the_shipped_model_has_the_features_that_are_measured():
    page, model = page_of(PAGE), content_model()
    table, _ = model_features(page, text_blocks(page), model, "auto")
    assert model.trees.names == table.names
    assert table.lines.shape == (len(table.names), len(text_blocks(page)))
    assert model.types.weights.shape == (len(model.types.words), len(TYPES))


def test_the_shipped_model_is_sound():
    model = content_model()
    assert model is content_model()
    assert (np.diff(model.expected) > 0).all()
    assert (np.diff(model.reached) >= 0).all()
    assert 0 <= model.reached.min() <= model.reached.max() <= 1
    weights = (model.lexicon.weights, model.types.weights, model.types.bias, model.trees.value)
    assert all(np.isfinite(each).all() for each in weights)
    assert list(model.lexicon.words) == sorted(set(model.lexicon.words))


def test_a_stored_copy_of_the_shipped_model_answers_the_same(tmp_path):
    (tmp_path / "m.npz").write_bytes(content_model().to_bytes())
    page = page_of(PAGE)
    one = decide(page, content_model(), "balanced", "auto")
    two = decide(page, read_model(tmp_path / "m.npz"), "balanced", "auto")
    assert one.probability.tobytes() == two.probability.tobytes()
    assert (one.page_type, one.confidence) == (two.page_type, two.confidence)


@given(st.floats(-1, 2), st.floats(-1, 2))
def test_confidence_rises_and_stays_in_bounds(one, other):
    model = small()
    low, high = sorted((one, other))
    assert 0.2 <= model.confidence(low) <= model.confidence(high) <= 1.0
    assert model.confidence(1 / 3) == 0.5


def truncated(folder):
    (folder / "m.npz").write_bytes(small().to_bytes())
    data = (folder / "m.npz").read_bytes()
    return data[: len(data) // 2]


def other_arrays(folder):
    np.savez(folder / "m.npz", head=np.array("{}"))
    return (folder / "m.npz").read_bytes()


def plain_array(folder):
    np.save(folder / "m.npy", np.zeros(3))
    return (folder / "m.npy").read_bytes()


def pickled(folder):
    np.savez(folder / "m.npz", head=np.array([{}], object))
    return (folder / "m.npz").read_bytes()


@pytest.mark.parametrize(
    "made",
    [
        pytest.param(lambda folder: b"no model at all", id="text"),
        pytest.param(other_arrays, id="other arrays"),
        pytest.param(pickled, id="a pickle"),
        pytest.param(lambda folder: b"", id="empty"),
        pytest.param(truncated, id="cut off"),
        pytest.param(plain_array, id="one array"),
    ],
)
def test_what_is_no_model_is_refused(tmp_path, made):
    path = tmp_path / "other.npz"
    path.write_bytes(made(tmp_path))
    with pytest.raises(OptionError, match="not a content model"):
        read_model(path)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(OptionError, match="no such file"):
        read_model(tmp_path / "none.npz")
