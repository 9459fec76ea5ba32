"""Roles of blocks: from tags, names, microdata, texts in several languages and groups of links."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import pagelet
from pagelet.methods.content.counts import count_blocks
from pagelet.methods.content.role_words import NOTICE, find_notices
from pagelet.methods.content.roles import ROLES, BlockRoles
from pagelet.page.html import parse
from pagelet.page.textblocks import text_blocks
from tests.cores import ask_both, twins

TEXT = "The mill was stopped in the spring of that year, and its wheel has not turned since then."
BODY = f"<h1>The old mill is for sale</h1>{f'<p>{TEXT}</p>' * 6}"


def roles(html: str, *, kept: bool) -> list[str]:
    """The roles of the blocks behind the body of an article, if they are kept or dropped."""
    page = parse(f"<title>The old mill is for sale</title><main>{BODY}{html}</main>")
    blocks = text_blocks(page)
    chosen = np.full(len(blocks), kept)
    chosen[:7] = True
    found = BlockRoles(count_blocks(page, blocks), chosen, 0)
    assert [found.role(at) for at in range(7)] == ["title", *["body"] * 6]
    return [found.role(at) for at in range(7, len(blocks))]


#: Blocks that are kept, and their roles.
KEPT = [
    (f"<p>{TEXT}", "body"),
    ("<h2>What it cost", "heading"),
    ("<figure><figcaption>The wheel in winter", "caption"),
    ("<p class=wp-caption-text>The wheel in winter", "caption"),
    ("<ul><li>Eleven stones and a beam", "list"),
    ("<dl><dt>Stones", "list"),
    ("<table><tr><td>Stones<td>Eleven", "table"),
    ("<pre>turn(wheel)", "code"),
    ("<div class=codehilite>turn(wheel)", "code"),
    ("<blockquote><p>Never sell a mill.", "quote"),
    ("<div class=pull-quote>Never sell a mill.", "quote"),
    ("<p class=byline>By Ada Quill", "byline"),
    ("<p class=author>Von Ada Quill", "byline"),
    ("<p>Published 11 February 2026", "byline"),
    ("<p>11. Februar 2026, 12:30 Uhr", "byline"),
    ("<p>Par Ada Quill", "byline"),
    ("<p>Werbung", "advertisement"),
    ("<p>Sign up for our newsletter every Friday.", "notice"),
    ("<div id=comments><p>Not my mill.", "comment"),
    ("<div itemprop=comment><p>Not my mill.", "comment"),
    ("<table><tr><td><p>One<p>Two<p>Three<p>Four<p>Five", "body"),
]


@pytest.mark.parametrize(("html", "role"), KEPT)
def test_the_role_of_what_is_kept(html, role):
    assert set(roles(html, kept=True)) == {role}


@pytest.mark.parametrize(
    ("html", "role"),
    [
        ("<nav><a href=/>Home</a>", "navigation"),
        ("<footer><p>Our house since 1911</footer>", "navigation"),
        ("<form><label>Your name</label></form>", "navigation"),
        ("<p><a href=/share>Share</a>", "navigation"),
        ("<div class=breadcrumbs><p>Home / Mills", "navigation"),
        ("<div class=related-posts><p>The tide mill at the quay", "related"),
        ("<div><h3>Das könnte Sie auch interessieren</h3><p>Die Mühle am Kai", "related"),
        ("<div><h3>À lire aussi</h3><p>Le moulin du quai", "related"),
        ("<div class=ad-slot><p>Seeds by post until Sunday", "advertisement"),
        ("<div class=sponsored><p>Seeds by post until Sunday", "advertisement"),
        ("<p>Anzeige", "advertisement"),
        ("<p>Publicité", "advertisement"),
        ("<p>We use cookies to remember you.", "notice"),
        ("<p>Diese Website verwendet Cookies.", "notice"),
        ("<p>© 2026 The Mill Trust", "notice"),
        ("<div class=newsletter><p>Every Friday in your post", "notice"),
        ("<p>Abonnez-vous pour lire la suite", "notice"),
        ("<div id=kommentare><p>Nicht meine Mühle.", "comment"),
        (f"<p>{TEXT}", "body"),
    ],
)
def test_the_role_of_what_is_dropped(html, role):
    assert set(roles(html, kept=False)) == {role}


def test_the_form_of_a_thread_is_no_comment():
    html = "<div id=comments><p>Not my mill.</p><form><label>Your name</label></form></div>"
    assert roles(html, kept=False) == ["comment", "navigation"]


def test_links_have_the_role_of_their_group():
    links = "".join(f"<li><a href='?page={at}'>{at}</a></li>" for at in range(1, 8))
    assert set(roles(f"<ul>{links}</ul>", kept=False)) == {"navigation"}


def test_a_name_far_above_a_kept_block_says_nothing_of_it():
    html = f"<div class=sponsored>{f'<p>{TEXT}</p>' * 4}</div>"
    assert set(roles(html, kept=True)) == {"body"}


PIECES = [
    *[html for html, _ in KEPT],
    *[f"<div class={name}><p>{TEXT}</div>" for name in ("sponsored", "related", "byline", "nav")],
    f"<p>{TEXT} We use cookies on this site.",
    "<p class=byline>By Ada Quill, who has looked after the wheel of the mill for years",
]
chosen_pieces = st.lists(st.tuples(st.sampled_from(PIECES), st.booleans()), min_size=1)


@example([(html, True) for html in PIECES], -1)
@given(chosen_pieces, st.sampled_from([-1, 0, 20]))
def test_roles_of_many_blocks_are_those_of_each(chosen, title):
    page = parse(f"<p>{TEXT * 20}</p>" + "".join(f"<div>{html}</div>" for html, _ in chosen))
    blocks = text_blocks(page)
    kept = np.resize([is_kept for _, is_kept in chosen], len(blocks))
    found = BlockRoles(count_blocks(page, blocks), kept, min(title, len(blocks) - 1))
    assert found.roles(np.arange(len(blocks))) == [found.role(at) for at in range(len(blocks))]


TABLE = "<table><tr><td>a b c<td>d e f</table><ul><li class=caption>g</ul><table><tr><td>h</table>"


@twins
@example([(html, True) for html in (*PIECES, TABLE)], 3)
@given(chosen_pieces | st.just([(TABLE, True)]), st.sampled_from([-1, 0, 9]))
def test_both_cores_tell_the_same_roles(chosen, title):
    def tell():
        page = parse(f"<p>{TEXT * 20}</p>" + "".join(f"<div>{html}</div>" for html, _ in chosen))
        blocks = text_blocks(page)
        kept = np.resize([is_kept for _, is_kept in chosen], len(blocks))
        found = BlockRoles(count_blocks(page, blocks), kept, min(title, len(blocks) - 1))
        return found.roles(np.arange(len(blocks)))

    compiled, python = ask_both(tell)
    assert compiled == python


@pytest.mark.parametrize("profile", ["default", "paper"])
def test_every_block_of_a_page_has_a_role(profile):
    html = f"<title>The mill</title><nav><a href=/>Home</a></nav>{BODY}<footer>Imprint</footer>"
    found = pagelet.extract_content(html, explain=True, profile=profile)
    assert len(found) >= 9
    assert {block.role for block in found} <= set(ROLES)
    form = found.to_dict()["pagelets"]
    assert [block["role"] for block in form] == [block.role for block in found]


def test_a_listing_of_an_empty_page_has_no_roles():
    assert list(pagelet.extract_content("", explain=True)) == []


@settings(max_examples=300)
@given(st.from_regex(NOTICE))
def test_every_notice_holds_a_part_of_one(text):
    if NOTICE.search(text):
        assert find_notices(["", text]) == [1]


@given(st.text(st.sampled_from("sign up to for COOKIE we(c)2024 a block ©\u212a\u017f")))
def test_a_text_without_a_notice_is_none(text):
    assert len(find_notices([text])) <= (NOTICE.search(text) is not None)
