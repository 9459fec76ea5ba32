"""Thresholds of box clustering that are learned, by type of page or for each page."""

import numpy as np
import pytest

from pagelet.lab.learners import site_folds
from pagelet.lab.segments import thresholds
from pagelet.lab.segments.gold import TOP, DrawnExample
from pagelet.lab.segments.runs import SegmenterScores
from pagelet.lab.segments.segmenters import Segmenter
from pagelet.lab.segments.thresholds import LISTS, LOOKS, TEXTS, learn_threshold, look_of, page_type
from pagelet.methods.segments.geometry.partition import segments_of
from pagelet.page.layout import boxes_of

ROWS = [(0, 20 * at, 100, 20 * at + 10) for at in range(8)]


def example(site: str, chars: int, gold) -> DrawnExample:
    boxes = boxes_of(ROWS, chars=chars)
    return DrawnExample(site, site, None, None, boxes, {TOP: np.array(gold)}, 0.0)


@pytest.mark.parametrize(("chars", "wanted"), [(60, TEXTS), (9, LISTS)])
def test_pages_of_long_lines_are_texts(chars, wanted):
    assert page_type(example("a", chars, [0] * 8)) == wanted


def test_a_page_has_the_best_value_of_its_type_on_other_sites():
    """Texts are best with the first value, lists with the second; one site is not."""
    ways = Segmenter("way", lambda _: None, values=(0.1, 0.2), parameter="CT")
    best = np.array([0, 0, 0, 1, 1, 1, 0])
    metrics = np.zeros((7, 2, 4))
    metrics[np.arange(7), best] = 1
    sites, types = list("abcdefg"), [TEXTS] * 3 + [LISTS] * 4
    scores = SegmenterScores(ways, metrics, np.ones((7, 2)), np.ones((7, 2)))
    rows = {row[0]: row for row in scores.rows(sites, types)}
    assert list(rows) == ["way, fixed", "way, by page type", "way, best fixed", "way, oracle"]
    assert rows["way, by page type"][1] == pytest.approx(6 / 7)
    assert rows["way, by page type"][-1] == "CT 0.1 to 0.2"


def test_one_type_of_pages_has_no_row_of_its_own():
    ways = Segmenter("way", lambda _: None, values=(0.1, 0.2), parameter="CT")
    scores = SegmenterScores(ways, np.ones((2, 2, 4)), np.ones((2, 2)), np.ones((2, 2)))
    assert "way, by page type" not in [row[0] for row in scores.rows(["a", "b"], [LISTS] * 2)]


def test_a_learned_threshold_knows_good_cuts_of_other_sites():
    """On every site two halves are right; one segment, and one for each line, are wrong."""
    half = [0] * 4 + [1] * 4
    pages = [example(f"site {at}", 30, half) for at in range(40)]
    cuts = [
        [segments_of(page.boxes, np.array(groups), threshold)
         for threshold, groups in ((0.1, range(8)), (0.5, half), (0.9, [0] * 8))]
        for page in pages
    ]  # fmt: skip
    learned = learn_threshold(pages, cuts)
    assert all(
        learned.choose(page.name, cut) is cut[1] for page, cut in zip(pages, cuts, strict=True)
    )
    assert learned.choose("unknown", cuts[0]) is cuts[0][1]


def test_no_model_has_seen_the_site_it_answers_for(monkeypatch):
    pages = [example(site, 30, [0] * 4 + [1] * 4) for site in "abcdefg"]
    cuts = [
        [segments_of(page.boxes, np.zeros(8, np.intp), at / 10)] for at, page in enumerate(pages)
    ]
    seen = []
    monkeypatch.setattr(thresholds, "_fit", lambda rows: seen.append(rows) or len(seen) - 1)
    models = learn_threshold(pages, cuts).models
    fold = site_folds([page.site for page in pages], seed=thresholds.SEED)
    for at, page in enumerate(pages):
        looked = {float(looks[0, 0]) for _, (looks, _) in seen[models[page.name]]}
        assert at / 10 not in looked
        assert len(looked) == sum(fold[each.site] != fold[page.site] for each in pages)


def test_every_look_has_a_name():
    segments = segments_of(boxes_of(ROWS, chars=5), np.array([0, 0, 0, 1, 1, 2, -1, -1]), 0.3)
    told = dict(zip(LOOKS, look_of(segments), strict=True))
    assert told["threshold"] == 0.3
    assert told["loose"] == 0.25
    assert told["largest"] == pytest.approx(3 / 8)
    assert told["three_largest"] == pytest.approx(6 / 8)
