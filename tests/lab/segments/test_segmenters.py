"""Models of the default profile that are scored on sites they have not seen."""

import numpy as np
import pytest

from pagelet.errors import MissingExtra
from pagelet.lab.learners import FOLDS, site_folds
from pagelet.lab.segments import elements as segments_elements
from pagelet.lab.segments import fit as segments_fit
from pagelet.lab.segments import segmenters, unseen
from pagelet.lab.segments.gold import SUB, TOP, examples_of
from pagelet.lab.segments.runs import score
from pagelet.lab.segments.segmenters import unseen_segmenters
from pagelet.methods.segments.geometry.partition import segments_of
from tests.lab.segments.test_evaluation import PAGE, blocks_page, drawn, still

LONG = "".join(f"<div data-block=1>{f'<p data-block=2>Line {at}</p>' * 4}</div>" for at in range(6))


@pytest.fixture(scope="module")
def examples():
    pages = [blocks_page(name, LONG if name != "f" else PAGE) for name in "abcdef"]
    empty = blocks_page("empty", "<div data-block=1></div>")
    return list(examples_of([*pages, empty], drawn, None, still))


def test_both_granularities_are_fitted_and_asked(examples, monkeypatch):
    monkeypatch.setattr(segments_fit, "ROUNDS", dict.fromkeys(segments_fit.ROUNDS, 5))
    monkeypatch.setattr(segments_elements, "ROUNDS", 5)
    lines, steps = [], []
    fitted_segmenters = unseen_segmenters(examples, lines.append, lambda *at: steps.append(at))
    assert [each.name for each in fitted_segmenters] == [
        "BCS paper, learned",
        "BCS mean, learned",
        "default, page, unseen",
        "default, unseen",
        "default, paragraphs, unseen",
        "default, page, --with-dom, unseen",
        "default, --with-dom, unseen",
        "default, paragraphs, --with-dom, unseen",
    ]
    assert lines == ["fitting on 6 pages of 6 sites"]
    assert [done for _, done, _ in steps] == [0, 1, 2, 3]
    for segmenter in fitted_segmenters:
        scores = score(segmenter, examples)
        assert scores[TOP].metrics.shape == scores[SUB].metrics.shape == (7, 1, 4)
        clustered = segmenter.name.startswith("BCS")  # lines at one distance may not join
        assert clustered or (scores[TOP].counts[:-1] >= 1).all()
        assert scores[TOP].counts[-1] == 0


def test_each_page_has_a_model_fitted_without_its_site(examples, monkeypatch):
    fitted, seen = {}, []

    def fit(pages, *_):
        seen.append(pages)
        return str(len(seen))

    def answer(page, layout, boxes, options, model):
        name = options.granularity + " with_dom" * options.with_dom
        fitted.setdefault(name, []).append((page.url, model))
        return segments_of(boxes, np.zeros(len(boxes), np.intp))

    for place in (unseen, segmenters):
        monkeypatch.setattr(place, "segment_visual", answer)
    monkeypatch.setattr(unseen, "fit_cuts", fit)
    monkeypatch.setattr(unseen, "fit_divisions", fit)
    for segmenter in unseen_segmenters(examples, still)[2:]:
        for example in examples:
            segmenter.prepare(example)
    assert len(seen) == 4 * FOLDS  # two sizes, by gaps and by elements
    assert all(len(pages) in (4, 5) for pages in seen)  # the page without a box teaches nothing
    fold = site_folds(list("abcdef"), seed=segments_fit.SEED)
    for name in ("blocks", "paragraphs", "page", "blocks with_dom", "page with_dom"):
        models = dict(fitted[name][-7:])
        assert models.pop("https://empty/") is None
        together = {(models[f"https://{a}/"] == models[f"https://{b}/"]) == (fold[a] == fold[b])
                    for a in "abcdef" for b in "abcdef"}  # fmt: skip
        assert together == {True}


@pytest.mark.parametrize(
    ("granularity", "cuts"),
    [
        # of the page as people cut it, and as an element
        ("blocks", 2 * (5 * 5 + 1)),
        # of the page as people cut it, of the page as an element, and of each of its six blocks
        ("paragraphs", 5 * (23 + 23 + 6 * 3) + 3),
    ],
)
def test_a_page_teaches_its_gaps_and_those_of_its_elements(examples, granularity, cuts):
    gaps = segments_fit.labelled_gaps(examples, granularity)
    assert sum(int(each.cut.sum()) for each in gaps) == cuts


def test_a_threshold_is_chosen_on_the_pages_of_other_folds(examples, monkeypatch):
    """The pages of each fold would rather have their own threshold, and do not get it."""
    some = examples[:-1]
    fold = site_folds(list("abcdef"), seed=segments_fit.SEED)
    names = unseen.DIVISION_THRESHOLDS
    wanted = {site: names[0] if fold[site] == fold["a"] else names[3] for site in "abcdef"}

    def answer(page, layout, boxes, options, model):
        right = options.threshold == wanted[page.url[8]]
        return segments_of(boxes, np.arange(len(boxes)) * (not right))

    for fit in ("fit_cuts", "fit_divisions"):
        monkeypatch.setattr(unseen, fit, lambda *_: None)
    monkeypatch.setattr(unseen, "segment_visual", answer)
    monkeypatch.setattr(unseen, "bcubed_figures", lambda number, *_: (1.0 - number.max(),) * 2)
    chosen = unseen.unseen_models(some, with_dom=True)["blocks"]
    assert {each.site: chosen[each.name][1] for each in some}["a"] == names[3]
    cuts = unseen.unseen_models(some, with_dom=False)["blocks"]
    assert {threshold for _, threshold in cuts.values()} == {None}  # likelier than not


def test_too_few_sites_and_no_library_are_said(examples, monkeypatch):
    lines = []
    assert unseen_segmenters(examples[:4], lines.append) == []
    assert "labels cover four sites; five are needed" in lines.pop()

    def missing(*_, **__):
        raise MissingExtra("train", "fitting")

    monkeypatch.setattr(segmenters, "unseen_models", missing)
    assert unseen_segmenters(examples, lines.append) == []
    assert "pagelet[train]" in lines[-1]
