"""Odd sites: two templates, two languages, soft errors, near copies. Names tell nothing here."""

from itertools import cycle

import pytest

from pagelet import parse
from pagelet.lab.template.scores import score_template
from pagelet.methods.template import find_by_learned, find_template
from pagelet.methods.template.learned import learn
from pagelet.page.site import MemorySite
from tests.methods.sites import prose, words

HOST = "https://odd.example"
ENGLISH = ("Start", "Tea", "Jam", "Rope", "Where we are", "Write to us")
GERMAN = ("Anfang", "Tee", "Marmelade", "Seil", "Wo wir sind", "Schreibt uns")


def story(seed, paragraphs=6):
    return f"<h2>{words(seed, 3)}</h2>{prose(seed, paragraphs)}"


def menu(labels, active=-1, prefix=""):
    items = (
        f"<li class='{'k9 is-active' if at == active else 'k9'}'><a href='{prefix}/{at}.html'>"
        f"{label}</a></li>"
        for at, label in enumerate(labels)
    )
    return f"<ul class=q1>{''.join(items)}</ul>"


def framed(top, inner, foot="<p>Held by the harbour trust</p><p>Open on all days</p>"):
    """A page; what is its own is marked for the test, not for the method."""
    return f"<body><div class=xa>{top}</div><div class=xb>{inner}</div><div class=xc>{foot}</div>"


def f1_of(pages, at=0, way=None):
    """How well the template of one page is found by the others; div.xb holds what is its own."""
    page = pages[at]
    found = (way or find)(page, [other for other in pages if other is not page])
    holder = next(row for row, said in page.attribute("class").items() if said.split()[0] == "xb")
    own = page.counted.copy()
    own[: holder + 1] = False
    own[page.end[holder] :] = False
    return score_template(page, found.shared, own).overlap.f1


def find(page, others):
    return find_template(page, site=MemorySite(others))


def by_learning(page, others):
    return find_by_learned(page, learn(others))


def site_of(html):
    return [parse(text, url=f"{HOST}/{at}.html") for at, text in enumerate(html)]


WAYS = pytest.mark.parametrize("way", [find, by_learning])


@WAYS
@pytest.mark.parametrize("at", [0, 1])
def test_two_templates_on_one_site(way, at):
    shop = [framed(f"{menu(ENGLISH)}<b>Shop</b><i>Basket</i>", story(seed)) for seed in range(1, 6)]
    board = [
        "<table><tr><td>Board</td><td>Log in</td><td>Members</td><td>Rules</td></tr></table>"
        f"<p>Posts below</p><div class=xb>{story(seed)}</div><p>Times are local</p><em>End</em>"
        for seed in range(20, 25)
    ]
    mixed = [page for pair in zip(shop, board, strict=True) for page in pair]
    assert f1_of(site_of(mixed), at, way) > 0.97


@WAYS
def test_a_switcher_of_languages(way):
    """Every page links its own translations, so those links differ on each."""
    pages = [
        framed(
            f"{menu(ENGLISH)}<div class=z4><a href=/de/{seed}.html>Deutsch</a>"
            f"<a href=/fr/{seed}.html>Français</a><span>{words(seed, 1)}</span></div>",
            story(seed),
        )
        for seed in range(1, 8)
    ]
    assert f1_of(site_of(pages), way=way) > 0.97


@WAYS
def test_a_site_in_two_languages(way):
    """The frame is the same, its words are not; pages of the other language tell little."""
    pages = [
        framed(f"{menu(labels, prefix=prefix)}<b>{labels[0]}!</b>", story(seed), f"<p>{labels[4]}")
        for seed, (labels, prefix) in zip(
            range(1, 11), cycle([(ENGLISH, "/en"), (GERMAN, "/de")]), strict=False
        )
    ]
    for at in (0, 1):
        assert f1_of(site_of(pages), at, way) > 0.97


@WAYS
def test_active_items(way):
    pages = [framed(menu(ENGLISH, active=at), story(at + 1)) for at in range(len(ENGLISH))]
    for at in range(len(pages)):
        assert f1_of(site_of(pages), at, way) > 0.97


@WAYS
def test_a_menu_of_each_section(way):
    """Below the main menu stands one of the section; two sections of four pages."""
    sections = {"a": ("Green", "Black", "White"), "b": ("Plum", "Pear", "Quince")}
    pages = [
        framed(f"{menu(ENGLISH)}{menu(sections[name], prefix='/' + name)}", story(seed))
        for seed, name in zip(range(1, 9), cycle("ab"), strict=False)
    ]
    assert f1_of(site_of(pages), way=way) > 0.9


@WAYS
def test_near_copies(way):
    """The same story under many addresses, but for a line; other pages are few."""
    copies = [framed(menu(ENGLISH), f"{story(1)}<p>Seen {at} times</p>") for at in range(8)]
    others = [framed(menu(ENGLISH), story(seed)) for seed in (5, 6, 7)]
    assert f1_of(site_of([*copies, *others]), way=way) > 0.97


def test_soft_errors():
    """Most links lead to a page that says sorry, with status 200."""
    sorry = framed(menu(ENGLISH), "<h2>Sorry</h2><p>There is no such page here.</p>")
    pages = [framed(menu(ENGLISH), story(1)), *[sorry] * 6]
    pages += [framed(menu(ENGLISH), story(seed)) for seed in (5, 6)]
    assert f1_of(site_of(pages)) > 0.97


def test_soft_errors_alone():
    """Nothing but errors to compare with; the frame is the same."""
    sorry = framed(menu(ENGLISH), "<h2>Sorry</h2><p>There is no such page here.</p>")
    assert f1_of(site_of([framed(menu(ENGLISH), story(1)), *[sorry] * 3])) > 0.97


@WAYS
def test_a_date_and_a_visitor_in_the_frame(way):
    pages = [
        framed(f"{menu(ENGLISH)}<span>Page {seed} of today</span>", story(seed), f"<p>{seed} seen")
        for seed in range(1, 8)
    ]
    assert f1_of(site_of(pages), way=way) > 0.9


@WAYS
def test_a_short_page_among_long_ones(way):
    pages = [framed(menu(ENGLISH), story(seed, 9)) for seed in range(2, 8)]
    short = framed(menu(ENGLISH), "<p>Closed for now.</p>")
    assert f1_of(site_of([short, *pages]), way=way) > 0.97


@WAYS
def test_a_large_menu_around_little(way):
    """All pages look like copies of each other, and one has another template."""
    labels = tuple(words(at, 2) for at in range(100, 180))
    pages = [framed(menu(labels), f"<h2>{words(seed, 2)}</h2>") for seed in range(1, 8)]
    foot = "<div class=xc><p>Held by the harbour trust</p><p>Open on all days</p></div>"
    pages.insert(2, f"<body><b>Board</b>{story(50)}{foot}")
    assert f1_of(site_of(pages), way=way) > 0.97
