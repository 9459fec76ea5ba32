"""Readers of labelled pages, on small folders written here."""

import json

import pytest

from pagelet.errors import NoGold
from pagelet.lab.gold import gold_format, read_gold, site_files, teco_label

MENU = "<ul class=menu><li><a href=/a>A</a><li><a href=/b>B</a></ul>"
PAGE = (
    f"<html><body>{MENU}<main><p>Words.</p></main><footer><a href=/c>C</a></footer></body></html>"
)


def write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def paths(gold_page, label):
    return [gold_page.page.path(row) for row in gold_page.rows(label)]


# -- sites.json -------------------------------------------------------------------------------

SITES = {
    "one": {
        "menu_xpath": "//nav | //ul[@class='menu']",
        "main_xpath": "//main",
        "secondary_nav_xpath": ["//footer", "//aside"],
    },
    "two": {"menu_xpath": "//nav"},
}


@pytest.fixture
def sites(tmp_path):
    files = {
        "sites.json": json.dumps(SITES),
        "one/a.html": PAGE,
        "one/b.html": PAGE.replace("<ul class=menu>", "<ul>"),
        "two/html/x.html": "<nav>é</nav>",
        "two/html/y.html": "<nav>y</nav>",
        "two/PAGES.txt": "y.html <- https://two.example/y\nmissing.html <- z\nx.html\n",
    }
    return write(tmp_path, files)


def test_sites(sites):
    gold = read_gold(sites)
    assert gold.format == "sites"
    assert [(page.group, page.name) for page in gold.pages] == [
        ("one", "one/a.html"),
        ("two", "two/html/y.html"),
        ("two", "two/html/x.html"),
    ]


def test_labels_of_sites(sites):
    first = read_gold(sites).pages[0]
    assert paths(first, "menu") == ["/html/body/ul"]
    assert paths(first, "content") == ["/html/body/main"]
    assert paths(first, "navigation") == ["/html/body/footer"]
    assert first.rows("nothing") == ()
    assert first.mask("content").sum() == 3
    assert first.page.url == "https://one.example/a.html"


def test_the_first_alternative_that_matches_counts(tmp_path):
    body = "<ul class=menu><li>x</ul><nav>y</nav><nav>z</nav>"
    write(tmp_path, {"sites.json": json.dumps({"one": SITES["one"]}), "one/a.html": body})
    assert paths(read_gold(tmp_path).pages[0], "menu") == ["/html/body/nav[1]"]


def test_some_pages_of_each_site(sites):
    assert [page.name for page in read_gold(sites, per_site=1).pages] == [
        "one/a.html",
        "two/html/y.html",
    ]


def test_pages_of_a_site_are_files(tmp_path):
    write(tmp_path, {"a.html": "<p>x", "b.html_files/c.css": "x", "sub/d.htm": "<p>y"})
    assert [path.name for path in site_files(tmp_path)] == ["a.html", "d.htm"]


# -- *.blocks.html ----------------------------------------------------------------------------

BLOCKS = """<html><head><style>[data-block]{outline:1px}</style><style>p{}</style></head><body>
<div data-block="1" data-block-type="Menu"><ul><li>x</ul></div><p data-block="2">y</p>
<div data-block="3" data-block-type="LinkList">z</div>
<div class="ui-dialog"><p data-block="4" data-block-type="Menu">tool</p></div></body></html>"""


def test_blocks(tmp_path):
    gold = read_gold(write(tmp_path, {"site/a.blocks.html": BLOCKS, "site/a.html": "<p>plain"}))
    (found,) = gold.pages
    assert (gold.format, found.group) == ("blocks", "site")
    assert paths(found, "Menu") == ["/html/body/div[1]"]
    assert paths(found, "LinkList") == ["/html/body/div[2]"]


def test_blocks_leave_no_trace(tmp_path):
    (found,) = read_gold(write(tmp_path, {"site/a.blocks.html": BLOCKS})).pages
    assert "data-block" not in found.page.source
    assert "data-gold" not in found.page.source
    assert "ui-dialog" not in found.page.source
    assert "tool" not in found.page.texts
    assert "p{}" in found.page.texts


# -- TECO_ classes ----------------------------------------------------------------------------

TECO = """<body><div class="TECO_mainMenu wide"><ul class="TECO_mainMenu"><li class="x">a</ul></div>
<p class="big TECO_mainContent TECO_notTemplate">b</p><p>c</p></body>"""


def test_teco(tmp_path):
    gold = read_gold(write(tmp_path, {"site/page.html": TECO}))
    (found,) = gold.pages
    assert (gold.format, found.group, found.name) == ("teco", "site", "site/page.html")
    assert paths(found, "menu") == ["/html/body/div", "/html/body/div/ul"]
    assert paths(found, "content") == paths(found, "notTemplate") == ["/html/body/p[1]"]


def test_teco_leaves_no_trace(tmp_path):
    (found,) = read_gold(write(tmp_path, {"site/page.html": TECO})).pages
    assert "TECO_" not in found.page.source
    assert "data-gold" not in found.page.source
    classes = list(found.page.attribute("class").values())
    assert [value for value in classes if value] == ["wide", "x", "big"]


@pytest.mark.parametrize(
    ("word", "label"),
    [("TECO_mainMenu", "menu"), ("TECO_mainContent", "content"), ("TECO_other", "other")],
)
def test_teco_labels(word, label):
    assert teco_label(word) == label


# -- all of them ------------------------------------------------------------------------------


@pytest.mark.parametrize(("suffix", "text"), [(".blocks.html", BLOCKS), (".html", TECO)])
def test_some_pages_of_each_site_in_every_format(tmp_path, suffix, text):
    names = [f"{site}/{page}{suffix}" for site in ("one", "two") for page in "ab"]
    gold = read_gold(write(tmp_path, dict.fromkeys(names, text)), per_site=1)
    assert [page.group for page in gold.pages] == ["one", "two"]


def test_a_folder_without_labels(tmp_path):
    write(tmp_path, {"a.html": PAGE})
    with pytest.raises(NoGold, match=r"sites\.json"):
        read_gold(tmp_path)


def test_a_folder_whose_sites_have_no_pages(tmp_path):
    write(tmp_path, {"sites.json": json.dumps({"gone": {"menu_xpath": "//nav"}})})
    with pytest.raises(NoGold, match="at least one"):
        read_gold(tmp_path)


def test_a_folder_named_like_a_page_is_no_page(tmp_path):
    write(tmp_path, {"site/page.html": TECO, "site/saved.html/x.css": "x"})
    assert gold_format(tmp_path) == "teco"
    assert len(read_gold(tmp_path).pages) == 1
