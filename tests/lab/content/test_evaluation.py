"""Main content against peers: three small pages, scores worked by hand, and the picture."""

import json
import logging
import warnings
import xml.etree.ElementTree as ET
from itertools import combinations

import pytest

from pagelet.errors import OptionError
from pagelet.lab.content import evaluation as content
from pagelet.lab.content.evaluation import (
    as_system,
    difference_intervals,
    evaluate_content,
    points,
    run_system,
)
from pagelet.lab.content.scores import read_ground_truth
from pagelet.lab.peers import PEERS, Peer, load_peers, quiet
from pagelet.lab.picture import Point, _labels, _scale, draw
from tests.effort import ends

PAGES = {
    "1": ("article", "alpha beta gamma delta", "https://one.example/"),
    "2": ("article", "epsilon zeta", "https://two.example/"),
    "3": ("forum", "", "https://two.example/other"),
}
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday".split()
PARAGRAPH = (
    "On {0} the committee met in the old town hall, and it was said that the bridge must be "
    "built. All who had come on {0} were of the same mind, as the river had risen again, and "
    "nobody wanted to wait for another {0} with wet feet. "
)
ARTICLE = f"""<html lang=en><head><title>The bridge</title></head><body>
<nav><a href=/>Home</a> <a href=/x>Sport</a></nav><script>let unread = 1</script>
<article><h1>The bridge</h1><img src=i alt=unseen>
{"".join(f"<p>{PARAGRAPH.format(day)}</p>" for day in DAYS)}</article>
</body></html>""".encode()


@pytest.fixture
def golds(tmp_path):
    for name, (kind, text, url) in PAGES.items():
        for part in ("html", "ground-truth"):
            (tmp_path / part).mkdir(exist_ok=True)
        (tmp_path / "html" / f"{name}.html").write_text(f"<p>{text}</p>")
        label = {"main_content": text, "page_type": kind, "url": url}
        (tmp_path / "ground-truth" / f"{name}.json").write_text(json.dumps(label))
    return read_ground_truth(tmp_path)


def breaks(gold):
    raise RecursionError(gold.id)


SYSTEMS = {
    "right": lambda gold: gold.text,
    "half": lambda gold: " ".join(gold.text.split()[::2]),
    "breaks": breaks,
}


def test_figures_by_hand(golds):
    figures = evaluate_content(golds, SYSTEMS, title="tiny")
    overall, by_type = figures.tables
    assert [overall.value("right", name) for name in ("F1", "precision", "recall")] == [1, 1, 1]
    assert overall.value("half", "F1") == pytest.approx((2 / 3 + 2 / 3 + 1) / 3)
    assert overall.value("half", "recall") == pytest.approx((0.5 + 0.5 + 1) / 3)
    assert overall.value("breaks", "F1") == pytest.approx(
        1 / 3
    )  # nothing is right where nothing is
    assert overall.value("breaks", "failed") == 3
    assert (overall.value("right", "failed"), overall.value("right", "empty")) == (0, 1)
    assert by_type.columns == ("system", "article (2)", "forum (1)")
    assert by_type.rows[1] == ("half", pytest.approx(2 / 3), 1.0)
    assert "breaks raised RecursionError 3." in overall.notes
    assert json.loads(json.dumps(overall.to_dict()))["rows"][0]["system"] == "right"


def test_one_page_type_needs_no_second_table(golds):
    (table,) = evaluate_content(golds[:2], SYSTEMS).tables
    assert table.value("right", "F1") == 1.0


def test_every_system_gets_every_page_in_turn(golds):
    calls = []
    systems = {
        name: lambda gold, name=name: calls.append(f"{name}{gold.id}") or "" for name in "abc"
    }
    evaluate_content(golds, systems)
    assert calls == "a1 b1 c1  a1 b1 c1  b2 c2 a2  c3 a3 b3".split()


def test_a_warning_is_no_failure(golds):
    def warns(gold):
        warnings.warn("an old way", DeprecationWarning, stacklevel=1)
        return gold.text

    (table, _) = evaluate_content(golds, {"warns": warns}).tables
    assert (table.value("warns", "failed"), table.value("warns", "F1")) == (0, 1.0)


def test_reading_the_file_is_not_timed(golds):
    held = []
    evaluate_content(golds, {"a": lambda gold: held.append(gold.body) or ""})
    assert held[1:] == [gold.html for gold in golds]


def test_time(golds, monkeypatch):
    ticks = iter([0.0, 0.010, 1.0, 1.010, 2.0, 2.030, 3.0, 9.0])
    monkeypatch.setattr(content, "perf_counter", lambda: next(ticks))
    monkeypatch.setattr(content, "process_time", lambda: 0.0)
    (table, _) = evaluate_content(golds, {"a": lambda gold: ""}).tables
    assert table.value("a", "median ms") == pytest.approx(30)
    assert table.value("a", "p95 ms") == pytest.approx(30 + 0.9 * 5970)
    assert table.value("a", "pages/s") == pytest.approx(3 / 6.04, abs=0.01)
    assert table.value("a", "slow") == 1


def test_a_machine_with_other_work_is_told(golds, monkeypatch):
    seconds, busy = iter(range(100)), iter(at / 2 for at in range(100))
    monkeypatch.setattr(content, "perf_counter", lambda: next(seconds))
    monkeypatch.setattr(content, "process_time", lambda: next(busy))
    (table, _) = evaluate_content(golds, {"a": lambda gold: ""}).tables
    assert "The machine had other work: calls took 2.0 times their own time." in table.notes


def test_progress(golds):
    steps = []
    evaluate_content(golds, SYSTEMS, progress=lambda *step: steps.append(step))
    assert steps == [("scoring", done, 3) for done in (1, 2, 3)]


def test_a_difference_that_is_sure_excludes_nothing(golds):
    figures = evaluate_content(golds[:2], SYSTEMS)
    spans = difference_intervals(figures.golds, figures.results)
    assert spans["right"] == (0.0, 0.0)
    assert spans["half"] == pytest.approx((-1 / 3, -1 / 3))  # the same on both pages
    assert spans == difference_intervals(figures.golds, figures.results)


def test_domains_are_drawn_as_a_whole(golds):
    better = {"base": lambda gold: "", "first": lambda gold: gold.text if gold.id == "1" else ""}
    figures = evaluate_content(golds, better)
    # of two domains, each is drawn twice in a quarter of the cases
    assert difference_intervals(figures.golds, figures.results)["first"] == (0.0, 1.0)


# -- peers ------------------------------------------------------------------------------------


def test_unknown_and_missing_peers(monkeypatch):
    def load():
        raise ModuleNotFoundError

    monkeypatch.setitem(PEERS, "gone", Peer("gone", "no-such-package", load))
    found, missing = load_peers(["turbohtml", "gone"])
    assert (list(found), missing) == (["turbohtml"], ["gone"])
    assert PEERS["gone"].version is None
    assert PEERS["turbohtml"].version
    with pytest.raises(OptionError, match="nobody"):
        load_peers(["nobody"])


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.soak] * (name != "turbohtml")) for name in PEERS]
)
def test_a_peer_finds_an_article(name):
    found, missing = load_peers([name])
    assert missing == []
    with quiet():
        text = found[name](ARTICLE, "https://example.org/bridge")
        assert all(f"wait for another {day} with wet feet" in text for day in DAYS)
        assert not any(mark in text for mark in ("<p>", "unread", "unseen", "url:"))
        assert "Sport" not in text or name == "boilerpy3"  # which keeps two words of menu
        assert "wait for another Friday" in found[name](ARTICLE, None)


def test_an_error_of_a_peer_is_an_empty_answer(golds):
    def extract(html, url):
        raise OSError(url)

    answer = run_system(as_system(extract), golds[0])
    assert (answer.error, answer.empty, answer.score.f1) == ("OSError", True, 0.0)


def test_quiet(capsys, caplog):
    with quiet():
        warnings.warn("unheard", stacklevel=1)
        logging.getLogger("peer").error("unheard")
    assert not caplog.records
    logging.getLogger("peer").error("heard")
    assert [record.message for record in caplog.records] == ["heard"]


# -- the picture ------------------------------------------------------------------------------

CROWD = [
    Point("ours <1>", 150, 0.89, ours=True),
    *(Point(f"number {at}", 20 + at, 0.80 + at / 500) for at in range(6)),
    Point("fitted", 9, 0.95, seen=True),
    Point("slow & weak", 0.8, 0.41),
    Point("fast", 2000, 0.66),
]
SPACE = "{http://www.w3.org/2000/svg}"


def drawn(systems):
    return ET.fromstring(draw(systems, "F1 <and> speed"))


def test_picture_parses_and_says_everything():
    root = drawn(CROWD)
    assert root.find(f"{SPACE}title").text == "F1 <and> speed"
    assert "ours <1>: F1 0.890, 150/s" in root.find(f"{SPACE}desc").text
    texts = [text.text for text in root.iter(f"{SPACE}text")]
    assert {"ours <1>", "slow & weak", "0.5", "1000", "0.40", "F1"} <= set(texts)
    kinds = [circle.get("class") for circle in root.iter(f"{SPACE}circle")]
    assert (kinds.count("ours"), kinds.count("peer seen"), kinds.count("peer")) == (1, 2, 8)


def test_names_lie_apart_and_inside():
    boxes = []
    for text in drawn(CROWD).iter(f"{SPACE}text"):
        if "name" in (text.get("class") or ""):
            wide = len(text.text) * 6
            x, y = float(text.get("x")), float(text.get("y"))
            left = x - {"start": 0, "middle": wide / 2, "end": wide}[text.get("text-anchor")]
            boxes.append((left, y - 10, left + wide, y + 2))
    assert len(boxes) == len(CROWD)
    assert all(left >= 64 and right <= 736 for left, _, right, _ in boxes)
    for one, other in combinations(boxes, 2):
        across = one[0] < other[2] and other[0] < one[2]
        assert not (across and one[1] < other[3] and other[1] < one[3])


def test_a_name_at_the_edge_turns_inwards():
    root = drawn([Point("left", 10, 0.5), Point("a long name for a fast one", 1700, 0.5)])
    ends = [text.get("text-anchor") for text in root.iter(f"{SPACE}text") if text.get("class")]
    assert ends[1:] == ["end", "start"]


def test_faster_is_to_the_right_and_better_is_above():
    dots = {
        circle.find(f"{SPACE}title").text.split(":")[0]: circle
        for circle in drawn(CROWD).iter(f"{SPACE}circle")
        if circle.find(f"{SPACE}title") is not None
    }
    place = {name: (float(dot.get("cx")), float(dot.get("cy"))) for name, dot in dots.items()}
    assert place["slow & weak"][0] < place["fitted"][0] < place["ours <1>"][0] < place["fast"][0]
    assert place["fitted"][1] < place["ours <1>"][1] < place["fast"][1] < place["slow & weak"][1]


@pytest.mark.parametrize("systems", [[], [Point("one", 10, 1.0)], [Point("none", 10, 0.0)]])
def test_small_pictures(systems):
    assert len(list(drawn(systems).iter(f"{SPACE}circle"))) == len(systems)


def test_a_crowd_on_one_spot_ends():
    crowd = [Point(f"a rather long name {at}", 10, 0.5) for at in range(200)]
    with ends():
        assert len([line for line in _labels(crowd, _scale(crowd)) if "<text" in line]) == 200


def test_points_of_an_evaluation(golds):
    figures = evaluate_content(golds, SYSTEMS)
    right, half, _ = points(figures, ours=["right"], seen=["half"])
    assert (right.name, right.f1, right.ours, right.seen) == ("right", 1.0, True, False)
    assert (half.ours, half.seen) == (False, True)
    assert half.speed == figures.pages_per_second("half")
