"""Templates of small sites: what is shared, what is a page's own, and what is told of it."""

import json

import numpy as np
import pytest

from pagelet import detect_template, extract, parse
from pagelet.errors import OptionError
from pagelet.methods.template import TEMPLATE, find_by_learned, find_template
from pagelet.methods.template.learned import learn
from pagelet.methods.template.options import TemplateOptions
from pagelet.methods.template.slot import name_score
from pagelet.page.site import MemorySite, Site
from pagelet.page.tags import TEXT
from tests import hostile
from tests.effort import ends
from tests.methods.sites import HOST, NAMES, Counting, html_of, menu, page_of, prose, site_of

STORY = "/html/body/div[3]"
PROFILES = ["default", "paper"]


def own_text(found) -> str:
    return " ".join(slot.text for slot in found)


def told(found):
    return found.to_dict()["template"]


# -- both profiles ------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES)
def test_the_story_is_the_pages_own_and_the_rest_is_not(profile):
    page = page_of("news/one")
    found = detect_template(page, profile=profile, site=site_of())
    text = own_text(found)
    assert page.texts[-3] in text or profile == "paper"
    assert "All rights reserved" not in text
    assert "The site" not in text
    assert {slot.kind for slot in found} <= {"slot"}


def test_slots_are_the_children_of_the_holder():
    found = detect_template(page_of("news/one"), site=site_of())
    paths = [slot.path for slot in found]
    assert paths == [f"{STORY}/h1", *(f"{STORY}/p[{at}]" for at in range(1, 6))]
    assert told(found)["holder"] == STORY


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("site", [[], MemorySite([]), Counting([])], ids=["none", "held", "lazy"])
def test_nothing_to_compare_with_is_no_answer(profile, site):
    found = detect_template(page_of("index"), profile=profile, site=site)
    assert (len(found), told(found)["known"]) == (0, False)
    assert told(found)["share"] == {"nodes": 0.0, "characters": 0.0, "bytes": 0.0}


@pytest.mark.parametrize("profile", PROFILES)
def test_the_shares_add_up(profile):
    page = page_of("news/one")
    found = find_template(page, TEMPLATE.profiles[profile].options, site_of())
    own = int(page.chars[found.own].sum())
    assert found.share()["characters"] == pytest.approx(1 - own / (page.chars * page.counted).sum())
    assert 0 < found.share()["bytes"] <= 1
    assert not (found.own & found.shared).any()
    assert ((found.own | found.shared) == page.counted).all()


@pytest.mark.parametrize("profile", PROFILES)
def test_votes_are_told_when_asked_for(profile):
    page, site = page_of("news/one"), site_of()
    options = TEMPLATE.with_options(profile, {"explain": True})
    said = told(detect_template(page, options=options, profile=profile, site=site))["votes"]
    assert len(said) == page.counted.sum()
    assert said["/html/body/div[1]/b/text()[1]"] == len(told_pages(page, profile, site))
    assert "votes" not in told(detect_template(page, profile=profile, site=site))
    if profile == "default":  # the paper's relation does not read texts
        assert said[f"{STORY}/p[1]"] == 0


def told_pages(page, profile, site):
    return told(detect_template(page, profile=profile, site=site))["pages"]


# -- the paper ----------------------------------------------------------------------------------


def test_three_pages_that_link_each_other_vote():
    site = Counting(site_of())
    found = told(detect_template(page_of("index"), profile="paper", site=site))
    assert (len(found["pages"]), found["loads"], found["needed"]) == (3, len(site.asked), 2)


def test_a_node_needs_its_votes():
    """Three pages that link each other; two of them have a second paragraph, one a third."""
    links = "".join(f"<a href=/{name}>x</a>" for name in "abcd")
    pages = [
        parse(f"<div id=m>{links}</div>{'<p>x</p>' * count}", url=f"{HOST}/{name}")
        for name, count in zip("abcd", (4, 3, 2, 1), strict=True)
    ]

    def slots(votes):
        options = TEMPLATE.with_options("paper", {"votes": votes, "relation": "label"})
        return len(detect_template(pages[0], options=options, profile="paper", site=pages))

    assert [slots(votes) for votes in (1, 2, 3)] == [1, 2, 3]


def test_fewer_pages_need_fewer_votes():
    pages = [page_of(name) for name in NAMES[:2]]
    found = told(detect_template(pages[0], profile="paper", site=pages))
    assert (len(found["pages"]), found["needed"]) == (1, 1)


# -- the default --------------------------------------------------------------------------------


def test_few_pages_are_loaded_and_from_other_folders_first():
    site = Counting(site_of())
    found = told(detect_template(page_of("news/one"), site=site))
    assert found["loads"] == len(site.asked) <= 4
    assert f"{HOST}/news/two.html" not in site.asked


@pytest.mark.parametrize("loads", [1, 2, 3])
@pytest.mark.parametrize("profile", PROFILES)
def test_no_more_than_allowed_is_loaded(profile, loads):
    odd = [parse(f"<p>{name} alone", url=f"{HOST}/{name}.html") for name in NAMES]
    options = TEMPLATE.with_options(profile, {"loads": loads})
    for pages in (site_of(), odd):
        site = Counting(pages)
        found = told(detect_template(page_of("index"), options=options, profile=profile, site=site))
        assert found["loads"] == len(site.asked) == loads


def test_more_pages_than_can_be_compared_at_once_are_not_loaded():
    odd = [parse(f"<p>{at} alone", url=f"{HOST}/{at}") for at in range(200)]
    found = told(detect_template(odd[0], options=TemplateOptions(loads=1000), site=odd))
    assert found["loads"] == 63


def test_what_the_site_knows_serves_where_nothing_links():
    texts = [html_of(name).replace("href", "data-to") for name in NAMES]
    pages = [parse(text, url=f"{HOST}/{at}") for at, text in enumerate(texts)]
    found = detect_template(pages[2], site=Counting(pages, listed=True))
    assert told(found)["holder"] == STORY
    assert len(detect_template(pages[2], site=Counting(pages))) == 0


def test_links_that_lead_nowhere_are_given_up():
    many = "".join(f"<a href='/gone/{at}'>x</a>" for at in range(500))
    page = parse(html_of("index").replace("All rights", f"{many}All rights"), url=f"{HOST}/k")
    site = Counting([])
    detect_template(page, site=site)
    assert len(site.asked) <= 41


def test_copies_of_a_page_are_not_counted():
    page, site = page_of("news/one"), site_of()
    copies = [parse(page.source, url=f"{HOST}/about/us.html")]
    assert len(detect_template(page, site=copies)) == 0
    others = [each for each in site if each.url != copies[0].url]
    found = told(detect_template(page, site=[*copies, *others]))
    assert found["holder"] == STORY
    assert copies[0].url not in found["pages"]


def test_a_page_of_another_template_is_told_apart():
    other = parse(f"<table><tr><td>{prose(5)}</td></tr></table>", url=f"{HOST}/about/us.html")
    site = [other, *(each for each in site_of() if each.url != other.url)]
    found = told(detect_template(page_of("news/one"), site=site))
    assert found["holder"] == STORY
    assert other.url not in found["pages"]


def test_a_page_like_no_other_is_a_guess_and_says_so():
    odd = f"<div class=x><i>{menu()}</i></div><main><p>{prose(3)}</main>"
    page = parse(odd.replace("word", "term").replace("/news", "/shop"), url=f"{HOST}/z.html")
    found = told(detect_template(page, site=site_of()))
    assert (found.get("guess"), found["pages"]) == (True, [])


def test_equal_words_in_the_story_stay_with_it():
    label = "<p>Ingredients:</p>"
    pages = [
        parse(html_of(name).replace("</h1>", f"</h1>{label}"), url=f"{HOST}/{name}.html")
        for name in NAMES
    ]
    assert "Ingredients" in own_text(detect_template(pages[1], site=pages))


def test_an_active_item_and_a_date_are_left_to_the_template():
    pages = [
        parse(
            html_of(name).replace("All rights", f"Printed on day {at}; rights"),
            url=f"{HOST}/{name}.html",
        )
        for at, name in enumerate(NAMES)
    ]
    found = detect_template(pages[1], site=pages)
    assert "Printed" not in own_text(found)
    assert told(found)["holder"] == STORY


def test_boxes_with_other_words_are_slots_where_pages_differ_all_over():
    """Pages of records: every value stands beside a label that all pages have."""

    def record(seed):
        rows = "".join(
            f"<tr><th>Label {at}</th><td>Same a</td><td>Same b</td><td>value {seed} {at}</td></tr>"
            for at in range(12)
        )
        story = f"<div class=r><p>seen {seed}</p><p>by {seed}</p><p>on {seed}</p></div>"
        return parse(f"<div>{menu()}</div><table>{rows}</table>{story}", url=f"{HOST}/{seed}")

    pages = [record(seed) for seed in range(6)]
    text = own_text(detect_template(pages[0], site=pages))
    assert "value 0 3" in text
    assert "Label 3" not in text or "Same a" in text


def test_a_page_without_leaves_is_no_answer():
    found = detect_template(parse("", url=f"{HOST}/x"), site=site_of())
    assert len(found) == 0


@pytest.mark.parametrize(
    "name", ["links", "list of links", "true depth", "big table", "many names"]
)
@pytest.mark.parametrize("profile", PROFILES)
def test_hostile_pages_are_compared(name, profile):
    page = hostile.page(name)
    with ends():
        detect_template(page, profile=profile, site=[page, page_of("index"), *site_of()[:2]])


def test_names_of_elements():
    page = parse(
        "<main>a</main><div role=main>b</div><div id=content>c</div><div class=main-content>d</div>"
        "<nav>e</nav><div class=sidebar>f</div><div class=blog-post>g</div><div>h</div><ul>i</ul>"
    )
    rows = np.flatnonzero(page.counted & page.element & (page.depth == 2)).tolist()
    assert [name_score(page, row) for row in rows] == [3, 3, 3, 1, -2, -1, 0.5, 0, -1]


# -- sites and forms ----------------------------------------------------------------------------


def test_pages_held_in_memory_are_a_site():
    pages = [parse("<p>a"), parse("<p>b", url=f"{HOST}/b#x"), parse("<p>c", url=f"{HOST}/b")]
    site = MemorySite(pages)
    assert isinstance(site, Site)
    assert site.addresses() == ("page:0", f"{HOST}/b")
    assert site.load(f"{HOST}/b#y") is pages[1]
    assert site.load("page:0") is pages[0]
    assert site.load(f"{HOST}/c") is None


def test_the_template_as_a_page_has_no_story_left():
    page = page_of("news/one")
    found = find_template(page, site=site_of())
    left = parse(found.template_page())
    assert "All rights reserved" in left.texts
    assert not [text for text in left.texts if text.startswith("word")]
    assert left.attribute("class")[page.row(STORY)] == "story"


def test_the_story_in_every_form():
    found = find_template(page_of("news/one"), site=site_of())
    assert found.text().splitlines()[0] == "About news/one"
    assert found.markdown().startswith("# About news/one")
    assert found.html().startswith("<h1>About news/one</h1><p>word")


def test_the_answer_is_plain_json():
    found = detect_template(page_of("news/one"), site=site_of())
    form = json.loads(found.to_json())
    assert form["template"]["share"]["nodes"] == pytest.approx(0.67, abs=0.1)
    assert form["pagelets"][0]["kind"] == "slot"


def test_a_template_file_that_is_none_is_told(tmp_path):
    with pytest.raises(OptionError, match="pagelet learn"):
        detect_template(page_of("index"), template=str(tmp_path / "no.json"))


# -- copies of the key page -----------------------------------------------------------------


def copied_site():
    """A start page that also stands at /index.html, and whose links form a complete set."""
    names = ("index", "news/one", "shop/tea")
    pages = [parse(html_of(name).replace(menu(name), menu(names=names)), url=f"{HOST}/{name}.html")
             for name in names]  # fmt: skip
    return parse(pages[0].source, url=f"{HOST}/"), pages


@pytest.mark.parametrize(("copies", "compared"), [(False, False), (True, True)])
def test_a_copy_of_the_key_page_votes_only_by_the_papers_letter(copies, compared):
    page, pages = copied_site()
    found = detect_template(page, profile="paper", copies=copies, site=pages)
    assert (f"{HOST}/index.html" in told(found)["pages"]) is compared


def test_a_copy_of_the_key_page_is_nothing_to_compare_with_by_default():
    page, pages = copied_site()
    found = detect_template(page, site=[pages[0], *site_of()])
    assert f"{HOST}/index.html" not in told(found)["pages"]


# -- the paper's options ----------------------------------------------------------------------


def test_words_are_compared_on_request():
    page = page_of("news/one")
    texts = {each: "".join(own_text(detect_template(page, profile="paper", words=each,
             site=site_of())).split()) for each in (False, True)}  # fmt: skip
    story = "".join(page.texts[-4].split())
    assert story not in texts[False]
    assert story in texts[True]
    assert "Allrightsreserved" not in texts[True]


def test_weights_and_the_cut_act_on_the_authors_relation():
    page, site = page_of("news/one"), site_of()
    strict = detect_template(page, profile="paper", cut=1.0, children_weight=0.1, site=site)
    assert len(own_text(strict)) > len(own_text(detect_template(page, profile="paper", site=site)))
    with pytest.raises(OptionError, match="cut"):
        detect_template(page, profile="paper", cut=2.0, site=site)


@pytest.mark.parametrize("profile", PROFILES)
def test_links_of_the_menu_are_followed_first(profile):
    def html(name):
        inside = "".join(f"<p>See <a href='/deep/{at}.html'>{at}</a></p>" for at in range(6))
        labels = ("Home", "News", "Latest", "About us", "Shop", "Products", "Help")
        items = "".join(
            f"<li><a href='/{to}.html'>{label}</a></li>"
            for to, label in zip(NAMES, labels, strict=True)
        )
        nav = f"<header><nav class=main-menu><ul>{items}</ul></nav></header>"
        return f"<body><div>{inside}</div>{nav}<main>{prose(len(name))}</main><footer>x</footer>"

    names = (*NAMES, *(f"deep/{at}" for at in range(6)))
    pages = [parse(html(name), url=f"{HOST}/{name}.html") for name in names]
    asked = {}
    for first in (False, True):
        site = Counting(pages)
        detect_template(pages[1], profile=profile, menu_first=first, site=site)
        asked[first] = site.asked
    assert all("/deep/" not in url for url in asked[True][:2])
    assert asked[True] != asked[False]


# -- what content gains -----------------------------------------------------------------------


def guide_page(at):
    """A page of documentation: tools and page numbers lie in the slot, and differ on each page."""
    chapters = "".join(f"<li><a href='/g/{to}.html'>Chapter {to}</a></li>" for to in range(12))
    return parse(
        f"<title>Guide</title><body><header><a href=/>Guide</a></header><nav><ul>{chapters}</ul>"
        f"</nav><main><div class=edit><a href='https://github.com/x/y/edit/{at}.md'>Edit on GitHub"
        f"</a> <a href='/src/{at}.txt'>View page source</a></div><h1>Part {at}</h1>{prose(at, 6)}"
        f"<div class=pager><a rel=prev href='/g/{at - 1}.html'>Previous: part {at - 1}</a>"
        f" <a rel=next href='/g/{at + 1}.html'>Next: part {at + 1}</a></div></main>"
        f"<footer>Built by us</footer>",
        url=f"{HOST}/g/{at}.html",
    )


def test_tools_and_page_numbers_in_the_slot_are_no_content():
    pages = [guide_page(at) for at in range(2, 8)]
    template = find_by_learned(pages[0], learn(pages[1:]))
    tools = template.to_shared().find_tools()
    texts = [row for row in np.flatnonzero(tools).tolist() if pages[0].tag[row] == TEXT]
    named = {pages[0].texts[pages[0].ordinal[row]] for row in texts}
    assert named == {"Edit on GitHub", "View page source", "Previous: part 1", "Next: part 3"}
    text = extract(pages[0], template=template.to_shared())
    assert "Part 2" in text
    assert not any(words in text for words in ("Edit on", "View page", "Next:", "Previous:"))
