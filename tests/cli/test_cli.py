"""The command line: answers on standard output, words for people on standard error, exit codes."""

import json
import os
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
import typer

from pagelet import METHODS, parse
from pagelet.api import analyse
from pagelet.cli import app
from pagelet.cli.help import brief_help
from pagelet.core import describe_core
from pagelet.methods.registry import option_fields
from tests.places import SITE

INDEX = str(SITE / "index.html")
COMMAND = Path(sys.executable).parent / "pagelet"

PAGE = """<html><head><title>T</title></head><body>
<ul class=menu><li><a href="/a">Alpha [1]</a><li><a href="/b">:house: Beta</a>
<ul><li><a href="/b1">Gamma</a></ul></ul><p>Some words that are not a link at all, so that
the list is clutter and this is not.</p>tail</body></html>"""


@pytest.fixture
def page(tmp_path):
    (tmp_path / "page.html").write_text(PAGE)
    return str(tmp_path / "page.html")


def menu(*arguments):
    return ("menu", "--profile", "paper", *arguments)


def clutter(*arguments):
    return ("clutter", "--profile", "paper", *arguments)


# -- answers ----------------------------------------------------------------------------------


def test_menu_as_text(run, page):
    code, out, err = run(*menu(page))
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert re.fullmatch(r"menu 0\.\d\d  /html/body/ul", lines[0])
    assert [line.split("  ")[-2].strip() for line in lines[1:]] == [
        "Alpha [1]",
        ":house: Beta",
        "Gamma",
    ]
    assert [len(line) - len(line.lstrip()) for line in lines[1:]] == [2, 2, 4]


def test_clutter_as_text(run, page):
    code, out, err = run(*clutter(page))
    assert (code, err) == (0, "")
    assert out == "clutter 2  /html/body/ul  Alpha [1] :house: Beta Gamma\n"


@pytest.mark.parametrize("method", [menu, clutter])
def test_json_is_the_answer_of_the_library(run, page, method):
    code, out, err = run(*method(page, "--format", "json", "--url", "https://example.org/"))
    assert (code, err) == (0, "")
    read = parse(PAGE.encode(), url="https://example.org/")
    found = analyse(read, method()[0], profile="paper")
    assert json.loads(out) == json.loads(found.to_json())
    assert json.loads(out)["pagelets"][0]["links"][0]["href"] == "https://example.org/a"


@pytest.mark.parametrize("method", [menu, clutter])
def test_html_is_the_page_with_the_pagelets_alone(run, page, method):
    code, out, err = run(*method(page, "--format", "html"))
    assert (code, err) == (0, "")
    assert parse(out).texts == ("T", "Alpha [1]", ":house: Beta", "Gamma")


@pytest.mark.parametrize("method", [menu, clutter])
def test_explain_prints_the_reasons(run, page, method):
    _, plain, _ = run(*method(page))
    code, out, _ = run(*method(page, "--explain"))
    assert code == 0
    found = analyse(parse(PAGE), method()[0], profile="paper")
    assert found[0].why
    for each in found[0].why:
        assert f"    {each['effect']:+.2f}  {each['text']}\n" in out
    assert len(out) > len(plain)


@pytest.mark.parametrize(
    ("method", "words"), [(menu, "no menu\n"), (clutter, "no clutter\n")], ids=["menu", "clutter"]
)
def test_nothing_found_is_no_error(run, method, words):
    assert run(*method("-"), stdin=b"") == (0, "", words)
    code, out, _ = run(*method("-", "--format", "json"), stdin=b"")
    assert (code, json.loads(out)["pagelets"]) == (0, [])


def test_standard_input(run):
    code, out, _ = run(*menu("-", "--format", "json"), stdin=PAGE.encode())
    assert code == 0
    assert json.loads(out)["pagelets"][0]["path"] == "/html/body/ul"


# -- options ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param(menu("--amplitude-weight", "0"), id="menu weight"),
        pytest.param(menu("--position-weight", "1", "--ul-ratio-weight", "0"), id="menu position"),
        pytest.param(
            menu("--candidate-threshold", "1", "--candidate-fallback", "none"), id="menu fallback"
        ),
        pytest.param(clutter("--text-threshold", "0", "--min-score", "1"), id="clutter threshold"),
        pytest.param(clutter("--all"), id="clutter flag"),
        pytest.param(
            clutter("--decay", "0.3", "--decay-shape", "geometric", "--all"), id="clutter decay"
        ),
    ],
)
def test_options_change_the_answer(run, changes):
    name = changes[0]
    before = json.loads(run(name, "--profile", "paper", INDEX, "--format", "json")[1])
    code, out, _ = run(*changes, INDEX, "--format", "json")
    assert code == 0
    assert json.loads(out) != before


def test_a_flag_may_be_taken_back(run, page):
    assert run(*clutter(page, "--no-all")) == run(*clutter(page))


@pytest.mark.parametrize("name", METHODS)
def test_help_lists_every_option_with_its_default(run, name):
    code, out, _ = run(name, "--help-all")
    assert code == 0
    words = " ".join(out.split())
    for field in option_fields(METHODS[name].options):
        assert f"--{field.name.replace('_', '-')}" in out
        first = " ".join(field.help.split()[:3])
        assert f"{first[0].upper()}{first[1:]}" in words
    assert re.search(r"(\(|, )default: (0\.[0235]|balanced|authors|blocks)", words)
    assert "(default) (default" not in words


def test_help_fits_a_screen_and_ends_with_examples(run):
    _, out, _ = run("content", "--help")
    lines = out.splitlines()
    assert len(lines) <= 60
    assert max(map(len, lines)) <= 80
    headings = [line for line in lines if line and line[0] != " "][2:]
    assert headings == ["Common", "Output", "Method", "Loading", "Examples"]
    assert all(
        line.startswith("  pagelet content ") for line in lines[lines.index("Examples") + 1 :]
    )


def list_commands(group, path=()):
    """The paths and commands of a group and of the groups in it."""
    for name, each in group.commands.items():
        if hasattr(each, "commands"):
            yield from list_commands(each, (*path, name))
        else:
            yield (*path, name), each


def test_every_command_has_examples_that_name_it():
    without = [path for path, each in list_commands(typer.main.get_command(app))
               if f"pagelet {' '.join(path)}" not in (each.epilog or "")]  # fmt: skip
    assert without == []


def test_every_help_fits_80_columns_with_a_gap_behind_names():
    for path, command in list_commands(typer.main.get_command(app)):
        context = typer.Context(command, info_name="pagelet " + " ".join(path))
        lines = brief_help(command, context).splitlines()
        assert max(map(len, lines)) <= 80, path
        options = [line for line in lines if line.startswith("  -")]
        assert all(re.match(r"  (\S+, )?\S+( \S+)?( {2,}\S|$)", line) for line in options), options


def test_alone_it_shows_what_to_try_first(run):
    code, out, _ = run()
    assert code == 0
    assert "pagelet content page.html" in out
    assert max(map(len, out.splitlines())) <= 80


def test_help_of_the_command_lists_the_methods(run):
    code, out, _ = run("--help")
    assert code == 0
    assert all(name in out for name in METHODS)


def test_version(run):
    assert run("--version") == (0, f"pagelet {version('pagelet')} ({describe_core()})\n", "")


# -- errors -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(clutter("--decay-shape", "steep"), "must be linear or geometric", id="choice"),
        pytest.param(
            ("menu", "--profile", "mine"), "menu has the profiles default and paper", id="profile"
        ),
        pytest.param(
            ("inspect", "--profile", "mine"), "must be default, paper or 2016", id="every profile"
        ),
        pytest.param(
            ("links", "--role", "menu,nonsense"),
            "role = 'nonsense': must be menu, section, utility, footer, breadcrumb, pagination",
            id="role",
        ),
        pytest.param(
            menu("--heavy-rows", ""), "must be descendants or children", id="empty choice"
        ),
    ],
)
def test_a_wrong_option_is_one_clear_line(run, page, arguments, words):
    code, out, err = run(*arguments, page)
    assert (code, out) == (2, "")
    assert err.startswith("pagelet: option ")
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(clutter("--decay", "7"), "--decay", id="range"),
        pytest.param(clutter("--decay", "x"), "--decay", id="number"),
        pytest.param(clutter("--decay", "nan"), "decay", id="not a number"),
        pytest.param(clutter("--min-links", "1.5"), "--min-links", id="whole number"),
        pytest.param(clutter("--no-such"), "--no-such", id="unknown option"),
        pytest.param(clutter("--format", "yaml"), "--format", id="format"),
        pytest.param(clutter("--max-bytes", "0"), "--max-bytes", id="limit"),
    ],
)
def test_wrong_usage_names_the_option(run, page, arguments, words):
    code, out, err = run(*arguments, page)
    assert (code, out) == (2, "")
    assert words in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(menu("missing.html"), "no such file", id="missing file"),
        pytest.param(menu(str(SITE / "img")), "no pages in this folder", id="a folder"),
        pytest.param(menu(f"{SITE}/*.pdf"), "no file matches", id="a pattern"),
        pytest.param(menu("ftp://example.org/"), "only http and https", id="scheme"),
        pytest.param(menu("file:///etc/hostname"), "only http and https", id="file scheme"),
        pytest.param(menu("http://["), "check the address", id="no address"),
        pytest.param(menu(INDEX, "--max-bytes", "10"), "larger than 10 bytes", id="too large"),
        pytest.param(clutter(INDEX, "--site", "missing"), "neither a folder", id="site"),
    ],
)
def test_input_that_cannot_be_read(run, arguments, words):
    code, out, err = run(*arguments)
    assert (code, out) == (3, "")
    assert err.startswith("pagelet: ")
    assert words in err
    assert err.count("\n") == 1


def test_a_wrong_option_is_said_before_the_page_is_read(run):
    code, _, err = run(*clutter("missing.html", "--decay-shape", "steep"))
    assert code == 2
    assert "decay_shape" in err


# -- the installed command --------------------------------------------------------------------


def installed(*arguments, stdin=None):
    return subprocess.run(
        [COMMAND, *arguments], input=stdin, capture_output=True, timeout=300, check=False
    )


def test_installed_json_alone_on_standard_output():
    done = installed(*menu(INDEX, "--format", "json"))
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["method"] == "menu"


def test_installed_reads_a_pipe():
    done = installed(*clutter("-"), stdin=PAGE.encode())
    assert done.returncode == 0
    assert done.stdout.startswith(b"clutter 2  /html/body/ul")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param(menu("missing.html"), 3, id="input"),
        pytest.param(clutter(INDEX, "--decay-shape", "steep"), 2, id="option"),
    ],
)
def test_installed_exit_codes(arguments, code):
    done = installed(*arguments)
    assert (done.returncode, done.stdout) == (code, b"")
    assert done.stderr.count(b"\n") == 1


def test_installed_survives_a_reader_that_goes_away():
    shell = f"{COMMAND} clutter --all --format json {INDEX} | head -c 10"
    done = subprocess.run(["/bin/sh", "-c", shell], capture_output=True, timeout=300, check=False)
    assert done.stderr == b""


def test_a_report_tells_of_noise_where_a_query_is_known(run, tmp_path):
    page = Path(INDEX).parent / "search-results-tomato.html"
    kinds = {}
    for query in ((), ("--query", "tomato")):
        run("inspect", page, "--output", tmp_path / "report.html", *query)
        text = (tmp_path / "report.html").read_text("utf-8")
        kinds[bool(query)] = '"kind": "noise"' in text or '"kind":"noise"' in text
    assert kinds == {False: False, True: True}


def test_options_of_another_profile_or_method_are_ignored_with_a_warning(run):
    page = SITE / "index.html"
    _, _, err = run("menu", page, "--amplitude-weight", "0.5")
    assert err == ("warning: --amplitude-weight is ignored; it acts only in the paper profile\n")
    _, _, err = run("content", page, "--density", "plain")
    assert err == "warning: --density is ignored; it acts only with method cetd\n"
    assert run("menu", page, "--profile", "paper", "--amplitude-weight", "0.5")[2] == ""
    assert run("content", page, "--method", "cetd", "--density", "plain")[2] == ""


def test_effects_are_listed_one_per_line(run):
    _, out, _ = run("menu", SITE / "index.html", "--explain")
    assert "{" not in out
    assert re.search(r"(\n    [+-]\d+\.\d\d  \S[^_\n]+){3,}\n$", out)


def test_usage_names_arguments_without_braces(run):
    _, out, _ = run("menu", "--help")
    assert "menu [OPTIONS] PAGE" in out
    assert "See docs/methods/menu.md" in out
    _, out, _ = run("train", "menu", "--help")
    assert "menu [OPTIONS] DIR" in out


def test_inspect_prints_a_summary(run, tmp_path):
    story, report = SITE / "news" / "wall-repair.html", tmp_path / "report.html"
    code, out, err = run("inspect", story, "-o", report)
    assert (code, err) == (0, "")
    lines = dict(line.split(maxsplit=1) for line in out.splitlines())
    assert lines["title"] == "The west wall is up again"
    assert lines["type"] == "article"
    assert re.fullmatch(r"\d+ parts, \d+ words, \d+ links?", lines["content"])
    assert re.fullmatch(r"1 part, \d+ words, 17 links", lines["menu"])
    assert re.fullmatch(r"\d+ parts, \d+ words, \d+ links", lines["clutter"])
    assert lines["segments"] == "not looked for; it takes --render"
    assert lines["template"] == "not looked for; it takes --site DIR or --template FILE"
    assert lines["noise"] == "not looked for; it takes --query WORDS"
    assert lines["report"] == str(report)


def test_inspect_opens_the_report(tmp_path):
    """A browser is a program that is given an address; $BROWSER names it."""
    browser, opened, report = (tmp_path / name for name in ("browser", "opened", "a report.html"))
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    browser.chmod(0o755)
    command = [COMMAND, "inspect", INDEX, "-o", report, "--open"]
    done = subprocess.run(
        command, env={**os.environ, "BROWSER": str(browser)}, capture_output=True, check=True
    )
    assert done.stderr == b""
    assert opened.read_text().strip() == report.as_uri()
    absent = {**os.environ, "BROWSER": "/nowhere/browser", "PATH": "", "DISPLAY": ""}
    done = subprocess.run(command, env=absent, capture_output=True, check=True)
    assert b"no browser was found; open " in done.stderr


def test_a_report_on_standard_output_cannot_be_opened(run):
    code, out, err = run("inspect", INDEX, "-o", "-", "--open")
    assert (code, out) == (2, "")
    assert "no file" in err


def test_a_report_in_the_profile_paper_has_methods_without_one_too(run, tmp_path):
    report = tmp_path / "report.html"
    assert run("inspect", INDEX, "--output", report, "--profile", "paper")[0] == 0
    text = report.read_text("utf-8").replace('": "', '":"')
    assert '"method":"links","profile":"default"' in text.replace(", ", ",")
    assert '"method":"menu","profile":"paper"' in text.replace(", ", ",")
