"""Files that users name, broken on purpose: one line each, whatever is wrong with them."""

import json
import random
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

import pagelet
from pagelet import analyse, extract
from pagelet.errors import OptionError
from pagelet.methods.content.rules import read_rules
from pagelet.methods.segments.memory import read_memory
from pagelet.methods.template.learned import learn, read_learned
from pagelet.models.trees import Trees, read_trees
from pagelet.page.html import parse
from pagelet.sources.forms.query import read_submissions
from tests.effort import ends
from tests.places import SITE

PAGE = (SITE / "index.html").read_bytes()
METHODS = Path(pagelet.__file__).parent / "methods"
DEEP = 200_000  #: brackets in each other

#: A method, its shipped model, and the prefix of the arrays of its trees.
MODELS = (("content", "content/content.npz", "tree_"), ("noise", "noise/noise.npz", "units_"))


def read_parts(file: str) -> tuple[dict, dict[str, np.ndarray]]:
    with np.load(METHODS / file) as stored:
        arrays = {name: stored[name] for name in stored.files}
    return json.loads(str(arrays.pop("head"))), arrays


def write(path: Path, head: object, arrays: dict[str, np.ndarray]) -> str:
    out = BytesIO()
    text = head if isinstance(head, str) else json.dumps(head)
    np.savez_compressed(out, head=np.array(text), **arrays)
    path.write_bytes(out.getvalue())
    return str(path)


def run(method: str, model: str) -> None:
    with ends():
        analyse(PAGE, method, model=model).to_json()


def changed(array: np.ndarray, at: int, value: float) -> np.ndarray:
    copy = array.copy()
    copy[at] = value
    return copy


ABSURD = {
    "a node beyond the trees": ("left", lambda a: changed(a, 0, 10**8)),
    "a node before the first": ("left", lambda a: changed(a, 0, -5)),
    "a circle": ("left", lambda a: changed(a, 9, 0)),
    "a feature that is none": ("feature", lambda a: changed(a, 0, 10**6)),
    "a root that is none": ("roots", lambda a: changed(a, 0, 2**30)),
    "a missing node": ("threshold", lambda a: a[:-1]),
    "tables for lists": ("value", lambda a: a[:, None]),
    "no numbers": ("value", lambda a: changed(a, 0, np.nan)),
    "texts": ("threshold", lambda a: a.astype(str)),
}


@pytest.mark.parametrize("fault", ABSURD)
@pytest.mark.parametrize(("method", "file", "prefix"), MODELS)
def test_absurd_trees(method, file, prefix, fault, tmp_path):
    (name, change), (head, arrays) = ABSURD[fault], read_parts(file)
    arrays[prefix + name] = change(arrays[prefix + name])
    refuse(method, write(tmp_path / "m.npz", head, arrays))


def refuse(method: str, model: str) -> str:
    with pytest.raises(OptionError) as caught:
        run(method, model)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("depth", [10**12, -1, 101, "x", None, [8]])
@pytest.mark.parametrize(("method", "file", "prefix"), MODELS)
def test_absurd_depths(method, file, prefix, depth, tmp_path):
    head, arrays = read_parts(file)
    (head if method == "content" else head["units"])["depth"] = depth
    refuse(method, write(tmp_path / "m.npz", head, arrays))


@pytest.mark.parametrize(("method", "file", "prefix"), MODELS)
def test_absurd_heads_and_arrays(method, file, prefix, tmp_path):
    head, arrays = read_parts(file)
    for bad in ("[" * DEEP, "{}", "[]", "null", json.dumps(dict.fromkeys(head, 1))):
        refuse(method, write(tmp_path / "m.npz", bad, arrays))
    for name, array in arrays.items():
        others = {key: value for key, value in arrays.items() if key != name}
        refuse(method, write(tmp_path / "m.npz", head, others))
        if array.ndim == 2 and len(array):
            for wrong in (array[:, :0], np.hstack((array, array)), array.ravel()):
                refuse(method, write(tmp_path / "m.npz", head, others | {name: wrong}))


def test_a_file_that_unpacks_to_gigabytes_is_not_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr("pagelet.models.trees.MAX_MODEL_BYTES", 5_000_000)
    head, arrays = read_parts("content/content.npz")
    arrays["tree_value"] = np.zeros(10**6)
    assert "more than 5,000,000 bytes" in refuse("content", write(tmp_path / "m.npz", head, arrays))


@pytest.mark.parametrize(("method", "file", "prefix"), MODELS)
def test_random_damage(method, file, prefix, tmp_path):
    shipped, chance = (METHODS / file).read_bytes(), random.Random(7)
    for _ in range(40):
        data = bytearray(shipped)
        for _ in range(chance.choice((1, 8, 200))):
            data[chance.randrange(len(data))] = chance.randrange(256)
        cut = chance.choice((None, None, chance.randrange(len(data))))
        (tmp_path / "m.npz").write_bytes(data[:cut])
        try:
            run(method, str(tmp_path / "m.npz"))
        except OptionError as error:
            assert "\n" not in str(error)  # noqa: PT017 - or it is read, where nothing was hit


def test_the_shipped_trees_pass():
    for file in METHODS.rglob("*.npz"):
        head, arrays = read_parts(str(file.relative_to(METHODS)))
        for part in ("", "tree_", "groups_", "units_"):
            if f"{part}left" in arrays:
                Trees.of_arrays(head.get(part[:-1], head), arrays, part)
    assert read_trees((METHODS / "menu/menu.npz").read_bytes(), "menu").depth > 0


# -- text files -------------------------------------------------------------------------------

DEEP_JSON = (b"[" * DEEP, b'{"a":' * DEEP, b'{"pagelet": "template", "pages": ' + b"[" * DEEP)


@pytest.mark.parametrize("data", DEEP_JSON)
def test_deep_json(data, tmp_path):
    for read in (read_learned, read_memory):
        with ends(), pytest.raises(OptionError) as caught:
            read(data, "file")
        assert len(str(caught.value)) < 500
    (tmp_path / "s.jsonl").write_bytes(data)
    with ends(), pytest.raises(OptionError, match="nested too deeply"):
        read_submissions(tmp_path / "s.jsonl")


def test_a_damaged_template(tmp_path):
    form = json.loads(learn([parse(PAGE)]).to_json())
    damages = ({"pages": 5}, {"pages": {"x": 1}}, {"version": 99}, {"seen": 1}, {"pages": None})
    for damage in damages:
        with pytest.raises(OptionError, match="learn it again"):
            read_learned(json.dumps(form | damage).encode(), "t")


@pytest.mark.parametrize(
    "data",
    [b"a = " + b"[" * DEEP, b"a = " + b"{a=" * DEEP, b".".join([b"a"] * 50_000) + b" = 1",
     b"[[" + b".".join([b"rule"] * 50_000) + b"]]", b"\xff", b"rule = 1"],
    ids=["lists", "tables", "dotted key", "dotted table", "no UTF-8", "no table"],
)  # fmt: skip
def test_deep_toml(data):
    with ends(), pytest.raises(OptionError) as caught:
        read_rules(data, "rules.toml")
    assert "\n" not in str(caught.value)


def test_the_command_line_says_it_in_one_line(tmp_path):
    (tmp_path / "r.toml").write_bytes(b"a = " + b"[" * DEEP)
    with pytest.raises(OptionError, match="nested too deeply"):
        extract(PAGE, rules=str(tmp_path / "r.toml"))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        pytest.param(b"# A text\n", "it is not an npz file", id="text"),
        pytest.param(None, "it holds Python objects", id="a pickle"),
    ],
)
def test_no_words_of_a_library(data, why):
    if data is None:
        out = BytesIO()
        np.savez(out, head=np.array("{}"), objects=np.array([{}], object))
        data = out.getvalue()
    with pytest.raises(OptionError) as caught:
        read_trees(data, "some.npz")
    assert caught.value.why == f"not a model of pagelet: {why}"


def test_a_text_is_no_template():
    with pytest.raises(OptionError, match=r"can read \(it is not JSON\)"):
        read_learned(b"# A text")
