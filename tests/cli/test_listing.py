"""Listings with reasons: wrapped by words, what is kept and what is dropped in colours."""

import pytest

from pagelet.cli.listing import wrap_line, wrap_listing
from tests.cli.test_terminal import on_terminal

PAGE = """<nav><a href=/a>One</a> <a href=/b>Two</a></nav><article><h1>A heading of some words</h1>
<p>Words of a page that are long enough to be kept, and some more of them, so that this is the
content of the page.</p><p>It goes on, and this is said in another sentence, which ends here.</p>
</article><aside><p>Subscribe to our newsletter.</p></aside>"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    file = tmp_path_factory.mktemp("listing") / "page.html"
    file.write_text(PAGE)
    return file


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        ("short", ["short"]),
        ("", [""]),
        ("kind 0.50  /html/body  some words", ["kind 0.50  /html/body", "        some words"]),
        ("    +0.50  words that are many", ["    +0.50  words that are", "           many"]),
        (
            "  Home  address/of/a/page/that/is/long",
            ["  Home", "          address/of/a/page/that/is/long"],
        ),
        ("日本語の文 日本語の文 日本語の文", ["日本語の文 日本語の文", "        日本語の文"]),
    ],
)
def test_lines_are_wrapped_by_words(line, lines):
    assert list(wrap_line(line, 25)) == lines


def test_nothing_is_lost():
    text = "content 0.91 body  /html/body/p  one two three\n\n    -0.12  four five six seven"
    for width in (1, 20, 30, 80):
        assert wrap_listing(text, width).split() == text.split()


@pytest.mark.parametrize("command", ["content", "links", "menu", "clutter", "noise", "metadata"])
def test_reasons_fit_the_line(run, page, monkeypatch, command):
    """Without a terminal, lines have 80 columns; paths alone may be wider."""
    code, out, _ = run(command, page, "--explain")
    assert code == 0
    whole = out.split()
    monkeypatch.delenv("COLUMNS")
    _, out, _ = run(command, page, "--explain")
    assert max(map(len, out.splitlines())) <= 80
    assert out.split() == whole


def test_several_pages_are_wrapped_too(run, page, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    code, out, _ = run("content", page, page.parent, "--explain")
    assert (code, out.startswith(f"==> {page} <==\n")) == (0, True)
    assert max(map(len, out.splitlines()[1:])) <= 40


def test_kept_and_dropped_have_colours_on_a_terminal(page, monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    shown = on_terminal(["content", str(page), "--explain"])
    assert "\x1b[1;32mcontent\x1b[0m" in shown
    assert "\x1b[1;31mdropped\x1b[0m" in shown
    monkeypatch.setenv("NO_COLOR", "1")
    plain = on_terminal(["content", str(page), "--explain"])
    assert "\x1b[1mdropped\x1b[0m" in plain
    assert "[1;3" not in plain
