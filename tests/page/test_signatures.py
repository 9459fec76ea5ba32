"""Signatures: equal exactly where the paths of tags and class names are."""

from hypothesis import given

from pagelet.page.signatures import class_keys, path_signatures, row_signatures
from tests.build import html, page_of, trees
from tests.naive import tree as plain


def paths(tree, *, classes):
    """The path of every node: tags and cleaned class names from the root down."""

    def step(node):
        return node.name, class_keys([node.attrs.get("class", "")])[0] if classes else ""

    return [tuple(map(step, plain.chain(node))) for node in plain.walk(plain.read(tree))]


def same(values):
    return [[one == other for other in values] for one in values]


@given(trees)
def test_signatures_are_equal_where_paths_are(tree):
    page = page_of(tree)
    for classes in (True, False):
        signs = path_signatures(page, row_signatures(page, classes=classes))
        assert same(signs.tolist()) == same(paths(tree, classes=classes))


def test_counters_and_states_do_not_count_and_order_does():
    page = page_of(html(
        ("ul", {"class": "list"},
         ("li", {"class": "item odd first"}), ("li", {"class": "even item"})),
        ("ul", {"class": "list2"}, ("li", {"class": "item-7"})),
        ("p", ("b", ("i", "x"))), ("p", ("i", ("b", "x"))),
    ))  # fmt: skip
    signs = path_signatures(page, row_signatures(page, classes=True))
    rows = [page.row(f"/html/body/{path}") for path in ("ul[1]/li[1]", "ul[1]/li[2]", "ul[2]/li")]
    assert signs[rows[0]] == signs[rows[1]] != signs[rows[2]]
    assert signs[page.row("/html/body/ul[1]")] == signs[page.row("/html/body/ul[2]")]
    assert signs[page.row("/html/body/p[1]/b/i")] != signs[page.row("/html/body/p[2]/i/b")]
