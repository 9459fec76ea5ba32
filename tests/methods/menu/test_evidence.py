"""Evidence of finalists: labels, addresses, repetition, place and names."""

import numpy as np
import pytest
from hypothesis import given

from pagelet import parse
from pagelet.methods.menu.evidence import evidence_features
from pagelet.methods.menu.features import find_candidates
from tests.build import page_of, trees

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
