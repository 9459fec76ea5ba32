"""Terms from result pages: what is new, and which word is asked for next."""

from pagelet import parse
from pagelet.sources.forms.results import TermPool, TextCounts, texts_of, words_of


def page(*texts: str):
    return parse("".join(f"<p>{text}</p>" for text in texts))


def test_what_people_see():
    source = "<title>t</title><p>a  b<p>a b<p hidden>c<script>d</script><p>e"
    assert texts_of(parse(source)) == ["a b", "e"]


def test_what_is_new():
    pool = TermPool()
    pool.add_form_page(page("Home", "Search"))
    assert pool.add(page("Home", "one", "two", "two")) == TextCounts(texts=3, new=2)
    assert pool.add(page("Home", "two", "three")) == TextCounts(texts=3, new=1)
    assert pool.add(page("Home", "two", "three")) == TextCounts(texts=3, new=0)


def test_words():
    assert words_of("The Whale, an x-ray & 1984: Über-Ich") == {"whale", "ray", "über", "ich"}
    assert words_of("東京都 고래 책") == {"東京", "고래"}


def test_a_word_in_several_texts_comes_first_and_one_in_most_never():
    pool = TermPool()
    pool.add(page(*(f"novel {n} {'whale' if n % 8 == 0 else 'fish' if n == 1 else ''}"
                       for n in range(24))))  # fmt: skip
    assert pool.best(set()) == "whale"
    assert pool.best({"whale"}) == "fish"
    assert pool.best({"whale", "fish"}) is None  # novel stands in every text


def test_words_of_the_form_page_are_the_last_resort():
    pool = TermPool()
    pool.add_form_page(page("otter news", "otter books", "find it", *"abcdef"))
    assert pool.best(set()) == "otter"
    pool.add(page("whale", "otter hunts", "otter tales"))
    assert pool.best(set()) not in ("otter", "news")
    assert pool.best({"whale", "hunts", "tales", "otter"}) == "books"
    assert pool.best({"whale", "hunts", "tales", "otter", "books", "news"}) is None


def test_an_empty_page_brings_nothing():
    pool = TermPool()
    assert pool.add(parse("")) == TextCounts(0, 0)
    assert pool.best(set()) is None
