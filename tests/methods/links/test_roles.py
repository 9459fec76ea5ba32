"""The roles of groups on pages written by hand, and the forms the answer is written in."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from pagelet import METHODS, Page, Pagelets, detect_links, parse
from pagelet.errors import OptionError
from pagelet.methods.links.addresses import list_addresses
from pagelet.methods.links.answer import answer
from pagelet.methods.links.features import role_features
from pagelet.methods.links.groups import find_groups
from pagelet.methods.links.options import ROLES, LinksOptions
from pagelet.methods.links.reasons import describe
from pagelet.methods.links.roles import GroupRoles
from pagelet.models.trees import load_shipped
from tests.cases import case

PAGES = sorted((Path(__file__).parent / "pages").glob("*.html"))
MARK = re.compile(r' data-role="\w+"')  #: what people say of a group; no page has it
ADDRESS = re.compile(r"<!-- (\S+) -->")  #: the address of a page, in its first comment


def read(name: str, *, url: bool = True) -> Page:
    """A page without its marks."""
    text = (Path(__file__).parent / "pages" / f"{name}.html").read_text()
    return parse(MARK.sub("", text), url=ADDRESS.search(text)[1] if url else None)


def expected_roles(path: Path) -> dict[str, str]:
    """The marked roles by path."""
    page = parse(path.read_text())
    return {page.path(row): role for row, role in page.attribute("data-role").items()}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_every_marked_group_has_its_role(path):
    found = {group.path: group.role for group in detect_links(read(path.stem), all=True)}
    for place, role in expected_roles(path).items():
        with case(place):
            assert found[place] == role


def test_most_roles_are_marked_somewhere():
    marked = {role for path in PAGES for role in expected_roles(path).values()}
    assert {*ROLES} - marked <= {"mixed", "ads"}


def test_the_roles_of_a_page_do_not_need_its_url():
    found = {group.path: group.role for group in detect_links(read("listing", url=False))}
    assert found["/html/body/div/main/div[2]"] == "pagination"
    assert found["/html/body/header/nav/ul"] == "menu"


# -- which groups are listed ----------------------------------------------------------------------


def test_a_group_with_the_role_around_it_is_listed_with_all_alone():
    page = read("listing")
    few, every = detect_links(page), detect_links(page, all=True)
    assert {group.path for group in few} < {group.path for group in every}
    assert "mixed" not in {group.role for group in few}


TWO_LISTS = (
    "<div><ul><li><a href=/1>One</a><li><a href=/2>Two</a><li><a href=/3>Three</a></ul>"
    "<ul><li><a href=/4>Four</a><li><a href=/5>Five</a></ul></div>"
)


@pytest.mark.parametrize(
    ("roles", "scores", "listed"),
    [
        pytest.param("menu menu menu", (0.5, 0.9, 0.9), [0], id="all alike: the outermost"),
        pytest.param("menu menu footer", (0.9, 0.9, 0.3), [0, 1, 2], id="one differs"),
        pytest.param("menu tags footer", (0.5, 0.9, 0.9), [0, 1, 2], id="all different"),
        pytest.param("mixed menu menu", (0.9, 0.9, 0.9), [1, 2], id="no wrapper"),
    ],
)
def test_which_of_nested_groups_are_listed(roles, scores, listed):
    found = given(roles, scores)
    answered = answer(found, LinksOptions(), load_shipped("pagelet.methods.links", "links"))
    assert [each.row for each in answered] == found.groups.rows[listed].tolist()


def given(roles: str, scores: tuple[float, ...], inline: tuple[int, ...] = ()) -> GroupRoles:
    """Two lists in a wrapper, with these roles and probabilities."""
    groups = find_groups(parse(TWO_LISTS))
    role = np.array([ROLES.index(name) for name in roles.split()])
    probability = np.zeros((3, len(ROLES)))
    probability[np.arange(3), role] = scores
    running = np.isin(np.arange(5), inline)
    return GroupRoles(groups, role_features(groups), probability, role, running)


@pytest.mark.parametrize("changes", [{}, {"all": True}, {"role": ["menu,footer", "social"]}])
def test_within_is_the_nearest_listed_group_around_it(changes):
    for path in PAGES:
        page = read(path.stem)
        found = detect_links(page, **changes)
        for at, group in enumerate(found):
            with case(path.stem, group.path):
                around = [
                    each
                    for each, other in enumerate(found[:at])
                    if other.row < group.row < page.end[other.row]
                ]
                assert group.within == (around[-1] if around else None)


def test_a_role_that_is_asked_for_leaves_the_others_out():
    found = detect_links(read("article"), role=["menu", "footer, social"])
    assert {group.role for group in found} == {"menu", "footer", "social"}
    assert found.extra["inline"] == detect_links(read("article")).extra["inline"]


def test_a_likelier_group_inside_an_unlikely_one_of_its_role_stays():
    page = read("listing")
    every = detect_links(page, all=True)
    for group in every:
        kept = detect_links(page, min_score=group.score)
        listed = {(each.role, each.path) for each in kept}
        outer = [each for each in every if each.row < group.row < page.end[each.row]]
        covered = any(each.role == group.role and each.score >= group.score for each in outer)
        assert covered or group.role == "mixed" or (group.role, group.path) in listed


def test_roles_that_do_not_exist_are_refused():
    with pytest.raises(OptionError, match="option role = 'nonsense': must be menu, section,"):
        detect_links("<p>x", role=["menu,nonsense"])


# -- addresses ------------------------------------------------------------------------------------


def urls(page: Page, *roles: str) -> list[str]:
    links = METHODS["links"]
    options = links.with_options("default", {"role": roles, "urls": True})
    return links.write(detect_links(page, options=options), options, "text").splitlines()


def test_addresses_are_absolute_where_the_page_is_known():
    assert urls(read("forum"), "pagination") == [
        f"https://bench.example/forum/t/812?page={number}" for number in (1, 2, 3)
    ]
    assert urls(read("forum", url=False), "pagination")[0] == "/forum/t/812?page=1"


def test_addresses_follow_the_base_of_the_page():
    page = read("forum")
    based = parse(f"<base href='https://other.example/'>{page.source}", url=page.url)
    assert urls(based, "pagination")[0] == "https://other.example/forum/t/812?page=1"


def test_addresses_of_groups_inside_have_their_own_role():
    page = read("listing")
    content = urls(page, "content")
    assert len(content) == 6
    assert all(address.startswith("https://spade.example/tools/") for address in content)
    pages = urls(page, "pagination")
    assert not {*content} & {*pages}
    assert {*urls(page, "content", "pagination")} == {*content, *pages}


def test_addresses_in_running_text_have_no_role():
    found = given("menu tags footer", (0.9, 0.9, 0.9), inline=(1, 4))
    assert list_addresses(found) == ["/1", "/3", "/4"]
    assert list_addresses(found, ["footer"]) == ["/4"]
    assert "https://tarn.example/weather/forecast-north-sea" not in urls(read("article"))


def test_addresses_have_the_next_role_where_one_is_too_unlikely():
    found = given("menu tags footer", (0.9, 0.2, 0.9))
    assert list_addresses(found, ["menu"]) == []
    assert list_addresses(found, ["menu"], min_score=0.5) == ["/1", "/2", "/3"]


def test_addresses_that_lead_nowhere_are_left_out():
    html = "".join(
        f"<li><a href='{href}'>{href}</a>" for href in ("javascript:x()", "#", "", " /a", "/b")
    )
    assert urls(parse(f"<ul>{html}</ul>")) == ["/a", "/b"]


def test_addresses_carry_no_passwords():
    page = parse("<ul><li><a href=http://u:p@a.example/x>a</a><li><a href=/y>b</a></ul>")
    assert urls(page) == ["http://a.example/x", "/y"]


# -- forms ----------------------------------------------------------------------------------------


def test_the_json_form():
    page = read("article")
    form = json.loads(detect_links(page).to_json())
    assert (form["schema"], form["method"], form["inline"]) == (1, "links", 2)
    assert form["url"] == "https://tarn.example/news/2024/how-the-harbour-froze"
    for item in form["pagelets"]:
        assert item["kind"] == "links"
        assert item["role"] in ROLES
        assert 0 <= item["score"] <= 1
        assert item["within"] is None or item["within"] < len(form["pagelets"])
        assert len(item["links"]) >= 2
        assert page.row(item["path"])
        assert item["why"]
        assert set(item["why"][0]) == {"text", "effect"}
        effects = [abs(reason["effect"]) for reason in item["why"]]
        assert effects == sorted(effects, reverse=True)
    (menu,) = [item for item in form["pagelets"] if item["path"] == "/html/body/header/nav/ul"]
    assert menu["role"] == "menu"
    assert menu["links"][1] == {"text": "News", "href": "https://tarn.example/news/"}


def test_the_json_form_can_be_read_again():
    page = read("listing")
    found = detect_links(page)
    again = Pagelets.from_dict(page, json.loads(found.to_json()))
    assert [(each.role, each.within) for each in again] == [
        (each.role, each.within) for each in found
    ]
    assert all(each.why for each in again)
    assert again.to_dict() == found.to_dict()


def outline(page: Page, **changes: object) -> list[str]:
    links = METHODS["links"]
    options = links.with_options("default", changes)
    return links.write(detect_links(page, options=options), options, "text").splitlines()


def notes(page: Page, **changes: object) -> list[str]:
    links = METHODS["links"]
    options = links.with_options("default", changes)
    return list(links.notes(detect_links(page, options=options), options, "text"))


def test_the_outline():
    found, lines = detect_links(read("listing")), outline(read("listing"))
    assert len(lines) == len(found) + 1
    assert lines[-1] == "inline: 0 links in running text"
    assert outline(read("documentation"))[-1] == "inline: 1 link in running text"
    for group, line in zip(found, lines, strict=False):
        depth, around = 0, group.within
        while around is not None:
            depth, around = depth + 1, found[around].within
        words = f"{group.role} {group.score:.2f}  {group.path}  {len(group.links)} links: "
        assert line.startswith("  " * depth + words)
    *_, menu = [line for line in lines if line.strip().startswith("menu")]
    assert menu.endswith("5 links: Seeds | Tools | Pots | Books | Sale")


def test_links_without_a_label_are_shown_by_their_address():
    page = parse("<ul><li><a href=https://a.example/x></a><li><a href=/y><img alt=Y></a></ul>")
    assert outline(page)[0].endswith("2 links: a.example/x | Y")


def test_the_outline_of_a_page_without_groups():
    page = parse("<p>words")
    assert outline(page) == []
    assert notes(page) == ["no groups of links; 0 links in running text"]


def test_the_outline_says_that_only_the_chosen_roles_are_missing():
    assert outline(read("article"), role=["mixed"]) == []
    (note,) = notes(read("article"), role=["mixed"])
    assert note.startswith("no groups of links with these roles; ")
    assert notes(read("article")) == []


def test_reasons_stand_below_their_group():
    lines = outline(read("forum"), explain=True, role=["menu"])
    assert lines[0].startswith("menu")
    assert len(lines) > 3
    assert all(re.match(r"    [+-]\d+\.\d\d  \S", line) for line in lines[1:-1])


# -- reasons in words -----------------------------------------------------------------------------


def test_every_measure_has_words():
    """What a person reads has no names of variables in it."""
    for name in role_features(find_groups(read("article"))).names:
        yes, no = describe(name, 1.0), describe(name, 0.0)
        with case(name):
            assert yes != no
            assert not any("_" in words or words.strip() != words for words in (yes, no))
            assert not yes.startswith(name.replace("_", " ") + ":")


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("links", 1, "1 link"),
        ("links", 11, "11 links"),
        ("labels_turn", 1, "1 label about next and previous"),
        ("rows_from_heading", -61, "61 nodes before the main heading"),
        ("rows_from_heading", 1, "1 node after the main heading"),
        ("above_core", -1, "1 level deeper than the main text"),
        ("above_core", 0, "as deep as the main text"),
    ],
)
def test_counts_and_distances_in_words(name, value, words):
    assert describe(name, value) == words
