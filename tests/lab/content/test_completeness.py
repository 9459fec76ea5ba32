"""Nothing lost: the explained listing of any page holds every visible word once per occurrence."""

import json
import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pagelet
from pagelet import parse
from pagelet.lab.content.completeness import (
    Loss,
    compare_listing,
    measure_loss,
    sweep,
    visible_text,
)
from pagelet.lab.content.scores import read_ground_truth
from tests.build import to_html
from tests.places import SITE
from tests.write.excerpts import WORD, trees


@given(trees)
@settings(max_examples=60)
def test_every_word_of_any_page_is_listed_once_per_occurrence(tree):
    html = to_html(tree)
    found = json.loads(pagelet.extract(html, format="json", explain=True))
    listed = [word for item in found["pagelets"] for word in WORD.findall(item["text"])]
    assert listed == WORD.findall(visible_text(html))
    assert {item["kind"] for item in found["pagelets"]} <= {"content", "dropped"}
    loss = measure_loss(parse(html))
    assert (loss.lost, loss.added, loss.wrong_kinds) == (0, 0, 0)


pieces = st.lists(
    st.sampled_from(
        (
            "<p>Sing we all of the wide grey sea.</p>",
            "<li>Sing we all of the wide grey sea.",
            "<p hidden>hidden words</p>",
            "<noscript>without scripts</noscript>",
            "<b>bo</b>ld <i>word</i>s",
            "x<sup>2</sup> H<sub>2</sub>O",
            "<template><p>inert</p></template>",
            "<div><template shadowrootmode=open><p>shadow</p></template></div>",
            "<table><tr><td>a<td>b<tr><td>c</table>",
            "<select><option>one<option>two</select>",
            "<svg><title>drawn</title><text>label</text></svg>",
            "<pre>a\n  b</pre><textarea>typed</textarea>",
            "<script>var x</script><style>p {}</style>",
            "<span>SKU: A1</span><span>MFR: B2</span>",
        )
    ),
    max_size=8,
)


@given(pieces)
@settings(max_examples=60)
def test_nothing_is_lost_on_pages_of_odd_pieces(made):
    loss = measure_loss(parse("<title>Odd pieces</title>" + "".join(made)))
    assert (loss.lost, loss.added) == (0, 0)


@pytest.mark.parametrize("profile", ["default", "paper"])
def test_words_of_a_sample_page(profile):
    page = pagelet.load(SITE / "open-day.html")
    found = pagelet.extract_content(page, explain=True, profile=profile)
    words = re.compile(r"\w+")
    listed = Counter(word for item in found for word in words.findall(item.text))
    assert listed == Counter(words.findall(visible_text(page.source)))


def test_a_loss_is_seen():
    page = parse("<p>one two</p><p>three</p>")
    listing = list(pagelet.extract_content(page, explain=True))
    assert compare_listing(listing[:1], page) == Loss(shown=11, lost=5, added=0, wrong_kinds=0)
    assert compare_listing([*listing, listing[1]], page).added == 5


def test_the_sweep_counts_pages(tmp_path):
    for name in ("ground-truth", "html"):
        (tmp_path / name).mkdir()
    label = {"url": "https://a.example/", "main_content": "one", "page_type": "article"}
    (tmp_path / "ground-truth/1.json").write_text(json.dumps(label))
    (tmp_path / "html/1.html").write_text("<p>one two<p hidden>three")
    table = sweep(read_ground_truth(tmp_path), "made")
    assert table.rows == (("explained listing", 1.0, 1, 11, 0, 0),)
