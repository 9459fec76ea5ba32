"""`pagelet content`: every form on standard output, what rules did, what they did not."""

import json
import re

import pytest

import pagelet
from tests.cli.test_cli import INDEX, installed

SOURCE = """<html lang=en><title>Rain</title><body><nav><a href=/a>Home</a></nav>
<h1>Rain [1]</h1><p>It rains <a href=/b>a lot</a> here, and <i>everybody</i> is wet.</p>
<footer>Imprint</footer>"""
URL = "https://example.org/rain"
BY_HAND = ("--keep", "h1", "--keep", "p", "--drop", "nav, footer")


@pytest.fixture
def page(tmp_path):
    (tmp_path / "page.html").write_text(SOURCE)
    return str(tmp_path / "page.html")


@pytest.fixture
def rules(tmp_path):
    def write(text):
        (tmp_path / "rules.toml").write_text(text)
        return str(tmp_path / "rules.toml")

    return write


# -- forms ------------------------------------------------------------------------------------


def test_text_is_the_default(run, page):
    expected = "Rain [1]\nIt rains a lot here, and everybody is wet.\n"
    assert run("content", page, *BY_HAND) == (0, expected, "")


@pytest.mark.parametrize("form", ["text", "markdown", "html", "json"])
@pytest.mark.parametrize("profile", ["default", "paper"])
def test_the_answer_is_that_of_the_library(run, page, form, profile):
    arguments = ("--format", form, "--profile", profile, "--url", URL, "--keep", "p")
    code, out, err = run("content", page, *arguments)
    assert (code, err) == (0, "")
    source = SOURCE.encode()
    expected = pagelet.extract(source, URL, format=form, profile=profile, keep=["p"])
    assert json.loads(out) == json.loads(expected) if form == "json" else out == expected + "\n"


def test_links_and_images_and_front_matter(run, page):
    arguments = ("--format", "markdown", "--url", URL, *BY_HAND)
    assert "[a lot](https://example.org/b)" in run("content", page, *arguments)[1]
    out = run("content", page, *arguments, "--no-links", "--front-matter")[1]
    assert "example.org/b" not in out
    assert out.startswith(
        '---\ntitle: "Rain [1]"\nurl: "https://example.org/rain"\nlanguage: "en"\n'
    )
    assert run("content", page, *arguments, "--no-front-matter")[1].startswith("# Rain")


def test_nothing_found_is_told_on_standard_error(run):
    for form in ("text", "markdown", "html"):
        assert run("content", "-", "--format", form) == (
            0,
            "",
            "no content: the page has no text\n",
        )
    code, out, err = run("content", "-", "--format", "json")
    assert (code, json.loads(out)["pagelets"], err) == (0, [], "")


@pytest.mark.parametrize("option", ["--method", "--favor", "--target"])
def test_choices_are_listed_in_the_error(run, page, option):
    code, out, err = run("content", page, option, "best")
    assert (code, out) == (2, "")
    assert re.match(r"pagelet: option \w+ = 'best': must be \w+(, \w+)* or \w+", err)


# -- why --------------------------------------------------------------------------------------


def test_explain_lists_every_block_and_sums_up(run, page):
    code, out, err = run("content", page, "--explain", *BY_HAND)
    lines = [line for line in out.splitlines() if not line.startswith(" ")]
    assert (code, err) == (0, "")
    parts = [line.split("  ") for line in lines[:-1]]
    assert [(kind.split()[0], path, text) for kind, path, text in parts] == [
        ("dropped", "/html/body/nav", "Home"),
        ("content", "/html/body/h1", "Rain [1]"),
        ("content", "/html/body/p", "It rains a lot here, and everybody is wet."),
        ("dropped", "/html/body/footer", "Imprint"),
    ]
    assert all(re.fullmatch(r"\w+ [01]\.\d\d \w+", kind) for kind, _, _ in parts)
    assert re.fullmatch(
        r"\w+ 0\.\d\d, confidence [01]\.\d\d; 2 kept, 2 dropped; keep h1: 1 block;"
        r" keep p: 1 block; drop nav, footer: 2 blocks",
        lines[-1],
    )


def test_explain_tells_what_weighed_most(run, page):
    out = run("content", page, "-e", *BY_HAND)[1]
    reasons = [line for line in out.splitlines() if line.startswith("    ")]
    assert len(reasons) == 4 * 7, "the rule and six reasons a block"
    assert reasons[0] == "    +10.00  your selector: drop nav, footer"
    assert all(re.fullmatch(r"    [+-]\d+\.\d\d  [^_]+", line) for line in reasons[1:7])


def test_explain_by_density_has_no_page_type(run, page):
    out = run("content", page, "--explain", "--method", "cetd")[1]
    assert re.fullmatch(r"\d kept, \d dropped", out.splitlines()[-1])
    assert re.search(r"    [+-]\d+\.\d\d  text density \d+\.\d; the threshold of this page is", out)


def test_explain_of_an_empty_page(run):
    assert run("content", "-", "--explain") == (
        0, "0 kept, 0 dropped\n", "no content: the page has no text\n",
    )  # fmt: skip


def test_explain_in_json(run, page):
    form = json.loads(run("content", page, "-e", "-f", "json", *BY_HAND)[1])
    kinds = [item["kind"] for item in form["pagelets"]]
    assert kinds == ["dropped", "content", "content", "dropped"]
    assert form["pagelets"][0]["reason"]["rule"] == "drop nav, footer"
    assert form["overrides"] == {"keep h1": 1, "keep p": 1, "drop nav, footer": 2}
    assert len(form["pagelets"][1]["reason"]) > 1


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_explain_changes_text_alone(run, page, form):
    plain = run("content", page, "--format", form, *BY_HAND)
    explained = run("content", page, "--format", form, "--explain", *BY_HAND)
    assert (plain == explained) is (form != "text")


# -- rules ------------------------------------------------------------------------------------


def test_rules_of_a_file(run, page, rules):
    file = rules("[[rule]]\nhost = 'example.org'\npath = '/rain'\nkeep = 'h1'\ndrop = 'body'\n")
    expected = (0, "Rain [1]\n", "")
    assert run("content", page, "--url", URL, "--rules", file) == expected


def test_a_file_without_a_rule_for_the_page_is_told(run, page, rules):
    file = rules("[[rule]]\nhost = 'other.org'\nkeep = 'h1'\n")
    _, _, err = run("content", page, "--rules", file, "--url", URL, *BY_HAND)
    assert err == f"no rule of {file} matches {URL}\n"
    _, _, err = run("content", page, "--rules", file, *BY_HAND)
    assert err == f"no rule of {file} matches a page without a URL; --url sets one\n"


def test_a_selector_that_finds_nothing_is_told(run, page):
    code, out, err = run("content", page, *BY_HAND, "--keep", "table[x]", "--drop", "//video")
    assert (code, out) == (0, run("content", page, *BY_HAND)[1])
    assert err == "nothing matches: keep table[x]\nnothing matches: drop //video\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(
            ("--keep", "div["), "option keep = 'div[': not a valid XPath or CSS selector", id="keep"
        ),
        pytest.param(
            ("--drop", "//p["), "option drop = '//p[': not a valid XPath or CSS selector", id="drop"
        ),
        pytest.param(("--rules", "none.toml"), "option rules = 'none.toml': no such", id="file"),
        pytest.param(
            ("--model", "none.npz"), "option model = 'none.npz': no such file", id="model"
        ),
    ],
)
def test_mistakes_are_told_before_the_page_is_read(run, arguments, words):
    code, out, err = run("content", "missing.html", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"pagelet: {words}")
    assert err.count("\n") == 1


def test_a_rule_with_a_broken_selector_is_told(run, page, rules):
    file = rules("[[rule]]\nhost = 'other.org'\ndrop = ['nav', 'div[']\n")
    code, _, err = run("content", page, "--rules", file)
    assert code == 2
    assert err.startswith(
        f"pagelet: option rules = '{file}': drop div[ is not a valid XPath or CSS selector"
    )


def test_installed_explains_once():
    done = installed("content", "--help")
    assert done.stdout.count(b"-e, --explain") == 1
    assert installed("content", INDEX, "--keep", "h1").returncode == 0
