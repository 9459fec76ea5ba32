"""Agreement of two people: worked by hand, then any answers against counting every pair."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.annotator.agreement import agreement, kappa, rand_index, shared_kinds
from pagelet.annotator.marks import number_rows
from pagelet.lab.segments.scores import adjusted_rand, membership_of
from tests.build import flat_menu, html, page_of
from tests.naive import marks as naive
from tests.naive.segment_scores import rand_of_pairs

answers = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30)
numbers = st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 3)), max_size=14)


def test_kappa_worked_by_hand():
    one = np.array([1, 1, 1, 1, 0, 0, 0, 0, 0, 0], np.bool_)
    other = np.array([1, 1, 1, 0, 1, 0, 0, 0, 0, 0], np.bool_)
    chance = 0.4 * 0.4 + 0.6 * 0.6
    assert kappa(one, other) == pytest.approx((0.8 - chance) / (1 - chance))


def test_two_who_always_say_no_agree():
    nothing = np.zeros(5, np.bool_)
    assert kappa(nothing, nothing) == 1.0
    assert kappa(nothing[:0], nothing[:0]) == 1.0


@given(answers)
def test_kappa_equals_the_table(pairs):
    one, other = ([bool(pair[at]) for pair in pairs] for at in (0, 1))
    found = kappa(np.array(one), np.array(other))
    assert found == pytest.approx(naive.kappa(one, other))
    assert found == pytest.approx(kappa(np.array(other), np.array(one)))


@given(numbers)
def test_rand_index_equals_counting_pairs(pairs):
    one, other = (np.array([pair[at] for pair in pairs], np.intp) for at in (0, 1))
    first, second = (
        {row: n for row, n in enumerate(each.tolist()) if n >= 0} for each in (one, other)
    )
    wanted = rand_of_pairs(first, second)
    found = rand_index(one, other)
    if wanted is not None:
        assert found == pytest.approx(wanted)
    assert found == pytest.approx(adjusted_rand(membership_of(one), membership_of(other)))


PAGE = page_of(
    html(
        ("nav", flat_menu(3)),
        ("main", ("p", "one"), ("p", "two"), ("div", ("p", "three"))),
        ("footer", "end"),
    )
)
NAV, MAIN, FOOTER = (PAGE.row(f"/html/body/{name}") for name in ("nav", "main", "footer"))
ONE, TWO, DIV = (PAGE.row(f"/html/body/main/{name}") for name in ("p[1]", "p[2]", "div"))


def test_segments_of_rows():
    found = number_rows(PAGE, [(NAV,), (ONE, TWO), (DIV,)])
    assert found[NAV + 1] == 0
    assert found[ONE] == found[TWO] == found[TWO + 1] == 1
    assert found[DIV + 1] == 2
    assert found[MAIN] == found[FOOTER] == -1


def test_the_same_marks_agree_in_every_kind():
    said = {"menu": [(NAV,)], "segment": [(NAV,), (MAIN,)], "slot": [(MAIN,)]}
    kinds = shared_kinds(said, said)
    assert kinds == {"menu", "segment", "template"}
    assert agreement(PAGE, said, said, kinds) == {"menu": 1.0, "segment": 1.0, "template": 1.0}


def test_template_and_what_is_not_are_one_question():
    template = {"template": [(NAV,), (FOOTER,)]}
    slots = {"slot": [(MAIN,)]}
    kinds = shared_kinds(template, slots)
    assert agreement(PAGE, template, slots, kinds) == {"template": 1.0}


def test_only_kinds_that_both_looked_for_are_told():
    assert shared_kinds(["menu", "slot"], ["template", "noise"]) == {"template"}


def test_two_who_differ():
    one, other = {"content": [(MAIN,)]}, {"content": [(DIV,)]}
    found = agreement(PAGE, one, other, ["content"])["content"]
    counted = PAGE.counted
    masks = [PAGE.inside(np.array([row]))[counted].tolist() for row in (MAIN, DIV)]
    assert found == pytest.approx(naive.kappa(*masks))
    assert 0 < found < 1
