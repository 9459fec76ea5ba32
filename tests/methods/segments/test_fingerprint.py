"""Fingerprints: pages of one template have the same, pages of others do not."""

import numpy as np
import pytest
from hypothesis import given

from pagelet import parse
from pagelet.methods.segments.memory import KEPT, fingerprint, likeness
from tests.build import page_of, trees
from tests.places import SITE


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
    assert likeness(of(one), of(other)) >= 0.75


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
    assert likeness(of(one), of(other)) < 0.75


def test_words_and_repetition_do_not_matter():
    one = fingerprint(parse("<ul class=a><li>x</li></ul><p>y"))
    assert likeness(one, fingerprint(parse("<ul class=a><li>z<li>w<li>v</ul><p>u"))) == 1
    assert likeness(one, fingerprint(parse("<ul class=a><li></ul><p>"))) == 1
    assert likeness(one, fingerprint(parse("<ul class=b><li>x</li></ul><p>y"))) == 2 / 6


def test_a_page_without_body_is_like_none():
    empty = fingerprint(page_of(("html",)))
    assert len(empty) == 0
    assert likeness(empty, empty) == likeness(empty, fingerprint(parse("<p>x"))) == 0


def test_a_sample_of_a_large_page_is_enough():
    names = [f"{'abcdefgh'[n % 8] * (n // 8 + 1)}" for n in range(400)]
    large = "".join(f"<section class={name}><p>x</p></section>" for name in names)
    own = fingerprint(parse(large))
    assert len(own) == KEPT
    assert likeness(own, fingerprint(parse(large + "<aside>y"))) > 0.95


@given(trees)
def test_it_is_sorted_and_like_itself(tree):
    own = fingerprint(page_of(tree))
    assert (np.diff(own.astype(float)) >= 0).all()
    assert likeness(own, own) == float(len(own) > 0)
