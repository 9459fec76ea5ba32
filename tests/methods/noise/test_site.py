"""Several pages of a site: blocks that do not change, answers that are remembered."""

from dataclasses import replace

import numpy as np
import pytest

from pagelet import Query, detect_noise, parse
from pagelet.methods.noise.decision import judge, judge_site, noise_model, pool_site
from pagelet.methods.noise.sheet import TextSheet
from pagelet.methods.noise.unchanged import find_unchanged
from pagelet.page.query import NO_QUERY
from tests.results import html_of


def page_with(facets, answer):
    lists = "".join(f"<li><a href=/f{at}>{text}</a></li>" for at, text in enumerate(facets))
    return TextSheet(parse(f"<body><ul>{lists}</ul><div><p>{answer}</p><b>by</b></div>"))


FACETS = [f"Colour {sign}x (1{at})" for at, sign in enumerate("abcdefghijklmnop")]


def test_a_block_that_every_page_repeats_is_unchanged_numbers_aside():
    one = page_with(FACETS, "first answer")
    other = page_with([text.replace("(1", "(7") for text in FACETS], "second answer")
    marks = dict(zip(one.unit_texts, find_unchanged(one, [other]).tolist(), strict=True))
    assert [marks[text.lower()] for text in FACETS] == [True] * 16
    assert not marks["first answer"]
    assert not marks["by"]  # a label of the record, in a block that changes


def test_a_small_or_a_changed_block_is_left_alone():
    few = [page_with(FACETS[:9], answer) for answer in ("one", "two")]
    assert not find_unchanged(few[0], few[1:]).any()
    changed = [page_with(FACETS, "one"), page_with([*FACETS[:15], "New here"], "two")]
    assert not find_unchanged(changed[0], changed[1:]).any()
    assert not find_unchanged(few[0], []).any()


def test_other_pages_of_the_site_are_judged_together():
    page, others = parse(html_of(2, "tomato")), [parse(html_of(2, "beans"))]
    alone = judge(TextSheet(page), noise_model(), NO_QUERY)
    together = judge_site(TextSheet(page), others, noise_model(), NO_QUERY)
    assert (alone.pages, together.pages) == (1, 2)
    assert not np.array_equal(alone.probability, together.probability)
    found = detect_noise(page, site=others, query=Query.of(["tomato"]))
    assert found.extra["pages"] == 2
    again = judge_site(TextSheet(page), [parse("")], noise_model(), NO_QUERY)
    assert np.array_equal(alone.probability, again.probability)


def test_what_is_said_on_other_pages_moves_the_answer():
    """One unit of 0.8 and, on the other page, one of 0.2, alike but for their texts.

    By the tags: (0.8 + 0.2 + 4 · 0.8) / (2 + 4) = 0.7. By the names, and by their length too:
    (1 + 2 · 0.7) / 4 = 0.6, (1 + 2 · 0.6) / 4 = 0.55. By the text: (0.8 + 2 · 0.55) / 3.
    """
    sheets = [TextSheet(parse(f"<body><p>the {word} answer</p>")) for word in ("first", "other")]
    one, other = (judge(sheet, noise_model(), NO_QUERY) for sheet in sheets)
    likely = np.array([0.8]), np.array([0.2])
    one = replace(one, probability=likely[0], without_query=likely[0])
    other = replace(other, probability=likely[1], without_query=likely[1])
    assert pool_site(one, [other]).probability == pytest.approx([(0.8 + 2 * 0.55) / 3])
