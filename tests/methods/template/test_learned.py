"""Learned templates: applied to new pages, kept in files, the same in any order."""

import json
import random

import numpy as np
import pytest

from pagelet import parse
from pagelet.context import read_template
from pagelet.errors import OptionError
from pagelet.methods.template import find_by_learned
from pagelet.methods.template.learned import LearnedTemplate, apply, learn, read_learned
from pagelet.methods.template.table import MAX_PAGES
from tests.methods.sites import HOST, NAMES, html_of, page_of, site_of

STORY = "/html/body/div[3]"


@pytest.fixture(scope="module")
def learned():
    return learn(site_of(NAMES[1:]))


def test_a_new_page_is_told_apart_without_loading(learned):
    page = page_of("new/page")
    found = apply(page, learned)
    assert (page.path(found.slot.row), found.fits) == (STORY, True)
    assert found.fit == pytest.approx(1, abs=0.2)


def test_a_page_of_another_site_does_not_fit(learned):
    found = apply(parse("<h1>Another site</h1><p>with <b>other</b> words"), learned)
    assert (found.slot, found.fits) == (None, False)
    said = find_by_learned(parse("<p>x"), learned)
    assert (said.determined, said.facts["fits"]) == (False, False)


@pytest.mark.parametrize("text", ["", "<p>", "<frameset><frame></frameset>"])
def test_a_page_without_leaves_does_not_fit(learned, text):
    assert not apply(parse(text), learned).fits


def test_nothing_learned_fits_nothing():
    assert not apply(page_of("index"), learn([])).fits


def test_the_order_does_not_matter():
    pages = site_of()
    text = learn(pages).to_json()
    for seed in range(5):
        shuffled = random.Random(seed).sample(pages, len(pages))
        first, rest = shuffled[:seed], shuffled[seed:]
        assert learn(shuffled).to_json() == text
        assert learn(first).with_pages(rest).to_json() == text
        assert learn(rest).merge(learn(first)).to_json() == text


def test_a_page_learned_twice_counts_once():
    pages = site_of()
    assert learn([*pages, *pages]).to_json() == learn(pages).to_json()
    assert learn(pages).with_pages(pages).to_json() == learn(pages).to_json()


def test_of_many_pages_a_sample_is_kept_whatever_the_order():
    pages = site_of(tuple(f"n{at}" for at in range(MAX_PAGES + 20)))
    one = learn(pages)
    two = learn(pages[50:]).with_pages(pages[:50])
    assert (len(one.pages), len(one.seen)) == (MAX_PAGES, MAX_PAGES + 20)
    assert one.to_json() == two.to_json()
    assert apply(page_of("other"), one).fits


def test_a_file_says_what_was_learned(learned):
    again = read_learned(learned.to_json())
    assert again.to_json() == learned.to_json()
    page = page_of("new/page")
    assert apply(page, again).slot.row == apply(page, learned).slot.row
    form = json.loads(learned.to_json())
    assert (form["learned"], form["kept"], form["version"]) == (6, 6, 1)


def test_a_file_holds_no_text(learned):
    assert "rights" not in learned.to_json()


def damaged(text, **changes):
    form = json.loads(text)
    name = next(iter(form["pages"]))
    form["pages"][name] |= changes
    return json.dumps(form)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: "",
        lambda text: "[]",
        lambda text: "{}",
        lambda text: text[:-20],
        lambda text: text.replace('"version": 1', '"version": 99'),
        lambda text: text.replace('"template"', '"menu"'),
        lambda text: damaged(text, size="AAAA"),
        lambda text: damaged(text, size="////////////////"),
        lambda text: damaged(text, before=""),
        lambda text: damaged(text, place="not base64"),
    ],
)
def test_a_damaged_file_is_told(learned, spoil):
    with pytest.raises(OptionError, match="learn it again"):
        read_learned(spoil(learned.to_json()))


def test_the_option_reads_the_file_and_sees_when_it_changes(tmp_path, learned):
    file = tmp_path / "t.json"
    file.write_text(LearnedTemplate({}).to_json())
    assert not find_by_learned(page_of("new/page"), read_template(str(file))).determined
    file.write_text(learned.to_json())
    assert find_by_learned(page_of("new/page"), read_template(str(file))).facts["fits"]


def test_a_near_copy_does_not_hide_the_template():
    long = parse(html_of("a", paragraphs=300), url=f"{HOST}/a.html")
    near = parse(html_of("a", paragraphs=300).replace("word1", "word2"), url=f"{HOST}/b.html")
    template = learn([*site_of(), long])
    found = apply(near, template)
    assert near.path(found.slot.row) == STORY
    assert np.isfinite(found.fit)


def test_a_page_that_was_learned_is_told_as_if_it_were_new():
    pages = site_of()
    for page in pages:
        others = [other for other in pages if other is not page]
        known, new = apply(page, learn(pages)).slot, apply(page, learn(others)).slot
        assert (known.row, known.score, known.more_rows) == (new.row, new.score, new.more_rows)


def test_a_page_learned_alone_fits_nothing():
    page = page_of("index")
    assert not apply(page, learn([page])).fits
