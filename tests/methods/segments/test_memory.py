"""Thresholds that are remembered: for pages of the same template, in a file that stays whole."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from pagelet import parse
from pagelet.errors import OptionError
from pagelet.methods.segments import divide
from pagelet.methods.segments import memory as segments_memory
from pagelet.methods.segments.memory import (
    STEADY,
    Memory,
    read_memory,
    with_memory,
    worth_keeping,
    write_memory,
)
from pagelet.methods.segments.options import SegmentsOptions
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
    memory = Memory().learn(WALL, AUTO, 0.625)
    assert with_memory(memory, FOG, AUTO) == (replace(AUTO, threshold="0.625"), True)
    for other in (INDEX, FORUM):
        assert with_memory(memory, other, AUTO) == (AUTO, False)


def test_each_template_has_its_own():
    memory = Memory().learn(WALL, AUTO, 0.6).learn(INDEX, AUTO, 0.3)
    assert memory.recall(FOG, AUTO).threshold == 0.6
    assert memory.recall(sample("guides/index.html"), AUTO).threshold == 0.3


def test_what_was_learned_last_counts():
    memory = Memory().learn(WALL, AUTO, 0.6).learn(FOG, AUTO, 0.4)
    assert len(memory.templates) == 1
    assert memory.recall(WALL, AUTO).threshold == 0.4


@pytest.mark.parametrize("changes", [{"threshold": "0.1"}, {"segments": 4}])
def test_what_is_asked_for_goes_first(changes):
    asked = replace(AUTO, **changes)
    assert with_memory(Memory().learn(WALL, AUTO, 0.6), WALL, asked) == (asked, False)


def test_a_threshold_of_other_weights_is_another():
    memory = Memory().learn(WALL, AUTO, 0.6)
    assert memory.recall(WALL, replace(AUTO, colour_weight=0.5)) is None
    assert memory.recall(WALL, replace(AUTO, threshold="0.2", segments=3)) is not None


def test_only_a_steady_threshold_is_kept():
    rendering = drawn(WALL)
    found = replace(divide(WALL, rendering.layout, AUTO), steady=0.2)
    assert worth_keeping(AUTO, replace(found, steady=STEADY / 2)) is None
    assert worth_keeping(AUTO, found) == pytest.approx(found.segments.threshold + 0.1)
    asked = replace(AUTO, threshold="0.4")
    assert worth_keeping(asked, divide(WALL, rendering.layout, asked)) == 0.4
    assert worth_keeping(replace(AUTO, segments=3), found) == found.segments.threshold


def test_a_page_without_structure_is_not_learned():
    assert Memory().learn(parse("<frameset><frame>"), AUTO, 0.5) == Memory()


def test_a_full_memory_forgets_what_it_learned_first(monkeypatch):
    monkeypatch.setattr(segments_memory, "MOST", 3)
    memory = Memory()
    for name in "abcde":
        memory = memory.learn(parse(f"<div class={name}><p>x"), AUTO, 0.5)
    known = [memory.recall(parse(f"<div class={name}><p>x"), AUTO) for name in "abcde"]
    assert [found is not None for found in known] == [False, False, True, True, True]


# -- the file -------------------------------------------------------------------------------


def test_the_file_is_what_was_written(tmp_path):
    path = tmp_path / "memory.json"
    assert read_memory(path) == Memory()
    memory = Memory().learn(WALL, AUTO, 0.6).learn(INDEX, AUTO, 0.123456789)
    write_memory(path, memory)
    again = read_memory(path)
    assert again.to_json() == memory.to_json()
    assert again.recall(FOG, AUTO).threshold == 0.6
    assert os.listdir(tmp_path) == ["memory.json"]


def test_a_file_that_cannot_be_written_is_left_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "memory.json"
    write_memory(path, Memory().learn(WALL, AUTO, 0.6))
    before = path.read_text()
    monkeypatch.setattr(Path, "replace", broken)
    with pytest.raises(OptionError, match="no space"):
        write_memory(path, Memory())
    assert (path.read_text(), os.listdir(tmp_path)) == (before, ["memory.json"])


def broken(*_):
    raise OSError(28, "no space")


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(OptionError, match="No such file"):
        write_memory(tmp_path / "none" / "memory.json", Memory())


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
    with pytest.raises(OptionError, match="not a memory of thresholds"):
        read_memory(path)


def test_a_huge_file_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(segments_memory, "LARGEST", 10)
    path = tmp_path / "memory.json"
    path.write_text("x" * 11)
    with pytest.raises(OptionError, match="more than 10 bytes"):
        read_memory(path)
    with pytest.raises(OptionError, match="directory"):
        read_memory(tmp_path)
