"""The annotator's JSON: what it says, and what every reader of labels makes of it."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagelet import parse
from pagelet.errors import NoGold, PageError
from pagelet.lab.content.scores import read_labelled
from pagelet.lab.gold import gold_format, read_gold
from pagelet.lab.noise.scores import read_noise
from pagelet.lab.segments.gold import SUB, TOP, read_block_pages, take_marks
from pagelet.lab.template.scores import read_template_sites
from pagelet.labels import nearest_label, own_rows, read_annotations, suggested_note, top_rows
from tests.build import page_of, trees
from tests.lab.test_gold import paths, write
from tests.naive import marks as naive

PAGE = (
    "<html><head><meta http-equiv=refresh content='1;url=/x'></head><body>"
    "<nav><a href=/a>A</a> <a href=/b>B</a></nav>"
    "<main><p>Words one.</p><ul><li><a href=/c>C</a></ul><p>Words two.</p></main>"
    "<footer>End <a href=/d>D</a></footer></body></html>"
)
LABELS = {
    "site": "seeds",
    "url": "https://seeds.example/a",
    "menu": ["/html/body/nav"],
    "content": ["/html/body/main"],
    "clutter": ["/html/body/main/ul", "/html/body/footer"],
    "template": {"slots": ["/html/body/main"]},
    "segments": [
        {"name": "1", "paths": ["/html/body/nav", "/html/body/footer"]},
        {"name": "2", "paths": ["/html/body/main"]},
    ],
}


def labelled(folder, pages, **form):
    files = {f"pages/{name}": PAGE for name in pages}
    gold = {"schema": 1, "folder": "pages", "pages": pages, **form}
    return write(folder, {"gold.json": json.dumps(gold), **files})


# -- rules ------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(trees, st.data())
def test_the_nearest_label_decides(tree, data):
    page = page_of(tree)
    rows = st.lists(st.integers(0, len(page) - 1), max_size=5)
    labels = {row: data.draw(st.booleans()) for row in data.draw(rows)}
    default = data.draw(st.booleans())
    result = nearest_label(page, labels, default=default).tolist()
    assert result == naive.nearest_label(page, labels, default)


@settings(max_examples=40)
@given(trees, st.data())
def test_what_is_a_page_s_own(tree, data):
    page = page_of(tree)
    rows = st.lists(st.integers(0, len(page) - 1), max_size=4)
    template, slots = data.draw(rows), data.draw(rows)
    own = own_rows(page, template, slots)
    assert own.tolist() == naive.own_rows(page, template, slots)
    again = page.inside(np.array(top_rows(page, own), np.int32)) & page.counted
    assert again.tolist() == own.tolist()  # slots say it all


# -- readers ----------------------------------------------------------------------------------


def test_every_reader_knows_the_folder(tmp_path):
    labelled(tmp_path, {"a.html": LABELS, "b.html": LABELS})
    gold = read_gold(tmp_path, kind="menu")
    assert (gold_format(tmp_path), gold.format) == ("annotations", "annotations")
    first = gold.pages[0]
    assert (first.group, first.name) == ("seeds", "a.html")
    assert paths(first, "menu") == ["/html/body/nav"]
    assert paths(first, "clutter") == ["/html/body/main/ul", "/html/body/footer"]
    assert len(read_gold(tmp_path, 1, kind="clutter").pages) == 1


def test_content_leaves_out_what_else_is_marked(tmp_path):
    (gold,) = read_labelled(labelled(tmp_path, {"a.html": LABELS}))
    assert gold.text.split() == ["Words", "one.", "Words", "two."]
    assert (gold.domain, gold.url) == ("seeds", "https://seeds.example/a")
    assert gold.html.decode() == PAGE


def test_noise_reads_content_and_noise(tmp_path):
    noise = {"noise": ["/html/body/nav", "/html/body/footer"], "query": "words"}
    labelled(tmp_path, {"a.html": LABELS, "b.html": noise, "c.html": {"menu": []}})
    one, two = read_noise(tmp_path)
    assert one.text.split() == ["Words", "one.", "Words", "two."]
    assert two.text.split() == ["Words", "one.", "C", "Words", "two."]  # all that is not noise
    assert two.query.words


def test_template(tmp_path):
    labelled(tmp_path, {"a.html": LABELS, "b.html": {"site": "seeds", "menu": []}})
    (site,) = read_template_sites(tmp_path)
    assert (site.name, len(site.pages), len(site.site.addresses())) == ("seeds", 1, 2)
    page, own = site.pages[0], site.own[0]
    assert {page.path(row) for row in top_rows(page, own)} == {"/html/body/main"}


def test_segments_of_several_parts_are_one_block(tmp_path):
    (given_page,) = read_block_pages(labelled(tmp_path, {"sub/a.html": LABELS}))
    assert (given_page.site, given_page.folder) == ("seeds", tmp_path / "pages")
    assert "refresh" not in given_page.html
    assert "sub/a.html" in given_page.html  # where its links start from
    page, blocks = take_marks(parse(given_page.html))
    nav, main, footer = (page.row(f"/html/body/{name}") for name in ("nav", "main", "footer"))
    assert blocks[TOP][nav] == blocks[TOP][footer] == nav
    assert blocks[TOP][main + 1] == main
    assert blocks[TOP][page.body] == -1
    assert (blocks[SUB] == -1).all()
    assert "data-gold" not in page.source
    assert "/c" in given_page.html  # links stay as they are written


def test_the_site_of_a_page(tmp_path):
    """Its own, the one of the file, the domain of its address, its folder, the folder of all."""
    address = {"menu": [], "url": "https://www.example.org/a"}
    pages = {
        "a.html": LABELS,
        "b.html": address,
        "news/c.html": {"menu": []},
        "d.html": {"menu": []},
    }
    labelled(tmp_path / "own", pages)
    sites = [page.group for page in read_gold(tmp_path / "own", kind="menu").pages]
    assert sites == ["seeds", "example.org", "news", "own"]
    labelled(tmp_path / "one", pages, site="skerrow")
    sites = [page.group for page in read_gold(tmp_path / "one", kind="menu").pages]
    assert sites == ["seeds", "skerrow", "skerrow", "skerrow"]


def test_pages_that_nobody_looked_at_are_left_out(tmp_path):
    labelled(tmp_path, {"a.html": {"menu": []}, "b.html": LABELS})
    assert [page.name for page in read_gold(tmp_path, kind="menu").pages] == ["a.html", "b.html"]
    assert [page.name for page in read_gold(tmp_path, kind="clutter").pages] == ["b.html"]
    assert len(read_block_pages(tmp_path)) == len(read_labelled(tmp_path)) == 1


@pytest.mark.parametrize("read", [read_labelled, read_noise, read_block_pages])
def test_a_folder_without_the_kind(tmp_path, read):
    labelled(tmp_path, {"a.html": {"menu": []}})
    with pytest.raises(NoGold):
        read(tmp_path)


# -- what is wrong ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "labels",
    [
        pytest.param({"menu": ["/html/body/div"]}, id="no such node"),
        pytest.param({"menu": 3}, id="no list"),
        pytest.param({"template": {}}, id="no slots"),
        pytest.param({"segments": [{"paths": ["/html/body/aside"]}]}, id="no such part"),
    ],
)
def test_a_page_with_damaged_labels_is_named(tmp_path, labels):
    labelled(tmp_path, {"a.html": labels})
    with pytest.raises(PageError, match=r"a\.html: its labels in gold\.json are damaged"):
        list(read_annotations(tmp_path))


@pytest.mark.parametrize("name", ["../a.html", "/etc/passwd", "x/../../a.html", "..\\a.html"])
def test_no_page_lies_outside(tmp_path, name):
    write(tmp_path, {"gold.json": json.dumps({"schema": 1, "pages": {name: LABELS}})})
    with pytest.raises(PageError, match="leads out of the folder"):
        list(read_annotations(tmp_path))


@pytest.mark.parametrize("text", ["[]", "{", '{"schema": 2, "pages": {}}', '{"schema": 1}'])
def test_what_is_no_gold_at_all(tmp_path, text):
    write(tmp_path, {"gold.json": text})
    with pytest.raises(NoGold, match="annotator"):
        list(read_annotations(tmp_path))


def test_a_segment_is_made_of_elements(tmp_path):
    labels = {"segments": [{"name": "1", "paths": ["/html/body/footer/text()[1]"]}]}
    with pytest.raises(PageError, match="elements"):
        read_block_pages(labelled(tmp_path, {"a.html": labels}))


def test_labels_that_began_as_suggestions_are_reported(tmp_path):
    begun = {**LABELS, "marks": [{"kind": "menu", "paths": [], "suggested_by": "menu"}]}
    labelled(tmp_path, {"a.html": begun, "b.html": LABELS})
    (note,) = suggested_note(tmp_path, "menu")
    assert note.startswith("1 of 2 pages have labels that began as suggestions of menu")
    assert suggested_note(tmp_path, "clutter") == ()
    assert read_gold(tmp_path, kind="menu").notes == (note,)


def test_the_sample_site_has_labels_of_every_kind():
    pages = list(read_annotations(Path("examples")))
    assert len(pages) == 18
    assert all(page.has_template and page.segments and page.slots for page in pages)
    assert sum(page.content.any() for page in pages) == 18
