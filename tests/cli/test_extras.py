"""Commands without the packages of an extra: one line that names the extra, and exit code 5."""

import re
import sys
import tomllib

import brotli
import pytest
import zstandard

from pagelet.metadata import detection
from tests.places import ROOT, SITE

PAGE = SITE / "rules.html"
CASES = [
    ("pyarrow", "arrow", ("records", SITE / "shop/index.html", "-f", "parquet")),
    ("pyarrow", "arrow", ("records", SITE / "shop", "-o", "records.parquet")),
    ("pyarrow", "bulk", ("bulk", PAGE, "-o", "out", "-j", 0)),
    ("pyarrow", "bulk", ("bulk", PAGE, "-o", "out", "-j", 0, "-f", "jsonl")),
    ("pyarrow", "bulk", ("estimate", PAGE, "--pages", 1000)),
    ("zstandard", "bulk", ("bulk", PAGE, "-o", "out", "-j", 0, "-f", "jsonl.zst")),
    ("fsspec", "bulk", ("bulk", "s3://bucket/x.warc", "-o", "out", "-j", 0)),
    ("fastwarc", "bulk", ("menu", PAGE, "--site", "crawl.warc")),
    ("fastwarc", "bulk", ("learn", "crawl.warc", "-o", "site.json")),
    ("ray", "ray", ("bulk", PAGE, "-o", "out", "--engine", "ray")),
    ("zstandard", "compressed", ("content", "page.html.zst")),
    ("brotli", "compressed", ("content", "page.html.br")),
    ("playwright", "browser", ("segments", PAGE)),
    ("playwright", "browser", ("inspect", PAGE, "-o", "report.html", "--render")),
    ("PIL", "browser", ("segments", PAGE, "--picture", "picture.png")),
    ("pypdfium2", "pdf", ("segments", "page.pdf")),
    ("py3langid", "language", ("metadata", PAGE, "--detect-language")),
    ("fastapi", "server", ("serve", "--port", 0)),
    ("uvicorn", "server", ("serve", "--port", 0)),
    ("mcp", "mcp", ("mcp",)),
    ("lightgbm", "train", ("train", "content", SITE.parent, "-o", "model.npz")),
    ("lightgbm", "train", ("evaluate", "menu", SITE.parent, "--fit")),
]


@pytest.mark.parametrize(
    ("package", "extra", "arguments"),
    CASES,
    ids=[f"{package}: {rest[0]} {number}" for number, (package, _, rest) in enumerate(CASES)],
)
def test_a_missing_package_is_one_line_with_the_command(
    run, tmp_path, monkeypatch, package, extra, arguments
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.html.zst").write_bytes(zstandard.compress(b"<p>words"))
    (tmp_path / "page.html.br").write_bytes(brotli.compress(b"<p>words"))
    (tmp_path / "page.pdf").write_bytes(b"%PDF-1.4\n")
    (tmp_path / "crawl.warc").write_bytes(b"WARC/1.0\r\n\r\n")
    detection._identifier.cache_clear()  # another test may have loaded the model of languages
    for name in [package, *(name for name in sys.modules if name.startswith(f"{package}."))]:
        monkeypatch.setitem(sys.modules, name, None)
    code, out, err = run(*arguments)
    assert (code, out) == (5, "")
    last = err.splitlines()[-1]
    advice = f" needs optional packages; run pip install 'pagelet[{extra}]'"
    assert re.fullmatch(r"pagelet: .+", last.removesuffix(advice))
    assert last.endswith(advice)


def test_every_message_names_an_extra_and_reads_as_a_sentence():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    raised = [
        match.groups()
        for path in (ROOT / "src").rglob("*.py")
        for match in re.finditer(
            r'MissingExtra\(\s*([\w"]+), f?"([^"]+)"\)', path.read_text(encoding="utf-8")
        )
    ]
    assert len(raised) > 15
    for extra, feature in raised:
        assert extra.strip('"') in {*extras, "extra"}
        assert re.match(r"\w+ing\b|an? |the \w+ engine$|Arrow conversion$|\{doing\} ", feature), (
            feature
        )
