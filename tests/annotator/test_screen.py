"""The annotator in Chromium: mark, undo, spread to five pages, export, evaluate the export."""

import json
import shutil
import zipfile

import pytest
from playwright.sync_api import expect
from typer.testing import CliRunner

from pagelet.cli import app
from tests.annotator.annotating import LIKE, SITE, STORY
from tests.annotator.desk import downloaded
from tests.barriers import barriers, check_schemes

OWN = "the page's own part"  #: words for slot

pytestmark = pytest.mark.slow


def test_files_are_added_over_broken_connections_and_problems_stay(desk, tmp_path):
    tab, broken = desk.tab, []

    def break_once(route):
        if route.request.url in broken:
            return route.continue_()
        broken.append(route.request.url)
        return route.abort("connectionreset")

    for name in ("one.html", "two.html", "three.exe"):
        (tmp_path / name).write_text("<p>More")
    before = tab.locator("#page-list li").count()
    tab.route("**/pages?name=*", break_once)
    tab.set_input_files(
        "#files", [tmp_path / name for name in ("one.html", "two.html", "three.exe")]
    )
    expect(tab.locator("#problem")).to_contain_text("three.exe: not a page")
    expect(tab.locator("#page-list li")).to_have_count(before + 2)
    assert len(broken) == 3
    assert all("Failed to load resource" in each for each in desk.wrong)
    desk.wrong.clear()


def test_a_late_list_does_not_replace_a_newer_one(desk, tmp_path):
    tab, held = desk.tab, []
    (tmp_path / "late.html").write_text("<p>Late")
    before = tab.locator("#page-list li").count()
    tab.route("**/pages?annotator=*", lambda route: held.append((route, route.fetch())), times=1)
    tab.fill("#annotator", "Bea")
    tab.press("#annotator", "Tab")
    tab.set_input_files("#files", tmp_path / "late.html")
    expect(tab.locator("#page-list li")).to_have_count(before + 1)
    [(route, old)] = held
    with tab.expect_response("**/pages?annotator=Bea"):
        route.fulfill(response=old)
    expect(tab.locator("#page-list li")).to_have_count(before + 1)


def test_mark_undo_spread_export_evaluate(desk, tmp_path, monkeypatch):
    tab = desk.tab
    desk.open(STORY)
    desk.click("#main-menu > li:nth-child(3) > a")
    desk.says("Selected: a")
    desk.press("ArrowUp", "ArrowUp")
    desk.says("Selected: ul#main-menu")
    desk.press("ArrowDown")  # back to where it grew out of
    desk.says("li, 3 of 7")
    desk.press("ArrowRight", "ArrowLeft", "ArrowLeft")
    desk.says("li.active, 2 of 7")
    desk.press("ArrowUp", "m")
    desk.has_marks("menu")
    desk.click("article.entry h1")
    desk.press("ArrowUp", "c")
    desk.has_marks("menu", "content")
    desk.press("o")
    desk.has_marks("menu", "content", OWN)
    desk.press("Control+z")
    desk.has_marks("menu", "content")
    desk.press("Control+Shift+z")
    desk.has_marks("menu", "content", OWN)
    desk.click("aside section")
    desk.press("l")
    desk.has_marks("menu", "content", OWN, "clutter")
    desk.press("Delete")
    desk.has_marks("menu", "content", OWN)
    desk.press("Control+z")
    mark_segments(desk)

    tab.click("#spread")
    expect(tab.locator("#spread-rows tr")).to_have_count(len(LIKE) + 1)
    expect(tab.locator("#spread-rows tr", has_text="forum/index.html")).to_contain_text(
        "different template"
    )
    for name in LIKE:
        row = tab.locator(
            "#spread-rows tr", has=tab.get_by_role("rowheader", name=name, exact=True)
        )
        expect(row).to_contain_text("%")
        row.get_by_role("button", name="Accept").click()
        expect(row).to_contain_text("accepted")
    tab.get_by_role("button", name="Close").click()
    desk.open(LIKE[0])
    expect(tab.locator("#mark-list li.proposed")).to_have_count(0)
    expect(tab.locator("#mark-list li")).to_have_count(6)
    expect(tab.locator("#mark-list")).to_contain_text("suggested by spread")

    folder = tmp_path / "gold"
    zipfile.ZipFile(downloaded(desk, "zip", tmp_path)).extractall(folder)
    gold = json.loads((folder / "gold.json").read_text())
    assert sorted(gold["pages"]) == sorted((STORY, *LIKE))
    evaluated(folder, tmp_path, monkeypatch)
    assert all(asked.startswith((desk.url, "blob:", "data:")) for asked in desk.asked)


def mark_segments(desk):
    """Two segments, the second of two elements; a third that overlaps is refused."""
    desk.has_marks("menu", "content", OWN, "clutter")
    desk.click("article.entry h1")
    desk.press("ArrowUp", "ArrowUp", "s")
    desk.has_marks("menu", "content", OWN, "clutter", "segment")
    desk.press("ArrowDown", "s")
    expect(desk.tab.locator("#problem")).to_contain_text("segments may not overlap")
    expect(desk.tab.locator("#problem")).to_contain_text("main#content")
    desk.click("#main-menu a")
    desk.press("ArrowUp", "ArrowUp", "ArrowUp")
    desk.click("body > footer", modifiers=["Shift"])
    desk.says("and 1 more")
    desk.press("s")
    expect(desk.tab.locator("#problem")).to_be_hidden()
    desk.has_marks("menu", "content", OWN, "clutter", "segment", "segment")


def evaluated(folder, tmp_path, monkeypatch):
    """What `pagelet evaluate` says of an export, for every kind."""
    monkeypatch.setenv("PAGELET_DATA", str(tmp_path / "none"))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    commands = {
        "menu": (),
        "clutter": (),
        "content": (),
        "noise": (),
        "template": ("--from-disk",),
        "segments": ("--pages", "2", "--cache", str(tmp_path / "cache")),
    }
    for kind, flags in commands.items():
        answer = CliRunner().invoke(
            app, ["evaluate", kind, str(folder), "--format", "json", *flags]
        )
        assert answer.exit_code == 0, (kind, answer.output, answer.exception)
        found = json.loads(answer.stdout)
        if kind == "menu":
            row = next(row for row in found["rows"] if row["menu"] == "default, shipped")
            assert (row["F1"], row["pages"]) == (1.0, 1 + len(LIKE))
        if kind == "template":
            row = next(row for row in found["profiles"]["rows"] if row["template"] == "default")
            assert row["F1"] > 0.8


def test_suggestions_are_dashed_until_accepted(desk):
    tab = desk.tab
    desk.open(STORY)
    tab.focus("#suggest")
    tab.select_option("#suggest", "clutter")
    desk.says("proposed by clutter")
    expect(tab.locator("#mark-list li.proposed").first).to_contain_text("proposed by clutter")
    count = tab.locator("#mark-list li.proposed").count()
    assert count > 3
    assert (
        tab.locator("#boxes .proposed").first.evaluate("box => getComputedStyle(box).borderStyle")
        == "dashed"
    )
    desk.press("j", "Enter")
    expect(tab.locator("#mark-list li.proposed")).to_have_count(count - 1)
    expect(tab.locator("#mark-list li:not(.proposed)")).to_contain_text("suggested by clutter")
    desk.press("j", "Delete")
    expect(tab.locator("#mark-list li.proposed")).to_have_count(count - 2)
    tab.get_by_role("button", name="Reject all").click()
    expect(tab.locator("#mark-list li")).to_have_count(1)
    desk.press("Control+z")
    expect(tab.locator("#mark-list li.proposed")).to_have_count(count - 2)


def test_a_carried_mark_is_repaired(desk):
    tab = desk.tab
    desk.open(STORY)
    desk.click("article.entry h1")
    desk.press("c")
    desk.has_marks("content")
    tab.click("#spread")
    row = tab.locator("#spread-rows tr", has_text=LIKE[0])
    row.get_by_role("button", name="Open").click()
    expect(tab.locator(".page[aria-current]")).to_contain_text(LIKE[0])
    expect(tab.locator("#mark-list li.proposed")).to_contain_text("proposed by spread")
    desk.click("article.entry h1")
    desk.press("ArrowUp")
    tab.get_by_role("button", name="Move to the selection").click()
    expect(tab.locator("#mark-list li:not(.proposed)")).to_contain_text("suggested by spread")
    expect(tab.locator("#mark-list li.proposed")).to_have_count(0)
    desk.says("Moved.")


def test_marks_come_out_to_be_looked_at(desk, tmp_path):
    desk.open(STORY)
    desk.click("article.entry h1")
    desk.press("c")
    desk.has_marks("content")
    gold = json.loads(downloaded(desk, "gold", tmp_path).read_text())
    assert list(gold["pages"]) == [STORY]
    rectangles = downloaded(desk, "rectangles", tmp_path)
    assert rectangles.name == "news-fog-tomatoes-rectangles.txt"
    assert "content" in rectangles.read_text().splitlines()[1]
    picture = downloaded(desk, "picture", tmp_path)
    assert picture.name == "news-fog-tomatoes-marks.png"
    assert picture.read_bytes().startswith(b"\x89PNG")
    archive = downloaded(desk, "zip", tmp_path)
    assert archive.name == "test_marks_come_out_to_be_looked_at-gold.zip"


def test_two_annotators_and_how_they_agree(desk):
    tab = desk.tab
    desk.open(STORY)
    desk.click("article.entry h1")
    desk.press("ArrowUp", "c")
    desk.has_marks("content")
    tab.fill("#annotator", "Bob")
    tab.locator("#annotator").blur()
    desk.has_marks()
    desk.click("article.entry h1")
    desk.press("ArrowUp", "ArrowUp")
    tab.locator("#kinds button", has_text="content").click()
    desk.has_marks("content")  # the figures follow at once
    expect(tab.locator("#agreement tbody tr")).to_have_count(1)
    expect(tab.locator("#agreement tbody")).to_contain_text("Ann and Bob")
    expect(tab.locator("#agreement tbody")).to_contain_text("kappa 0.")
    kinds = tab.locator("#looked-list label")  # what is marked is on the page
    expect(kinds.first).to_have_text("menu")
    expect(kinds.filter(has_text="content")).to_have_count(0)
    expect(tab.get_by_label("Your name")).to_have_attribute("placeholder", "Name or initials")


def test_who_is_faster_than_the_start_keeps_his_project(desk, tmp_path):
    """The list of projects that the start asked for comes when another one was made meanwhile."""
    tab, held = desk.tab.context.new_page(), []

    def hold(route):
        if held or route.request.method != "GET":
            route.continue_()
        else:
            held.append(route)

    tab.route("**/annotate/api/projects", hold)
    tab.goto(f"{desk.url}/annotate")
    tab.click("#new-project")
    tab.fill("#project-name", "faster")
    tab.get_by_role("button", name="Create").click()
    expect(tab.locator("#project option:checked")).to_contain_text("faster")
    (tmp_path / "own.html").write_text("<title>Own</title><p>Mine.")
    held[0].continue_()
    tab.wait_for_load_state("networkidle")
    tab.set_input_files("#files", tmp_path / "own.html")
    expect(tab.locator(".page[aria-current]")).to_contain_text("own.html")
    expect(tab.locator("#page-list li")).to_have_count(1)


def test_the_list_of_pages_is_not_made_anew_under_the_pointer(desk):
    """A name that was typed is told when the pointer goes down elsewhere; the click counts."""
    page = desk.tab.locator(".page").nth(2)
    desk.tab.fill("#annotator", "Eve")
    page.hover()
    with desk.tab.expect_response("**/pages?annotator=Eve"):
        desk.tab.mouse.down()
    expect(desk.tab.locator("#page-list li")).to_have_count(len(LIKE) + 2)
    desk.tab.mouse.up()
    expect(page).to_have_attribute("aria-current", "page")


def test_a_new_project_begins_empty_and_takes_a_folder(desk, tmp_path):
    expect(desk.drawn("h1")).to_be_visible()
    desk.tab.click("#new-project")
    assert barriers(desk.tab) == []
    desk.tab.fill("#project-name", "empty")
    desk.tab.get_by_role("button", name="Create").click()
    expect(desk.tab.locator("#empty")).to_contain_text("Add pages to this project")
    assert barriers(desk.tab) == []
    expect(desk.drawn("h1")).to_have_count(0)
    expect(desk.tab.locator("#page-list li")).to_have_count(0)
    expect(desk.tab.locator("#counts")).to_be_empty()
    for name in (STORY, LIKE[0], "css/style.css"):
        (tmp_path / "site" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SITE / name, tmp_path / "site" / name)
    desk.tab.set_input_files("#folder", tmp_path / "site")
    expect(desk.tab.locator(".page span:first-child")).to_have_text([STORY, LIKE[0]])
    desk.says("2 pages added.")
    expect(desk.drawn("h1")).to_be_visible()
    expect(desk.drawn(".menu")).to_have_css("display", "flex")  # with its style sheet
    expect(desk.tab.locator("#problem")).to_be_hidden()


def test_files_go_to_the_project_that_is_being_created(desk, tmp_path):
    """The answer comes later than the files."""
    tab, held = desk.tab, []
    (tmp_path / "own.html").write_text("<p>Own")
    hold = lambda route: held.append(route)  # noqa: E731, PLW0108 - no method of a list is taken
    tab.route("**/api/projects", hold, times=1)
    tab.click("#new-project")
    tab.fill("#project-name", "late project")
    with tab.expect_request("**/api/projects"):
        tab.get_by_role("button", name="Create").click()
    tab.set_input_files("#files", tmp_path / "own.html")
    [route] = held
    route.continue_()
    expect(tab.locator("#project option:checked")).to_contain_text("late project (1)")


def test_the_drawn_page_does_nothing(desk, tmp_path, elsewhere):
    tab = desk.tab
    hostile = tmp_path / "hostile.html"
    hostile.write_text(
        "<body onload='parent.hacked=1'><script>parent.hacked=1</script>"
        "<meta http-equiv=refresh content='0;url=http://evil.example/'>"
        "<style>body { background: url(http://evil.example/a.png) }</style>"
        "<a id=away href='http://evil.example/b'>away</a>"
        "<a id=js href='javascript:parent.hacked=1'>js</a>"
        "<form action='http://evil.example/c'><button id=send>send</button></form>"
        "<img src=x onerror='parent.hacked=1'><iframe src='http://evil.example/d'></iframe>"
    )
    tab.set_input_files("#files", hostile)
    expect(tab.locator("#page-list li")).to_have_count(len(LIKE) + 3)
    desk.open("hostile.html")
    for selector in ("#away", "#js", "#send"):
        desk.drawn(selector).click()
        desk.says("Selected:")
    desk.press("n")
    desk.has_marks("noise")
    assert tab.evaluate("window.hacked") is None
    assert not any("evil.example" in asked for asked in desk.asked)
    assert not elsewhere.asked("evil.example")
    assert tab.url.startswith(f"{desk.url}/annotate")


def test_everybody_can_use_it(desk):
    tab = desk.tab
    desk.open(STORY)
    desk.click("article.entry h1")
    desk.press("ArrowUp", "c")
    tab.select_option("#suggest", "menu")
    desk.has_marks("content", "menu")
    check_schemes(tab)
    tab.click("#spread")
    expect(tab.locator("#spread-dialog")).to_be_visible()
    check_schemes(tab)
    desk.press("Escape")
    tab.click("#help")
    check_schemes(tab)
    desk.press("Escape")
    tab.set_viewport_size({"width": 390, "height": 800})
    for pane in ("Pages", "Marks", "Page"):
        tab.locator("#panes").get_by_role("button", name=pane, exact=True).click()
        expect(tab.locator(f"#{pane.lower()}")).to_be_visible()
        check_schemes(tab)
    tab.click("#spread")
    expect(
        tab.locator("#spread-rows").get_by_role("button", name="Reject").first
    ).to_be_in_viewport()
    check_schemes(tab)
