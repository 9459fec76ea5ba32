"""The page without its clutter, in every format."""

import pytest

from pagelet import METHODS, ClutterOptions, analyse, parse
from pagelet.methods.clutter.options import PaperClutterOptions

LINKS = "".join(f"<li><a href='/{name}'>{name}</a>" for name in ("home", "news", "shop", "about"))
PROSE = "Prose that nobody links to, long enough to be read. " * 8
PAGE = (
    f"<nav><ul>{LINKS}</ul></nav><main><h1>Title</h1><p>{PROSE}<a href='/x'>source</a></p></main>"
)
CLUTTER = METHODS["clutter"]


def written(format, *, profile="default", **changes):
    options = CLUTTER.with_options(profile, changes)
    result = analyse(parse(PAGE, url="https://a.example/"), "clutter", profile=profile, **changes)
    return CLUTTER.write(result, options, format)


@pytest.mark.parametrize("profile", ["default", "paper"])
@pytest.mark.parametrize("format", ["text", "markdown", "html"])
def test_the_rest_has_the_prose_and_not_the_menu(format, profile):
    text = written(format, profile=profile, rest=True)
    assert PROSE.strip() in text
    assert "Title" in text
    assert "about" not in text


def test_markdown_keeps_headings_and_links():
    text = written("markdown", rest=True)
    assert text.startswith("# Title\n")
    assert "[source](<https://a.example/x>)" in text or "[source](https://a.example/x)" in text


def test_without_rest_the_clutter_itself_is_written():
    for text in (written("markdown"), written("html")):
        assert "about" in text
        assert "Prose" not in text


def test_json_has_the_rest_as_text():
    result = analyse(parse(PAGE), "clutter", rest=True)
    assert result.to_dict()["rest"].startswith("Title\n")
    assert "rest" not in analyse(parse(PAGE), "clutter").to_dict()


def test_all_does_not_change_the_rest():
    assert written("text", rest=True, all=True) == written("text", rest=True)


def test_lists_name_role_and_probability():
    assert written("text").split()[:4:2] == ["clutter", "menu"]
    assert written("text", explain=True).count("\n") > 1
    assert written("text", profile="paper").startswith("clutter 2  /html/body/nav  ")


def test_points_are_no_probabilities():
    result = analyse(parse(PAGE), "clutter", min_score=2.0)
    (line,) = CLUTTER.notes(result, ClutterOptions(min_score=2.0), "text")
    assert "--profile paper" in line
    assert not CLUTTER.notes(result, PaperClutterOptions(), "text")
