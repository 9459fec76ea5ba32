"""Scores of records: cells, completeness, counts; examples; detail pages of one template."""

from pathlib import Path

import numpy as np
import pytest

from pagelet import parse
from pagelet.errors import NoGold
from pagelet.lab.records.details import evaluate_details, is_details
from pagelet.lab.records.fit import group_quality
from pagelet.lab.records.scores import (
    RecordsGold,
    letters,
    read_records,
    row_text,
    score_texts,
)
from pagelet.methods.records.candidates import find_candidates

PAGE = "<ul><li>Tea &amp; milk <b>2</b><li>Cake <b>3</b><li>Ice <b>4</b></ul>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "1-Food" / "1-Menu.example" / "1-tea-keyword"
    place.mkdir(parents=True)
    (place / "page.html").write_text(PAGE)
    table = 'Tea &amp; milk,2,\n"Cake",3,not there\nIce,4,\n,,\n'
    (place / "records.csv").write_text(table)
    return tmp_path


def test_cells_are_letters_and_those_that_are_not_on_the_page_are_left_out(folder):
    (gold,) = read_records(folder)
    assert (gold.site, gold.records) == (
        "menu.example",
        [["teamilk", "2"], ["cake", "3"], ["ice", "4"]],
    )
    with pytest.raises(NoGold):
        list(read_records(folder / "1-Food" / "nothing"))


@pytest.mark.parametrize(
    ("texts", "complete", "exact"),
    [
        (["teamilk2", "cake3", "ice4"], 3, True),
        (["teamilk2", "cake3"], 2, False),
        (["teamilk2cake3", "ice4"], 1, False),
        (["teamilk", "cake3", "ice4"], 2, True),
        ([], 0, False),
    ],
)
def test_a_record_is_complete_with_its_cells_and_no_other(folder, texts, complete, exact):
    (gold,) = read_records(folder)
    score = score_texts(gold, texts)
    assert (score.complete, score.exact, score.scored) == (complete, exact, 3)


def test_a_cell_that_is_part_of_an_own_one_is_no_other():
    gold = RecordsGold(parse("<p>x"), "a", "b", [["2016"], ["20"]])
    assert score_texts(gold, ["2016", "20"]).complete == 2


def test_values_of_a_record_as_text():
    several = ["One", {"text": "Two"}]
    row = {"a": {"text": "Tea", "href": "/x"}, "b": several, "c": None, "d": {"src": "y"}}
    assert row_text(row) == "teaonetwo"
    assert letters("Tea &amp; \ufffdMilk!") == "teamilk"


def test_the_group_of_the_items_covers_the_records(folder):
    (gold,) = read_records(folder)
    candidates = find_candidates(gold.page)
    quality = group_quality(gold, candidates)
    best = candidates.members(int(np.argmax(quality)))
    assert quality.max() == 1
    assert [gold.page.name(row) for row in candidates.start[best]] == ["li"] * 3


def test_attributes_of_detail_pages(tmp_path):
    pages = tmp_path / "webpages" / "book" / "book-shop(4)"
    values = tmp_path / "groundtruth" / "book"
    pages.mkdir(parents=True)
    values.mkdir(parents=True)
    names = ["Rivers", "Hills", "Seas", "Woods"]
    titles, authors = ["book\tshop\ttitle", "4"], ["book\tshop\tauthor", "3"]
    for at, name in enumerate(names):
        link = f"<a href=/{at}>Ann {at}</a>"
        html = f"<h1>{name} &amp; more</h1><p>Free delivery</p><p class=a>by {link}</p>"
        (pages / f"000{at}.htm").write_text(html)
        titles.append(f"000{at}\t1\t{name} &amp; more")
        authors.append(f"000{at}\t1\t{'<NULL>' if at == 3 else f'Ann {at}'}")
    (values / "book-shop-title.txt").write_text("\n".join(titles))
    (values / "book-shop-author.txt").write_text("\n".join(authors))
    assert is_details(tmp_path)
    table = evaluate_details(tmp_path, print)["details"]
    assert table.value("all", "values exact") == 1
    assert table.value("book", "attributes exact") == 1
    assert table.value("all", "values") == 7
