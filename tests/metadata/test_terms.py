"""Categories, tags, licence, paywall, comments; names as bylines write them; languages."""

import json

import pytest

import pagelet
from pagelet.metadata.names import clean_names
from pagelet.metadata.terms import licence_name
from tests.metadata.heads import item, ld, meta, metadata_of

LINKS = (
    '<a rel="category tag" href="/c">Coast</a><a rel="tag" href="/t">Rain</a>'
    '<a rel="tag" href="/u">#Wind</a><a rel="nofollow" href="/x">Other</a>'
)


@pytest.mark.parametrize(
    ("html", "categories", "tags"),
    [
        (LINKS, ("Coast",), ("Rain", "Wind")),
        (meta("article:section", "Coast", "article:tag", "Rain"), ("Coast",), ("Rain",)),
        (item(articleSection="Coast", keywords="Rain, Wind"), ("Coast",), ("Rain", "Wind")),
        (item(keywords=["Rain", "Wind", "Rain"]), (), ("Rain", "Wind")),
        (meta("keywords", "Rain,Wind"), (), ("Rain", "Wind")),
        ('<p class="post-tags"><a href="/t">Rain</a> <a href="/u">Wind</a>', (), ("Rain", "Wind")),
        ('<p class="stage"><a href="/t">Rain</a>', (), ()),
        (item(keywords=[1, {"a": 2}, None]), (), ()),
        (meta("keywords", "x" * 500), (), ()),
    ],
)
def test_categories_and_tags(html, categories, tags):
    found = metadata_of(html)
    assert (found.categories, found.tags) == (categories, tags)


@pytest.mark.parametrize(
    ("html", "licence"),
    [
        ('<a rel="license" href="https://creativecommons.org/licenses/by-sa/4.0/">c</a>',
         "CC BY-SA 4.0"),
        ('<link rel="license" href="http://creativecommons.org/licenses/by-nc-sa/2.0/de/">',
         "CC BY-NC-SA 2.0 DE"),
        ('<a href="https://creativecommons.org/publicdomain/zero/1.0/">c</a>', "CC0 1.0"),
        ('<a href="https://creativecommons.org/licenses/by/4.0/">c</a>'
         '<a href="https://creativecommons.org/licenses/by-nd/4.0/">c</a>', None),
        (item(license="https://example.org/terms"), "https://example.org/terms"),
        ("<p>This text is under CC BY-ND 3.0 DE.</p>", "CC BY-ND 3.0 DE"),
        ("<p>CC ed to all</p>", None),
    ],
)  # fmt: skip
def test_licence(html, licence):
    assert metadata_of(html).licence == licence


def test_licences_that_are_none():
    assert licence_name("https://creativecommons.org/") is None
    assert licence_name("CCBYEXAMPLE") is None


@pytest.mark.parametrize(
    ("html", "paywalled"),
    [
        (item(isAccessibleForFree=False), True),
        (item(isAccessibleForFree="True"), False),
        (item(isAccessibleForFree="perhaps"), None),
        (meta("article:content_tier", "locked"), True),
        (meta("article:content_tier", "metered"), None),
        ("", None),
    ],
)
def test_paywall(html, paywalled):
    assert metadata_of(html).paywalled is paywalled


@pytest.mark.parametrize(
    ("html", "count"),
    [
        (item(commentCount=12), 12),
        (item(commentCount="0"), 0),
        (item(commentCount=-1), None),
        (item(commentCount=True), None),
        (item(interactionStatistic={"interactionType": "https://schema.org/CommentAction",
                                    "userInteractionCount": 3}), 3),
        ('<a class="comments-link" href="#c">1,204 Comments</a>', 1204),
        ('<span class="comment-count">7</span>', 7),
        ('<a class="comments-link" href="#c">Leave a comment</a>', None),
    ],
)  # fmt: skip
def test_number_of_comments(html, count):
    assert metadata_of(html).comments_count == count


@pytest.mark.parametrize(
    ("written", "names"),
    [
        (["View all posts by Anna Ash"], ["Anna Ash"]),
        (["Zeige alle Beiträge von Anna Ash"], ["Anna Ash"]),
        (["Anna Ash | The Jersey Journal"], ["Anna Ash"]),
        (["Anna Ash, Staff Writer"], ["Anna Ash"]),
        (["Anna Ash Staff Writer"], ["Anna Ash"]),
        (["Anna E. Ash, M.D., Ben Birch"], ["Anna E. Ash", "Ben Birch"]),
        (["Anna Ash und Ben Birch"], ["Anna Ash", "Ben Birch"]),
        (["Anna Ash im Gespräch mit Ben Birch"], ["Anna Ash", "Ben Birch"]),
        (["Von Anna Ash", "ANNA ASH"], ["Anna Ash"]),
        (["Van Ash"], ["Van Ash"]),
        (["Jan Birch"], ["Jan Birch"]),
        (["Herz und Blut"], ["Herz und Blut"]),
        (["Anna Ash on May 6, 2024"], ["Anna Ash"]),
        (["daily-example.org, Skerrow, Scotland"], ["daily-example.org"]),
        (["unocero - Anna Ash"], ["unocero"]),
        (["May", "Follow", "Facebook", "", "https://a.org/anna", "a@b.org"], []),
    ],
)
def test_names(written, names):
    assert clean_names(written, frozenset(("dailyexampleorg",))) == names


def test_the_site_before_a_name():
    assert clean_names(["unocero - Anna Ash"], frozenset(("unocero",))) == ["Anna Ash"]


def test_the_language_is_detected_on_request():
    html = "<p>" + "Der Regen kommt am Morgen und bleibt die ganze Woche über der Küste. " * 3
    assert pagelet.read_metadata(html).language is None
    found = pagelet.read_metadata(html, detect_language=True)
    assert (found.language, found.sources["language"]["from"]) == ("de", "detected")
    declared = pagelet.read_metadata(f"<html lang=fr>{html}", detect_language=True)
    assert declared.language == "fr"
    assert pagelet.read_metadata("<p>a", detect_language=True).language is None


def test_the_page_type_is_that_of_the_content_model():
    html = "<title>Rain</title><h1>Rain ahead</h1>" + "<p>Rain came in over the hills. </p>" * 40
    found = pagelet.read_metadata(html, "https://example.org/rain")
    form = json.loads(pagelet.extract(html, "https://example.org/rain", format="json"))
    assert found.page_type == form["page_type"] == form["metadata"]["page_type"]
    assert found.to_dict() == form["metadata"]
    assert form["title"] == found.title
    assert json.loads(json.dumps(found.to_dict())) == found.to_dict()


def test_hostile_values():
    broken = {"@type": "Article", "keywords": {"a": 1}, "license": 5, "commentCount": "1e9",
              "isAccessibleForFree": [], "interactionStatistic": [[]], "author": [[["x"]]],
              "datePublished": {"@value": []}}  # fmt: skip
    found = metadata_of(ld(broken))
    assert (found.tags, found.licence, found.comments_count, found.paywalled) == (
        (),
        None,
        None,
        None,
    )
