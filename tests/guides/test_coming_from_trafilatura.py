"""Coming from trafilatura: the tables name every option, and both tools do the last job."""

import json
import os
import re
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from inspect import signature
from pathlib import Path

import pytest
import trafilatura
import typer
from trafilatura.cli import add_args
from trafilatura.settings import DEFAULT_CONFIG

import pagelet
from pagelet.cli import app
from pagelet.methods import METHODS
from pagelet.methods.registry import option_fields
from tests.guides.serving import FileServer, environment, serve_files
from tests.guides.tables import GUIDES, code, names, rows, section
from tests.places import SITE

GUIDE = GUIDES / "coming-from-trafilatura.md"
FUNCTIONS = "## Functions"
OPTIONS = "## Options of `extract` and `bare_extraction`"
COMMANDS = "## Command line"
SETTINGS = "## Settings file"
LAST_JOB = "### 12. The news of a site"


# -- tables -----------------------------------------------------------------------------------


def test_every_function_has_a_row():
    assert names(GUIDE, FUNCTIONS) == set(trafilatura.__all__)


def test_every_option_has_a_row():
    functions = trafilatura.extract, trafilatura.bare_extraction, trafilatura.extract_with_metadata
    expected = {name for function in functions for name in signature(function).parameters}
    assert names(GUIDE, OPTIONS) == expected


def test_every_flag_has_a_row():
    actions = add_args(ArgumentParser())._actions
    expected = {flag for action in actions for flag in action.option_strings}
    assert names(GUIDE, COMMANDS) == expected


def test_every_setting_has_a_row():
    expected = {name.upper() for name in DEFAULT_CONFIG["DEFAULT"]}
    assert names(GUIDE, SETTINGS) == expected


def flags(command: str) -> set[str]:
    """The flags of a command of pagelet."""
    parts = typer.main.get_command(app)
    for word in command.split():
        parts = parts.commands[word]
    return {flag for part in parts.params for flag in (*part.opts, *part.secondary_opts)}


def test_our_flags_exist():
    common = {"--help"} | flags("") | flags("content")  # the library adds --help when it parses
    for heading in (COMMANDS, SETTINGS):
        for _, ours in rows(GUIDE, heading):
            for each in re.findall(r"`([^`]+)`", ours):
                command = re.match(r"pagelet (\w+)", each)
                known = flags(command[1]) if command else common
                assert set(re.findall(r"(?<!\S)--?[a-z][a-z-]*", each)) <= known, each


def test_our_keywords_exist():
    known = {field.name for field in option_fields(METHODS["content"].options)}
    known |= set(signature(pagelet.extract).parameters) | set(signature(pagelet.parse).parameters)
    for heading in (FUNCTIONS, OPTIONS):
        for _, ours in rows(GUIDE, heading):
            assert set(re.findall(r"(\w+)=", ours)) <= known, ours
            for name in re.findall(r"pagelet\.(\w+)", ours):
                assert hasattr(pagelet, name), ours


# -- jobs -------------------------------------------------------------------------------------


def test_there_are_twelve_jobs():
    text = section(GUIDE, "## Twelve jobs")
    numbers = re.findall(r"^### (\d+)\. ", text, flags=re.MULTILINE)
    assert numbers == [str(at) for at in range(1, 13)]
    for job in re.split(r"^### ", text, flags=re.MULTILINE)[1:]:
        assert "trafilatura" in job.split("```python")[1]
        assert "pagelet" in job.split("```python")[1]
        assert "```console" in job or "```sh" in job


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[FileServer]:
    """The sample site with a sitemap, which robots.txt names."""
    folder = tmp_path_factory.mktemp("site")
    for each in SITE.iterdir():
        (folder / each.name).symlink_to(each)
    with serve_files(folder) as server:
        urls = [f"{server.url}/{path.relative_to(SITE)}" for path in sorted(SITE.rglob("*.html"))]
        listed = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
        space = "http://www.sitemaps.org/schemas/sitemap/0.9"
        sitemap = f'<?xml version="1.0"?><urlset xmlns="{space}">{listed}</urlset>'
        (folder / "sitemap.xml").write_text(sitemap, encoding="utf-8")
        robots = f"Sitemap: {server.url}/sitemap.xml\n"
        (folder / "robots.txt").write_text(robots, encoding="utf-8")
        yield server


def run_lines(lines: str, folder: Path, local: str) -> None:
    """Run lines of a shell in a folder, each with what a server on this machine needs."""
    env = environment(folder)
    env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{env['PATH']}"
    for line in lines.strip().splitlines():
        needed = "" if line.startswith("grep") else local
        done = subprocess.run(
            line.replace(" > ", f" {needed} > "), shell=True, cwd=folder, env=env, timeout=300,
            check=False, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, (line, done.stderr)


def settings() -> str:
    """The settings of trafilatura for a server on this machine."""
    text = Path(trafilatura.__file__).with_name("settings.cfg").read_text(encoding="utf-8")
    for name, value in (("SLEEP_TIME", "0"), ("SSRF_PROTECTION", "off")):
        text = re.sub(rf"^{name} = .*$", f"{name} = {value}", text, flags=re.MULTILINE)
    return text


@pytest.mark.parametrize("tool", ["trafilatura", "pagelet"])
def test_the_news_in_a_shell(tool, server, tmp_path):
    (tmp_path / "settings.cfg").write_text(settings(), encoding="utf-8")
    local = {
        "trafilatura": "--config-file settings.cfg",
        "pagelet": f"--allow-private {server.place} --delay 0",
    }
    scripts = code(GUIDE, "sh", LAST_JOB).replace("https://example.org", server.url).split("\n\n")
    (script,) = [lines for lines in scripts if lines.startswith(tool)]
    run_lines(script, tmp_path, local[tool])
    listed = (tmp_path / "news.txt").read_text(encoding="utf-8").split()
    pages = sorted((SITE / "news").glob("*.html"))
    assert sorted(listed) == [f"{server.url}/news/{path.name}" for path in pages]
    lines = (tmp_path / "news.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [json.loads(line)["text"] for line in lines]
    assert len(texts) == len(pages)
    assert sum("Eleven tonnes by hand" in text for text in texts) == 1


RUN = """
import json, sys
import pagelet, trafilatura
from trafilatura.settings import DEFAULT_CONFIG
from pagelet.sources.http.loader import Politeness

DEFAULT_CONFIG["DEFAULT"].update({{"SSRF_PROTECTION": "off", "SLEEP_TIME": "0"}})
{job}
with Loader(politeness=Politeness(delay=0, allow_private=({place!r},))) as loader:
    print(json.dumps([news_by_trafilatura({url!r}), news_by_pagelet({url!r}, loader)]))
"""


def test_both_tools_read_the_news_in_python(server, tmp_path):
    script = RUN.format(
        job=code(GUIDE, "python", LAST_JOB), place=server.place, url=f"{server.url}/"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment(tmp_path), timeout=300, check=True,
        capture_output=True, text=True,
    )  # fmt: skip
    for texts in json.loads(done.stdout):
        assert len(texts) == len(list((SITE / "news").glob("*.html")))
        assert sum("Eleven tonnes by hand" in text for text in texts) == 1
