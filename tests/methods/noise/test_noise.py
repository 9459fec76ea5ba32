"""Noise removal: result pages by hand, records that are whole, the query, every way to answer."""

import numpy as np
import pytest
from hypothesis import given, settings

from pagelet import METHODS, Query, detect_noise, parse
from pagelet.api import analyse
from pagelet.errors import OptionError
from pagelet.methods.noise.best_records import best_records
from pagelet.methods.noise.decision import apply_memory, build_memory, page_query, unit_keys
from pagelet.methods.noise.groups import Groups
from pagelet.methods.noise.options import NoiseOptions
from pagelet.methods.noise.sheet import TextSheet
from tests.build import html, page_of, trees
from tests.results import html_of, records

PAGE = parse(html_of(3, "tomato"), url="https://a.example/s?q=tomato")


def texts_of(found, kind):
    return {item.text for item in found if item.kind == kind}


def test_records_are_content_and_menus_are_noise():
    found = detect_noise(PAGE, query=Query.of(["tomato"]))
    content = texts_of(found, "content")
    titles = {title for title, _, _ in records(3, "tomato")}
    texts = {text for _, _, text in records(3, "tomato")}
    assert len(content & titles) >= 6
    assert len(content & texts) >= 6
    assert {"All rights reserved.", "kale"} <= texts_of(found, "noise")


@given(trees)
@settings(max_examples=30)
def test_every_element_with_counted_text_has_one_answer(tree):
    page = page_of(tree)
    texts = np.flatnonzero((page.tag == 0) & page.counted)
    expected = sorted(set(page.parent[texts].tolist()))
    for profile in ("default", "paper"):
        for method in ("learned", "cetd"):
            found = detect_noise(page, method=method, profile=profile)
            assert [item.row for item in found] == expected


def test_nothing_that_is_content_is_missing_from_the_records():
    found = detect_noise(PAGE, query=Query.of(["tomato"]))
    fields = [text for record in found.extra["records"] for text in record["fields"].values()]
    assert texts_of(found, "content") <= set(fields)


def test_a_cell_of_one_sign_stands_in_its_column_too():
    rows = [
        (f"SK-{at:04}", f"Bean of the {at}th kind", str(at), f"Grown near sea {at}")
        for at in range(5, 25)
    ]
    cells = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    found = detect_noise(parse(f"<table class=results>{cells}</table>"), query=Query.of(["bean"]))
    records = [tuple(record["fields"].values()) for record in found.extra["records"]]
    assert records == rows


def test_a_field_is_whole_and_stands_at_its_position():
    source = "".join(
        f"<li class=result><h3><a href=/{at}>Packet number {at} of <b>tomato</b></a></h3>"
        f"<p>Grown near the sea in the year of {at}, for those who like it.</p></li>"
        for at in range(12)
    )
    found = detect_noise(parse(f"<ul>{source}</ul>"), query=Query.of(["tomato"]))
    rows = found.extra["records"]
    assert len(rows) == 12
    assert [row["path"] for row in rows] == [f"/html/body/ul/li[{at}]" for at in range(1, 13)]
    first = [next(iter(row["fields"].values())) for row in rows]
    assert first == [f"Packet number {at} of tomato" for at in range(12)]


def test_the_reason_tells_what_the_query_did():
    with_query = detect_noise(
        PAGE, options=NoiseOptions(url_query=False), query=Query.of(["tomato"])
    )
    without = detect_noise(PAGE, options=NoiseOptions(url_query=False))
    assert [item.reason["without_query"] for item in with_query] == pytest.approx(
        [item.reason["probability"] for item in without]
    )
    assert "without_query" not in without[0].reason
    assert with_query.extra["query"]["words"] == ["tomato"]
    assert with_query.extra["query"]["matches"] > 8
    assert "query" not in without.extra


def test_the_address_of_a_page_is_evidence_unless_it_is_not_wanted():
    assert "query" in detect_noise(PAGE).extra
    assert "query" not in detect_noise(PAGE, options=NoiseOptions(url_query=False)).extra
    assert page_query(Query.of(["bean"]), PAGE, url=True).words == {"bean", "tomato"}


def test_explained_answers_name_what_moved_them():
    found = analyse(PAGE, "noise", explain=True)
    moved = [name for name in found[0].reason if name.startswith("moved_")]
    assert moved


def test_threshold_0_keeps_all_and_the_score_says_how_sure():
    assert texts_of(detect_noise(PAGE, options=NoiseOptions(threshold=0)), "noise") == set()
    for item in detect_noise(PAGE):
        likely = item.reason["probability"]
        assert item.score == pytest.approx(likely if item.kind == "content" else 1 - likely)


def test_a_file_that_is_no_model_is_refused(tmp_path):
    (tmp_path / "x.npz").write_bytes(b"nothing")
    for profile in METHODS["noise"].profiles:
        with pytest.raises(OptionError):
            analyse(PAGE, "noise", profile=profile, model=str(tmp_path / "x.npz"))


def test_the_best_group_above_a_unit_is_found_and_of_equals_the_outermost():
    page = page_of(html(("ul", ("li", ("p", "one")), ("li", ("p", "two"))), ("p", "alone")))
    items = [page.row(f"/html/body/ul/li[{at}]") for at in (1, 2)]
    lines = [page.row(f"/html/body/ul/li[{at}]/p") for at in (1, 2)]
    rows = np.array([*items, *lines])
    groups = Groups(rows, np.array([0, 0, 1, 1]), np.array([2, 2]), np.array([0, 0]), rows, rows)
    units = TextSheet(page).units
    found = best_records(page, units, groups, np.array([0.5, 0.2]))
    assert found.record.tolist() == [*items, -1]
    assert found.group.tolist() == [0, 0, -1]
    assert best_records(page, units, groups, np.array([0.2, 0.5])).record.tolist() == [*lines, -1]
    assert best_records(page, units, groups, np.array([0.3, 0.3])).record.tolist() == [*items, -1]


def test_what_is_remembered_of_a_site_outweighs_the_model():
    sheet = TextSheet(PAGE)
    keys, texts = unit_keys(sheet), np.ones(len(sheet.units))
    wanted = np.array(["kale" in text for text in sheet.unit_texts], float)
    memory = build_memory([(keys, wanted * 20, texts * 20)])
    other = TextSheet(parse(html_of(3, "bean")))
    after = apply_memory(memory, unit_keys(other), np.full(len(other.units), 0.5))
    menu = [at for at, text in enumerate(other.unit_texts) if text == "kale"]
    assert after[menu].min() > 0.5 > after[other.unit_texts.index("all rights reserved.")]
    assert apply_memory({}, keys, texts / 3) == pytest.approx(texts / 3)
