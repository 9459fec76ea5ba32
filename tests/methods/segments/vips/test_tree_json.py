"""The tree of VIPS in JSON, and its parameters as options."""

import json

from pagelet import detect_segments, parse
from pagelet.methods.segments.options import SegmentsOptions
from pagelet.methods.segments.vips import VipsOptions
from tests.drawn import drawn
from tests.places import SITE

PAGE = parse((SITE / "index.html").read_bytes())


def test_the_tree_is_part_of_json_where_it_is_wanted():
    found = detect_segments(drawn(PAGE), method="vips", tree=True)
    tree = json.loads(found.to_json())["segments"]["tree"]
    parents = [area["parent"] for area in tree["areas"]]
    assert parents[0] == -1
    assert all(parent < at for at, parent in enumerate(parents))
    assert {each["area"] for each in tree["separators"]} <= set(range(len(parents)))
    assert "tree" not in detect_segments(drawn(PAGE), method="vips").extra["segments"]


def test_every_parameter_is_an_option():
    given = SegmentsOptions(pdoc=7, block_width=10, block_height=20, divisions=3, capped=False)
    assert given.vips == VipsOptions(pdoc=7, width=10, height=20, rounds=3, capped=False)
    assert SegmentsOptions().vips == VipsOptions()
