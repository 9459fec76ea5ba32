"""Where the drawing's pictures and styles come from."""

import pytest

from pagelet.page.html import parse
from pagelet.report import report
from tests.report.hand_made import drawing_of


def test_a_site_is_named():
    source = "<base href=/a/><link rel=stylesheet href=s.css><img src=b.png><p style='x:url(c)'>"
    page = parse(source, url="https://example.org/x/y.html")
    text = report(page, [])
    drawing = drawing_of(text)
    assert [base.attr("href") for base in drawing.select("base")] == ["https://example.org/a/"]
    assert drawing.select('link[rel="stylesheet"][href^="https://example.org/"]')
    assert drawing.select('img[src^="https://example.org/"]')
    assert "loads pictures and styles from example.org" in text


def test_sheets_that_scripts_would_switch_on():
    source = (
        "<link rel=preload as=style href=/a.css onload=x>"
        "<link rel=stylesheet media=print href=/b.css onload=\"this.media='all'\">"
        "<link rel=stylesheet media=print href=/c.css>"
        "<link rel='alternate stylesheet' href=/d.css>"
    )
    drawing = drawing_of(report(parse(source, url="http://e.org"), []))
    links = [(link.attr("href"), link.attr("media")) for link in drawing.select("link")]
    expected = [("a", ""), ("b", ""), ("c", "print")]
    assert links == [(f"http://e.org/{name}.css", media) for name, media in expected]


def test_files_of_a_folder(tmp_path):
    (tmp_path / "site/css").mkdir(parents=True)
    (tmp_path / "site/dot.gif").write_bytes(b"GIF89a")
    (tmp_path / "site/css/inner.css").write_text("b { background: url(../dot.gif) } </style>")
    (tmp_path / "site/css/main.css").write_text("@import 'inner.css' screen; i { top: 0 }")
    source = "<link rel=stylesheet href='../css/main.css?v=1'><img src='../dot.gif#x'>"
    (tmp_path / "site/news").mkdir()
    drawing = drawing_of(report(parse(source), [], folder=tmp_path / "site/news"))
    gif = "data:image/gif;base64,R0lGODlh"
    (style,) = drawing.select("style")
    expected = f'@media screen {{b {{ background: url("{gif}") }} \\3c /style>}}\ni {{ top: 0 }}'
    assert style.text == expected
    assert [img.attr("src") for img in drawing.select("img")] == [gif]


@pytest.mark.parametrize(
    "reference",
    [
        pytest.param("{top}/secret.png", id="absolute"),
        pytest.param("file://{top}/secret.png", id="file URL"),
        pytest.param("../../../../../secret.png", id="too far above"),
        pytest.param("..%2F..%2F..%2F..%2F..%2Fsecret.png", id="too far above, encoded"),
        pytest.param("link.png", id="link to too far above"),
        pytest.param("notes.txt", id="neither picture nor font"),
        pytest.param("large.png", id="too large"),
        pytest.param("missing.png", id="missing"),
        pytest.param("x" * 5000 + ".png", id="no name for a file"),
        pytest.param("a\0b.png", id="null byte"),
        pytest.param("https://example.org/a.png", id="on the web"),
        pytest.param("//example.org/a.png", id="on the web, without scheme"),
    ],
)
def test_files_that_stay_out(tmp_path, reference):
    folder = tmp_path / "1/2/3/4/5"
    folder.mkdir(parents=True)
    (tmp_path / "secret.png").write_bytes(b"secret")
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    (folder / "notes.txt").write_bytes(b"secret")
    (folder / "large.png").write_bytes(b"x" * 2_000_001)
    source = reference.format(top=tmp_path)
    page = parse(f'<img src="{source}"><p style="background: url(\'{source}\')">')
    drawing = drawing_of(report(page, [], folder=folder))
    assert [img.attr("src") for img in drawing.select("img")] == [None]
    assert [p.attr("style") for p in drawing.select("p")] == ['background: url("data:,")']


def test_all_files_together_have_a_limit(tmp_path):
    (tmp_path / "a.png").write_bytes(b"x" * 1_900_000)
    drawing = drawing_of(report(parse("<img src=a.png>" * 12), [], folder=tmp_path))
    assert sum("src" in img.attrs for img in drawing.select("img")) == 10
