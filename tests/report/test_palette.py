"""The palette: every kind and role has a look that can be told apart without colours."""

from itertools import combinations

import pytest
from PIL import Image
from scripts.draw_ui_docs import in_few_colours

from pagelet.report.palette import (
    FILLS,
    KIND_LOOKS,
    LINES,
    ROLE_COLOURS,
    SEGMENT_COLOURS,
    all_roles,
    describe_kind,
    ink_on,
    luminance,
    rgb,
    role_look,
    write_css,
)

LOOKS = {**KIND_LOOKS, **{f"role {role}": role_look(role) for role in all_roles()}}


def test_every_role_has_a_colour():
    assert set(all_roles()) == set(ROLE_COLOURS)


@pytest.mark.parametrize("name", LOOKS)
def test_text_on_a_colour_is_legible(name):
    look = LOOKS[name]
    ink = luminance((0, 0, 0) if look.ink == "#000" else (255, 255, 255))
    light, dark = sorted((luminance(rgb(look.colour)), ink), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 4.5
    assert look.line in LINES
    assert look.fill in FILLS


def test_kinds_of_near_brightness_differ_by_line_fill_or_label():
    """In grey, what remains is brightness, the pattern, and the label that is always shown."""
    for one, two in combinations(KIND_LOOKS.values(), 2):
        near = abs(luminance(rgb(one.colour)) - luminance(rgb(two.colour))) < 0.05
        told = (one.line, one.fill, one.labelled) != (two.line, two.fill, two.labelled)
        assert told or not near


def test_segments_without_a_role_have_no_colour_of_another_kind():
    others = {look.colour for name, look in KIND_LOOKS.items() if name != "segment"}
    assert not others & set(SEGMENT_COLOURS)
    assert {ink_on(colour) for colour in SEGMENT_COLOURS} == {"#fff"}


def test_style_sheet_has_a_class_for_each_look():
    css = write_css()
    assert f".{describe_kind('menu')['look']} {{ --colour: #0072b2; --ink: #fff;" in css
    assert ".role-side-bar {" in css
    assert describe_kind("heading")["look"] == "kind-other"


def test_pictures_of_the_docs_keep_the_colours_of_kinds():
    """Though a swatch has few points, and few colours are kept."""
    picture = Image.effect_noise((256, 256), 90).convert("RGB")
    for at, look in enumerate(KIND_LOOKS.values()):
        picture.putpixel((at, 0), rgb(look.colour))
    written = in_few_colours(picture, 16).convert("RGB")
    kept = [written.getpixel((at, 0)) for at in range(len(KIND_LOOKS))]
    assert kept == [rgb(look.colour) for look in KIND_LOOKS.values()]
