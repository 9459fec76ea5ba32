"""Words of a page by number, and names that veils look for: both cores."""

from hypothesis import given
from hypothesis import strategies as st

from pagelet import parse
from pagelet.methods.noise.veils import find_veiled
from pagelet.page.html import parse as parse_page
from pagelet.page.query import page_words
from tests.cores import ask_both, twins

pytestmark = twins

WORDS = st.text(st.one_of(st.characters(codec="utf-8"), st.sampled_from("aZ_9 \0é漢Σσ\u0301-")))


@given(st.lists(WORDS, max_size=5))
def test_words_by_number(texts):
    page = parse_page("".join(f"<p>{text.replace('<', '')}</p>" for text in texts))

    def ask():
        found = page_words(page)
        return found.numbers, found.words.tolist(), found.text.tolist(), list(found.numbers)

    compiled, python = ask_both(ask)
    assert compiled == python


PARTS = (
    *("menu", "Nav", "-", " ", "byline", "postDate", "comment", "x", "mega", "_", "sr-only"),
    *("hidden", "\u212a", "\u017f", "\u00e9", "COOKIE", "latest"),
)
NAMES = st.lists(st.sampled_from(PARTS), max_size=6).map("".join)


@given(st.lists(NAMES, max_size=4))
def test_names_that_fit_patterns(values):
    html = "<body><main>text" + "".join(f'<p class="{value}">x</p>' for value in values)
    compiled, python = ask_both(lambda: find_veiled(parse(html)).tolist())
    assert compiled == python
