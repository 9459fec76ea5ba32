"""Remembered thresholds: fingerprints of templates, the memory, and its file."""

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from pagelet import parse
from pagelet.cli.memory import load_memory
from pagelet.errors import OptionError
from pagelet.methods.segments import divide
from pagelet.methods.segments import memory as segments_memory
from pagelet.methods.segments.memory import (
    FINGERPRINT_PATHS,
    MIN_STABLE_RANGE,
    ThresholdMemory,
    fingerprint,
    recall_threshold,
    similarity,
    threshold_to_remember,
)
from pagelet.methods.segments.options import SegmentsOptions
from pagelet.sources.files import write_whole
from tests.build import page_of, trees
from tests.drawn import drawn
from tests.places import SITE

AUTO = SegmentsOptions(method="bcs")


def sample(name: str):
    return parse((SITE / name).read_bytes())


WALL, FOG, INDEX, FORUM = map(
    sample,
    ("news/wall-repair.html", "news/fog-tomatoes.html", "news/index.html", "forum/index.html"),
)


def test_a_page_of_the_same_template_gets_the_same_threshold():
    memory = ThresholdMemory().learn(WALL, AUTO, 0.625)
    assert recall_threshold(memory, FOG, AUTO) == (replace(AUTO, threshold="0.625"), True)
    for other in (INDEX, FORUM):
        assert recall_threshold(memory, other, AUTO) == (AUTO, False)


def test_each_template_has_its_own():
    memory = ThresholdMemory().learn(WALL, AUTO, 0.6).learn(INDEX, AUTO, 0.3)
    assert memory.recall(FOG, AUTO).threshold == 0.6
    assert memory.recall(sample("guides/index.html"), AUTO).threshold == 0.3


def test_what_was_learned_last_counts():
    memory = ThresholdMemory().learn(WALL, AUTO, 0.6).learn(FOG, AUTO, 0.4)
    assert len(memory.templates) == 1
    assert memory.recall(WALL, AUTO).threshold == 0.4


@pytest.mark.parametrize("changes", [{"threshold": "0.1"}, {"segments": 4}])
def test_what_is_asked_for_goes_first(changes):
    asked = replace(AUTO, **changes)
    assert recall_threshold(ThresholdMemory().learn(WALL, AUTO, 0.6), WALL, asked) == (asked, False)


def test_a_threshold_of_other_weights_is_another():
    memory = ThresholdMemory().learn(WALL, AUTO, 0.6)
    assert memory.recall(WALL, replace(AUTO, colour_weight=0.5)) is None
    assert memory.recall(WALL, replace(AUTO, threshold="0.2", segments=3)) is not None


def test_only_a_steady_threshold_is_kept():
    rendering = drawn(WALL)
    found = replace(divide(WALL, rendering.layout, AUTO), stable_range=0.2)
    assert threshold_to_remember(AUTO, replace(found, stable_range=MIN_STABLE_RANGE / 2)) is None
    assert threshold_to_remember(AUTO, found) == pytest.approx(found.segments.threshold + 0.1)
    asked = replace(AUTO, threshold="0.4")
    assert threshold_to_remember(asked, divide(WALL, rendering.layout, asked)) == 0.4
    assert threshold_to_remember(replace(AUTO, segments=3), found) == found.segments.threshold


def test_a_page_without_structure_is_not_learned():
    assert ThresholdMemory().learn(parse("<frameset><frame>"), AUTO, 0.5) == ThresholdMemory()


def test_a_full_memory_forgets_what_it_learned_first(monkeypatch):
    monkeypatch.setattr(segments_memory, "MAX_TEMPLATES", 3)
    memory = ThresholdMemory()
    for name in "abcde":
        memory = memory.learn(parse(f"<div class={name}><p>x"), AUTO, 0.5)
    known = [memory.recall(parse(f"<div class={name}><p>x"), AUTO) for name in "abcde"]
    assert [found is not None for found in known] == [False, False, True, True, True]


# -- the file -------------------------------------------------------------------------------


def test_the_file_is_what_was_written(tmp_path):
    path = tmp_path / "memory.json"
    assert load_memory(path) == ThresholdMemory()
    memory = ThresholdMemory().learn(WALL, AUTO, 0.6).learn(INDEX, AUTO, 0.123456789)
    write_memory(path, memory)
    again = load_memory(path)
    assert again.to_json() == memory.to_json()
    assert again.recall(FOG, AUTO).threshold == 0.6
    assert os.listdir(tmp_path) == ["memory.json"]


def test_a_file_that_cannot_be_written_is_left_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "memory.json"
    write_memory(path, ThresholdMemory().learn(WALL, AUTO, 0.6))
    before = path.read_text()
    monkeypatch.setattr(Path, "replace", broken)
    with pytest.raises(OptionError, match="no space"):
        write_memory(path, ThresholdMemory())
    assert (path.read_text(), os.listdir(tmp_path)) == (before, ["memory.json"])


def write_memory(path, memory):
    write_whole("memory", path, memory.to_json())


def broken(*_):
    raise OSError(28, "no space")


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(OptionError, match="no such folder"):
        write_memory(tmp_path / "none" / "memory.json", ThresholdMemory())


GOOD = {"paths": ["0f"], "how": "x", "threshold": 0.5}


@pytest.mark.parametrize(
    "form",
    [
        [],
        {},
        {"pagelet": "template", "version": 1, "templates": []},
        {"pagelet": "thresholds", "version": 2, "templates": []},
        {"pagelet": "thresholds", "version": 1, "templates": [{**GOOD, "threshold": 2}]},
        {"pagelet": "thresholds", "version": 1, "templates": [{**GOOD, "threshold": "high"}]},
        {"pagelet": "thresholds", "version": 1, "templates": [{**GOOD, "paths": [1]}]},
        {"pagelet": "thresholds", "version": 1, "templates": [{**GOOD, "paths": ["f" * 17]}]},
        {"pagelet": "thresholds", "version": 1, "templates": [{**GOOD, "paths": ["-1"]}]},
        {"pagelet": "thresholds", "version": 1, "templates": [1]},
    ],
)
def test_a_file_of_something_else_is_refused(tmp_path, form):
    path = tmp_path / "memory.json"
    path.write_text(json.dumps(form))
    with pytest.raises(OptionError, match="not a threshold memory"):
        load_memory(path)


def test_a_huge_file_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(segments_memory, "MAX_FILE_BYTES", 10)
    path = tmp_path / "memory.json"
    path.write_text("x" * 11)
    with pytest.raises(OptionError, match="more than 10 bytes"):
        load_memory(path)
    with pytest.raises(OptionError, match="it is a folder"):
        load_memory(tmp_path)


def of(name: str):
    return fingerprint(parse((SITE / name).read_bytes()))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("news/wall-repair.html", "news/fog-tomatoes.html"),
        ("news/index.html", "guides/index.html"),
        ("ar/index.html", "ja/index.html"),
        ("search-results-bean.html", "search-results-tomato.html"),
    ],
)
def test_pages_of_one_template_are_alike(one, other):
    assert similarity(of(one), of(other)) >= 0.75


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("news/wall-repair.html", "news/index.html"),
        ("news/wall-repair.html", "forum/thread-slugs.html"),
        ("index.html", "open-day.html"),
        ("shop/index.html", "shop/paper-packets.html"),
    ],
)
def test_pages_of_other_layouts_are_not(one, other):
    assert similarity(of(one), of(other)) < 0.75


def test_words_and_repetition_do_not_matter():
    one = fingerprint(parse("<ul class=a><li>x</li></ul><p>y"))
    assert similarity(one, fingerprint(parse("<ul class=a><li>z<li>w<li>v</ul><p>u"))) == 1
    assert similarity(one, fingerprint(parse("<ul class=a><li></ul><p>"))) == 1
    assert similarity(one, fingerprint(parse("<ul class=b><li>x</li></ul><p>y"))) == 2 / 6


def test_a_page_without_body_is_like_none():
    empty = fingerprint(page_of(("html",)))
    assert len(empty) == 0
    assert similarity(empty, empty) == similarity(empty, fingerprint(parse("<p>x"))) == 0


def test_a_sample_of_a_large_page_is_enough():
    names = [f"{'abcdefgh'[n % 8] * (n // 8 + 1)}" for n in range(400)]
    large = "".join(f"<section class={name}><p>x</p></section>" for name in names)
    own = fingerprint(parse(large))
    assert len(own) == FINGERPRINT_PATHS
    assert similarity(own, fingerprint(parse(large + "<aside>y"))) > 0.95


@given(trees)
def test_it_is_sorted_and_like_itself(tree):
    own = fingerprint(page_of(tree))
    assert (np.diff(own.astype(float)) >= 0).all()
    assert similarity(own, own) == float(len(own) > 0)
