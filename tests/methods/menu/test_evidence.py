"""Evidence of finalists: labels, addresses, repetition, place and names."""

import numpy as np
import pytest
from hypothesis import given

from pagelet import core, parse
from pagelet.methods.menu.evidence import _name_bits, evidence_features
from pagelet.methods.menu.features import find_candidates
from tests.build import page_of, trees
from tests.cores import ask_both, twins

PAGE = """<body><header><nav class=main-menu><ul>
<li class=menu-item><a href=/>Home</a></li><li class=menu-item><a href=/about>About us</a></li>
<li class=menu-item><a href=/shop>Shop</a></li><li class=menu-item><a href=/login>Log in</a></li>
</ul></nav></header><h1>Title</h1><p>{prose}</p>
<footer><ul><li><a href=/about>About</a></li><li><a href=/privacy>Privacy</a></li></ul></footer>"""


@pytest.fixture
def table():
    page = parse(PAGE.format(prose="Some words of prose. " * 20), url="https://a.example/x/y")
    candidates = find_candidates(page)
    paths = ("/html/body/header/nav/ul", "/html/body/footer/ul")
    at = np.searchsorted(candidates.rows, [page.row(path) for path in paths])
    return evidence_features(candidates, at)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("label_home", (0.25, 0)),
        ("label_company", (0.25, 0.5)),
        ("label_account", (0.25, 0)),
        ("label_legal", (0, 0.5)),
        ("label_capital", (1, 1)),
        ("repeated_before", (0, 0.5)),
        ("repeated_after", (0.25, 0)),
        ("prose_share_before", (0, 1)),
        ("own_name_nav", (0, 0)),
        ("near_name_nav", (1, 0)),
        ("link_name_nav", (0.5, 0)),
        ("in_nav", (1, 0)),
        ("in_footer", (0, 1)),
        ("alike", (1, 1)),
        ("outer_links", (4 / 6, 2 / 6)),
    ],
)
def test_evidence(table, name, values):
    assert table[name].tolist() == pytest.approx(values)


@given(trees)
def test_evidence_does_not_depend_on_the_other_finalists(tree):
    candidates = find_candidates(page_of(tree))
    if candidates is None:
        return
    every = evidence_features(candidates, np.arange(len(candidates.rows)))
    for at in range(len(candidates.rows)):
        alone = evidence_features(candidates, np.array([at]))
        assert alone.names == every.names
        np.testing.assert_allclose(alone.rows[0], every.rows[at])


def evidence_of(page):
    candidates = find_candidates(page)
    if candidates is None:
        return None
    return evidence_features(candidates, np.arange(len(candidates.rows))).lines.tolist()


@twins
@given(trees)
def test_both_cores_have_the_same_evidence(tree):
    compiled, python = ask_both(lambda: evidence_of(page_of(tree)))
    assert compiled == python


@twins
@pytest.mark.parametrize("prose", ["", "Some words of prose. " * 20])
def test_both_cores_have_the_same_evidence_of_a_page(prose):
    compiled, python = ask_both(lambda: evidence_of(parse(PAGE.format(prose=prose))))
    assert compiled == python


def test_names_are_read_as_one_up_to_a_length():
    page = parse(
        f"<div id='{'x ' * 199}' class='footer x-menu'><a href=/>a</a><a href=/b>b</a></div>"
    )
    candidates = find_candidates(page)
    own = evidence_features(candidates, np.array([len(candidates.rows) - 1]))
    assert own["own_name_footer"].tolist() == [0]
    assert _name_bits(page, candidates.rows.tolist())[int(candidates.rows[-1])] == 0


@twins
def test_finalists_that_do_not_exist_are_refused():
    page = parse(PAGE.format(prose=""))
    candidates, kernels = find_candidates(page), core.kernels
    links, rows, far = candidates.links, candidates.rows, np.full(1, 999)
    lines = np.empty((3, 1))
    with pytest.raises(ValueError, match="line"):
        kernels.describe_links(links.label_bits, *links.extent, far, far, 27, 9, lines)
    labels = np.empty((30, 1))
    with pytest.raises(ValueError, match="exist"):
        kernels.describe_links(links.label_bits, *links.extent, far, far + 1, 27, 9, labels)
    columns = (page.tag, page.chars, page.counted, page.link)
    with pytest.raises(ValueError, match="exist"):
        kernels.place_finalists(*columns, 1, 60, 300, far, far, np.empty((7, 1)))
    with pytest.raises(ValueError, match="lines"):
        kernels.place_finalists(*columns, 1, 60, 300, far, far, lines)
    columns = (page.tag, page.size, page.parent, page.depth)
    bounds = candidates.first, candidates.last
    with pytest.raises(ValueError, match="exist"):
        kernels.relate_finalists(*columns, rows, *bounds, far, lines)
    with pytest.raises(ValueError, match="lines"):
        kernels.relate_finalists(*columns, rows, *bounds, far, labels)
