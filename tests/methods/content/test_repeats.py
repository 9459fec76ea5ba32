"""Equal blocks: kept in one flow, left out where the page repeats itself around its content."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import core, extract, extract_content, parse
from pagelet.methods.content.counts import reader_of
from pagelet.methods.content.repeats import find_repeats
from pagelet.methods.content.structure import looks_of
from pagelet.page.textblocks import text_blocks
from tests.cores import twins
from tests.effort import ends

LINE = "Sing we all of the wide grey sea."


def repeats(html: str, *chances: float) -> list[int]:
    """The places of repeated blocks, all equally likely unless told."""
    page = parse(html)
    blocks = text_blocks(page)
    probability = np.array(chances or [0.9] * len(blocks))
    return np.flatnonzero(find_repeats(page, blocks, probability, probability > 0)).tolist()


@pytest.mark.parametrize(
    "html",
    [
        pytest.param(f"<p>{LINE}<p>other words of the song<p>{LINE}", id="a chorus"),
        pytest.param(f"<p>{LINE}<p class=refrain>{LINE}", id="a chorus with a class"),
        pytest.param(f"<ul><li>{LINE}<li class=last>{LINE}</ul>", id="items"),
        pytest.param(
            f"<dl><dt>[1]<dd><div class=subjects>{LINE}</div>"
            f"<dt>[2]<dd><div class=subjects>{LINE}</div></dl>",
            id="entries of a listing",
        ),
        pytest.param(
            f"<table><tr><td><p>{LINE}<td>1<tr class=odd><td><p>{LINE}</table>", id="table"
        ),
        pytest.param(
            f"<div><article class=post><p>{LINE}</article>"
            f"<article class=reply><blockquote><p>{LINE}</blockquote><p>So it is.</article></div>",
            id="a quotation in a thread",
        ),
        pytest.param(
            f"<div class='post odd'><div><p>{LINE}</div></div>"
            f"<div class='post even'><div><div>{LINE}</div></div></div>",
            id="posts that share a class",
        ),
        pytest.param(f"<section><h3>{LINE}</h3></section>" * 3, id="sections that look alike"),
        pytest.param(f"<pre>{LINE}</pre><div class=x><pre>{LINE}</pre></div>", id="code"),
    ],
)
def test_copies_in_one_flow_are_all_there(html):
    assert repeats(html) == []


@pytest.mark.parametrize(
    "html",
    [
        pytest.param(
            f"<div class='text desktop'><p>{LINE}</div><div class='text mobile'><p>{LINE}</div>",
            id="for small screens",
        ),
        pytest.param(f"<main><p>{LINE}</main><aside><p>{LINE}</aside>", id="a side bar"),
        pytest.param(
            f"<div class=body><h2>{LINE}</h2></div><nav><a>{LINE}</a></nav>", id="contents"
        ),
        pytest.param(
            f"<ul><li><p>{LINE}<li><div class=line-clamp-1><p>{LINE}</div></ul>", id="a preview"
        ),
    ],
)
def test_copies_around_the_content_are_not(html):
    assert repeats(html) == [1]


def test_the_likeliest_flow_stays_whole():
    html = f"<aside><p>{LINE}</aside><ul><li>{LINE}<li>{LINE}</ul>"
    assert repeats(html, 0.8, 0.5, 0.9) == [0]
    assert repeats(html, 0.9, 0.5, 0.8) == [1, 2]


places = st.sampled_from(
    ("<p>{}</p>", "<p class=a>{}</p>", "<div class=a><p>{}</p></div>", "<aside><p>{}</p></aside>")
)


@given(st.lists(places, min_size=1, max_size=6))
def test_one_copy_at_least_is_always_there(made):
    html = "".join(place.format(LINE) for place in made)
    assert len(repeats(html)) < len(made)


def test_very_many_copies_are_compared_at_once():
    html = "".join(f"<div class=c{at}><p>{LINE}</p></div>" for at in range(5_000))
    with ends():
        assert len(repeats(html)) == 4_999


# -- with the shipped model -------------------------------------------------------------------

STANZAS = [
    f"The boats went out on the {each} morning tide, and the gulls went out before them,<br>"
    "and none who stood on the harbour wall could tell who would come home."
    for each in ("first", "second", "third", "fourth", "fifth", "sixth")
]
CHORUS = "Haul away, haul away, the night is long,<br>haul away for the morning."


def test_a_chorus_sung_six_times_is_there_six_times():
    verses = "".join(f"<p>{stanza}</p><p><em>{CHORUS}</em></p>" for stanza in STANZAS)
    html = f"<title>Haul away</title><main><h1>Haul away</h1>{verses}</main>"
    text = extract(html)
    assert text.count("Haul away, haul away, the night is long") == 6
    assert all(f"on the {each} morning" in text for each in ("first", "sixth"))


def test_every_entry_of_a_listing_has_its_subjects():
    entries = "".join(
        f"<dt><a name=item{at}>[{at}]</a> <a href=/abs/{at}>arXiv:2601.{at:05}</a></dt><dd>"
        f"<div class='list-title'>Title: On the tides of wide seas, part {at}</div>"
        f"<div class='list-authors'><a href=/a/{at}>A. Author{at}</a></div>"
        f"<div class='list-subjects'>Subjects: Fluid Dynamics (physics.flu-dyn)</div></dd>"
        for at in range(1, 51)
    )
    text = extract(f"<title>Fluid Dynamics</title><h1>Fluid Dynamics</h1><dl>{entries}</dl>")
    assert text.count("Subjects: Fluid Dynamics (physics.flu-dyn)") == 50


def test_replies_that_say_the_same_are_all_there():
    posts = "".join(
        f"<div class=post id=p{at}><div class=author>member{at}</div><div class=body><p>"
        + ("I have the same trouble with mine, any news?" if at % 2 else
           f"On machine number {at} the fan starts after a minute and never stops again.")
        + "</p></div></div>"
        for at in range(12)
    )  # fmt: skip
    html = f"<title>The fan</title><h1>The fan never stops</h1><div id=thread>{posts}</div>"
    assert extract(html).count("I have the same trouble with mine, any news?") == 6


@twins
@pytest.mark.parametrize("deep", [1, 300])
def test_looks_of_single_rows_are_those_of_the_page(deep):
    inner = "<div class=x>" * deep + f"<p class=a>{LINE}</p><p class>{LINE}</p><b>{LINE}</b>"
    page = parse(f"<title>t</title><div>{inner}</div><ul><li class='a b'>{LINE}</ul>")
    extract_content(page)
    looks, reader = looks_of(page), reader_of(page)
    for rows in ([len(page) - 1, 3], list(range(len(page)))):
        found = core.kernels.find_looks(reader, rows, len(page.names))
        if page.depth[rows].sum() > len(page):
            assert found is None  # the whole page takes less time
        else:
            own, path = looks.own[rows].tolist(), looks.path[rows].tolist()
            assert found == list(zip(own, path, strict=True))
    assert core.kernels.find_looks(reader, [0], len(page.names)) is not None
    with pytest.raises(IndexError):
        core.kernels.find_looks(reader, [len(page)], len(page.names))
