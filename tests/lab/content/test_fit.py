"""Training of the content model: examples, the lexicon, page types, trees, how sure it is."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagelet import parse
from pagelet.lab.content import fit as content_fit
from pagelet.lab.content.examples import example_of, lexicon_paths, read_examples
from pagelet.lab.content.fit import (
    TYPE_GROUPS,
    TextModels,
    feature_names,
    fit_content,
    fit_lexicon,
    fit_types,
    lexicon_features,
    rising_means,
    type_group,
)
from pagelet.lab.content.scores import ContentGold
from pagelet.lab.learners import FOLDS, fold_of
from pagelet.methods.content.choice import decide, model_features
from pagelet.methods.content.features import content_features
from pagelet.methods.content.model import FEATURE_STEPS, TYPES, read_content_model, type_words
from pagelet.models.lexicon import Lexicon
from pagelet.page.textblocks import text_blocks
from pagelet.sources.files import read_file
from tests.build import page_of, trees
from tests.naive import textblocks as plain
from tests.naive.tree import chain


def read_model(path):
    return read_content_model(read_file("model", path), str(path))


WORDS = "river stone early light market season garden window letter corner".split()


def prose(seed, words):
    return " ".join(np.random.default_rng(seed).choice(WORDS, words).tolist())


def gold(number, page_type="article", *, url=True, format="wcxb"):
    """A page whose content stands in one element and whose menu in another."""
    texts = [prose(100 * number + at, 12 + at) for at in range(4)]
    name = "thread" if page_type == "forum" else "entry"
    body = "".join(f"<p>{text}.</p>" for text in texts)
    source = (
        f"<title>Page</title><body class='{page_type}'>"
        f"<ul class='menu top'>{'<li><a href=/>Home page</a>' * (3 + number % 3)}</ul>"
        f"<div class='{name} main'>{body}</div>"
        f"<div id=footer><p>All rights {prose(number, 5)}</p></div>"
    )
    domain = f"site{number}.example"
    return ContentGold(
        id=f"{number}",
        path=Path("none"),
        domain=domain,
        page_type=page_type,
        text="\n".join(texts),
        url=f"https://{domain}/{page_type}/{number}" if url else None,
        format=format,
        body=source.encode(),
    )


GOLDS = [gold(at, "forum" if at % 3 == 0 else "article") for at in range(24)]


@pytest.fixture(scope="module")
def examples():
    return read_examples(GOLDS)


# -- examples ---------------------------------------------------------------------------------


def test_an_example_is_labelled_by_its_gold_text():
    found = example_of(GOLDS[1])
    assert found.label.tolist() == [*[0] * 4, 1, 1, 1, 1, 0]
    assert found.words.tolist() == [*[2] * 4, 12, 13, 14, 15, 7]
    assert not found.gold.is_article_body
    assert example_of(gold(1, format="articles")).gold.is_article_body
    assert found.features.shape == (len(found.names), 9)


def test_pages_without_text_and_without_label_are_left_out():
    empty = ContentGold("e", Path("none"), "e.example", "article", "text", body=b"<p></p>")
    bare = ContentGold("b", Path("none"), "b.example", "article", " \n", body=b"<p>x</p>")
    steps = []
    found = read_examples([empty, GOLDS[1], bare], lambda *done: steps.append(done))
    assert [each.gold.id for each in found] == ["1"]
    assert steps == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize("number", range(6))
def test_what_is_said_without_the_url_is_what_a_page_without_url_says(number):
    with_url, without = example_of(gold(number)), example_of(gold(number, url=False))
    assert with_url.page_words_without_url == without.type_words == without.page_words_without_url
    assert with_url.type_words != without.type_words


def test_folds_are_by_name_and_nothing_else():
    assert [fold_of(f"site{at}.example") for at in range(8)] == [4, 4, 3, 0, 4, 1, 2, 0]
    assert {fold_of(f"{at}.example") for at in range(100)} == set(range(FOLDS))
    assert example_of(gold(3)).fold == fold_of("site3.example")


@settings(max_examples=30)
@given(trees)
def test_paths_hold_every_word_above_a_block(tree):
    page = page_of(tree)
    blocks = text_blocks(page)
    paths, path_of = lexicon_paths(page, blocks)
    assert len(set(paths)) == len(paths)
    assert sorted(set(path_of.tolist())) == list(range(len(paths)))
    one = Lexicon(("menu", "nav", "item"), np.eye(3))
    for block, place in zip(plain.blocks_of(plain.nodes_of(page)), path_of, strict=True):
        for at, word in enumerate(one.words):
            lines = [(page, node) for node in chain(block.holder)]
            assert paths[place].count(word) == sum(word_scores(one, node)[at] for _, node in lines)


def word_scores(lexicon, node):
    return lexicon.scores(page_of((node.name, node.attrs)))[:, 0]


@given(trees)
def test_the_lexicon_says_the_same_in_training_and_at_work(tree):
    page = page_of(tree)
    blocks = text_blocks(page)
    if not len(blocks):
        return
    made = Lexicon(("main", "menu", "nav"), np.random.default_rng(2).normal(size=(3, 3)))
    table = content_features(page, blocks, made.scores(page))
    wanted = [at for at, name in enumerate(table.names) if name.startswith("lexicon")]
    paths, path_of = lexicon_paths(page, blocks)
    stub = type("Stub", (), {"paths": paths, "path_of": path_of})
    np.testing.assert_allclose(table.lines[wanted], lexicon_features(stub, made), atol=1e-6)


# -- the parts --------------------------------------------------------------------------------


def test_kinds_of_pages_have_their_own_weights():
    assert [type_group(name) for name in ("article", "documentation", "forum", "listing", "")] == [
        *(0, 0, 1),
        *(len(TYPE_GROUPS) - 1,) * 2,
    ]


def test_the_lexicon_learns_what_holds_content(examples):
    made = fit_lexicon(examples)
    assert list(made.words) == sorted(set(made.words))
    weight = dict(zip(made.words, made.weights.tolist(), strict=True))
    assert min(weight["main"]) > 0 > max(weight["footer"])
    assert max(weight["menu"]) < 0
    assert weight["thread"][1] > weight["thread"][0]  # forums have weights of their own
    assert made.weights.shape[1] == len(TYPE_GROUPS)


def test_words_of_few_domains_are_not_learned(examples):
    alone = example_of(gold(99))
    strange = type(alone)(
        **{
            name: getattr(alone, name)
            for name in type(alone).__slots__
            if name not in ("paths", "type_words")
        },
        paths=tuple((*path, "zebra") for path in alone.paths),
        type_words=alone.type_words | {"path:zebra"},
    )
    everything = [*examples, strange]
    assert "zebra" not in fit_lexicon(everything).words
    assert "path:zebra" not in fit_types(everything).words


def test_the_page_types_learn_what_pages_say(examples):
    made = fit_types(examples)
    for each in examples:
        for words in (each.type_words, each.page_words_without_url):
            likely = made.probabilities(words)
            assert TYPES[int(np.argmax(likely))] == each.gold.page_type
    assert made.weights[made.words["url:none"]].any()  # pages were shown without URL too


def test_the_same_examples_give_the_same_parts(examples):
    one, other = TextModels.fit(examples), TextModels.fit(examples)
    assert one.lexicon.weights.tobytes() == other.lexicon.weights.tobytes()
    assert one.types.weights.tobytes() == other.types.weights.tobytes()
    assert list(one.types.words) == list(other.types.words)


# -- the whole --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def model(examples):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(content_fit, "TREES", 25)
        few = {"min_data_in_leaf": 5, "num_threads": 1}
        patch.setattr(content_fit, "PARAMETERS", content_fit.PARAMETERS | few)
        return fit_content(examples, report=lambda _: None)


def test_features_in_training_are_those_at_work(examples, model):
    parts = TextModels(model.lexicon, model.types)
    for each in examples[:3]:
        page = parse(each.gold.html, each.gold.url)
        table, _ = model_features(page, text_blocks(page), model, "auto")
        assert feature_names(each) == table.names == model.trees.names
        np.testing.assert_allclose(parts.features(each), table.rows, rtol=1e-5, atol=1e-6)
        alone = parse(each.gold.html)
        table, _ = model_features(alone, text_blocks(alone), model, "auto")
        without = parts.features(each, url=False)
        np.testing.assert_allclose(without, table.rows, rtol=1e-5, atol=1e-6)


def test_a_fitted_model_finds_the_content(model):
    for number in (50, 51):
        new = gold(number)
        found = decide(parse(new.html, new.url), model, "balanced", "auto")
        assert found.kept.tolist() == example_of(new).label.astype(bool).tolist()
        assert found.confidence > 0.5


def test_a_fitted_model_survives_its_file(model, tmp_path):
    (tmp_path / "m.npz").write_bytes(model.to_bytes())
    again = read_model(tmp_path / "m.npz")
    new = gold(50)
    one, two = (
        decide(parse(new.html, new.url), each, "balanced", "auto") for each in (model, again)
    )
    np.testing.assert_allclose(one.probability, two.probability, atol=1e-6)
    assert one.kept.tolist() == two.kept.tolist()


def test_a_fitted_model_is_exactly_what_its_file_holds(model, tmp_path):
    (tmp_path / "m.npz").write_bytes(model.to_bytes())
    again = read_model(tmp_path / "m.npz")
    assert again.lexicon.weights.tobytes() == model.lexicon.weights.tobytes()
    assert again.types.weights.tobytes() == model.types.weights.tobytes()


def test_a_table_holds_every_page_with_the_same_weight(examples, monkeypatch):
    monkeypatch.setattr(content_fit, "MAX_PAGE_BLOCKS", 8)
    parts = TextModels.fit(examples)
    table = content_fit._table(examples, parts, 7)
    assert table.weight.sum() == pytest.approx(1000 * len(examples))
    assert len(table.label) == len(examples) * 8 == len(table.features)
    again = content_fit._table(examples, parts, 7)
    assert table.features.tobytes() == again.features.tobytes()


pairs = st.lists(
    st.tuples(st.sampled_from(np.linspace(0, 1, 9).tolist()), st.floats(0, 1, width=32)),
    min_size=1,
    max_size=60,
)


@given(pairs)
def test_what_is_reached_rises_with_what_is_expected(found):
    expected, reached = rising_means(found)
    assert (np.diff(reached) >= 0).all()
    assert (np.diff(expected) >= -1e-12).all()
    assert len(expected) == len(reached) <= 20
    assert min(y for _, y in found) - 1e-12 <= reached.min()
    assert reached.max() <= max(y for _, y in found) + 1e-12


@given(pairs)
def test_pairs_that_rise_already_are_only_put_in_bins(found):
    firsts, seconds = (sorted(each) for each in zip(*found, strict=True))
    expected, reached = rising_means(list(zip(firsts, seconds, strict=True)))
    bins = [part for part in np.array_split(np.array(seconds), 20) if len(part)]
    if all(one.mean() <= two.mean() for one, two in pairwise(bins)):
        assert reached.tolist() == pytest.approx([part.mean() for part in bins])
        assert len(expected) == len(bins)


def test_pairs_that_fall_become_one():
    expected, reached = rising_means([(0.1, 0.9), (0.2, 0.6), (0.3, 0.3)])
    assert expected.tolist() == pytest.approx([0.2])
    assert reached.tolist() == pytest.approx([0.6])


def test_pools_are_weighed_by_their_number():
    expected, reached = rising_means([(0.1, 0.1), (0.2, 0.9), (0.3, 0.6), (0.4, 0.3), (0.5, 1.0)])
    assert expected.tolist() == pytest.approx([0.1, 0.3, 0.5])
    assert reached.tolist() == pytest.approx([0.1, 0.6, 1.0])


def test_nothing_known_is_taken_as_it_is():
    assert [each.tolist() for each in rising_means([])] == [[0, 1], [0, 1]]


def test_totals_of_steps_are_features():
    assert set(FEATURE_STEPS) <= set(example_of(GOLDS[0]).names)
    assert "url:none" in type_words(page_of(("html", "x")), dict.fromkeys(FEATURE_STEPS, 0.0))
