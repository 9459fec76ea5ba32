"""Page: sums, masks, attributes and text against a walk; frozen, picklable, comparable."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import parse
from pagelet.page import table
from pagelet.page.table import SHADOW_ATTRIBUTE, same_page
from pagelet.page.tags import NUMBER
from tests.build import html, page_of, trees
from tests.naive import tree as naive

SAMPLE = html(("ul", ("li", ("a", {"href": "/"}, "Home")), " ", ("li", "Shop")), ("p", "Words."))
FIELDS = ["tag", "size", "parent", "chars", "words", "foreign", "blank_row", "blank_parent"]
DERIVED = [
    "end",
    "depth",
    "element",
    "children",
    "link",
    "anchors",
    "hidden",
    "aria_hidden",
    "counted",
]


def pages_with(values):
    """Trees and one value for each of many rows."""
    return given(trees, st.lists(values, min_size=200, max_size=200))


def by_node(root, values):
    return dict(zip(naive.walk(root), values, strict=False))


# -- sums and masks ---------------------------------------------------------------------------


@pages_with(st.integers(-9, 9))
def test_sums_equal_the_walk(tree, values):
    page, root = page_of(tree), naive.read(tree)
    values = np.resize(values, len(page))
    own = by_node(root, values.tolist())
    below = [sum(own[inner] for inner in naive.walk(node)) for node in own]
    children = [sum(own[child] for child in node.children) for node in own]
    assert page.sum_subtree(values).tolist() == below
    assert page.sum_children(values).tolist() == children
    assert page.sum_children(values).dtype == page.sum_subtree(values).dtype == np.int64


@pages_with(st.floats(0, 1))
def test_sums_of_fractions_equal_the_walk(tree, values):
    page, root = page_of(tree), naive.read(tree)
    values = np.resize(values, len(page))
    own = by_node(root, values.tolist())
    below = [sum(own[inner] for inner in naive.walk(node)) for node in own]
    children = [sum(own[child] for child in node.children) for node in own]
    np.testing.assert_allclose(page.sum_subtree(values), below, atol=1e-12)
    np.testing.assert_allclose(page.sum_children(values), children, atol=1e-12)


@pages_with(st.booleans())
def test_inside_equals_the_walk(tree, values):
    page, root = page_of(tree), naive.read(tree)
    marked = np.resize(values, len(page))
    own = by_node(root, marked.tolist())
    expected = [any(own[above] for above in naive.chain(node)) for node in own]
    assert page.inside(marked).tolist() == expected
    assert page.inside(np.flatnonzero(marked)).tolist() == expected


@given(trees)
def test_masks_equal_the_walk(tree):
    page, root = page_of(tree), naive.read(tree)
    nodes = list(naive.walk(root))
    assert page.link.tolist() == [naive.in_link(node) for node in nodes]
    assert page.hidden.tolist() == [naive.hidden(node) for node in nodes]
    assert page.aria_hidden.tolist() == [naive.aria_hidden(node) for node in nodes]
    assert page.counted.tolist() == [naive.counted(node) for node in nodes]
    assert page.children.tolist() == [len(node.children) for node in nodes]
    assert page.element.tolist() == [node.name != "" for node in nodes]


@given(trees)
def test_anchors_and_tags_equal_the_walk(tree):
    page, root = page_of(tree), naive.read(tree)
    nodes = list(naive.walk(root))
    anchors = [row for row, node in enumerate(nodes) if naive.is_anchor(node)]
    assert page.anchors.tolist() == anchors
    lists = page.is_tag(NUMBER["ul"], NUMBER["li"])
    assert lists.tolist() == [node.name in ("ul", "li") for node in nodes]


# -- what is hidden, what is counted ----------------------------------------------------------


@pytest.mark.parametrize(
    ("attrs", "hidden"),
    [
        pytest.param({"hidden": ""}, True, id="attribute"),
        pytest.param({"style": "display:none"}, True, id="display"),
        pytest.param({"style": "color: red; visibility : hidden ;"}, True, id="visibility"),
        pytest.param({"style": "display: none !important"}, True, id="important"),
        pytest.param({"style": "DISPLAY: NONE"}, True, id="capitals, which CSS reads alike"),
        pytest.param({"style": "Visibility:Hidden"}, True, id="mixed case"),
        pytest.param({"style": "display:block"}, False, id="shown"),
        pytest.param({"style": "overflow:hidden; float:none"}, False, id="other properties"),
        pytest.param({"style": "display:none; display:block"}, False, id="the last rule holds"),
        pytest.param({"aria-hidden": "true"}, False, id="hidden from readers of the screen only"),
        pytest.param({"class": "hidden"}, False, id="a class says nothing"),
    ],
)
def test_hidden(attrs, hidden):
    page = page_of(html(("div", attrs, ("p", "inner"))))
    assert page.hidden[page.row("/html/body/div/p/text()[1]")] == hidden


OPEN = {SHADOW_ATTRIBUTE: "open"}
TEMPLATES = {
    "inert template": (("template", ("p", "x")), False),
    "shadow root": (("template", OPEN, ("p", "x")), True),
    "inert in shadow": (("template", OPEN, ("template", ("p", "x"))), False),
    "shadow in inert": (("template", ("template", OPEN, ("p", "x"))), False),
    "shadow in shadow": (("template", OPEN, ("template", OPEN, ("p", "x"))), True),
    "shadow in noscript": (("noscript", ("template", OPEN, ("p", "x"))), False),
    "script that claims to be a shadow root": (("script", OPEN, "x"), False),
    "noscript that claims to be a shadow root": (("noscript", OPEN, ("p", "x")), False),
}


@pytest.mark.parametrize(("tree", "counted"), TEMPLATES.values(), ids=TEMPLATES)
def test_counted(tree, counted):
    page = page_of(html(("div", tree)))
    assert page.counted[-1] == counted


def test_nothing_outside_body_is_counted():
    page = page_of(("html", ("head", ("title", "T")), ("body", "x")))
    assert [page.name(row) or page.text(row) for row in np.flatnonzero(page.counted)] == [
        "body",
        "x",
    ]


def test_nothing_of_a_frameset_is_counted():
    page = page_of(("html", ("head",), ("frameset", ("frame",))))
    assert not page.counted.any()


# -- attributes and text ----------------------------------------------------------------------


def test_attributes():
    page = page_of(html(("a", {"href": "/x", "class": "c"}, "t"), ("a", {"href": "/y"})))
    rows = page.anchors.tolist()
    assert page.attribute("href") == {rows[0]: "/x", rows[1]: "/y"}
    assert page.attribute("class") == {rows[0]: "c"}
    assert page.attribute("absent") == {}
    assert page.attributes_of(rows[0] + 1) == {}


def test_distinct_values_are_numbered_in_the_order_they_come():
    page = parse("<p class=b><i class=a>x</i><i>y</i><b class=b id=1></b>")
    rows, number, values = page.distinct("class")
    assert dict(zip(rows.tolist(), [values[at] for at in number], strict=True)) == (
        page.attribute("class")
    )
    assert (number.tolist(), values) == ([0, 1, 0], ("b", "a"))
    assert page.distinct("class") is page.distinct("class")
    assert [len(part) for part in page.distinct("role")] == [0, 0, 0]


def test_an_attribute_without_a_value_is_the_empty_string():
    page = parse("<p hidden>x")
    assert page.attribute("hidden") == {3: ""}
    assert page.attributes_of(3) == {"hidden": ""}


@given(trees)
def test_inner_text_equals_the_walk(tree):
    few, many = page_of(tree), page_of(tree)
    expected = [naive.inner_text(node) for node in naive.walk(naive.read(tree))]
    assert [few.inner_text(row) for row in range(len(few))] == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "FEW_TEXTS", 0)  # as on a page with many texts
        assert [many.inner_text(row) for row in range(len(many))] == expected


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        pytest.param(("p", " a\n b ", ("b", "c"), "d"), "a b c d", id="pieces joined by a space"),
        pytest.param(("p", "a", ("script", "s"), ("noscript", "n")), "a", id="only what counts"),
        pytest.param(("p",), "", id="nothing"),
    ],
)
def test_inner_text(tree, text):
    page = page_of(html(tree))
    assert page.inner_text(page.row("/html/body/p")) == text


def test_below_is_the_subtree():
    page = page_of(SAMPLE)
    assert [page.name(row) for row in page.subtree(page.row("/html/body/ul/li[1]"))] == [
        "li",
        "a",
        "",
    ]


# -- one page, for good -----------------------------------------------------------------------


@pytest.mark.parametrize("name", FIELDS)
def test_columns_are_read_only(name):
    column = getattr(parse(" <p>x <svg></svg> "), name)
    with pytest.raises(ValueError, match="read-only"):
        column[:] = 0


@pytest.mark.parametrize("name", DERIVED)
def test_derived_columns_are_read_only(name):
    column = getattr(parse("<p>x"), name)
    with pytest.raises(ValueError, match="read-only"):
        column[:] = 0


def test_fields_are_frozen():
    with pytest.raises(AttributeError):
        parse("<p>x").body = 3


@given(trees)
def test_pickling_gives_the_same_page(tree):
    page = page_of(tree, url="https://example.org/")
    again = pickle.loads(pickle.dumps(page))
    assert same_page(page, again)
    assert not again.size.flags.writeable


def test_pickling_leaves_out_what_was_computed():
    page = parse("<p>x")
    before = len(pickle.dumps(page))
    assert page.counted.any()
    assert page.depth.any()
    assert len(pickle.dumps(page)) == before


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(page_of(("body", "y")), id="a text"),
        pytest.param(page_of(("body", {"id": "i"}, "x")), id="an attribute"),
        pytest.param(page_of(("main", "x")), id="a tag"),
        pytest.param(page_of(("body", "x"), url="https://example.org/"), id="the URL"),
        pytest.param(page_of(("body", "x"), source="x"), id="the source"),
        pytest.param(page_of(("body", "x", " ")), id="a blank text"),
        pytest.param(page_of(("body", "x", "x")), id="one row more"),
    ],
)
def test_pages_that_differ_are_not_the_same(other):
    assert same_page(page_of(("body", "x")), page_of(("body", "x")))
    assert not same_page(page_of(("body", "x")), other)


def test_repr_is_short():
    assert repr(page_of(("body", "four"), url="u")) == "Page(2 rows, 4 characters, url='u')"
