"""A labelled site on loopback: the same pages as in the folder, loaded over HTTP."""

from urllib.parse import urljoin

from pagelet.lab.template.evaluation import evaluate_template, serve_site
from pagelet.lab.template.scores import read_template_sites
from tests.lab.template.test_scores import write_sites


def labelled(tmp_path):
    (tmp_path / "one/html").mkdir(parents=True)
    (tmp_path / "one/html/page.php?id=1.html").write_text("<p>odd name")
    (tmp_path / "one/html/two words.html").write_text("<p>two words")
    return next(iter(read_template_sites(write_sites(tmp_path))))


def test_every_page_is_served_under_its_own_address(tmp_path):
    gold = labelled(tmp_path)
    with serve_site(gold) as there:
        pairs = zip(there.site.addresses(), gold.site.addresses(), strict=True)
        for url, own in pairs:
            assert url.startswith("http://127.0.0.1:")
            assert there.site.load(url).texts == gold.site.load(own).texts
        odd = urljoin(there.pages[0].url, "/page.php?id=1")
        assert there.site.load(odd).texts == ("odd name",)
        assert there.site.load(urljoin(odd, "/no.html")) is None
        assert [page.texts for page in there.pages] == [page.texts for page in gold.pages]


def test_no_other_address_is_asked(tmp_path):
    with serve_site(labelled(tmp_path)) as there, serve_site(labelled(tmp_path / "more")) as other:
        assert there.site.load(other.pages[0].url) is None
        assert other.site.load(other.pages[0].url) is not None


def test_the_answers_are_those_from_disk(tmp_path):
    write_sites(tmp_path)
    tables = [evaluate_template(tmp_path, from_disk=disk) for disk in (True, False)]
    ms = tables[0].columns.index("ms")
    rows = [[row[:ms] + row[ms + 1 :] for row in table.rows] for table in tables]
    assert rows[0] == rows[1]


def test_pages_with_classes_of_the_authors(tmp_path):
    """The columns of the paper's Table 1; labels are never serve_site."""
    for name in "abcd":
        links = "".join(f"<a href={other}.html>{other}</a> " for other in "abcd")
        menu = f"<div class=TECO_template>{links}</div>"
        own = f"<div class='TECO_notTemplate y'><p>{name * 9}</p><p>{name * 5} more</p></div>"
        (tmp_path / "first").mkdir(exist_ok=True)
        (tmp_path / "first" / f"{name}.html").write_text(f"<body>{menu}{own}<b>end</b>")
    (gold,) = read_template_sites(tmp_path)
    with serve_site(gold) as there:
        page = there.site.load(there.pages[1].url)
        assert "TECO" not in page.source
    figures = evaluate_template(tmp_path, grid=True)
    wanted = ("nodes", "gold", "retrieved", "recall", "precision", "F1", "loads", "ms")
    assert figures.columns[1:9] == wanted
    assert figures.value("paper, first", "gold") == figures.value("paper, first", "nodes") - 5
    assert figures.value("paper, n = 3, v = 2", "F1") == figures.value("paper", "F1")
    assert figures.value("paper, n = 1, v = 1", "loads") == 1
    most = figures.value("paper, n = 8, v = 8", "F1")  # three pages are all there are
    assert most == figures.value("paper, n = 3, v = 3", "F1") > 0
