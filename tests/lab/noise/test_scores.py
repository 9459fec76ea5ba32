"""Labels of result pages, agreement by class, and the longest common subsequence."""

import json
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import Query, detect_noise, parse
from pagelet.errors import NoGold, PageError
from pagelet.lab.noise.scores import (
    ClassCounts,
    count_classes,
    lcs_length,
    read_cells,
    read_noise,
    record_texts,
    text_score,
)
from pagelet.page.query import NO_QUERY
from pagelet.page.tags import TEXT
from tests.build import html, page_of
from tests.results import html_of, write_results


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Tomato", True),  # equals a cell, whatever the case
        ("  TOMATO\n soup  ", True),
        ("$5", True),
        ("x", False),  # a cell, but one character
        ("of tomato", True),  # nine characters, part of a cell
        ("f tomato", False),  # eight are too few for a part
        ("soup & bread", True),  # the cell has the entity
        ("of tomatoes", False),
        ("tomato $5 and more", False),  # cells are not joined
    ],
)
def test_which_texts_belong_to_records(text, content, tmp_path):
    table = tmp_path / "records.csv"
    table.write_text("Tomato,tomato  soup,$5,x\nA kind of tomato,soup &amp; bread,,\n")
    page = page_of(html(("p", text)))
    found = record_texts(page, read_cells(table))
    assert found[page.row("/html/body/p") + 1] == content
    assert found.sum() == content


def test_tables_of_old_spreadsheets_are_read(tmp_path):
    (tmp_path / "records.csv").write_bytes("caf\xe9,na\x92s".encode("latin-1"))
    assert read_cells(tmp_path / "records.csv") == ["café", "na’s"]


def test_a_folder_of_result_pages(tmp_path):
    write_results(tmp_path, sites=2)
    found = read_noise(tmp_path)
    assert [gold.site for gold in found] == ["site0.example"] * 2 + ["site1.example"] * 2
    assert found[1].query.words == {"bean", "soup"}
    assert found[1].query.phrases == {"bean soup"}
    gold = found[0]
    assert gold.content.sum() == 8 * 3
    assert gold.page.counted[gold.content].all()
    assert (gold.page.tag[gold.content] == TEXT).all()


def test_marked_pages_are_read_without_their_marks(tmp_path):
    (tmp_path / "a.html").write_text(
        "<body><p>menu</p><div data-pagelet=content><b>row</b> one</div></body>"
    )
    (tmp_path / "b.html").write_text("<body>no marks</body>")
    (gold,) = read_noise(tmp_path)
    assert gold.page.attribute("data-pagelet") == {}
    assert [gold.page.text(row).strip() for row in np.flatnonzero(gold.content)] == ["row", "one"]


LABELLED = "<body>top<p>menu</p><ul><li><b>Bean</b> one <i>ad</i></li><li>two</li></ul></body>"


def labels(*pagelets, **more):
    marks = [{"kind": kind, "path": path} for kind, path in pagelets]
    return json.dumps({"schema": 1, "pagelets": marks, **more})


@pytest.mark.parametrize(
    ("pagelets", "expected"),
    [
        ([], []),
        ([("content", "/html/body/ul")], ["Bean", "one", "ad", "two"]),
        (
            [("content", "/html/body/ul"), ("noise", "/html/body/ul/li[1]/i")],
            ["Bean", "one", "two"],
        ),
        (
            [
                ("content", "/html/body/ul/li[1]/b"),  # the order of labels says nothing
                ("noise", "/html/body/ul"),
                ("content", "/html/body"),
            ],
            ["top", "menu", "Bean"],
        ),
        ([("content", "/html/body/text()[1]")], ["top"]),
        ([("menu", "/html/body/p"), ("content", "/html/body/ul/li[2]")], ["two"]),
    ],
)
def test_the_nearest_label_decides(pagelets, expected, tmp_path):
    (tmp_path / "a.html").write_text(LABELLED)
    (tmp_path / "a.labels.json").write_text(labels(*pagelets))
    (gold,) = read_noise(tmp_path)
    assert [gold.page.text(row).strip() for row in np.flatnonzero(gold.content)] == expected
    assert gold.text.split() == expected
    assert (gold.site, gold.name, gold.query) == ("a", "a.html", NO_QUERY)


def test_labels_name_the_site_and_the_query(tmp_path):
    (tmp_path / "site").mkdir()
    for name, more in {
        "a": {"url": "https://www.seeds.example.co.uk/s?q=x", "query": "bean soup"},
        "b": {"query": ["bean", "pea"]},
        "c": {"url": None, "query": {"words": ["kale"], "matches": 3}},
    }.items():
        (tmp_path / "site" / f"{name}.html").write_text(LABELLED)
        (tmp_path / "site" / f"{name}.labels.json").write_text(labels(**more))
    found = read_noise(tmp_path)
    assert [gold.site for gold in found] == ["example.co.uk", "site", "site"]
    assert [set(gold.query.words) for gold in found] == [
        {"bean", "soup"},
        {"bean", "pea"},
        {"kale"},
    ]
    assert found[0].query.phrases == {"bean soup"}


def test_an_answer_is_a_file_of_labels(tmp_path):
    page = parse(html_of(3, "tomato"))
    (tmp_path / "a.html").write_text(html_of(3, "tomato"))
    answer = detect_noise(page, query=Query.of(["tomato"]))
    (tmp_path / "a.labels.json").write_text(answer.to_json())
    (gold,) = read_noise(tmp_path)
    kept = {item.row for item in answer if item.kind == "content"}
    assert set(page.parent[np.flatnonzero(gold.content)].tolist()) == kept
    assert gold.query.words == {"tomato"}


@pytest.mark.parametrize(
    "broken",
    [
        "no json",
        "[1]",
        "{}",
        labels(("content", "/html/body/nav")),
        '{"pagelets": [{"path": "/html/body"}]}',
        labels(query=3),
    ],
)
def test_labels_that_cannot_be_read_are_named(broken, tmp_path):
    (tmp_path / "a.html").write_text(LABELLED)
    (tmp_path / "a.labels.json").write_text(broken)
    with pytest.raises(PageError, match=r"a\.labels\.json"):
        read_noise(tmp_path)


def test_labels_without_their_page_are_named(tmp_path):
    (tmp_path / "a.labels.json").write_text(labels())
    with pytest.raises(PageError, match=r"a\.labels\.json"):
        read_noise(tmp_path)


def test_a_folder_without_labels_is_refused(tmp_path):
    with pytest.raises(NoGold):
        read_noise(tmp_path)


def test_classes_are_counted_and_weighted():
    wanted = np.array([True] * 4 + [False] * 6)
    answer = np.array([True] * 3 + [False] + [True] * 2 + [False] * 4)
    counts = count_classes(wanted, answer)
    assert counts == ClassCounts(hits=3, false=2, missed=1, noise=4)
    assert counts.content.precision == pytest.approx(3 / 5)
    assert counts.content.recall == pytest.approx(3 / 4)
    assert counts.noisy.precision == pytest.approx(4 / 5)
    assert counts.weighted[0] == pytest.approx(0.4 * 3 / 5 + 0.6 * 4 / 5)
    assert counts.weighted[1] == pytest.approx(0.4 * 3 / 4 + 0.6 * 4 / 6)
    assert ClassCounts().weighted == (0, 0, 0)
    assert (counts + counts).hits == 6


@given(st.lists(st.sampled_from("abc"), max_size=9), st.lists(st.sampled_from("abcd"), max_size=9))
def test_common_words_equal_the_textbook(one, other):
    @cache
    def longest(i, j):
        if i == len(one) or j == len(other):
            return 0
        if one[i] == other[j]:
            return 1 + longest(i + 1, j + 1)
        return max(longest(i + 1, j), longest(i, j + 1))

    assert lcs_length(one, other) == longest(0, 0)


def test_text_scores():
    found = text_score("Home Red tomato 5", "red TOMATO, soup 5")
    assert (found.precision, found.recall) == (3 / 4, 3 / 4)
    assert text_score("", "a").f1 == text_score("a", "").f1 == 0
