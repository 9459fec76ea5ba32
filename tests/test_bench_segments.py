"""The pages that `make bench` times segmentation on."""

import numpy as np
import pytest
from bench import segments
from bench.segments import BOX_FINDING, SHAPES, example, run, times

from pagelet.lab.segments.segmenters import BCS, VIPS


@pytest.mark.parametrize("shape", SHAPES)
def test_a_page_has_the_boxes_of_its_layout(shape):
    page = example(SHAPES[shape], 100)
    wanted = SHAPES[shape](100).edges
    found = page.boxes.edges[np.argsort(page.boxes.row)]
    assert len(found) > 95  # some scattered boxes contain others
    assert {tuple(edges) for edges in found.tolist()} <= {tuple(edges) for edges in wanted.tolist()}


def test_every_segmenter_is_timed():
    pages = [example(SHAPES["columns"], size) for size in (20, 40)]
    found = times(pages)
    assert {BOX_FINDING, BCS, VIPS, "default, shipped", "default, --with-dom, shipped"} <= set(
        found
    )
    assert all(len(each) == 2 and min(each) > 0 for each in found.values())


def test_growth_and_the_ratio_are_printed(monkeypatch, capsys):
    monkeypatch.setattr(segments, "SIZES", (20, 40))
    monkeypatch.setattr(segments, "SHAPES", {"grid": SHAPES["grid"]})
    run(1)
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].startswith(f"  {VIPS} over {BCS}")
    assert [line.split()[0] for line in lines[4:6]] == ["grid", "finding"]
