"""Kinds of sites that templates are hardest on: each page by the others, few loads."""

import json

import numpy as np
import pytest

from pagelet.lab.template.evaluation import evaluate_template
from pagelet.lab.template.scores import score_template
from pagelet.methods.template import find_by_learned, find_template
from pagelet.methods.template.learned import learn
from pagelet.page.site import MemorySite
from tests.methods.weak_sites import KINDS, read_site, write_sites

KEY_PAGES = (0, 4, 8)  #: pages that are scored
MAX_LOADS = 4


@pytest.fixture(scope="module", params=KINDS)
def site(request):
    return read_site(request.param)


def f1_of(page, own, template):
    return score_template(page, template.shared, own).overlap.f1


def test_each_page_is_told_apart_with_few_loads(site):
    pages = MemorySite([page for page, _ in site])
    found = [(*site[at], find_template(site[at][0], site=pages)) for at in KEY_PAGES]
    assert np.mean([f1_of(*each) for each in found]) >= 0.95
    assert max(template.facts["loads"] for _, _, template in found) <= MAX_LOADS


def test_and_so_it_is_by_a_learned_template(site):
    (page, own), *others = site
    template = find_by_learned(page, learn(other for other, _ in others))
    assert f1_of(page, own, template) >= 0.95


@pytest.mark.parametrize(("kind", "holders"), [("wiki", 2), ("columns", 2), ("forum", 1)])
def test_several_slots_where_that_is_the_truth(kind, holders):
    site = read_site(kind)
    page, own = site[0]
    template = find_template(page, site=MemorySite([each for each, _ in site]))
    assert len(template.facts.get("holders", ["one"])) == holders
    assert (template.own == own).all()


def test_they_are_written_as_a_labelled_folder(tmp_path):
    write_sites(tmp_path)
    assert len(json.loads((tmp_path / "gold.json").read_text())["pages"]) == 9 * len(KINDS)
    rows = {row[0]: row for row in evaluate_template(tmp_path, from_disk=True).rows}
    assert rows["default"][6] >= 0.95
