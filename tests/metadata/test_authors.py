"""Authors: who is named where, and who is no author."""

import pytest

from tests.metadata.heads import item, meta, metadata_of


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        (item(author="Anna Ash"), "Anna Ash"),
        (item(author={"name": ["Anna Ash", "Ben Birch"]}), "Anna Ash, Ben Birch"),
        (item(author=[{"name": "Anna Ash"}, {"name": "Anna Ash"}]), "Anna Ash"),
        (item(author={"@id": "#unknown"}), None),
        (item(author="Anna Ash, Daily Example"), "Anna Ash"),
        (item(author="Anna Ash, Ben Birch"), "Anna Ash, Ben Birch"),
        (item(author="https://example.org/anna"), None),
        (item(author="anna@example.org"), None),
        (item(author="By Anna Ash"), "Anna Ash"),
        (item(author="Byron Ash"), "Byron Ash"),
        (item(author="x" * 300), None),
        # people before organisations and logins, which are better than nothing
        (item(author="Daily Example") + meta("author", "Anna Ash"), "Anna Ash"),
        (item(author="Daily Example"), "Daily Example"),
        (item(author={"@type": "Organization", "name": "Press"}) + meta("author", "Anna"), "Anna"),
        (item(author={"@type": "Organization", "name": "Press"}), "Press"),
        (item(author="aash1") + meta("author", "Anna Ash"), "Anna Ash"),
        (item(author="aash1"), "aash1"),
        # meta elements: one sort of them, in the order of trust
        (meta("dc.creator", "Ben", "author", "Anna"), "Anna"),
        (meta("citation_author", "Lost", "dc.creator", "Ben"), "Ben"),
        (meta("author", "http://example.org/anna", "dc.creator", "Ben"), "Ben"),
        # what people see
        ('<a rel="author" href="/a">Anna Ash</a>', "Anna Ash"),
        ('<a rel="nofollow" href="/a">Anna Ash</a>', None),
        ('<b itemprop="author"><i itemprop="name">Anna Ash</i></b>', "Anna Ash"),
        ('<b property="schema:author">Anna Ash</b>', "Anna Ash"),
        ('<b itemprop="name">Anna Ash</b>', None),
        ('<p class="post byline">By <a href="/a">Anna Ash</a>, reporter</p>', "Anna Ash"),
        ('<p class="byline">By Anna Ash | May 6, 2024</p>', "Anna Ash"),
        ('<p class="byline">By Anna Ash updated today</p>', "Anna Ash"),
        ('<p id="author_name">Anna Ash</p>', "Anna Ash"),
        ('<p class="authority">Anna Ash</p>', None),
        ('<p class="byline"><a href="/c">4 comments</a></p>', None),
        (f'<p class="byline">{"Anna Ash " * 50}</p>', None),
        ('<div class="comments"><p class="author">Anna Ash</p></div>', None),
        ('<p class="comment-author">Anna Ash</p>', None),
    ],
)
def test_author(html, wanted):
    assert metadata_of(html).author == wanted
