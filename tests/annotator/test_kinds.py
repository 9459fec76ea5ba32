"""Kinds with roles and fields: what can be marked, and the labels that the lab reads."""

import json

import pytest

from pagelet.annotator.kinds import BLOCK, LINKS, ROLES, check_kind, group_of
from pagelet.annotator.marks import Mark, majority_marks, make_labels
from pagelet.errors import OptionError
from pagelet.lab.content.roles import match_marked
from pagelet.lab.content.scores import read_labelled
from pagelet.lab.links.examples import links_example, read_links
from pagelet.lab.records.scores import read_records
from pagelet.labels import NOT_CONTENT_ROLES, OPEN_ROLE, read_annotations
from pagelet.methods.content.roles import AROUND_ROLES
from pagelet.methods.content.roles import ROLES as BLOCK_ROLES
from pagelet.methods.links.options import ROLES as LINK_ROLES
from pagelet.page.html import parse

HTML = (
    "<title>Beans</title><nav><div><a href=/a>A</a><a href=/b>B</a></div></nav>"
    "<main><h1>Beans of the year</h1><p>They are long and green and grow on poles."
    "<ul><li><b>Blue Lake</b> <i>3 EUR</i><li><b>Neckar Queen</b> <i>4 EUR</i></ul>"
    "<aside>Read also: peas of the year</aside></main>"
)
NAV, MAIN = "/html/body/nav", "/html/body/main"


def test_roles_are_those_of_the_methods():
    assert tuple(ROLES[LINKS]) == LINK_ROLES
    assert tuple(ROLES[BLOCK]) == BLOCK_ROLES
    assert set(NOT_CONTENT_ROLES) == set(AROUND_ROLES)
    assert OPEN_ROLE in BLOCK_ROLES


@pytest.mark.parametrize("kind", ["menu", "links:toc", "block:title", "record", "field:sub_title"])
def test_what_can_be_marked(kind):
    check_kind(kind)


@pytest.mark.parametrize(
    "kind",
    ["links", "links:", "links:title", "block:menu", "field:", "field:Price", "field:a b", "x"],
)
def test_what_cannot_be_marked(kind):
    with pytest.raises(OptionError, match="kind"):
        check_kind(kind)


def test_slots_count_as_template():
    assert list(map(group_of, ("slot", "links:ads", "menu"))) == ["template", "links", "menu"]


@pytest.fixture
def export(tmp_path):
    """A folder as the annotator exports it, with marks of every kind that has roles."""
    page = parse(HTML)
    items = [f"{MAIN}/ul/li[{at}]" for at in (1, 2)]
    marks = [
        Mark("links:menu", (NAV,)),  # the group is the div in it
        Mark("block:title", (f"{MAIN}/h1",)),
        Mark("block:body", (f"{MAIN}/p",)),
        Mark("block:related", (f"{MAIN}/aside",)),
        *(Mark("record", (item,)) for item in items),
        Mark("field:name", tuple(f"{item}/b" for item in items)),
        Mark("field:price", (f"{items[0]}/i",)),
    ]
    labels = {"site": "beans", **make_labels(page, marks, [])}
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "beans.html").write_text(HTML)
    gold = {"schema": 1, "folder": "pages", "pages": {"beans.html": labels}}
    (tmp_path / "gold.json").write_text(json.dumps(gold))
    return tmp_path


def test_links_are_read_for_the_groups_they_hold(export):
    (gold,) = read_links(export)
    assert gold.roles == {gold.page.row(f"{NAV}/div"): "menu"}
    assert gold.host == "beans"
    assert LINK_ROLES.index("menu") in links_example(gold).role


def test_records_are_read_with_their_fields(export):
    (gold,) = read_records(export)
    assert gold.records == [["bluelake", "3eur"], ["neckarqueen"]]


def test_roles_say_what_is_content(export):
    (gold,) = read_labelled(export)
    assert gold.text.splitlines() == [
        "Beans of the year",
        "They are long and green and grow on poles.",
    ]


def test_roles_are_scored_where_they_were_marked(export):
    (page,) = read_annotations(export, "roles")
    marked = [role for role, _ in match_marked(page)]
    assert marked == ["title", "body", "related"]


def test_fields_outside_of_records_are_one_record():
    page = parse(HTML)
    labels = make_labels(page, [Mark("field:name", (f"{MAIN}/h1",))], [])
    assert labels["records"] == [{"paths": [], "fields": {"name": [f"{MAIN}/h1"]}}]
    assert make_labels(page, [], ["record"])["records"] == []


def test_a_decision_outvotes_the_majority():
    ann, bob = Mark("content", ("/a",)), Mark("content", ("/b",))
    annotations = [([ann], []), ([bob], [])]
    assert majority_marks(annotations)[0] == []
    decided = {ann.key: True, bob.key: False}
    assert majority_marks(annotations, decided)[0] == [ann]
    both = [([ann], []), ([ann], [])]
    assert majority_marks(both, {ann.key: False})[0] == []
