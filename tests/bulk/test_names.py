"""The names that users call are there, and nothing heavy is imported before."""

import subprocess
import sys

import pytest

import pagelet.bulk


@pytest.mark.parametrize("name", pagelet.bulk.NAMES)
def test_every_name_is_there(name):
    assert getattr(pagelet.bulk, name).__name__ == name


def test_other_names_are_not():
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        pagelet.bulk.nonsense  # noqa: B018


def test_the_command_line_starts_without_the_tables():
    said = "import sys, pagelet.cli; print('pyarrow' in sys.modules, 'fastwarc' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
