"""Models of the default profile that are scored on sites they have not seen."""

import pytest

from pagelet.errors import MissingExtra
from pagelet.lab.segments import elements as segments_elements
from pagelet.lab.segments import fit as segments_fit
from pagelet.lab.segments import segmenters
from pagelet.lab.segments.gold import SUB, TOP, examples_of
from pagelet.lab.segments.runs import score
from pagelet.lab.segments.segmenters import unseen_segmenters
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
        "default, unseen",
        "default, paragraphs, unseen",
        "default, --with-dom, unseen",
        "default, paragraphs, --with-dom, unseen",
    ]
    assert lines == ["fitting on 6 pages of 6 sites"]
    assert [done for _, done, _ in steps] == [0, 1, 2, 3, 4]
    for segmenter in fitted_segmenters:
        scores = score(segmenter, examples)
        assert scores[TOP].metrics.shape == scores[SUB].metrics.shape == (7, 1, 4)
        assert (scores[TOP].counts[:-1] >= 1).all()
        assert scores[TOP].counts[-1] == 0


def test_each_page_has_a_model_fitted_without_its_site(examples, monkeypatch):
    fitted = {}

    def unseen(gaps, sites, granularity):
        cut = sum(int(each.cut.sum()) for each in gaps)
        fitted[f"fit {granularity}"] = (sites, cut)
        return [f"not {site}" for site in sites]

    def divided(examples, granularity):
        return [(f"not {each.site}", 0.6) for each in examples]

    def answer(page, layout, boxes, options, model):
        name = options.granularity + " with_dom" * options.with_dom
        fitted.setdefault(name, []).append((page.url, model))

    monkeypatch.setattr(segmenters, "unseen_divisions", divided)
    monkeypatch.setattr(segmenters, "unseen_models", unseen)
    monkeypatch.setattr(segmenters, "segment_visual", answer)
    for segmenter in unseen_segmenters(examples, still):
        for example in examples:
            segmenter.prepare(example)
    sites = list("abcdef")  # the page without a box teaches nothing
    assert fitted["fit blocks"] == (sites, 2 * (5 * 5 + 1))  # of the page, and as an element
    # of the page as people cut it, of the page as an element, and of each of its six blocks
    assert fitted["fit paragraphs"] == (sites, 5 * (23 + 23 + 6 * 3) + 3)
    pairs = [(f"https://{site}/", f"not {site}") for site in "abcdef"]
    assert fitted["blocks"] == fitted["paragraphs"] == [*pairs, ("https://empty/", None)]
    assert fitted["blocks with_dom"] == fitted["paragraphs with_dom"] == fitted["blocks"]


def test_too_few_sites_and_no_library_are_said(examples, monkeypatch):
    lines = []
    assert unseen_segmenters(examples[:4], lines.append) == []
    assert "labels cover four sites; five are needed" in lines.pop()

    def missing(*_):
        raise MissingExtra("train", "fitting")

    monkeypatch.setattr(segmenters, "unseen_models", missing)
    assert unseen_segmenters(examples, lines.append) == []
    assert "pagelet[train]" in lines[-1]
