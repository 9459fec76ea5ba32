"""Features of text blocks: each against its meaning, finite on any page, blind to the URL."""

import json
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagelet import parse
from pagelet.metadata.structured import structured_text
from pagelet.methods.content.counts import HOLDERS, count_blocks
from pagelet.methods.content.features import content_features
from pagelet.methods.content.inputs import INPUTS, Inputs, read_inputs
from pagelet.methods.content.statements import read_statements
from pagelet.methods.content.structure import TAG_GROUPS, count_alike, tag_bits
from pagelet.models.columns import Kind, trace_program
from pagelet.models.lexicon import SOURCES, Lexicon
from pagelet.page.textblocks import text_blocks
from tests import hostile
from tests.build import deep, html, page_of, trees
from tests.cases import case
from tests.effort import ends, growth
from tests.naive import content_features as naive
from tests.naive import textblocks as plain
from tests.naive.content_sheet import HOLDER, Sheet

# Whole numbers, so that every sum is exact.
WEIGHTS = {"menu": (3, -1), "nav": (-5, 2), "item": (1, 1), "main": (7, 0)}
LEXICON = Lexicon(tuple(WEIGHTS), np.array(list(WEIGHTS.values()), float))

PROSE = "Of all that was said, little stayed; some of it (by 1984) cost $5 or more. "
lengths = st.sampled_from((1, 2, 8, 9, 24, 25, 26, 60))
prose = lengths.map(lambda words: " ".join((PROSE * 5).split()[:words]))
classed = st.sampled_from(("", "", "menu", "nav main", "menuItem", "x")).map(
    lambda names: {"class": names} if names else {}
)
holders = st.sampled_from(
    "p li td div h1 h2 h3 h4 h6 dt dd pre figcaption section article main label option blockquote"
    " ul nav footer aside header form hr".split()
)
inline = st.sampled_from("b em span small label time code button a u".split())


def _wrap(below):
    some = st.lists(below, max_size=4)
    block = st.builds(lambda name, attrs, kids: (name, attrs, *kids), holders, classed, some)
    line = st.builds(lambda name, kids: (name, *kids), inline, some)
    link = st.builds(lambda text: ("a", {"href": "/"}, text), prose)
    listed = st.builds(
        lambda name, attrs, many, kid: ("div", *[(name, attrs, kid)] * many),
        holders, classed, st.integers(2, 4), below,
    )  # fmt: skip
    return block | block | line | link | listed


leaves = prose | st.sampled_from((("img",), ("svg",), ("input",), ("select",)))


def _head(title, shared, body):
    item = json.dumps({"@type": "NewsArticle", "articleBody": body})
    return (
        "head",
        ("title", title, ("b", "no title")),
        ("meta", {"property": "og:title", "content": shared}),
        ("meta", {"property": "og:type", "content": PROSE}),
        ("script", {"type": "application/ld+json"}, item),
    )


heads = st.just(("head",)) | st.builds(_head, prose, prose, prose)
rich = st.builds(
    lambda head, kids: ("html", head, ("body", *kids)),
    heads,
    st.lists(st.recursive(leaves, _wrap, max_leaves=16), max_size=5),
)


def weights_of(node):
    """The weights that the lexicon has for one element, attribute by attribute."""
    total = np.zeros(2)
    for name in ("class", "id"):
        words = node.attrs.get(name, "").replace("I", " i").replace("-", " ").lower().split()
        total += sum((np.array(WEIGHTS.get(word, (0, 0))) for word in words), np.zeros(2))
    return total.tolist()


def table_of(page):
    return content_features(page, text_blocks(page), LEXICON.scores(page))


def compare(page):
    root = plain.nodes_of(page)
    sheet = Sheet(root, structured_text(page))
    if not sheet.blocks:
        assert len(text_blocks(page)) == 0
        return
    table = table_of(page)
    assert table.lines.shape == (len(table.names), len(sheet.blocks))
    for at in range(len(sheet.blocks)):
        expected = naive.features(sheet, at, weights_of)
        assert [name for name in table.names if name not in expected] == [], (
            "a feature without a twin"
        )
        for name, value in zip(table.names, table.rows[at].tolist(), strict=True):
            assert value == pytest.approx(float(expected[name]), rel=1e-5), (name, at)


@settings(max_examples=60)
@given(trees)
def test_features_equal_their_meaning(tree):
    compare(page_of(tree))


@settings(max_examples=50)
@given(rich)
def test_features_of_prose_equal_their_meaning(tree):
    compare(page_of(tree))


def test_features_of_a_longer_page_equal_their_meaning():
    item = ("li", {"class": "menuItem"}, ("a", {"href": "/"}, "Some words"), ("img",))
    parts = [
        (
            "section",
            {"class": f"part{at % 3}"},
            (f"h{2 + at % 5}", f"Part {at}"),
            ("p", PROSE * (at % 4 + 1)),
        )
        for at in range(14)
    ]
    body = (
        "body",
        ("nav", ("ul", *[item] * 5)),
        ("p", "Twelve chars"),
        ("p", "Eleven char"),
        ("main", {"id": "main"}, ("h1", "Title"), *parts),
        ("footer", ("h1", "Imprint"), ("p", "© 2024"), ("form", ("label", "E-mail"), ("input",))),
    )
    title = "Twelve chars, eleven char"
    compare(page_of(("html", _head(title, "x", title), body)))


@cache
def small() -> list[str]:
    """Names of the hostile pages that are small enough for a slow twin."""
    few = [
        name for name in hostile.QUICK if name in hostile.TREES or len(hostile.source(name)) < 900
    ]
    return [name for name in few if len(hostile.page(name)) < 200]


def test_features_of_hostile_pages_equal_their_meaning():
    for name in small():
        with case(name):
            compare(hostile.page(name))


def test_there_are_small_hostile_pages():
    assert {"empty str", "no body", "frameset", "only hidden", "body alone"} <= set(small())


def test_features_are_finite_on_hostile_pages():
    for name in hostile.QUICK:
        with case(name), ends():
            page = hostile.page(name)
            blocks = text_blocks(page)
            if not len(blocks):
                continue
            table = content_features(page, blocks, LEXICON.scores(page))
            assert len(table.names) == len(set(table.names)) == len(table.lines)
            assert table.lines.dtype == np.float32
            assert np.isfinite(table.lines).all()


def structured_page(blocks):
    item = json.dumps(
        {"@type": "NewsArticle", "articleBody": "some words here and so on " * blocks}
    )
    script = f"<script type='application/ld+json'>{item * 3}</script>"
    return script + "".join(f"<p>some words here number {at} and more</p>" for at in range(blocks))


def titled_page(blocks):
    titles = "".join(f"<meta property='og:title' content='Title of {at}'>" for at in range(blocks))
    return titles + "".join(f"<p>Title of no {at} and more</p>" for at in range(blocks))


@pytest.mark.parametrize(("made", "blocks"), [(structured_page, 20_000), (titled_page, 14_000)])
def test_the_work_grows_with_what_a_page_says_of_itself(made, blocks):
    def read(page):
        content_features(page, text_blocks(page), np.zeros((0, len(page))))

    with ends():
        read(parse(made(blocks)))
    assert growth(read, lambda n: parse(made(n)), 200) < 6


@given(trees)
def test_features_are_finite_and_the_same_again(tree):
    one, other = page_of(tree), page_of(tree)
    if len(text_blocks(one)):
        table, again = table_of(one), table_of(other)
        assert np.isfinite(table.lines).all()
        assert table.names == again.names
        assert table.lines.tobytes() == again.lines.tobytes()


def test_names_do_not_depend_on_the_page():
    pages = [parse("x"), parse(f"<h1>t</h1><ul>{'<li>a' * 9}</ul><p>{PROSE * 9}")]
    first, second = (table_of(page).names for page in pages)
    assert first == second


@given(rich, st.sampled_from((None, "https://a.example/forum/thread-12345", "http://[::1", "x")))
def test_the_url_changes_nothing(tree, url):
    if len(text_blocks(page_of(tree))):
        with_url, without = table_of(page_of(tree, url=url)), table_of(page_of(tree))
        assert with_url.lines.tobytes() == without.lines.tobytes()


def test_one_block_is_the_whole_page():
    table = table_of(page_of(("html", "three words here")))
    names = ("words", "page_words", "up0_words", "group_words")
    assert [table[name].tolist() for name in names] == [[3]] * 4
    assert [table[name].tolist() for name in ("place", "blocks_after", "texts")] == [[0], [1], [1]]
    assert [table[name].tolist() for name in ("core30", "core30_share")] == [[1], [1]]


def group_sizes(page):
    return table_of(page)["group_blocks"].tolist()


def test_blocks_look_alike_by_tags_and_classes():
    one = ("div", {"class": "a"}, ("p", "x"))
    assert group_sizes(page_of(html(one, one, ("div", ("p", "x"))))) == [2, 2, 1]


def test_other_classes_are_not_taken_for_alike():
    filler = [("div", {"class": f"c{at}"}) for at in range(30)]
    pages = [
        page_of(html(*filler, nested(one, 10 - one), nested(other, 10 - other)))
        for one in range(5)
        for other in range(one)
    ]
    assert [group_sizes(page) for page in pages] == [[1, 1]] * len(pages)


def nested(outer, inner):
    return ("div", {"class": f"c{outer}"}, ("div", {"class": f"c{inner}"}, "x"))


@pytest.mark.parametrize("levels", [512, 4_000])
def test_deep_blocks_that_look_alike_are_found(levels):
    branch = deep(levels, "x", name="section")
    assert group_sizes(page_of(html(branch, ("p", "y"), branch, branch))) == [3, 1, 3, 3]


def column_of(page, write):
    """A column with one value per row of a page."""
    counts = count_blocks(page, text_blocks(page))
    values = read_inputs(counts, read_statements(counts), np.zeros((1, len(page))))
    inputs = INPUTS | {"scores": (Kind.REAL, 1)}
    program = trace_program(inputs, lambda given: {"column": write(Inputs(**given))})
    return program.run(values, len(page))["column"]


def bits_of(page, row=0):
    """The bit of the tag of a row: a power of two, which a single holds exactly."""
    return int(column_of(page, tag_bits)[row])


def test_lone_elements_and_equal_siblings_are_counted():
    page = page_of(html(("p", "a"), ("p", "b"), ("p", {"class": ""}, "c"), ("div", ("p", "d"))))
    repeated = column_of(page, count_alike)
    assert repeated[page.tag == page.names.index("p")].tolist() == [2, 2, 1, 1]
    assert not repeated[~page.element].any()


def test_every_group_of_tags_has_a_bit_of_its_own():
    for group in TAG_GROUPS:
        bits = [bits_of(page_of((name, "t"))) for name in group]
        assert len(set(bits)) == 1
        assert bits[0].bit_count() == 1
    firsts = [bits_of(page_of((group[0], "t"))) for group in TAG_GROUPS]
    assert len(set(firsts)) == len(TAG_GROUPS)
    assert column_of(page_of(("u", "t")), tag_bits).tolist() == [0, 0]


def test_tags_that_html_does_not_know_have_no_bit_and_no_number():
    page = page_of(html(*[(f"x{at}", "t") for at in range(600)]))
    assert not column_of(page, tag_bits)[page.tag >= page.names.index("x0")].any()
    table = table_of(page_of(("x0", "t")))
    assert [table[f"is_{name}"].tolist() for name in ("p", "div", "h1")] == [[0]] * 3
    assert max(HOLDERS.values()) == len(HOLDER)


def test_the_twin_reads_the_attributes_that_the_lexicon_reads():
    assert {"class", "id"} <= set(SOURCES)
