"""Content marked in the pages themselves: which text it is, and that no mark is left."""

import pytest

from pagelet.errors import NoGold
from pagelet.lab.content.scores import read_labelled, read_marked_content
from tests.labelled import prose, write_labelled, write_marked


def marked(tmp_path, body, head=""):
    (tmp_path / "page.html").write_text(f"<head>{head}</head><body>{body}</body>")
    (gold,) = read_marked_content(tmp_path)
    return gold


@pytest.mark.parametrize(
    ("body", "text"),
    [
        pytest.param("<p>a</p><p data-pagelet=content>b</p>", "b", id="attribute"),
        pytest.param("<p>a</p><p class='x pagelet-content'>b</p>", "b", id="class"),
        pytest.param("<p>a</p><p class=TECO_mainContent>b</p>", "b", id="TECO"),
        pytest.param(
            "<div data-pagelet=content><p>a</p><p data-pagelet=menu>b</p></div>", "a", id="not here"
        ),
        pytest.param(
            "<div data-pagelet=content>a<div class=pagelet-ad>b<p data-pagelet=content>c</p></div>d"
            "</div>",
            "a\nc\nd",
            id="nearest mark decides",
        ),
        pytest.param(
            "<div class=TECO_mainContent>a<p class=TECO_notTemplate>b</p>"
            "<p class=TECO_mainMenu>c</p></div>",
            "a\nb",
            id="their other classes",
        ),
        pytest.param("<div data-pagelet=content>a<script>b</script></div>", "a", id="script"),
        pytest.param("<p data-pagelet=menu>a</p>b", "", id="no content"),
    ],
)
def test_marked_text(tmp_path, body, text):
    assert marked(tmp_path, body).text == text


def test_no_method_sees_a_mark(tmp_path):
    gold = marked(
        tmp_path,
        "<div class='pagelet-content story' data-pagelet-type=forum><p data-pagelet=content>a</p>"
        "<p class=TECO_mainContent>b</p></div>",
    )
    assert gold.page_type == "forum"
    assert gold.html.decode().endswith(
        '<body><div class="story"><p>a</p><p>b</p></div></body></html>'
    )


def test_the_site_is_the_domain_the_page_names_else_its_folder(tmp_path):
    canonical = "<link rel=canonical href=https://www.one.example/x>"
    gold = marked(tmp_path, "<p data-pagelet=content>a</p>", canonical)
    assert (gold.domain, gold.url) == ("one.example", "https://www.one.example/x")
    golds = read_marked_content(write_marked(tmp_path / "more", pages=3, sites=2))
    assert [(gold.id, gold.domain) for gold in golds] == [
        ("site0/0.html", "site0"),
        ("site0/2.html", "site0"),
        ("site1/1.html", "site1"),
    ]
    assert golds[1].text == "\n".join(prose(2))


def test_pages_without_marks_are_left_out_and_told(tmp_path):
    (tmp_path / "bare.html").write_text("<p data-pagelet>a</p><p class=content>b</p>")
    with pytest.raises(NoGold, match="data-pagelet"):
        read_marked_content(tmp_path)
    lines = []
    (tmp_path / "good.html").write_text("<p data-pagelet=content>a</p>")
    assert len(read_marked_content(tmp_path, lines.append)) == 1
    assert lines == [f"{tmp_path.name}: 1 of 2 pages left out, they have no marks"]


def test_ground_truth_goes_first(tmp_path):
    write_labelled(tmp_path, pages=2)
    (tmp_path / "other.html").write_text("<p data-pagelet=content>a</p>")
    assert [gold.id for gold in read_labelled(tmp_path)] == ["000", "001"]
