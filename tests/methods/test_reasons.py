"""Reasons in words: every measure has words, effects are signed and sorted, nothing is eager."""

import re
from pathlib import Path

import numpy as np
import pytest

import pagelet
from pagelet.methods.clutter import reasons as clutter
from pagelet.methods.content import reasons as content
from pagelet.methods.content.model import shipped_model
from pagelet.methods.links import reasons as links
from pagelet.methods.menu import paper as menu_paper
from pagelet.methods.menu import reasons as menu
from pagelet.methods.noise import reasons as noise
from pagelet.methods.noise.decision import noise_model
from pagelet.methods.noise.paper import DESCENDANT_FEATURES, PAPER_FEATURES
from pagelet.methods.phrases import MAX_REASONS, describe, rank_reasons
from pagelet.methods.records import reasons as records
from pagelet.methods.segments import reasons as segments
from pagelet.methods.segments.element_phrases import ELEMENT_PHRASES
from pagelet.models.trees import Trees, load_shipped
from pagelet.pagelets import Pagelets

SITE = Path(__file__).parents[2] / "examples" / "site"
METHODS = Path(pagelet.__file__).parent / "methods"
#: Names of the measures of each shipped model, and of each reason, beside their words.
VOCABULARIES = {
    "content": (shipped_model().trees.names, content.PHRASES),
    "links": (load_shipped("pagelet.methods.links", "links").names, links.PHRASES),
    "menu": (load_shipped("pagelet.methods.menu", "menu").names, menu.PHRASES),
    "menu, paper": (menu_paper.PROPERTIES, menu.PAPER_PHRASES),
    "clutter": (("tag_ratio", "text_ratio", "repeated"), clutter.PHRASES),
    "noise": (noise_model().units.names, noise.PHRASES),
    "noise, paper": ((*PAPER_FEATURES, *DESCENDANT_FEATURES), noise.PAPER_PHRASES),
    "records": (load_shipped("pagelet.methods.records", "records").names, records.PHRASES),
    "segments": (
        load_shipped("pagelet.methods.segments.visual", "segments").names,
        segments.PHRASES,
    ),
    "segments_inner": (
        load_shipped("pagelet.methods.segments.visual", "segments_inner").names,
        segments.PHRASES,
    ),
    "segments_dom": (
        load_shipped("pagelet.methods.segments.visual", "segments_dom").names,
        ELEMENT_PHRASES,
    ),
    "segments_dom_inner": (
        load_shipped("pagelet.methods.segments.visual", "segments_dom_inner").names,
        ELEMENT_PHRASES,
    ),
}
VALUES = (-999.0, -1.0, 0.0, 0.04, 0.5, 1.0, 3.0, 4.0, 8.0, 40.0, 2000.0)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.0, "hardly any of the labels are short"),
        (0.3, "30% of the labels are short"),
        (1.0, "all of the labels are short"),
    ],
)
def test_none_and_all_are_written_in_words(value, words):
    assert describe({"short": "{:.0%} of the labels are short".format}, "short", value) == words


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_every_measure_has_words(vocabulary):
    names, phrases = VOCABULARIES[vocabulary]
    assert [name for name in names if name not in phrases] == []
    for name in names:
        for value in VALUES:
            words = describe(phrases, name, value)
            assert words.strip() == words, name
            assert not re.search(r"[{}_]|\bnan\b", words), (name, words)
        assert len({describe(phrases, name, value) for value in VALUES}) > 1, name


def test_every_shipped_model_has_its_words_checked():
    shipped = {path.stem for path in METHODS.rglob("*.npz")}
    checked = {name.replace(", ", "_") for name in VOCABULARIES}
    assert shipped - checked == set()


def test_measures_that_read_the_same_are_one_reason():
    lines = rank_reasons([("short", 0.5), ("in a side bar", -0.9), ("short", 0.6), ("long", 0.0)])
    assert lines == [{"text": "short", "effect": 1.1}, {"text": "in a side bar", "effect": -0.9}]


def test_no_reasons_are_an_empty_list():
    assert rank_reasons([]) == []


def read(name: str) -> pagelet.Page:
    return pagelet.parse((SITE / name).read_bytes(), url=f"https://seeds.example/{name}")


ANSWERS = {
    f"{name} {profile}": (name, profile)
    for name in ("content", "menu", "clutter", "noise", "links", "records")
    for profile in ("default", "paper")
    if profile == "default" or name not in ("links", "records")
}


def answer(name: str, profile: str) -> Pagelets:
    searched = name in ("noise", "records")
    page = read("search-results-bean.html" if searched else "news/fog-tomatoes.html")
    more = {"explain": True} if searched or name == "content" else {}
    functions = {
        "content": pagelet.extract_content,
        "menu": pagelet.detect_menu,
        "clutter": pagelet.detect_clutter,
        "noise": pagelet.detect_noise,
        "links": pagelet.detect_links,
        "records": pagelet.detect_records,
    }
    return functions[name](page, profile=profile, **more)


@pytest.mark.parametrize("case", ANSWERS)
def test_every_answer_has_its_reasons_in_words(case):
    result = answer(*ANSWERS[case])
    assert len(result)
    for item in result.to_dict()["pagelets"]:
        assert item["why"], item
        effects = [each["effect"] for each in item["why"]]
        assert all(set(each) == {"text", "effect"} for each in item["why"])
        assert effects == sorted(effects, key=lambda effect: -abs(effect))
        assert not any("_" in re.sub("“.*”", "", each["text"]) for each in item["why"])


@pytest.mark.parametrize("name", ["content", "noise"])
def test_effects_speak_for_what_was_decided(name):
    """The sum over a page is above 0 for what was kept and for what was dropped."""
    sums: dict[str, float] = {}
    for item in answer(name, "default"):
        sums[item.kind] = sums.get(item.kind, 0.0) + sum(each["effect"] for each in item.why)
    assert len(sums) == 2
    assert min(sums.values()) > 0


def test_names_are_quoted():
    texts = [each["text"] for block in answer("content", "default") for each in block.why]
    assert any("named “" in text for text in texts)


def test_rules_repetitions_and_headings_decide_alone():
    page = pagelet.parse(
        "<title>A day at the sea</title><body><h1>A day at the sea</h1>"
        + "".join(f"<p>Sentence {n}, which is long enough to be read as text." for n in range(9))
        + "<div class=promo>Buy more of it now.</div>"
    )
    blocks = pagelet.extract_content(page, explain=True, drop=[".promo"])
    first = [block.why[0] for block in blocks if "rule" in block.reason]
    assert first == [{"text": "your selector: drop .promo", "effect": 10.0}]


def test_the_template_of_the_site_is_a_reason():
    page = (SITE / "news" / "wall-repair.html").read_bytes()
    blocks = pagelet.extract_content(page, site=SITE, explain=True)
    texts = {each["text"] for block in blocks for each in block.why}
    assert {"other pages of the site have it too", "only this page has it"} <= texts


def test_nothing_is_explained_before_it_is_read(monkeypatch: pytest.MonkeyPatch):
    calls: list[int] = []
    explain = Trees.explain

    def count(self: Trees, *values: object) -> dict[str, float]:
        calls.append(1)
        return explain(self, *values)

    monkeypatch.setattr(Trees, "explain", count)
    page = read("news/fog-tomatoes.html")
    result = pagelet.extract_content(page)
    assert result.to_dict()["pagelets"][0]["why"] == []
    pagelet.detect_noise(page).to_dict()
    assert calls == []
    assert result[0].why
    assert calls == [1]


def test_words_survive_the_json_form():
    result = answer("menu", "default")
    again = Pagelets.from_dict(result.page, result.to_dict())
    assert list(again[0].why) == list(result[0].why)
    assert 0 < len(again[0].why) <= MAX_REASONS


def test_effects_are_plain_numbers():
    assert rank_reasons([("short", np.float32(0.5))]) == [{"text": "short", "effect": 0.5}]
