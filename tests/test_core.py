"""Which core computes, and how one is chosen."""

import os
import subprocess
import sys

import pytest

from pagelet import core
from pagelet.errors import OptionError
from tests.cores import twins


def version(choice: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pagelet", "--version"],
        env=os.environ | {"PAGELET_CORE": choice},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_python_core_can_be_chosen():
    assert version("python").stdout.endswith(" (Python core)\n")


@twins
def test_the_compiled_core_can_be_chosen():
    assert version("compiled").stdout.endswith(" (compiled core)\n")


def test_an_unknown_core_is_an_error_of_one_line():
    ended = version("rust")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == (
        "pagelet: option PAGELET_CORE = 'rust': no such core; set it to compiled or python\n"
    )


def test_a_compiled_core_that_is_missing(monkeypatch):
    monkeypatch.setattr(core, "find_spec", lambda name: None)
    with pytest.raises(OptionError, match="it was not built; install a C compiler"):
        core.load_kernels("compiled")
    assert core.load_kernels("") is None


def test_a_compiled_core_that_cannot_be_loaded(monkeypatch):
    monkeypatch.setattr(core, "find_spec", lambda name: True)
    monkeypatch.setitem(sys.modules, "pagelet._core", None)
    monkeypatch.delattr("pagelet._core", raising=False)
    with pytest.raises(OptionError, match="it cannot be loaded"):
        core.load_kernels("compiled")
    assert core.load_kernels("") is None


def test_a_python_without_the_global_lock_takes_the_python_core(monkeypatch):
    monkeypatch.setattr(core.sysconfig, "get_config_var", lambda name: 1)
    with pytest.raises(OptionError, match="it needs a Python with the global lock"):
        core.load_kernels("compiled")
    assert core.load_kernels("") is None
