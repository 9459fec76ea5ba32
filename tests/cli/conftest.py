"""The command, run in this process."""

import io
import sys
from types import SimpleNamespace

import pytest

from pagelet.cli import main


@pytest.fixture
def run(monkeypatch, capsys):
    """Run the command in this process: exit code, standard output, standard error."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("NO_COLOR", "1")

    def runner(*arguments, stdin=b""):
        monkeypatch.setattr(sys, "argv", ["pagelet", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(stdin)))
        try:
            main()
            code = 0
        except SystemExit as stop:
            code = stop.code or 0
        out, err = capsys.readouterr()
        return code, out, err

    return runner
