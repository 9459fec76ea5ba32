"""The pages that a model was trained on: kept in its file, and counted when it is scored."""

import pytest

from pagelet import parse
from pagelet.lab.seen import describe_seen, own_model_note, page_key, read_seen_pages
from pagelet.lab.seen import with_seen_pages as remember
from pagelet.methods.content.model import content_model, read_content_model

ONE, TWO, OTHER = page_key("a", "<p>1"), page_key("a", "<p>2"), page_key("b", "<p>3")
USED = "were used for training this model"


def test_a_model_keeps_its_pages_and_answers_as_before():
    plain = content_model().to_bytes()
    kept = remember(plain, [TWO, ONE, ONE])
    assert read_seen_pages(kept) == {ONE, TWO}
    assert kept == remember(plain, [ONE, TWO])
    assert read_content_model(kept, "own").trees.names == content_model().trees.names
    assert read_seen_pages(plain) is None


def test_a_page_is_known_by_its_html():
    assert page_key("a", parse("<p>1")) == ONE
    assert page_key("a", parse(b"<p>1", url="https://example.org/")) == ONE
    assert len({ONE, TWO, OTHER}) == 3


@pytest.mark.parametrize(
    ("seen", "pages", "told"),
    [
        ([ONE], [ONE, TWO, OTHER], f"1 of 3 pages {USED}, and 1 more is of the same sites: "),
        ([ONE, TWO, OTHER], [ONE, TWO], f"2 of 2 pages {USED}: expect less on other sites."),
        ([ONE], [OTHER], f"0 of 1 page {USED}, nor others of their sites."),
        ([], [ONE, TWO], f"0 of 2 pages {USED}, nor others of their sites."),
    ],
)
def test_how_many_pages_were_seen(seen, pages, told):
    assert describe_seen(set(seen), pages).startswith(told)


def test_a_file_that_does_not_tell(tmp_path):
    model = tmp_path / "own.npz"
    model.write_bytes(content_model().to_bytes())
    (note,) = own_model_note(str(model), [ONE])
    assert note.startswith("own.npz: its file does not say which pages it was trained on")
    assert own_model_note("", [ONE]) == ()
