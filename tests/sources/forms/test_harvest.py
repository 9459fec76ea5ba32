"""Terms from result pages: what is new, and which word is asked for next."""

from pagelet import parse
from pagelet.sources.forms.harvest import Harvest, Yield, texts_of, words_of


def page(*texts: str):
    return parse("".join(f"<p>{text}</p>" for text in texts))


def test_what_people_see():
    source = "<title>t</title><p>a  b<p>a b<p hidden>c<script>d</script><p>e"
    assert texts_of(parse(source)) == ["a b", "e"]


def test_what_is_new():
    harvest = Harvest()
    harvest.begin(page("Home", "Search"))
    assert harvest.add(page("Home", "one", "two", "two")) == Yield(texts=3, new=2)
    assert harvest.add(page("Home", "two", "three")) == Yield(texts=3, new=1)
    assert harvest.add(page("Home", "two", "three")) == Yield(texts=3, new=0)


def test_words():
    assert words_of("The Whale, an x-ray & 1984: Über-Ich") == {"whale", "ray", "über", "ich"}
    assert words_of("東京都 고래 책") == {"東京", "고래"}


def test_a_word_in_several_texts_comes_first_and_one_in_most_never():
    harvest = Harvest()
    harvest.add(page(*(f"novel {n} {'whale' if n % 8 == 0 else 'fish' if n == 1 else ''}"
                       for n in range(24))))  # fmt: skip
    assert harvest.best(set()) == "whale"
    assert harvest.best({"whale"}) == "fish"
    assert harvest.best({"whale", "fish"}) is None  # novel stands in every text


def test_words_of_the_form_page_are_the_last_resort():
    harvest = Harvest()
    harvest.begin(page("otter news", "otter books", "find it", *"abcdef"))
    assert harvest.best(set()) == "otter"
    harvest.add(page("whale", "otter hunts", "otter tales"))
    assert harvest.best(set()) not in ("otter", "news")
    assert harvest.best({"whale", "hunts", "tales", "otter"}) == "books"
    assert harvest.best({"whale", "hunts", "tales", "otter", "books", "news"}) is None


def test_an_empty_page_brings_nothing():
    harvest = Harvest()
    assert harvest.add(parse("")) == Yield(0, 0)
    assert harvest.best(set()) is None
