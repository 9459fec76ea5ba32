"""The annotator's loop in Chromium: roles, queue, disagreements, names, address, training."""

import json
import re
import zipfile

import pytest
from playwright.sync_api import expect

from tests.annotator.annotating import LIKE, SITE, STORY
from tests.annotator.desk import Desk, downloaded
from tests.barriers import barriers

FILES = [STORY, *LIKE[:2], "css/style.css"]
PAGES = 3
MIN_PAGE_SHARE = 0.75  #: of the height of a phone
PHONE = {"width": 390, "height": 844}
WIDE = {"width": 1400, "height": 900}

pytestmark = pytest.mark.slow


def be(desk: Desk, name: str) -> None:
    """Go on as another annotator."""
    desk.tab.fill("#annotator", name)
    with desk.tab.expect_response(re.compile(r"/pages/\d+\?annotator=")):
        desk.tab.locator("#annotator").blur()


def mark_content(desk: Desk, *ways: str) -> None:
    desk.click("article.entry h1")
    desk.press(*ways, "c")
    desk.has_marks("content")


def test_roles_and_fields_have_two_keys_and_kinds_can_be_hidden(desk, tmp_path):
    tab = desk.tab
    desk.open(STORY)
    desk.click("#main-menu > li:nth-child(3) > a")
    desk.press("ArrowUp", "ArrowUp", "m", "g")
    desk.has_marks("menu")
    expect(tab.locator("#roles kbd")).to_have_count(14)  # a key for every role
    desk.press("m")
    desk.has_marks("menu", "links: menu")
    expect(tab.locator("#boxes .labels").first).to_have_text("menulinks: menu")  # both are seen
    widths = tab.locator("#boxes .mark").evaluate_all("all => all.map(box => box.offsetWidth)")
    assert widths[0] > widths[1]
    desk.click("article.entry h1")
    desk.press("b")
    expect(tab.locator("#roles kbd")).to_have_count(14)
    desk.press("t")
    desk.press("r")
    desk.has_marks("menu", "links: menu", "block: title", "record")
    desk.press("f")
    tab.fill("#field-name", "Sub title")
    desk.press("Enter")
    expect(tab.locator("#mark-list strong").last).to_have_text("field: sub title")
    tab.locator("#shown button", has_text="menu 1").click()
    desk.has_marks("links: menu", "block: title", "record", "field: sub title")
    tab.reload()  # what is hidden stays hidden
    desk.has_marks("links: menu", "block: title", "record", "field: sub title")
    gold = json.loads(downloaded(desk, "gold", tmp_path).read_text())["pages"][STORY]
    assert set(gold["links"].values()) == {"menu"}
    assert set(gold["roles"].values()) == {"title"}
    assert [list(each["fields"]) for each in gold["records"]] == [["sub_title"]]
    tab.locator("#shown button", has_text="menu 1").click()
    expect(tab.locator("#mark-list li")).to_have_count(5)


def test_disagreements_are_stepped_through_and_settled(desk, tmp_path):
    tab = desk.tab
    desk.open(STORY)
    mark_content(desk, "ArrowUp")
    be(desk, "Bob")
    mark_content(desk, "ArrowUp", "ArrowUp")
    expect(tab.locator("#agreement tbody")).to_contain_text("kappa 0.")
    expect(tab.locator("#differences-count")).to_have_text("2 to settle")
    desk.press(".")
    desk.says("Selected: article.entry")
    desk.press(".")
    desk.says("Selected: main#content")
    kept, dropped = (tab.locator("#difference-list li").nth(at) for at in (0, 1))
    kept.get_by_role("button", name="Keep").click()
    expect(tab.locator("#differences-count")).to_have_text("1 to settle")
    dropped.get_by_role("button", name="Drop").click()
    expect(tab.locator("#differences-count")).to_have_text("all settled")
    zipfile.ZipFile(downloaded(desk, "agreed", tmp_path)).extract("gold.json", tmp_path)
    gold = json.loads((tmp_path / "gold.json").read_text())
    assert [path.split("/")[-1] for path in gold["pages"][STORY]["content"]] == ["article"]
    assert barriers(tab) == []


def test_suggestions_say_which_other_pages_they_have_read(desk, tmp_path):
    tab, compared = desk.tab, f"was compared with {PAGES - 1} other pages of the project"
    desk.open(STORY)
    tab.select_option("#suggest", "menu")
    desk.says(compared)
    tab.select_option("#suggest", "clutter")
    desk.says("proposed by clutter")
    reading = tab.locator("#readings > li")
    expect(reading.locator("summary")).to_have_text(f"menu; clutter: this page {compared}")
    tab.reload()  # it is kept with the proposals
    tab.click("#readings summary")
    expect(reading.locator("ul li")).to_have_text(sorted(LIKE[: PAGES - 1]))
    assert barriers(tab) == []
    tab.get_by_role("button", name="Reject all").click()
    expect(reading).to_have_count(0)
    (tmp_path / "alone.html").write_text((SITE / STORY).read_text())
    tab.click("#new-project")
    tab.fill("#project-name", "one page")
    tab.get_by_role("button", name="Create").click()
    expect(tab.locator("#project option:checked")).to_contain_text("one page (0)")
    tab.set_input_files("#files", tmp_path / "alone.html")
    expect(tab.locator(".page[aria-current]")).to_contain_text("alone.html")
    tab.select_option("#suggest", "menu")
    desk.says("this page alone was read")
    expect(reading).to_have_text("menu: this page alone was read")


def test_the_queue_suggests_for_all_pages_and_shows_progress(desk):
    tab = desk.tab
    expect(tab.locator("#progress-text")).to_have_text(f"0 of {PAGES} pages done")
    tab.select_option("#suggest", "all:menu")
    desk.says(f"proposed by menu on {PAGES} pages.")
    expect(tab.locator("#page-list li", has_text="1 proposed")).to_have_count(PAGES)
    first = tab.locator(".page[aria-current] span").first.inner_text()
    desk.click("body")
    desk.press("x")
    expect(tab.locator("#progress-text")).to_have_text(f"1 of {PAGES} pages done")
    expect(tab.locator(".page[aria-current]")).not_to_contain_text(first)
    tab.select_option("#filter", "open")
    expect(tab.locator("#page-list li")).to_have_count(PAGES - 1)
    tab.select_option("#filter", "done")
    expect(tab.locator("#page-list li")).to_have_text(re.compile(first))


def test_pages_and_projects_are_renamed_deleted_and_restored(desk):
    tab = desk.tab
    desk.open(STORY)
    mark_content(desk)
    item = tab.locator("#page-list li", has_text=STORY)
    item.hover()
    item.get_by_role("button", name=f"Rename {STORY}").click()
    tab.fill("#new-name", "fog.html")
    desk.press("Enter")
    expect(tab.locator(".page[aria-current]")).to_contain_text("news/fog.html")
    item = tab.locator("#page-list li", has_text="news/fog.html")
    item.hover()
    item.get_by_role("button", name="Delete news/fog.html").click()
    expect(tab.locator("#page-list li")).to_have_count(PAGES - 1)
    expect(tab.locator("#notice-action")).to_be_focused()
    tab.click("#notice-action")
    expect(tab.locator(".page[aria-current]")).to_contain_text("news/fog.html")
    desk.has_marks("content")
    tab.click("#rename-project")
    tab.fill("#new-name", "another name")
    desk.press("Enter")
    expect(tab.locator("#project option:checked")).to_contain_text("another name")
    project = tab.locator("#project").input_value()
    tab.click("#delete-project")
    expect(tab.locator(f"#project option[value='{project}']")).to_have_count(0)
    tab.get_by_role("button", name="Undo", exact=True).last.click()
    expect(tab.locator("#project option:checked")).to_contain_text("another name")


def test_a_reload_stays_and_messages_move_nothing(desk):
    tab = desk.tab
    desk.open(LIKE[1])
    desk.open(STORY)
    address = tab.url
    tab.reload()
    expect(tab.locator(".page[aria-current]")).to_contain_text(STORY)
    assert tab.url == address
    tab.go_back()
    expect(tab.locator(".page[aria-current]")).to_contain_text(LIKE[1])
    tab.go_forward()
    expect(tab.locator(".page[aria-current]")).to_contain_text(STORY)
    desk.click("article.entry h1")
    desk.press("s")
    desk.has_marks("segment")
    before = tab.locator("#stage").bounding_box()
    desk.press("ArrowUp", "s")
    expect(tab.locator("#problem")).to_contain_text("segments may not overlap")
    assert tab.locator("#stage").bounding_box() == before
    tab.click("#problem")
    expect(tab.locator("#problem")).to_be_hidden()
    desk.press("?")
    tab.uncheck("#letters")
    desk.press("Escape")
    desk.click("article.entry h1")
    desk.press("c", "ArrowUp")
    desk.says("Selected: article.entry")
    desk.has_marks("segment")


def test_a_phone_shows_the_page_and_an_empty_stage_is_dark(desk):
    tab = desk.tab
    desk.open(STORY)
    tab.set_viewport_size(PHONE)
    stage = tab.locator("#stage").bounding_box()
    assert stage["height"] >= MIN_PAGE_SHARE * PHONE["height"]
    desk.click("article.entry h1")
    assert tab.locator("#stage").bounding_box() == stage
    for scheme in ("light", "dark"):
        tab.emulate_media(color_scheme=scheme)
        desk.press("g")
        expect(tab.locator("#roles button").last).to_be_in_viewport()
        assert barriers(tab) == []
        desk.press("m")
        desk.has_marks("links: menu")
        tab.locator("#panes").get_by_role("button", name="Marks", exact=True).click()
        tab.click("#train")
        assert barriers(tab) == []
        desk.press("Escape")
        tab.locator("#panes").get_by_role("button", name="Page", exact=True).click()
        tab.focus("#stage")
    tab.locator("#panes").get_by_role("button", name="Pages", exact=True).click()
    tab.click("#new-project")
    tab.fill("#project-name", "dark and empty")
    tab.get_by_role("button", name="Create").click()
    tab.locator("#panes").get_by_role("button", name="Page", exact=True).click()
    expect(tab.locator("#stage.blank")).to_be_visible()
    colour = tab.locator("#stage").evaluate("it => getComputedStyle(it).backgroundColor")
    assert max(map(int, re.findall(r"\d+", colour)[:3])) < 80
    expect(tab.locator("#frame")).not_to_be_visible()


def test_what_is_answered_while_a_page_is_loaded_again_is_kept(desk):
    tab, held, state = desk.tab, [], re.compile(r"/pages/\d+\?annotator=")
    desk.open(STORY)
    be(desk, "Hasty")
    tab.route(state, lambda route: held.append((route, route.fetch())), times=1)
    desk.open(STORY)
    tab.select_option("#suggest", "menu")
    desk.has_marks("menu")
    (route, before), *_ = held
    with tab.expect_request(state):  # what was held is older than what is shown
        route.fulfill(response=before)
    desk.has_marks("menu")


def test_a_model_is_trained_used_and_taken_away(desk, tmp_path):
    tab = desk.tab
    desk.open(STORY)
    be(desk, "Trainer")
    for name in (STORY, LIKE[0]):
        desk.open(name)
        tab.select_option("#suggest", "menu")
        desk.has_marks("menu")
        tab.get_by_role("button", name="Accept all").click()
        expect(tab.locator("#mark-list li.proposed")).to_have_count(0)
    tab.click("#train")
    tab.click("#train-start")
    tab.click("#train-cancel")
    expect(tab.locator("#training-step")).to_contain_text("menu: cancelled")
    expect(tab.locator("#train-start")).to_be_enabled()
    tab.click("#train-start")
    expect(tab.locator("#training-step")).to_contain_text("menu: trained in", timeout=120_000)
    model = tab.locator("#model-list li").first
    expect(model.locator(".comparison tbody tr td:first-child")).to_have_text(
        ["new model", "present model"]
    )
    expect(model).to_contain_text("1 of 2 pages were held out")
    expect(model).to_contain_text("menu detection")
    expect(model).to_contain_text("labels cover one site")
    expect(model).not_to_contain_text("--fit")
    assert barriers(tab) == []
    tab.set_viewport_size(PHONE)
    for part in ("#train-dialog", "#model-list"):
        assert tab.locator(part).evaluate("it => it.scrollWidth <= it.clientWidth")
    model.get_by_role("button", name="Use for suggestions").click()
    expect(tab.locator("#model-list .use").first).to_have_text("In use")
    with tab.expect_download() as coming:
        tab.locator("#model-list").get_by_role("button", name="Download").first.click()
    coming.value.save_as(tmp_path / "menu.npz")
    assert coming.value.suggested_filename == "menu.npz"
    assert zipfile.is_zipfile(tmp_path / "menu.npz")
    tab.locator("#train-dialog").get_by_role("button", name="Close").click()
    tab.set_viewport_size(WIDE)
    desk.open(LIKE[1])
    tab.select_option("#suggest", "menu")
    desk.says("by menu")


def test_the_focus_stays_where_something_goes(desk):
    tab = desk.tab
    desk.open(STORY)
    tab.select_option("#suggest", "clutter")
    desk.says("proposed by clutter")
    count = tab.locator("#mark-list li").count()
    tab.locator("#mark-list li").first.get_by_role("button", name="Reject").press("Enter")
    expect(tab.locator("#mark-list li")).to_have_count(count - 1)
    expect(tab.locator("#mark-list li").first.get_by_role("button", name="Reject")).to_be_focused()
    tab.locator("#reject-all").press("Enter")
    expect(tab.locator("#mark-list li")).to_have_count(0)
    expect(tab.locator("#stage")).to_be_focused()
    untold = "all => all.filter(it => !it.title && it.checkVisibility()).map(it => it.outerHTML)"
    assert tab.locator("header button, #tools button, #pages > * button").evaluate_all(untold) == []
