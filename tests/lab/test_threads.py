"""One thread for linear algebra, unless the user wants more or it is too late."""

import sys

from pagelet.lab.data import one_thread


def test_the_user_has_the_last_word(monkeypatch):
    monkeypatch.delitem(sys.modules, "scipy", raising=False)
    environment = {"MKL_NUM_THREADS": "4"}
    one_thread(environment)
    assert environment == {"OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "4"}


def test_nothing_is_said_when_nobody_listens(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy", sys)
    environment = {}
    one_thread(environment)
    assert environment == {}
