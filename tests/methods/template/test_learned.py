"""Learned templates: applied to new pages, kept in files, the same in any order."""

import json
import random

import numpy as np
import pytest

from pagelet import parse
from pagelet.context import read_template
from pagelet.errors import OptionError
from pagelet.methods.template import find_by_learned
from pagelet.methods.template import layouts as layouts_module
from pagelet.methods.template.layouts import relate_layouts
from pagelet.methods.template.learned import LearnedTemplate, apply, learn, read_learned
from pagelet.methods.template.table import MAX_PAGES
from tests.methods.sites import (
    HOST,
    NAMES,
    board_pages,
    html_of,
    page_of,
    shop_pages,
    site_of,
    words,
)

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
    assert (form["learned"], form["kept"], form["version"]) == (6, 6, 2)


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
        lambda text: text.replace('"version": 2', '"version": 99'),
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


# -- layouts --------------------------------------------------------------------------------


def two_layouts(count=5):
    return [parse(html) for html in (*shop_pages(count), *board_pages(count))]


def test_pages_are_grouped_by_layout_and_each_is_answered_by_its_own():
    template = learn(two_layouts())
    assert [len(layout.pages) for layout in template.layouts] == [5, 5]
    shop, board = (parse(pages(7)[6]) for pages in (shop_pages, board_pages))
    one, two = apply(shop, template), apply(board, template)
    assert {one.layout, two.layout} == {0, 1}
    assert shop.path(one.slot.row) == STORY
    assert board.path(two.slot.row) == "/html/body/table/tbody/tr/td[2]"


def test_pages_of_one_site_are_related_and_others_are_not():
    related = learn(two_layouts()).layouts
    assert len(relate_layouts(related)) == 1
    other = learn([parse(f"<article><section><p>{words(at)}") for at in range(3)]).layouts
    assert len(relate_layouts([*related, *other])) == 2


def test_layouts_come_out_of_a_file_as_they_were_and_pages_of_version_1_are_grouped():
    template = learn(two_layouts())
    text = template.to_json()
    assert [list(each.pages) for each in read_learned(text.encode()).layouts] == [
        list(each.pages) for each in template.layouts
    ]
    form = json.loads(text) | {"version": 1, "usual": 3.0}
    del form["layouts"]
    assert read_learned(json.dumps(form).encode()).to_json() == text


@pytest.mark.parametrize("layouts", [[], [["x"]], 3, [[], []]])
def test_damaged_layouts_are_told(learned, layouts):
    form = json.loads(learned.to_json()) | {"layouts": layouts}
    with pytest.raises(OptionError, match="learn it again"):
        read_learned(json.dumps(form).encode())


def test_further_parts_of_a_file_are_kept(learned):
    kept = learned.with_part("records", {"fields": ["name", "price"]})
    again = read_learned(kept.to_json().encode()).with_pages([page_of("one/more")])
    assert again.parts == {"records": {"fields": ["name", "price"]}}
    assert json.loads(again.to_json())["records"] == {"fields": ["name", "price"]}
    with pytest.raises(ValueError, match="pages"):
        learned.with_part("pages", {})


def test_many_layouts_share_the_pages_that_are_kept(monkeypatch):
    monkeypatch.setattr(layouts_module, "MAX_KEPT_PAGES", 40)
    pages = [
        parse(f"<div id=l{'abcdefgh'[at % 8]}><ul><li>a<li>b</ul><p>{words(at)}</p></div>")
        for at in range(160)
    ]
    template = learn(pages)
    assert [len(layout.pages) for layout in template.layouts] == [8] * 8
    assert template.learned == 160
