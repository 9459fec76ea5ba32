"""The digest of a folder changes with its labels and with what files there are."""

import pytest

from pagelet.lab.data import data_digest
from tests.labelled import write_labelled, write_marked


def swapped(path, old, new):
    path.write_text(path.read_text().replace(old, new))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        pytest.param(lambda at: None, False, id="nothing"),
        pytest.param(
            lambda at: swapped(at / "ground-truth" / "000.json", "rain", "snow"), True, id="label"
        ),
        pytest.param(
            lambda at: (at / "html" / "000.html").rename(at / "html" / "9.html"), True, id="name"
        ),
        pytest.param(
            lambda at: swapped(at / "html" / "000.html", "rain", "raining"), True, id="size"
        ),
    ],
)
def test_what_changes_it(tmp_path, change, told):
    before = data_digest(write_labelled(tmp_path, pages=2))
    change(tmp_path)
    assert (data_digest(tmp_path) != before) == told


def test_where_the_labels_are_in_the_pages_all_bytes_count(tmp_path):
    before = data_digest(write_marked(tmp_path, pages=2))
    swapped(tmp_path / "site0" / "0.html", "rain", "snow")
    assert data_digest(tmp_path) != before


def test_it_does_not_depend_on_the_place(tmp_path):
    one, two = (write_labelled(tmp_path / name, pages=2) for name in "ab")
    assert data_digest(one) == data_digest(two)
    assert len(data_digest(one)) == 16
