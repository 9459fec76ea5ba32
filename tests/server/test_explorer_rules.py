"""The explorer's why, and rules made from it."""

import tomllib

from playwright.sync_api import expect

from pagelet import analyse
from tests.server.browsing import HOME, Explorer

CLIPBOARD = {"permissions": ["clipboard-read", "clipboard-write"]}
LEAD = "/html/body/div[2]/main/div/p[1]"


def choose(shown: Explorer, path: str) -> None:
    row = shown.tab.locator("#list li", has=shown.tab.locator(".path", has_text=path)).first
    row.locator("button").click()


def test_why_is_told_in_words_with_the_threshold(explorer):
    shown = explorer().paste(HOME)
    block = next(each for each in analyse(HOME, "content", explain=True) if each.path == LEAD)
    choose(shown, LEAD)
    expect(shown.detail.locator(".lines li")).to_contain_text(
        f"{100 * block.score:.0f} % likely content; needed"
    )
    expect(shown.detail.locator(".lines .meter")).to_be_visible()
    assert shown.detail.locator(".effects dt").all_inner_texts() == [
        each["text"] for each in block.why
    ]
    against = sum(each["effect"] < 0 for each in block.why)
    expect(shown.detail.locator(".bar.against")).to_have_count(against)
    expect(shown.detail.locator("details dl")).to_be_hidden()


def test_what_is_chosen_is_outlined_though_its_kind_is_hidden(explorer):
    shown = explorer().paste(HOME)
    shown.frame.locator("footer p").first.click()
    expect(shown.detail.locator("h2")).to_contain_text("dropped")
    spot = shown.frame.locator("pagelet-overlays .spot:visible")
    expect(spot).to_have_count(1)
    shown.method("clutter")
    shown.tab.select_option("#profile", "paper")
    shown.move("text_threshold", 0.6)
    shown.counts("7 pagelets")
    shown.frame.locator("main h1").click()
    expect(shown.detail.locator("h2")).to_contain_text("No clutter here")
    expect(spot).to_have_count(1)
    expect(shown.detail.locator(".around")).to_be_disabled()


def test_around_walks_up_until_there_is_nothing(explorer):
    shown = explorer("#m=all").paste(HOME)
    choose(shown, "/html/body/nav/ul")
    around = shown.detail.locator(".around")
    expect(around).to_be_enabled()
    around.click()
    expect(shown.detail.locator("h2")).to_contain_text("clutter")
    expect(around).to_be_disabled()
    assert shown.focused() != "BODY"


def test_a_rule_is_tried_used_written_and_read_again(explorer, tmp_path):
    shown = explorer(**CLIPBOARD)
    shown.tab.fill("#base", "example.org/home")
    shown.analyse(HOME)
    shown.counts("12 of 68 pagelets")
    choose(shown, LEAD)
    shown.detail.get_by_role("button", name="Always drop this").click()
    shown.detail.get_by_label("this page", exact=True).check()
    selector = shown.detail.get_by_label("Selector")
    expect(selector).to_have_value(LEAD)
    expect(shown.detail.locator(".effect")).to_contain_text("removes 1 block")
    shown.counts("12 of 68 pagelets")  # nothing is taken before it is used
    selector.fill("main p")
    selector.press("Tab")
    expect(shown.detail.locator(".effect")).to_contain_text("removes 6 blocks")
    shown.detail.get_by_role("button", name="Use this rule").click()
    shown.counts("6 of 68 pagelets")
    assert shown.focused() != "BODY"
    expect(shown.detail.locator("h2")).to_contain_text("dropped by rule")
    expect(shown.detail.locator(".lines li").first).to_have_text("dropped by your rule: main p")
    expect(shown.detail.locator(".lines li").nth(1)).to_contain_text("by itself")
    shown.tab.click("#copy-rules")
    expect(shown.tab.locator("#status")).to_have_text("rules copied")
    text = str(shown.tab.evaluate("navigator.clipboard.readText()"))
    assert tomllib.loads(text) == {"rule": [{"host": "example.org", "drop": ["main p"]}]}
    shown.tab.get_by_role("button", name="Remove the rule drop main p").click()
    shown.counts("12 of 68 pagelets")
    file = tmp_path / "rules.toml"
    file.write_text(f'# ours\n{text}\n[[rule]]\nhost = "other.example"\nkeep = ["#a",\n  "b"]\n')
    shown.tab.set_input_files("#rules-file", file)
    expect(shown.tab.locator("#rule-list li")).to_have_text(["dropmain p×"])
    shown.counts("6 of 68 pagelets")
