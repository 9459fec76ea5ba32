"""Types and texts that JSON-LD holds, and JSON that nobody should write."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import Page, parse
from pagelet.metadata.structured import (
    fold_lines,
    item_names,
    items,
    plain_text,
    read_json,
    structured_text,
    type_name,
    types,
)
from tests import hostile
from tests.build import page_of
from tests.cases import case
from tests.cores import ask_both, twins
from tests.effort import ends
from tests.naive import structured as naive

JSON_LD = {"type": "application/ld+json"}


def with_data(*values: object) -> Page:
    """A page with each value in a script of its own."""
    return with_scripts(*map(json.dumps, values))


def with_scripts(*scripts: str) -> Page:
    return page_of(("html", ("head", *[("script", JSON_LD, script) for script in scripts])))


# -- types ------------------------------------------------------------------------------------


def test_types_of_every_source():
    page = parse(
        '<meta property="og:type" content="Product"><meta property="og:title" content="Recipe">'
        '<script type="Application/LD+JSON; charset=utf-8">{"@type": ["A", "schema:B"]}</script>'
        '<script type="application/json">{"@type": "Lost"}</script>'
        '<div itemscope itemtype="https://schema.org/Person http://example.org/x#Author"></div>'
    )
    assert types(page) == {"product", "a", "b", "person", "author"}


def test_types_of_a_page_that_names_none():
    assert types(parse("<p>words</p>")) == frozenset()


def test_types_of_broken_json():
    assert types(with_scripts('{"@type" : "Article", "name": ')) == {"article"}


def test_a_type_inside_a_text_is_text():
    assert types(with_data({"@type": "Article", "text": '{"@type": "Recipe"}'})) == {"article"}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("https://schema.org/NewsArticle", "newsarticle"),
        ("http:\\/\\/schema.org\\/NewsArticle", "newsarticle"),
        ("schema:Recipe", "recipe"),
        ("https://example.org/terms#Thing", "thing"),
        ("https://schema.org/", "schema.org"),
        ("video.movie", "video.movie"),
        ("", ""),
    ],
)
def test_the_bare_name_of_a_type(text, wanted):
    assert type_name(text) == wanted


names = st.sampled_from(("Article", "https://schema.org/Recipe", "WebPage"))
values = st.recursive(
    st.none() | st.integers() | st.text(max_size=5) | st.sampled_from(('"@type": "No"', "@type")),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(("@graph", "a", '"@type": "x')), inner, max_size=3)
        | st.fixed_dictionaries(
            {"@type": names | st.lists(names, max_size=3)}, optional={"b": inner}
        )
    ),
    max_leaves=12,
)


@given(values, st.sampled_from((None, 2)))
def test_types_by_scanning_are_types_by_reading(value, indent):
    script = json.dumps(value, indent=indent)
    assert types(with_scripts(script)) == naive.types(script)


# -- items ------------------------------------------------------------------------------------


def test_items_lie_in_lists_graphs_and_main_entities():
    page = with_data(
        [{"n": 1}, {"@graph": [{"n": 2}, {"mainEntity": {"n": 3}}], "n": 0}],
        {"n": 4, "about": {"n": "not what the page is about"}},
        {"n": 5, "mainEntity": {"n": 7}, "@graph": [{"n": 6}]},
    )
    assert [item.get("n") for item in items(page)] == [1, 0, 2, None, 3, 4, 5, 6, 7]


@pytest.mark.parametrize(
    ("script", "wanted"),
    [
        ('{"a": 1}', {"a": 1}),
        ('<!--\n{"a": 1}\n-->', {"a": 1}),
        ('/*<![CDATA[*/{"a": 1};/*]]>*/', {"a": 1}),
        ('{"a": [1, 2, ], }', {"a": [1, 2]}),
        ('{"a": "two\nlines"}', {"a": "two\nlines"}),
        ('[{"a": 1}]', [{"a": 1}]),
        ('{"a": 1', None),
        ("{a: 1}", None),
        ("", None),
        ("words", None),
    ],
)
def test_scripts_that_are_nearly_json(script, wanted):
    assert read_json(script) == wanted


# -- texts ------------------------------------------------------------------------------------

QUESTION = {
    "@type": "Question",
    "name": "Why?",
    "acceptedAnswer": {"@type": "Answer", "text": "<p>Because.</p>"},
    "suggestedAnswer": [{"@type": "Answer", "text": "Who knows."}],
}


@pytest.mark.parametrize(
    ("item", "wanted"),
    [
        ({"@type": "NewsArticle", "articleBody": "Body.", "description": "Short."}, "Body."),
        ({"@type": ["Thing", "BlogPosting"], "description": "Short."}, "Short."),
        ({"@type": "Article", "articleBody": ["One.", "Two."]}, "One.\nTwo."),
        ({"@type": "Article", "articleBody": {"@type": "Comment", "text": "In."}}, "In."),
        ({"@type": "Product", "name": "Lamp", "description": "It shines."}, "It shines."),
        ({"@type": "QAPage", "mainEntity": QUESTION}, "Why?\nBecause.\nWho knows."),
        ({"@type": "FAQPage", "mainEntity": [QUESTION]}, "Why?\nBecause.\nWho knows."),
        (
            {
                "@type": "DiscussionForumPosting",
                "text": "First.",
                "comment": [
                    {"@type": "Comment", "text": "Second.", "comment": {"text": "Third."}},
                    {"@type": "Comment", "text": "Fourth."},
                ],
            },
            "First.\nSecond.\nThird.\nFourth.",
        ),
        (
            {
                "@type": "Recipe",
                "description": "A soup.",
                "recipeIngredient": ["Water", "Salt"],
                "recipeInstructions": [
                    {
                        "@type": "HowToSection",
                        "name": "The pot",
                        "itemListElement": [{"@type": "HowToStep", "name": "1", "text": "Boil."}],
                    },
                    "Eat.",
                ],
            },
            "A soup.\nWater\nSalt\nThe pot\nBoil.\nEat.",
        ),
        (
            {"@type": "JobPosting", "description": "&lt;p&gt;Work&lt;/p&gt;", "title": "Cook"},
            "Work",
        ),
        ({"@type": "MusicEvent", "description": "Loud."}, "Loud."),
        ({"@type": "Review", "reviewBody": "Good."}, "Good."),
        ({"@type": "Organization", "description": "We sell."}, ""),
        ({"@type": "Comment", "text": "Belongs to something else."}, ""),
        ({"@type": "WebPage", "text": "All of it."}, ""),
        ({"description": "Of what?"}, ""),
        ({"@type": "Article", "articleBody": 7}, ""),
    ],
)
def test_the_text_of_an_item(item, wanted):
    assert structured_text(with_data(item)) == wanted


@pytest.mark.parametrize(
    "named",
    [
        '"@type": "Article"',
        '"@type": ["WebPage", "NewsArticle"]',
        '"@type" : "https:\\/\\/schema.org\\/Recipe"',
        '"\\u0040type": "Article"',
        '"@type": "\\u0041rticle"',
        '"@type": ["We]b", "Article"]',
    ],
)
def test_an_item_with_text_is_read_however_its_type_is_written(named):
    page = with_scripts('{"@type": "WebSite"}', f'{{{named}, "description": "a text"}}')
    assert structured_text(page) == "a text"


def test_a_script_without_text_is_not_read_as_json():
    page = with_scripts('{"@type": "Organization", "description": "a text"}')
    assert structured_text(page) == ""
    assert not page.derived["items"]
    assert [item["description"] for item in items(page)] == ["a text"]


def test_a_text_said_twice_is_one_text():
    item = {"@type": "Product", "description": "It shines."}
    assert structured_text(with_data(item, [item])) == "It shines."


def test_no_data_no_text():
    assert structured_text(parse("<article><p>Words</p></article>")) == ""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a  b\n\n\n c", "a b\nc"),
        ("<p>One</p><p>Two &amp; three</p>", "One\nTwo & three"),
        ("&lt;b&gt;bold&lt;/b&gt; word", "bold word"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("R&D; Q&A", "R&D; Q&A"),
        ("caf&eacute; &#8212; open", "café — open"),
        ("<script>var a</script>text", "text"),
    ],
)
def test_markup_becomes_plain_text(text, wanted):
    assert plain_text(text) == wanted


# -- hostile data -----------------------------------------------------------------------------

SCRIPTS = {
    "deep lists": "[" * 200_000 + "]" * 200_000,
    "deep objects": '{"@graph":' * 100_000 + "1" + "}" * 100_000,
    "as deep as json goes": '{"@graph":' * 900 + '{"@type":"Article"}' + "}" * 900,
    "a long number": '{"@type":' + "1" * 5_000_000 + "}",
    "open types": '"@type":[' * 500_000,
    "open strings": '"@type":"' * 500_000,
    "blank types": ('"@type"' + " " * 50) * 50_000,
    "commas": "{" + ", " * 2_000_000,
    "5 MB of text": json.dumps({"@type": "Article", "articleBody": "<p>a &amp; b</p>" * 300_000}),
    "open tags": json.dumps({"@type": "Article", "articleBody": "<a" * 2_000_000}),
    "many items": json.dumps([{"@type": "Article", "text": str(n)} for n in range(20_000)]),
    "wrong types": json.dumps(
        [
            {"@type": {"@type": 3}, "@id": [], "text": {}, "author": [[[None]]]},
            {"@type": [None, "Article", 2.5], "articleBody": [[{"text": [True]}], None]},
            {"@type": "Question", "acceptedAnswer": "Yes", "suggestedAnswer": 4},
            {"@graph": 3, "mainEntity": "x"},
        ]
    ),
    "not a number": '{"@type": "Article", "articleBody": NaN}',
    "lone surrogate": '{"@type": "Article", "articleBody": "\\ud800 <b>x</b>"}',
}


def test_hostile_data():
    for name, script in SCRIPTS.items():
        with case(name), ends():
            page = with_scripts(script)
            types(page)
            structured_text(page)


def test_all_of_a_long_thread_is_read():
    comments = [{"@type": "Comment", "text": f"No. {number}"} for number in range(30_000)]
    page = with_data({"@type": "DiscussionForumPosting", "comment": comments})
    assert structured_text(page).count("\n") == 29_999


def test_hostile_pages():
    for name in hostile.QUICK:
        with case(name), ends():
            page = hostile.page(name)
            assert types(page) == frozenset()
            assert structured_text(page) == ""


# -- names that are found without reading JSON ------------------------------------------------

#: Pieces of scripts, whole and broken ones.
PIECES = (
    *(
        '"@type"',
        '"name"',
        '"headline"',
        ":",
        '"',
        "[",
        "]",
        "{",
        "}",
        ",",
        " ",
        "\n",
        "\xa0",
        "\\",
    ),
    *('"Article"', '"é\U0001f600"', "\\u0041", "\\u00e9", '\\"', "x", '["a", "b"]', '"@type":"A"'),
    *('"name" : "One  &amp; Two"', '"name":"' + "n" * 300 + '"', '"headline":"' + "é" * 301 + '"'),
)


@twins
@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_scripts_name_the_same_with_both_cores(script):
    def ask():
        page = with_scripts(script or " ")
        return types(page), item_names(page), structured_text(page)

    compiled, python = ask_both(ask)
    assert compiled == python


@twins
@pytest.mark.parametrize("script", ['{"@type": "Article", "name": "\ud800", "text": "\udfff x"}'])
def test_scripts_with_lone_surrogates_are_left_to_python(script):
    page = with_scripts(script)
    compiled, python = ask_both(lambda: (types(page), item_names(with_scripts(script))))
    assert compiled == python == ({"article"}, {"\ud800"})


def test_names_of_things():
    page = with_data({"name": "One  Thing", "a": [{"headline": "Ben &amp; \u0416"}, {"name": ""}]})
    assert item_names(page) == {"one thing", "ben & \u0436"}


@twins
@given(st.text(st.sampled_from("ab é日 \t\n\r\x0b\x1c\x1f\x85\xa0\u2028\u2029\u3000\ud800")))
def test_lines_are_folded_as_python_does(text):
    compiled, python = ask_both(lambda: fold_lines(text))
    assert compiled == python
