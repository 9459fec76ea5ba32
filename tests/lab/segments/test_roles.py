"""Roles against the types that people gave their blocks."""

from pagelet.lab.segments.gold import SUB, TOP, block_types, examples_of, marked_html
from pagelet.lab.segments.roles import roles_table
from pagelet.page.html import parse
from tests.lab.segments.test_evaluation import blocks_page, drawn, still

PROSE = "A wall of dry stone stands without mortar, since each stone holds the next. " * 9
PAGE = f"""<header data-block=1 data-block-type=Header><p>Skerrow seeds</p></header>
<div data-block=1 data-block-type=Content><p data-block=2 data-block-type=Article>{PROSE}</p>
<form data-block=2 data-block-type=Searchbar><p>Find</p><input><input></form></div>
<div data-block=1 data-block-type=LinkList><p>Elsewhere</p></div>
<footer data-block=1 data-block-type=Footer><p>© the members</p></footer>"""


def examples():
    return list(examples_of([blocks_page("a", PAGE)], drawn, None, still))


def test_types_go_with_their_blocks_and_not_with_the_page():
    (example,) = examples()
    assert example.types[TOP] == ("Header", "Content", "LinkList", "Footer")
    assert example.types[SUB] == ("Article", "Searchbar")
    assert "Searchbar" not in (example.page.source or "")
    assert not any("gold" in name for pairs in example.page.attrs for name, _ in pairs)


def test_a_type_that_is_no_word_is_none():
    assert block_types(parse(marked_html("<p data-block=1 data-block-type='a 1'>x"))) == {}


def test_roles_are_scored_by_type_and_list_of_links_are_left_out():
    table = roles_table("mine", examples())
    told = {row[0]: row for row in table.rows}
    assert [told[role][1] for role in ("header", "main", "footer", "form")] == [1, 1, 1, 1]
    assert table.value("all", "blocks") == 4
    assert table.value("header", "F1") == table.value("footer", "F1") == 1
    assert table.value("navigation", "blocks") == 0


def test_pages_without_types_have_no_table():
    plain = blocks_page("a", "<div data-block=1><p>x</p></div>")
    assert roles_table("mine", list(examples_of([plain], drawn, None, still))) is None
