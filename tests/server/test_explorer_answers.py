"""The explorer's answers: tabs to read, to copy and to save, and programs that give the same."""

import json
import re
import subprocess
from pathlib import Path

from playwright.sync_api import expect

from pagelet import analyse
from tests.server.browsing import HOME, Explorer, styled
from tests.server.serving import PROGRAM

ROOM = {"permissions": ["clipboard-read", "clipboard-write"]}
COPIED = "navigator.clipboard.readText()"


def shown_text(shown: Explorer, tab: str) -> str:
    shown.tab.click(f"#tab-{tab}")
    expect(shown.tab.locator(f"#answer[data-tab={tab}] > *").first).to_be_visible()
    return shown.tab.locator("#answer").inner_text()


def copied(shown: Explorer, said: str) -> str:
    expect(shown.tab.locator("#status")).to_have_text(said)
    return str(shown.tab.evaluate(COPIED))


def downloaded(shown: Explorer) -> tuple[str, bytes]:
    with shown.tab.expect_download() as download:
        shown.tab.click("#download")
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def test_the_answer_can_be_read_copied_and_saved(explorer, service, tmp_path):
    file = tmp_path / "home.html"
    file.write_text(HOME)
    shown = explorer().upload(file)
    expect(shown.tab.locator("#method-content")).to_have_attribute("aria-selected", "true")
    for tab, name in (("text", "home-content.txt"), ("markdown", "home-content.md")):
        answer = service.post("/v1/content", {"html": HOME, "format": tab}).text
        shown.tab.click(f"#tab-{tab}")
        expect(shown.tab.locator("#answer pre")).to_contain_text("We are a lending library")
        if tab == "text":  # paragraphs stand apart
            lines = shown.tab.locator("#answer pre span")
            expect(lines).to_have_text(answer.rstrip("\n").split("\n"))
            expect(lines.first).to_have_css("margin-bottom", re.compile(r"[1-9]"))
        shown.tab.click("#copy")
        assert copied(shown, f"{tab} copied") == answer
        assert downloaded(shown) == (name, answer.encode())
    shown.tab.click("#tab-page")
    name, picture = downloaded(shown)
    assert (name, picture[:8]) == ("home-content.png", b"\x89PNG\r\n\x1a\n")


def test_json_is_what_is_shown(explorer):
    shown = explorer().paste(HOME)
    answer = json.loads(shown_text(shown, "json"))
    assert {pagelet["kind"] for pagelet in answer["pagelets"]} == {"content"}
    assert not any("why" in pagelet for pagelet in answer["pagelets"])
    shown.tab.check("#with-reasons")
    expect(shown.tab.locator("#answer")).to_contain_text('"why": [')
    shown.tab.click("#legend [data-kind=dropped]")
    shown.tab.click("#copy")
    answer = json.loads(copied(shown, "json copied"))
    assert {pagelet["kind"] for pagelet in answer["pagelets"]} == {"content", "dropped"}


def test_menus_are_trees_and_links_and_records_are_tables(explorer):
    shown = explorer().paste(HOME).method("menu")
    shown.counts("1 pagelet")
    assert "Tomatoes in the fog" in shown_text(shown, "tree")
    expect(shown.tab.locator("#answer .tree .tree li").first).to_be_visible()
    shown.method("links")
    shown.tab.click("#tab-table")
    expect(shown.tab.locator("#answer th")).to_have_text(["part", "role", "text", "address"])
    results = styled("search-results-tomato.html")
    records = analyse(results, "records").extra
    shown.tab.evaluate("document.activeElement.blur()")
    shown.paste(results).method("records")
    names = [column["name"] for column in records["columns"]]
    expect(shown.tab.locator("#answer th")).to_have_text(names)
    _, table = downloaded(shown)
    assert table.decode().splitlines()[0] == ",".join(names)
    expect(shown.tab.locator("#query-label")).to_have_text("Only records with these words")
    shown.tab.fill("#query", "no such word")
    shown.tab.keyboard.press("Enter")
    count = len(records["records"])
    expect(shown.tab.locator("#answer p")).to_have_text(f"0 of {count} records with these words")
    expect(shown.tab.locator("#nothing")).to_have_text("No record has these words.")
    shown.tab.fill("#query", "BUSH tomato")
    shown.tab.keyboard.press("Enter")
    shown.counts("1 pagelet")
    assert shown_text(shown, "text").count("title: ") == 1
    assert len(json.loads(shown_text(shown, "json"))["records"]) == 1
    shown.method("noise")  # asks for other words
    expect(shown.tab.locator("#query")).to_have_value("")


def test_segments_are_measured_behind_other_tabs(explorer, tmp_path):
    file = tmp_path / "home.html"
    file.write_text(HOME)
    shown = explorer("#a=text").upload(file).method("segments")
    expect(shown.tab.locator("#list li").first).to_be_visible()
    segments = shown.tab.locator("#list li").count()
    assert segments > 2
    expect(shown.tab.locator("#answer pre")).to_contain_text("segment ")
    shown.tab.click("#copy")
    assert len(copied(shown, "text copied").splitlines()) == segments
    shown.tab.select_option("#copy-as", "python")
    command = [str(Path(PROGRAM).parent / "python"), "-c", copied(shown, "python copied")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("segment ")


def test_nothing_is_neither_copied_nor_saved(explorer):
    shown = explorer().paste(HOME).method("records")
    shown.counts("0 pagelets")
    assert shown_text(shown, "text").startswith("Nothing was found")
    shown.tab.click("#copy")
    expect(shown.tab.locator("#status")).to_have_text("nothing was found, so nothing is copied")
    shown.tab.click("#download")
    expect(shown.tab.locator("#status")).to_have_text("nothing was found, so nothing is saved")


def test_programs_give_the_same_answer(explorer, tmp_path):
    file = tmp_path / "home.html"
    file.write_text(HOME)
    shown = explorer().upload(file)
    with shown.tab.expect_response("**/v1/content"):
        shown.tab.select_option("#option-favor", "recall")
    expect(shown.tab.locator("#status")).to_contain_text("done in")
    wanted = analyse(HOME, "content", favor="recall").extra["text"]
    shown.tab.click("#tab-text")
    shell, python = ["sh", "-c"], [str(Path(PROGRAM).parent / "python"), "-c"]
    for language, runner in (("command", shell), ("python", python), ("curl", shell)):
        shown.tab.select_option("#copy-as", language)
        program = copied(shown, f"{language} copied")
        if language == "command":
            program = program.replace("pagelet ", f"{PROGRAM} ", 1)
        command = [*runner, program]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == wanted.strip(), language
