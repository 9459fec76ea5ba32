"""The digest of labelled folders, and one thread for linear algebra."""

import sys

import pytest

from pagelet.lab.data import data_digest, use_one_thread
from tests.labelled import write_labelled, write_marked


def swapped(path, old, new):
    path.write_text(path.read_text().replace(old, new))


@pytest.mark.parametrize(
    ("change", "changes"),
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
def test_what_changes_it(tmp_path, change, changes):
    before = data_digest(write_labelled(tmp_path, pages=2))
    change(tmp_path)
    assert (data_digest(tmp_path) != before) == changes


def test_where_the_labels_are_in_the_pages_all_bytes_count(tmp_path):
    before = data_digest(write_marked(tmp_path, pages=2))
    swapped(tmp_path / "site0" / "0.html", "rain", "snow")
    assert data_digest(tmp_path) != before


def test_it_does_not_depend_on_the_place(tmp_path):
    one, two = (write_labelled(tmp_path / name, pages=2) for name in "ab")
    assert data_digest(one) == data_digest(two)
    assert len(data_digest(one)) == 16


def test_the_user_has_the_last_word(monkeypatch):
    monkeypatch.delitem(sys.modules, "scipy", raising=False)
    environment = {"MKL_NUM_THREADS": "4"}
    use_one_thread(environment)
    assert environment == {"OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "4"}


def test_nothing_is_said_when_nobody_listens(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy", sys)
    environment = {}
    use_one_thread(environment)
    assert environment == {}
