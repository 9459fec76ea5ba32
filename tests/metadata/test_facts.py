"""What a page says about itself: each source, each order of trust, and pages that lie."""

from dataclasses import fields, replace

import pytest
from hypothesis import given

from pagelet import Page, parse
from pagelet.metadata.facts import Metadata, metadata
from pagelet.metadata.fields import language_tag
from tests import hostile
from tests.build import page_of, trees
from tests.cases import case
from tests.effort import ends, growth
from tests.metadata.heads import URL, item, ld, meta, metadata_of

FULL = {
    "@context": "https://schema.org",
    "@graph": [
        {"@type": "WebSite", "@id": "#site", "name": "Daily Example"},
        {"@type": "Person", "@id": "#anna", "name": "Anna Ash"},
        {"@type": "ImageObject", "@id": "#image", "url": "/lead.jpg"},
        {
            "@type": "NewsArticle",
            "headline": "Rain &amp; wind  ahead",
            "author": [{"@id": "#anna"}, {"@type": "Person", "name": "Ben Birch"}],
            "datePublished": "2024-05-06T07:08:09Z",
            "dateModified": "2024-06-07",
            "description": "Bring a coat.",
            "image": {"@id": "#image"},
            "inLanguage": "en_gb",
        },
    ],
}


# -- the whole --------------------------------------------------------------------------------


def test_everything_from_json_ld():
    result = metadata_of(ld(FULL))
    assert {one["from"] for one in result.sources.values()} == {
        *("json-ld", "json-ld WebSite", "address")
    }
    assert all(0 < one["confidence"] <= 1 for one in result.sources.values())
    assert replace(result, sources={}) == Metadata(
        title="Rain & wind ahead",
        authors=("Anna Ash", "Ben Birch"),
        published="2024-05-06T07:08:09+00:00",
        modified="2024-06-07",
        language="en-GB",
        canonical=URL,
        host="www.daily-example.org",
        description="Bring a coat.",
        site_name="Daily Example",
        image="https://www.daily-example.org/lead.jpg",
    )


def test_everything_from_meta_elements():
    result = metadata_of(
        '<html><link rel="canonical" href="/canonical">'
        '<meta http-equiv="Content-Language" content="de">'
        '<meta property="og:title" content="Rain and wind ahead | Daily">'
        + meta("author", "Anna Ash", "dc.date", "2024-05-06", "og:site_name", "Daily")
        + meta("description", "Bring a coat.", "og:image", "//example.org/lead.jpg")
    )
    assert set(result.sources) == {
        each.name for each in fields(Metadata) if getattr(result, each.name)
    } - {"sources"}
    assert replace(result, sources={}) == Metadata(
        title="Rain and wind ahead",
        authors=("Anna Ash",),
        published="2024-05-06",
        language="de",
        canonical="https://www.daily-example.org/canonical",
        host="www.daily-example.org",
        description="Bring a coat.",
        site_name="Daily",
        image="https://example.org/lead.jpg",
    )


def test_nothing_known():
    result = metadata_of("<p>words</p>", url=None)
    assert result == Metadata()
    empty = {"authors": [], "categories": [], "tags": [], "sources": {}}
    assert result.to_dict() == dict.fromkeys((each.name for each in fields(Metadata)), None) | empty
    assert (result.author, result.date) == (None, None)


def test_as_a_dictionary():
    assert metadata_of("<title>A story</title>").to_dict()["title"] == "A story"


def test_the_article_speaks_before_the_page():
    page = {"@type": "WebPage", "author": "Wrong", "datePublished": "2020-01-01"}
    article = {"@type": "Article", "author": "Right", "datePublished": "2024-05-06"}
    result = metadata_of(ld([page, article]))
    assert (result.author, result.date) == ("Right", "2024-05-06")


def test_others_do_not_speak_for_the_page():
    breadcrumb = {"@type": "BreadcrumbList", "author": "Wrong", "datePublished": "2020-01-01"}
    result = metadata_of(ld(breadcrumb))
    assert (result.author, result.date) == (None, None)


def test_a_reference_leads_to_the_fullest_item():
    anna = {"@id": "#anna", "name": "Anna Ash", "@type": "Person"}
    article = {"@type": "Article", "author": {"@id": "#anna"}}
    assert metadata_of(ld([{"@id": "#anna"}, anna, {"@id": "#anna"}, article])).author == "Anna Ash"


# -- date -------------------------------------------------------------------------------------

PUBLISHED = '<time datetime="2024-05-06">today</time>'


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        (item(datePublished="2024-05-06") + meta("date", "2020-01-01"), "2024-05-06"),
        (item(datePublished="soon") + meta("date", "2020-01-01"), "2020-01-01"),
        (item(datePublished=20240506), None),
        ('<meta property="article:published_time" content="2024-05-06">'
         + meta("date", "2020-01-01"), "2024-05-06"),
        ('<meta itemprop="datePublished" content="2024-05-06">', "2024-05-06"),
        ('<b itemprop="datePublished" content="2024-05-06">May</b>', "2024-05-06"),
        ('<b itemprop="dateModified" content="2024-05-06">May</b>', None),
        (PUBLISHED, "2024-05-06"),
        ("<time>May 6, 2024</time>", "2024-05-06"),
        # a time behind the heading is the article's, one before it the site's
        ("<time>2020-01-01</time><h1>Rain</h1>" + PUBLISHED, "2024-05-06"),
        ("<time>2020-01-01</time><h1>Rain</h1>", "2020-01-01"),
        ('<p class="entry-date">May 6, 2024</p>', "2024-05-06"),
        ('<p id="date_posted">May 6, 2024</p>', "2024-05-06"),
        ('<p class="updated">May 6, 2024</p>', None),
        ("<p>May 6, 2024</p>", None),
        # the last change is no publication
        (item(dateModified="2024-06-07") + PUBLISHED, "2024-05-06"),
        (item(dateModified="2024-06-07"), None),
        ('<meta property="og:updated_time" content="2024-06-07">', None),
    ],
)  # fmt: skip
def test_date(html, wanted):
    assert metadata_of(html).date == wanted


def test_date_in_the_url():
    address = "https://example.org/2024/05/06/story"
    assert metadata_of("<time>2020-01-01</time>", address).date == "2024-05-06"
    assert metadata_of(meta("date", "2020-01-01"), address).date == "2020-01-01"


# -- language, url, image, the rest -----------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ('<html lang="pt-br">' + meta("og:locale", "en_US"), "pt-BR"),
        ('<html lang="">' + meta("og:locale", "en_US"), "en-US"),
        (meta("og:locale", "fr_FR") + item(inLanguage="de"), "fr-FR"),
        (item(inLanguage="de"), "de"),
        (item(inLanguage={"@type": "Language", "name": "German"}), None),
        ('<p lang="de">', None),
    ],
)
def test_language(html, wanted):
    assert metadata_of(html).language == wanted


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("EN", "en"),
        ("zh_hans_cn", "zh-Hans-CN"),
        ("es-419", "es-419"),
        (" de-AT-1996", "de-AT"),
        ("en, fr", "en"),
        ("english", None),
        ("{{lang}}", None),
        ("x", None),
    ],
)
def test_a_language_tag(value, wanted):
    assert language_tag(value) == wanted


@pytest.mark.parametrize(
    ("html", "url", "wanted"),
    [
        ('<link rel="Canonical" href="/b">' + meta("og:url", "/c"), "https://a.org", "https://a.org/b"),
        ('<base href="/dir/"><link rel="canonical" href="b">', "https://a.org/x", "https://a.org/dir/b"),
        (meta("og:url", "https://b.org/c"), "https://a.org/x", "https://b.org/c"),
        ("", "https://a.org/x", "https://a.org/x"),
        ('<link rel="canonical" href="/b">', None, None),
        ('<link rel="canonical" href="http://[">', "https://a.org/x", "https://a.org/x"),
        ('<link rel="canonical" href="ftp://b.org/c">', "https://a.org/x", "https://a.org/x"),
        ('<link rel="canonical" href="">', None, None),
        ('<link rel="alternate" href="https://b.org/c">', None, None),
    ],
)  # fmt: skip
def test_url(html, url, wanted):
    assert metadata_of(html, url).canonical == wanted


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        (item(image="https://a.org/1") + meta("og:image", "https://a.org/2"), "https://a.org/1"),
        (item(image=["https://a.org/1", "https://a.org/2"]), "https://a.org/1"),
        (item(image={"@type": "ImageObject", "contentUrl": "https://a.org/1"}), "https://a.org/1"),
        (item(image={"width": 3}) + meta("twitter:image", "https://a.org/2"), "https://a.org/2"),
        (meta("og:image", "data:image/png;base64,AAAA"), None),
        ('<img src="https://a.org/1">', None),
    ],
)
def test_image(html, wanted):
    assert metadata_of(html).image == wanted


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        (item(description="One.") + meta("og:description", "Two."), "Two."),
        (item(description="One."), "One."),
        (meta("description", "Three.", "og:description", "Two."), "Two."),
        (meta("description", "A &amp;amp; B"), "A & B"),
        (meta("keywords", "words"), None),
    ],
)
def test_description(html, wanted):
    assert metadata_of(html).description == wanted


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        (meta("og:site_name", "One") + ld({"@type": "WebSite", "name": "Two"}), "One"),
        (ld({"@type": "WebSite", "name": "Two"}) + meta("application-name", "No"), "Two"),
        ('<meta name="application-name" content="Three">', "Three"),
        (item(publisher={"@type": "Organization", "name": "Four"}), "Four"),
        (item(author={"@type": "Organization", "name": "Five"}), None),
    ],
)
def test_site_name(html, wanted):
    assert metadata_of(html).site_name == wanted


# -- hostile pages ----------------------------------------------------------------------------

HOSTILE = {
    "wrong types": ld(
        [
            3,
            {"@type": "Article", "headline": {"a": 1}, "author": [[], 3, {"name": {}}, None]},
            {"@type": "Article", "@id": {}, "author": {"@id": ["x"]}, "datePublished": []},
            {"@type": "Article", "image": [[3], {"url": {}}], "publisher": [None, "x"]},
        ]
    ),
    "itself its author": ld({"@type": "Article", "@id": "#a", "author": {"@id": "#a"}}),
}
LARGE = {
    "a long headline": lambda n: item(headline="a | b - " * 30 * n),
    "a long title": lambda n: f"<title>{' | -' * 50 * n}</title>",
    "a long name": lambda n: ld(
        {"@graph": [{"@id": "#x", "name": "n" * 100 * n},
                    {"@type": "Article", "author": [{"@id": "#x"}] * n}]}
    ),
    "many items": lambda n: ld([{"@type": "Article", "headline": str(at)} for at in range(n)]),
    "many metas": lambda n: meta("og:title", "x | y", "author", "n") * n,
    "many headings": lambda n: "<h1>one heading here</h1>" * n,
    "nested headings": lambda n: "<h1><div>" * n + "x",
    "many times": lambda n: "<time>x</time>" * n,
    "many authors": lambda n: '<a rel="author" href="x">A B</a>' * n,
    "nested bylines": lambda n: '<div class="byline">' * n + "By A",
    "many dates": lambda n: '<p class="date">x 1 2 3</p>' * n,
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_metadata(name):
    metadata(parse(HOSTILE[name], url="http://["))


def test_the_work_grows_with_the_metadata():
    for name, make in LARGE.items():
        with case(name), ends():
            metadata(parse(make(20_000), url="http://["))
            assert growth(metadata, lambda n, make=make: parse(make(n)), 300) < 6


def test_hostile_pages():
    for name in hostile.QUICK:
        with case(name), ends():
            page = hostile.page(name)
            found = metadata(page)
            assert found.author is found.date is found.canonical is None


@given(trees)
def test_any_page_has_metadata_of_the_right_kind(tree):
    page: Page = page_of(tree)
    result = metadata(page).to_dict()
    texts = [value for value in result.values() if isinstance(value, str)]
    texts += [one for value in result.values() if isinstance(value, list) for one in value]
    assert all(text == text.strip() != "" for text in texts)
    assert metadata(page).to_dict() == result
