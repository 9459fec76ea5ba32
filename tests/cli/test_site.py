"""Pages of the site on the command line: from a folder, a WARC, the web, or as learned."""

import json

import pytest

from tests.methods.sites import NAMES, html_of
from tests.sources.test_warc import answer, record, written
from tests.sources.unruly import unruly

HOST = "https://small.example"


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def folder(tmp_path):
    for name in NAMES:
        path = tmp_path / "site" / f"{name}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(html_of(name))
    return tmp_path / "site"


@pytest.fixture
def archive(tmp_path):
    pages = (record(f"{HOST}/{name}.html", answer(html_of(name).encode())) for name in NAMES)
    return written(tmp_path, *pages)


@pytest.fixture
def web():
    with unruly() as server:
        for name in NAMES:
            server.serve(f"/{name}.html", html_of(name))
        server.serve("/lonely.html", "<p>No links here")
        yield server


def manners(web):
    return ("--allow-private", web.place, "--delay", "0")


def test_a_page_on_the_web_is_compared_with_its_own_site(run, web):
    code, out, err = run("template", f"{web.url}/news/one.html", *manners(web))
    assert code == 0
    assert out.startswith("About news/one\nword")
    assert "rights" not in out
    assert "3 pages compared, 3 loaded" in err
    assert "/robots.txt" in web.paths


def test_robots_are_obeyed_and_told(run, web):
    web.serve("/robots.txt", "User-agent: *\nDisallow: /", {"Content-Type": "text/plain"})
    code, out, err = run("template", f"{web.url}/news/one.html", *manners(web), "-f", "json")
    assert (code, json.loads(out)["pagelets"]) == (0, [])
    assert "nothing to compare with; give --site" in err
    assert "pages that could not be read: Disallowed" in err
    assert [path for path in web.paths if path.endswith(".html")] == ["/news/one.html"]


def test_a_page_without_links_is_told(run, web):
    _, _, err = run("template", f"{web.url}/lonely.html", *manners(web))
    assert "nothing to compare with; give --site" in err


def test_with_a_template_nothing_is_loaded(run, web, folder, tmp_path):
    run("learn", folder, "-o", tmp_path / "t.json")
    rest = ("--template", tmp_path / "t.json", *manners(web))
    _, out, _ = run("template", f"{web.url}/news/one.html", *rest)
    assert out.startswith("About news/one")
    assert web.paths == ["/news/one.html"]


def test_a_file_against_a_site_on_the_web(run, web, folder):
    site = ("--site", f"{web.url}/news/one.html", *manners(web))
    _, out, err = run("template", folder / "news/one.html", *site)
    assert out.startswith("About news/one")
    assert "3 pages compared" in err


def test_a_page_of_an_archive_is_read_from_it(run, archive):
    code, out, err = run("template", f"{HOST}/news/one.html", "--site", archive)
    assert (code, out.startswith("About news/one")) == (0, True)
    assert "3 pages compared, 3 loaded" in err


def test_a_file_against_an_archive(run, archive, folder):
    rest = ("--site", archive, "--url", f"{HOST}/news/one.html")
    assert run("template", folder / "news/one.html", *rest)[1].startswith("About news/one")


@pytest.mark.parametrize("where", ["folder", "archive", "web"])
def test_a_site_is_learned_from_wherever_it_is(run, where, request, tmp_path):
    site = request.getfixturevalue(where)
    start = f"{site.url}/index.html" if where == "web" else site
    rest = manners(site) if where == "web" else ()
    code, out, _ = run("learn", start, "-o", tmp_path / "t.json", *rest)
    assert (code, "7 pages learned" in out) == (0, True)
    few = ("--pages", "3", "-o", tmp_path / "few.json", *rest)
    assert "3 pages learned" in run("learn", start, *few)[1]


def test_learned_from_anywhere_is_the_same(run, folder, archive, tmp_path):
    run("learn", folder, "-o", tmp_path / "a.json")
    run("learn", archive, "-o", tmp_path / "b.json")
    assert (tmp_path / "a.json").read_text() == (tmp_path / "b.json").read_text()


def test_a_site_that_does_not_answer_teaches_nothing(run, web, tmp_path):
    code, _, err = run("learn", f"{web.url}/gone", "-o", tmp_path / "t.json", *manners(web))
    assert code == 2
    assert "no pages here to learn from (ErrorStatus 1)" in err


# -- other methods ----------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["content", "menu", "clutter"])
@pytest.mark.parametrize("where", ["folder", "archive"])
def test_what_is_known_of_the_site_helps_other_methods(run, command, where, request, folder):
    site = request.getfixturevalue(where)
    rest = ("--url", f"{HOST}/news/one.html") if where == "archive" else ()
    code, out, err = run(command, folder / "news/one.html", "--site", site, *rest)
    assert (code, err) == (0, "")
    assert out


@pytest.mark.parametrize("command", ["content", "menu", "clutter"])
def test_a_learned_template_helps_other_methods(run, command, folder, tmp_path):
    run("learn", folder, "-o", tmp_path / "t.json")
    page = folder / "news/one.html"
    code, out, err = run(command, page, "--template", tmp_path / "t.json", "-f", "json")
    assert (code, err, json.loads(out)["url"]) == (0, "", None)
    if command == "menu":
        alone = json.loads(run(command, page, "-f", "json")[1])["pagelets"]
        found = json.loads(out)["pagelets"]
        assert found[0]["score"] == pytest.approx(min(alone[0]["score"] + 0.05, 1))


def test_content_of_a_site_on_the_web(run, web):
    web.serve("/robots.txt", "", status=404)
    rest = ("--site", web.url, "--allow-private", web.place)
    code, out, _ = run("content", f"{web.url}/lonely.html", *rest)
    assert (code, out) == (0, "No links here\n")


@pytest.mark.parametrize("command", ["content", "menu", "clutter", "inspect"])
def test_a_page_that_does_not_fit_is_told(run, command, folder, tmp_path):
    run("learn", folder, "-o", tmp_path / "t.json")
    (tmp_path / "new.html").write_text("<p>Something <b>else</b>")
    rest = ("-o", tmp_path / "report.html") if command == "inspect" else ()
    code, _, err = run(command, tmp_path / "new.html", "--template", tmp_path / "t.json", *rest)
    assert (code, "does not fit" in err) == (0, True)


@pytest.mark.parametrize("known", ["--site", "--template"])
def test_inspect_shows_the_slots(run, folder, tmp_path, known):
    run("learn", folder, "-o", tmp_path / "t.json")
    said = {"--site": folder, "--template": tmp_path / "t.json"}[known]
    _, out, _ = run("inspect", folder / "news/one.html", known, said, "-o", "-")
    assert '"kind":"slot"' in out
    assert '"kind":"slot"' not in run("inspect", folder / "news/one.html", "-o", "-")[1]


def test_a_template_that_is_none_is_told_before_a_page_is_read(run, tmp_path):
    (tmp_path / "t.json").write_text("{}")
    code, _, err = run("menu", tmp_path / "no.html", "--template", tmp_path / "t.json")
    assert (code, "learn it again" in err) == (2, True)


def test_pages_are_kept_where_a_user_says_or_nowhere(run, web, tmp_path):
    for place in ("/robots.txt", *(f"/{name}.html" for name in NAMES)):
        body = web_page(place)
        web.serve(place, body, {"Cache-Control": "max-age=600"})
    asked = ("template", f"{web.url}/news/one.html", *manners(web))
    counts = []
    for how in (("--cache", tmp_path / "kept"), ("--cache", tmp_path / "kept"), ("--no-cache",)):
        before = len(web.paths)
        assert run(*asked, *how)[0] == 0
        counts.append(len(web.paths) - before)
    assert counts[1] < counts[0] == counts[2]
    assert (tmp_path / "kept").is_dir()
    assert not (tmp_path / "cache").exists()


def web_page(place):
    name = place.removeprefix("/").removesuffix(".html")
    return "" if name == "robots.txt" else html_of(name)
