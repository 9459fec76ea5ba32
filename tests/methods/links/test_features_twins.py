"""Features of link groups: the compiled core against numpy, and what calls share."""

import gc
from weakref import ref

import numpy as np
from hypothesis import given

from pagelet import detect_clutter, detect_links, detect_menu, parse
from pagelet.methods.links.features import role_features
from pagelet.methods.links.groups import find_groups
from pagelet.methods.links.hyperlinks import find_hyperlinks
from tests.build import page_of, trees
from tests.cores import ask_both, twins

SITE = """<body class=main><nav id=menu role=navigation aria-expanded=true>
<a href=/ rel=home>Home</a> <a href=/a title=A>A</a> <a href="https://x.com/a">X</a></nav>
<h1>T</h1><p>{prose} <a href=/a/b-c-d-e>in it</a></p><h2>Related</h2><div hidden><ul>
<li><a href=/r?page=2>1</a><li><a href=/r?page=3>2</a><li><a href=#top>3</a></ul></div>
""".format(prose="Words of running text. " * 9)


def features(page):
    table = role_features(find_groups(page))
    return table.names, table.lines.tolist()


@twins
def test_the_same_features():
    compiled, python = ask_both(lambda: features(parse(SITE, url="https://x.example/r/x")))
    assert compiled == python


@twins
@given(trees)
def test_the_same_features_of_any_page(tree):
    compiled, python = ask_both(lambda: features(page_of(tree)))
    assert compiled == python


def test_a_page_without_groups_has_the_same_features():
    names, lines = features(parse("<p>no links"))
    assert names == features(parse(SITE))[0]
    assert np.shape(lines) == (len(names), 0)


def test_what_is_read_of_links_is_kept_with_the_page_and_does_not_hold_it():
    page = parse(SITE)
    assert find_hyperlinks(page).labels is find_hyperlinks(page).labels
    first = [method(page).to_json() for method in (detect_links, detect_menu, detect_clutter)]
    again = [method(page).to_json() for method in (detect_clutter, detect_menu, detect_links)]
    assert first == again[::-1]
    alone = [method(parse(SITE)).to_json() for method in (detect_links, detect_menu)]
    assert first[:2] == alone


def test_a_page_is_freed_when_nothing_refers_to_it():
    page = parse(SITE)
    for method in (detect_links, detect_menu, detect_clutter):
        len(method(page))
    gc.disable()
    try:
        gone = ref(page)
        del page
        assert gone() is None
    finally:
        gc.enable()
