"""What segments are for."""

import numpy as np
import pytest

from pagelet.methods.segments.geometry.boxes import boxes_of_page
from pagelet.methods.segments.geometry.partition import segments_of
from pagelet.methods.segments.roles import SEGMENT_ROLES, find_segment_roles
from pagelet.page.html import parse
from tests.drawn import placed

PROSE = "A wall of dry stone stands without mortar, since each stone holds the next. " * 4
PAGE = f"""<body><header>Skerrow seeds</header>
<div class=cols><div id=content><h1>Walls</h1><p>{PROSE}</p></div>
<aside><p>Visit us on the quay</p></aside></div>
<div id=comments><p>Well written</p></div><div class=ad-box><p>Clay pots</p></div>
<footer>© 2026 the members</footer>"""
PLACES = {
    "Skerrow": (0, 0, 900, 60), "Walls": (0, 100, 600, 140), "A wall": (0, 150, 600, 700),
    "Visit": (660, 100, 900, 600), "Well": (0, 720, 600, 760), "Clay": (0, 780, 900, 860),
    "©": (0, 950, 900, 1000),
}  # fmt: skip


def roles(html, places, joined=()) -> list[str | None]:
    page = parse(html)
    texts = np.flatnonzero(page.tag == 0).tolist()
    edges = {
        row: next(place for start, place in places.items() if page.text(row).startswith(start))
        for row in texts
    }
    layout = placed(page, edges).layout
    boxes = boxes_of_page(page, layout)
    number = np.arange(len(boxes))
    for one, other in joined:
        number[other] = one
    return find_segment_roles(page, segments_of(boxes, number))


def test_roles_of_a_usual_page():
    found = roles(PAGE, PLACES, [(1, 2)])
    assert found == [
        "header", "main", "side bar", "comments", "advertisement", "footer",
    ]  # fmt: skip


def test_what_cannot_be_told_has_no_role():
    html = f"<body><div>{PROSE}</div><div>Some words</div>"
    found = roles(html, {"A wall": (0, 300, 600, 800), "Some": (0, 820, 300, 840)})
    assert found == ["main", None]


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("siteFooter", "footer"),
        ("main-nav", "navigation"),
        ("padding", None),
        ("comments", "comments"),
    ],
)
def test_words_of_names_tell_the_role(name, role):
    html = f"<body><div>{PROSE}</div><div class='{name}'>Some words</div>"
    found = roles(html, {"A wall": (0, 300, 600, 700), "Some": (0, 710, 300, 720)})
    assert found[1] == role
    assert role is None or role in SEGMENT_ROLES


def test_a_page_without_boxes_has_no_roles():
    page = parse("<body>")
    assert (
        find_segment_roles(
            page, segments_of(boxes_of_page(page, placed(page, {}).layout), np.zeros(0, int))
        )
        == []
    )
