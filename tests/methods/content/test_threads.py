"""Comment threads: by names, microdata and headings; and what is none."""

import numpy as np
import pytest

from pagelet.methods.content.counts import count_blocks
from pagelet.methods.content.threads import find_threads
from pagelet.page.html import parse
from pagelet.page.textblocks import text_blocks

BODY = "<h1>Beans</h1><p>" + "Beans are dry when a thumbnail leaves no mark on them at all. " * 3
SAID = "<p>My own beans never dried.</p>"


def threads(html: str) -> list[str]:
    page = parse(html)
    blocks = text_blocks(page)
    counts = count_blocks(page, blocks)
    running = (counts.words >= 15) & (counts.density < 0.5)
    inside = find_threads(page, blocks, counts.texts, running)
    return [counts.texts[at] for at in np.flatnonzero(inside)]


@pytest.mark.parametrize(
    "opening",
    [
        "<div id=comments>",
        "<ol class='commentlist clear'>",
        "<section class=wp-block-comments>",
        "<div id=disqus_thread>",
        "<div itemscope itemtype=https://schema.org/Comment>",
        "<div itemprop=comment>",
        "<div role=comment>",
        "<ul class=article-comments__list>",
        "<div class=user-comments-wrapper>",
        "<div id=kommentare>",
        "<div class=comentarios>",
        "<div id=komentarze>",
        "<div class=yorumlar>",
        "<div id=respond>",
    ],
)
def test_an_element_that_is_named_a_thread(opening):
    assert threads(f"{BODY}{opening}{SAID}") == ["My own beans never dried."]


@pytest.mark.parametrize(
    "opening",
    [
        "<div class=comment-count>",
        "<div class='post comments-open'>",
        "<div class=comment-form>",
        "<div id=about-responses>",
        "<div id=respond-to-review>",
        "<div class=commentary>",
        "<div class=recommended>",
        "<pre><code class=comment>",
        "<main class=comments>",
    ],
)
def test_an_element_that_only_sounds_like_one(opening):
    assert threads(f"{BODY}{opening}{SAID}") == []


@pytest.mark.parametrize(
    "heading",
    [
        "12 Comments", "Comments (3)", "One Response to Beans", "3 thoughts on “Beans”", "Replies",
        "Kommentare (2)", "12 Kommentare", "2 commentaires", "Comentarios", "3 comentários",
        "Reacties", "Komentarze (4)", "Комментарии", "Yorumlar (2)", "コメント", "댓글",
    ],
)  # fmt: skip
def test_what_follows_a_heading_in_many_languages(heading):
    said = "<p>Ada, 12:30</p><p>Mine are.</p><p>Reply</p><p>Bo, 13:15</p><p>So are mine.</p>"
    found = threads(f"<article>{BODY}</article><div><h3>{heading}</h3>{said}</div><p>Imprint")
    assert found == [heading, "Ada, 12:30", "Mine are.", "Reply", "Bo, 13:15", "So are mine."]


@pytest.mark.parametrize(
    "heading", ["Discussion", "How to comment", "Comments are easy to write in this language"]
)
def test_a_heading_of_a_chapter_is_none(heading):
    said = "<p>At 12:30 and at 13:15 she said: reply to me.</p>"
    assert threads(f"{BODY}<div><h2>{heading}</h2>{said}</div>") == []


def test_a_heading_needs_signs_of_comments():
    assert threads(f"{BODY}<div><h2>Comments</h2><p>A comment begins with a hash.</p></div>") == []


def test_an_opinion_piece_that_is_named_comment_is_no_thread():
    assert threads(f"<div class=comment>{BODY}</div>") == []
    paragraphs = "<p>" + "Beans are dry when a thumbnail leaves no mark on them at all. " * 3
    assert threads(f"<div class=comment>{paragraphs}</div>") == []


def test_a_page_without_text_has_none():
    page = parse("")
    assert not find_threads(page, text_blocks(page), [], np.zeros(0, np.bool_)).any()


@pytest.mark.parametrize(
    "html",
    [
        f'<div class="comment-{"1" * 50}x"><p>a</div>',
        f'<div class="{"comment-list-" * 4}x"><p>a</div>',
        f"<div id=comments><h2>{'1' * 150}x</h2><p>a</div>",
        f"<div id=comments><h2>Comments{'-' * 140}x</h2><p>a</div>",
    ],
    ids=["digits in a name", "parts of a name", "digits in a heading", "dashes in a heading"],
)
def test_names_and_headings_that_can_be_divided_in_many_ways(html):
    assert threads(f"{BODY}</p>{html}") in ([], ["a"], [html.partition("<h2>")[2][:-15], "a"])
