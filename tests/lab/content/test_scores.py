"""Labelled main content: small folders written here, scores worked by hand and by a slow twin."""

import gzip
import json
import lzma

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.errors import NoGold
from pagelet.lab.content.scores import (
    ContentGold,
    mean_f1,
    read_ground_truth,
    score_content,
    shingle_score,
    word_score,
)
from pagelet.lab.figures import Overlap
from tests.naive import content_scores as naive

texts = st.text(st.sampled_from("aB_1 .,é中日"), max_size=30)


def write(folder, labels, pages):
    for name, label in labels.items():
        path = folder / "ground-truth" / f"{name}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(label), encoding="utf-8")
    for name, data in pages.items():
        path = folder / "html" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    return folder


WCXB = {
    "url": "https://www.shop.example.co.uk/a",
    "_internal": {"page_type": {"primary": "forum"}},
    "ground_truth": {
        "title": "T",
        "author": "A",
        "publish_date": "2020-01-02",
        "main_content": "Some text",
        "with": ["Some"],
        "without": ["Menu"],
        "page_type": "government",
    },
}


def test_wcxb(tmp_path):
    bare = {"ground_truth": {"title": "no text"}, "_internal": {"page_type": {}}}
    empty = {"ground_truth": {"main_content": ""}, "_internal": {"page_type": {"primary": "x"}}}
    labels = {"2": WCXB, "1": empty, "3": bare, "4": empty}
    pages = {"1.html": b"one", "2.html.gz": gzip.compress(b"tw\xf6"), "3.html": b"three"}
    reported = []
    first, second = read_ground_truth(write(tmp_path, labels, pages), reported.append)
    assert (first.id, first.text, first.page_type, first.domain) == ("1", "", "x", "1")
    assert second == ContentGold(
        id="2",
        path=tmp_path / "html" / "2.html.gz",
        domain="example.co.uk",
        page_type="forum",
        text="Some text",
        url="https://www.shop.example.co.uk/a",
        format="wcxb",
    )
    assert second.html == b"tw\xf6"
    assert second.in_memory().body == b"tw\xf6"
    assert [line.split(": ")[1] for line in reported] == [
        "1 of 4 labels left out, they have no main_content",
        "1 of 4 labels left out, they have no HTML",
    ]


@pytest.mark.parametrize(
    ("more", "format"),
    [({}, "mixed"), ({"title": "T", "authors": "A", "date": "2020"}, "articles")],
)
def test_flat_labels(tmp_path, more, format):
    label = {"url": "http://a.example/", "main_content": "x", "page_type": "article", **more}
    pages = {"a.html.xz": lzma.compress(b"<p>")}
    (gold,) = read_ground_truth(write(tmp_path, {"a": label}, pages))
    assert (gold.format, gold.page_type, gold.html) == (format, "article", b"<p>")


def test_a_held_page_is_not_read_again(tmp_path):
    write(tmp_path, {"a": {"main_content": "x"}}, {"a.html": b"before"})
    (gold,) = read_ground_truth(tmp_path)
    held = gold.in_memory()
    gold.path.write_bytes(b"after")
    assert (gold.html, held.html) == (b"after", b"before")


@pytest.mark.parametrize(
    "labels", [{}, {"a": {"title": "x"}}, {"a": []}, {"b": {"main_content": "no page"}}]
)
def test_nothing_to_read(tmp_path, labels):
    with pytest.raises(NoGold):
        read_ground_truth(write(tmp_path, labels, {"a.html": b""}))


def test_a_label_that_is_no_json(tmp_path):
    write(tmp_path, {"a": {}}, {"a.html": b""})
    (tmp_path / "ground-truth" / "a.json").write_text("{")
    with pytest.raises(NoGold, match=r"a\.json"):
        read_ground_truth(tmp_path)


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [
        pytest.param("A b, b c", "a B d", (2 / 4, 2 / 3), id="case and stops do not count"),
        pytest.param("a a a", "a a", (2 / 3, 1.0), id="a word counts as often as it is there"),
        pytest.param("", "", (1.0, 1.0), id="both empty"),
        pytest.param(" .", "", (1.0, 1.0), id="no words is empty"),
        pytest.param("a", "", (0.0, 0.0), id="too much"),
        pytest.param("", "a", (0.0, 0.0), id="too little"),
        pytest.param("中文", "中国", (0.0, 0.0), id="one word"),
    ],
)
def test_words_by_hand(answer, gold, expected):
    score = word_score(answer, gold)
    assert (score.precision, score.recall) == pytest.approx(expected)


def test_ideographs_by_hand():
    score = word_score("中文abc한", "中国 abc", ideographs=True)
    assert (score.precision, score.recall) == (2 / 4, 2 / 3)
    assert word_score("ーー", "ー", ideographs=True).precision == 1 / 2


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [
        pytest.param("x a b c d e", "A b c d e", (2 / 3, 1.0), id="one word before"),
        pytest.param("d c b a", "a b c d", (0.0, 0.0), id="order counts"),
        pytest.param("a b", "A B", (1.0, 1.0), id="fewer than four are one shingle"),
        pytest.param("a b", "a b c", (0.0, 0.0), id="which must be the whole"),
        pytest.param("", "", (1.0, 1.0), id="both empty"),
        pytest.param("", "a", (0.0, 0.0), id="an empty answer has no precision"),
    ],
)
def test_shingles_by_hand(answer, gold, expected):
    score = shingle_score(answer, gold)
    assert (score.precision, score.recall) == pytest.approx(expected)


@given(texts, texts)
def test_words_equal_the_twin(answer, gold):
    for ideographs, alone in ((False, ""), (True, "中日")):
        expected = naive.agreement(naive.words_of(answer, alone), naive.words_of(gold, alone))
        score = word_score(answer, gold, ideographs=ideographs)
        assert (score.precision, score.recall) == pytest.approx(expected)


@given(texts, texts, st.integers(1, 5))
def test_shingles_equal_the_twin(answer, gold, n):
    pairs = (naive.shingles_of(naive.words_of(text, ""), n) for text in (answer, gold))
    score = shingle_score(answer, gold, n)
    assert (score.precision, score.recall) == pytest.approx(naive.agreement(*pairs))


@pytest.mark.parametrize(
    ("format", "expected"),
    [
        pytest.param("wcxb", 0.0, id="words"),
        pytest.param("mixed", 0.5, id="words and ideographs"),
        pytest.param("articles", 0.0, id="shingles"),
    ],
)
def test_the_folder_chooses_the_score(tmp_path, format, expected):
    gold = ContentGold("a", tmp_path, "a", "article", "中文", format=format)
    assert score_content(gold, "中国").f1 == expected


def test_means():
    scores = [Overlap(1.0, 0.5), Overlap(0.5, 0.0)]
    assert mean_f1(scores, "wcxb") == pytest.approx((2 / 3 + 0) / 2)
    assert mean_f1(scores, "articles") == pytest.approx(2 * 0.75 * 0.25 / (0.75 + 0.25))
    assert mean_f1([], "wcxb") == 0.0
