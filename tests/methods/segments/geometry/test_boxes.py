"""The colour behind rows: a page worked by hand, then any page row by row."""

from hypothesis import given

from pagelet.methods.segments.geometry.boxes import seen_background
from tests.drawings import drawing, drawings
from tests.naive.page_boxes import PageBoxes


def test_backgrounds_show_through():
    page, layout = drawing(
        ("html", ("body", ("div", ("p", "text")), ("p", "text"))),
        dict.fromkeys((0, 2, 3, 4, 5, 6), (0, 0, 9, 9)),  # body has no place
        background={
            1: (0, 100, 0, 255),
            2: (200, 0, 100, 51),  # a fifth
            3: (0, 0, 0, 0),
            5: (9, 9, 9, 255),
        },
        drawn={5: False},
    )
    green, mixed = [0, 100, 0], [40, 80, 20]
    assert seen_background(page, layout).tolist() == [[255] * 3, green, *[mixed] * 3, green, green]


@given(drawings())
def test_equals_a_walk_up(drawn):
    page, layout = drawn
    walk = PageBoxes(page, layout)
    assert seen_background(page, layout).tolist() == [
        list(walk.background(row)) for row in range(len(page))
    ]
