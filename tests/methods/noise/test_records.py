"""Records: split where siblings are records together, whole, nothing lost, nothing twice."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagelet import Page, Query, detect_noise, parse
from pagelet.methods.noise import list_records
from pagelet.methods.noise.options import NoiseOptions
from pagelet.methods.noise.records import find_records, records_html
from pagelet.page.textblocks import readable_texts
from pagelet.pagelets import Pagelet
from tests.build import html, page_of, trees
from tests.effort import ends, growth
from tests.page.test_runs import CHILDREN

MENU = "<ul>" + "".join(f"<li><a href=/{at}>Shelf {at}</a>" for at in range(6)) + "</ul>"
SEEDS = [(f"Bean {at}", f"Sown in the year {1900 + at}.", f"by Ann {at}") for at in range(9)]
LINES = "<br>".join(f"<a href=/{a}>{a}</a> - {b} {c}" for a, b, c in SEEDS)
TERMS = "".join(f"<dt><a href=/{a}>{a}</a><dd class=x>{b}<dd>{c}" for a, b, c in SEEDS)


def split(source: str, *noise: str) -> list[tuple[str, ...]]:
    """The fields of each record where all is content but the named elements."""
    page = parse(source)
    rows = np.unique(page.parent[(page.tag == 0) & page.counted]).tolist()
    left_out = {page.row(f"/html/body/{path}") for path in noise}
    kinds = ["noise" if row in left_out else "content" for row in rows]
    items = [Pagelet(page, (row,), kind, 1.0) for row, kind in zip(rows, kinds, strict=True)]
    return [tuple(record.fields.values()) for record in find_records(page, items, None)]


def test_a_list_of_terms_is_a_record_a_term():
    found = split(f"<dl>{TERMS}</dl>")
    assert found == SEEDS


def test_a_record_of_siblings_names_them_all():
    page = parse(f"<h1>Beans</h1><dl>{TERMS}</dl>")
    records = detect_noise(page, options=NoiseOptions(threshold=0)).extra["records"]
    first, second = records[:2]
    assert first == {"path": "/html/body/h1", "fields": {"1": "Beans"}}
    assert (second["path"], second["paths"]) == (
        None,
        [f"/html/body/dl/{step}" for step in ("dt[1]", "dd[1]", "dd[2]")],
    )
    assert [tuple(record["fields"]) for record in records[1:]] == [("2", "3", "4")] * 9


def test_lines_are_records_and_their_bare_text_belongs_to_them():
    whole = [(a, f"- {b} {c}") for a, b, c in SEEDS]
    assert split(f"<div>{LINES}</div>") == whole
    assert split(f"<div>{LINES}</div>", "div") == whole
    assert split(f"<div>{LINES}</div>", "div/a[2]", "div/a[3]") == [
        (a, f"- {b} {c}") for a, b, c in SEEDS
    ]


def test_what_leads_belongs_to_the_record_and_is_whole():
    terms = "".join(f"<dt><a href=/>Found: <b>{a}</b></a><dd>{b}" for a, b, _ in SEEDS)
    noise = [f"dl/dt[{at}]/a{step}" for at in range(1, 10) for step in ("", "/b")]
    assert split(f"<dl>{terms}</dl>", *noise) == [(f"Found: {a}", b) for a, b, _ in SEEDS]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("A <b>red</b>, ripe <b>bean</b>.", "A red, ripe bean."),
        ("<i>A</i><b>B</b>", "AB"),
        ("<i>A</i> <b>B</b>", "A B"),
        ("<i>A<b> </b></i><b>B</b>", "A B"),
        ("A<br><b>B</b>", "A B"),
        ("A<img src=x><b>B</b>", "A B"),
        ("A<x-y><b>B</b></x-y>", "AB"),
    ],
)
def test_words_are_whole(source, expected):
    page = parse(f"<p>{source}</p>")
    item = Pagelet(page, (page.row("/html/body/p"),), "content", 1.0)
    assert ["\n".join(record.fields.values()) for record in find_records(page, [item], None)] == [
        expected
    ]


def test_text_before_the_first_line_stays_noise():
    found = split(f"<div>Found these: <br>{LINES}</div>", "div")
    assert ("Found these:",) not in found
    assert len(found) == 9


def test_lines_in_a_record_are_its_fields():
    cards = "".join(
        f"<li><h3>Bean {at}</h3><p><b>Colour</b> red {at}<br><b>Height</b> {at} cm</p>"
        for at in range(9)
    )
    page = parse(f"<ul>{cards}</ul>")
    records = detect_noise(page, options=NoiseOptions(threshold=0)).extra["records"]
    assert [record["path"] for record in records] == [
        f"/html/body/ul/li[{at + 1}]" for at in range(9)
    ]


def test_lines_of_a_record_are_no_records_though_each_begins_anew():
    cards = "".join(
        f"<li><h3>Bean {at}</h3><p>In {at}.</p><div><b>Ann {at}</b> sowed<br><b>Bo {at}</b> ate"
        for at in range(1900, 1909)
    )
    page = parse(f"<ul>{cards}</ul>")
    records = list_records(detect_noise(page, options=NoiseOptions(threshold=0)))
    assert [page.path(record.rows[0]) for record in records] == [
        f"/html/body/ul/li[{at}]" for at in range(1, 10)
    ]


def test_a_stressed_word_in_a_cell_is_no_field():
    lines = [(f"SK-{at:04}", f"the bean {at}", str(at), f"By sea {at}") for at in range(5, 25)]
    cells = ("".join(f"<td><a href=/>{cell}</a>" for cell in line) for line in lines)
    rows = "".join(f"<tr>{line}" for line in cells).replace("bean", "<b>bean</b>")
    page = parse(f"<table class=results>{rows}</table>")
    found = detect_noise(page, query=Query.of(["bean"]))
    assert {item.kind for item in found if page.name(item.row) == "b"} == {"noise"}
    assert [tuple(record.fields.values()) for record in list_records(found)] == lines


def test_two_sides_of_a_card_are_one_record():
    cards = "".join(
        f"<div class=card><div class=left><h3>Bean {at}</h3><p>Sown in the year of {at}.</p></div>"
        f"<div class=right><b>Ann {at}</b><i>{at} views</i></div></div>"
        for at in range(1900, 1909)
    )
    records = list_records(detect_noise(parse(cards), options=NoiseOptions(threshold=0)))
    assert [len(record.fields) for record in records] == [4] * 9


def test_cards_with_names_of_their_own_stay_apart():
    cards = "".join(
        f"<div class={name}><h3>Bean {name}</h3><p>Sown in the year of {name}.</p></div>"
        for name in "abcdefghi"
    )
    page = parse(f"<div class=l><b>x</b><i>y</i>{cards}</div><div class=l><b>x</b><i>y</i></div>")
    records = list_records(detect_noise(page, options=NoiseOptions(threshold=0)))
    assert (
        sum(
            len(record.fields) == 2 and "Bean" in "\n".join(record.fields.values())
            for record in records
        )
        == 9
    )


def test_labels_that_lists_share_begin_no_records():
    sheet = "<dl><dt>Colour<dd>red {0}<dt>Height<dd>{0} cm<dt>Price<dd>{0} coins</dl>"
    assert all(len(fields) == 1 for fields in split(sheet.format(1) + sheet.format(2)))
    assert split(sheet.format(1)) == [("Colour", "red 1"), ("Height", "1 cm"), ("Price", "1 coins")]


def test_sections_of_records_stay_apart():
    item = "<li><h4>Bean {0}</h4><p>Sown in the year of {0}, in a row by the wall.</p>"
    items = "".join(item.format(1900 + at) for at in range(4))
    sections = "".join(f"<h2>Part {at}</h2><ul>{items}</ul>" for at in range(3))
    page = parse(f"<div>{sections}</div>")
    records = detect_noise(page, options=NoiseOptions(threshold=0)).extra["records"]
    assert (
        sum((record["path"] or "").endswith("]") and "/li" in record["path"] for record in records)
        == 12
    )


def test_a_run_with_little_content_is_no_run():
    noise = [f"dl/dt[{at}]/a" for at in range(3, 10)]
    noise += [f"dl/dd[{at}]" for at in range(5, 19)]
    assert split(f"<dl>{TERMS}</dl>", *noise) == [(text,) for row in SEEDS[:2] for text in row]


def test_lines_that_are_most_of_a_page_are_kept_though_nothing_was_found():
    page = parse(f"{MENU}<div>{LINES}</div>")
    nothing = NoiseOptions(threshold=1)
    records = list_records(detect_noise(page, options=nothing))
    assert [tuple(record.fields.values()) for record in records] == [
        (a, f"- {b} {c}") for a, b, c in SEEDS
    ]
    assert "Sown in the year 1904" in records_html(page, records)
    assert "Shelf" not in records_html(page, records)
    assert list_records(detect_noise(parse(f"<dl>{TERMS}</dl>"), options=nothing)) == []
    assert (
        list_records(detect_noise(parse("<p>Nothing was found.</p><a>Back</a>"), options=nothing))
        == []
    )


CHOICES = (
    "<select><option>red<option>blue<optgroup label=x><option>green</select>"
    "<textarea>say it</textarea><datalist><option>row</datalist>"
)


@pytest.mark.parametrize("method", ["learned", "cetd"])
def test_what_is_to_choose_from_is_never_a_field(method):
    rows = "".join(f"<tr><td>Bean {a}<td>{b} {CHOICES}<td>{c}</tr>" for a, b, c in SEEDS)
    page = parse(f"<table>{rows}</table>{CHOICES}")
    found = detect_noise(
        page, options=NoiseOptions(method=method, threshold=0), query=Query.of(["bean"])
    )
    texts = " ".join(text for record in list_records(found) for text in record.fields.values())
    assert not {"red", "blue", "green", "say", "row"} & set(texts.split())
    if method == "learned":
        assert {item.kind for item in found if page.name(item.row) in ("option", "textarea")} == {
            "noise"
        }


flat = st.lists(st.sampled_from(CHILDREN), min_size=1, max_size=4).map(lambda kids: kids * 4)


@given(trees | flat.map(lambda kids: html(("div", *kids))), st.data())
@settings(max_examples=150)
def test_no_text_is_lost_and_none_is_listed_twice(tree, data):
    page = page_of(tree)
    found = detect_noise(page, options=NoiseOptions(threshold=data.draw(st.sampled_from((0, 0.3)))))
    records = list_records(found)
    listed = [row for record in records for row in record.texts]
    assert max(Counter(listed).values(), default=1) == 1
    texts = readable_texts(page).tolist()
    wanted = {item.row for item in found if item.kind == "content"}
    own = {row for row in texts if int(page.parent[row]) in wanted}
    assert own <= set(listed) <= set(texts)
    for record in records:
        fields = "".join("".join(record.fields.values()).split())
        rows = "".join("".join(page.text(row) for row in record.texts).split())
        assert sorted(fields) == sorted(rows)
        assert all(any(row in page.subtree(top) for top in record.rows) for row in record.texts)
    assert [record.texts[0] for record in records] == sorted(r.texts[0] for r in records)


def lined_page(lines: int) -> tuple[Page, list[Pagelet]]:
    """A page of lines, terms in each, and stray looks."""
    parts = [("a", f"A {at}") if at % 3 else ("br",) for at in range(lines)]
    deep = [("dl", {"class": f"c{at}"}, ("dt", "x"), ("dd", "y")) for at in range(lines // 10)]
    page = page_of(html(("div", *parts), ("div", *deep)))
    rows = np.unique(page.parent[(page.tag == 0) & page.counted]).tolist()
    return page, [Pagelet(page, (row,), "content", 1.0) for row in rows]


def test_the_work_grows_with_the_page():
    with ends():
        assert len(find_records(*lined_page(16_000), None)) > 4_000
    assert growth(lambda made: find_records(*made, None), lined_page, 1_000) < 6
