"""The search for the paper's relation, and the tables that the paper prints."""

import numpy as np
import pytest

from pagelet.lab.template import constants, search
from pagelet.lab.template.published import TABLE_1, TABLE_2, published_rows, published_table
from pagelet.lab.template.search import RelationSetting, list_settings
from pagelet.methods.template import slot
from pagelet.methods.template.options import PaperTemplateOptions
from tests.lab.template.test_scores import write_sites


def test_the_tables_are_as_printed():
    assert np.mean([each.f1 for each in TABLE_1]) == pytest.approx(95.61, abs=0.005)
    assert np.mean([each.recall for each in TABLE_1]) == pytest.approx(95.44, abs=0.005)
    three = next(each for each in TABLE_2 if each.size == 3)
    assert (three.votes, three.f1, three.loads) == (2, 95.61, 10.13)
    assert (len(published_table().rows), len(published_rows())) == (40, 8)
    for each in TABLE_1:  # F1 follows from the counts
        both = round(each.recall * each.gold / 100)
        assert 200 * both / (each.gold + each.retrieved) == pytest.approx(each.f1, abs=0.15)


def test_the_grid_has_every_setting_once():
    settings = list(list_settings(PaperTemplateOptions()))
    assert len(settings) == len(set(settings)) == 210
    assert all(
        sum(getattr(each, name) for name in search.WEIGHTS) == pytest.approx(1) for each in settings
    )


def test_the_choice_is_scored_on_a_site_that_it_has_not_seen():
    options = PaperTemplateOptions()
    one, two = (RelationSetting(options, np.array(f1)) for f1 in ([0.9, 0.1], [0.4, 0.5]))
    assert search._unseen([one, two]) == pytest.approx((0.4 + 0.1) / 2)


def test_constants_are_changed_and_put_back(tmp_path, monkeypatch):
    tried = ((slot, "MIN_SLOT_LEAVES", (1, 50)),)
    monkeypatch.setattr(constants, "TRIED", tried)
    before = slot.MIN_SLOT_LEAVES
    figures = constants.evaluate_constants(write_sites(tmp_path))
    names = [row[0] for row in figures.rows]
    assert names[:2] == ["chosen without each site", "as they are"]
    assert (len(names), names[-1]) == (5, "without names of elements")
    assert figures.value("as they are", "F1") == 1
    assert before == slot.MIN_SLOT_LEAVES
