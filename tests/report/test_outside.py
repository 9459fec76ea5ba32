"""What leaves pagelet as HTML, opened in a browser without any policy: nothing is loaded."""

import re

import pytest

from pagelet import parse
from pagelet.report.assets import LocalAssets
from pagelet.report.drawing import draw
from pagelet.write.inert import DOCUMENT_POLICY, make_inert
from tests.report.hand_made import HOSTILE
from tests.write.mutations import RUN, list_mutations
from tests.write.ways import list_ways, twisted_sheets

WAYS = list_ways()
GROUP = 12  #: ways in one page, so that none hides many others
GROUPS = ["".join(WAYS[at : at + GROUP]) for at in range(0, len(WAYS), GROUP)]
HEAD = '<!DOCTYPE html><meta charset="utf-8">'
LAID_OUT = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
ROUNDS = 3  #: requests at the end, one after the other, so that no earlier one is still on its way
CALL = "number => { new Image().src = `http://last${number}.example/`; }"


@pytest.fixture
def load(browser, network, tmp_path):
    """Opens documents side by side, and returns the hosts that were asked for something.

    A host that is `awaited` must be asked, at whatever time a busy browser gets there.
    """

    def load_documents(documents: list[str], awaited: str = "") -> set[str]:
        network.sent.clear()
        for number, text in enumerate(documents):
            (tmp_path / f"{number}.html").write_text(text, encoding="utf-8", errors="replace")
        frames = (f'<iframe src="{number}.html"></iframe>' for number in range(len(documents)))
        index = tmp_path / "index.html"
        index.write_text("".join(frames))
        tab = browser.new_page(viewport={"width": 1200, "height": 4000})
        tab.goto(index.as_uri(), wait_until="load")
        if awaited:
            network.wait_for(f"{awaited}.example")
        for number in range(ROUNDS):
            tab.evaluate(LAID_OUT)
            tab.evaluate(CALL, number)
            network.wait_for(f"last{number}.example")
        tab.close()
        hosts = re.findall(rb"([a-z0-9]+)\.example", b" ".join(network.sent))
        return {host.decode() for host in hosts if not host.startswith(b"last")}

    return load_documents


def test_a_document_runs_nothing(load):
    """Pictures and styles may be loaded; scripts and frames ask other hosts."""
    calls = re.sub(r"document\.documentElement\.dataset\.ran = ?", "run.src = ", HOSTILE)
    for old in ("alert(1)", '"inline"', "'load'", '"svg"', "'mutation'"):
        calls = calls.replace(old, RUN)
    assert "ran" in load([calls], "ran")
    assert "ran" not in load([make_inert(calls)])
    without_policy = make_inert(calls).replace("script-src 'none'", "")
    assert "ran" not in load([without_policy])


def test_no_mutation_runs_anything(load):
    """Without the policy, so that the sanitizer alone is tested."""
    sources = list_mutations()
    assert all("ran" in load([sources[at]], "ran") for at in (1, 4, 12, 31, 47))
    made = [make_inert(one).replace(DOCUMENT_POLICY, "") for one in sources]
    assert "ran" not in load([*made, *map(inert, sources)])


def inert(source: str) -> str:
    return draw(parse(source), [], LocalAssets(None), HEAD)


def test_a_drawing_loads_nothing(load):
    assert load([inert(group) for group in GROUPS]) == set()


def test_the_ways_lead_somewhere(load):
    """Pages as they are: most ways do reach their host, so the browser would notice."""
    assert len(load([HEAD + group for group in GROUPS])) > len(WAYS) / 2


def test_no_spelling_loads_anything(load):
    sheets = [one.replace("</", "") for one in twisted_sheets(seed=11, count=400)]
    pages = [f"<style>{one}</style><p style='{one}'>x" for one in sheets]
    groups = ["<p>x".join(pages[at : at + 40]) for at in range(0, len(pages), 40)]
    assert "twisted" in load(groups, "twisted")
    assert load([inert(group) for group in groups]) == set()
