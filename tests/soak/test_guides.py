"""Commands of the guides that take longer than a test may."""

import shutil

import pytest

from tests.places import ROOT, SITE
from tests.test_docs import DOCS, blocks, run_command

GUIDE = DOCS / "guides" / "annotate-and-train.md"


@pytest.mark.soak
def test_a_model_is_trained_used_and_evaluated(tmp_path):
    """The labels of the sample site stand for those of a project."""
    shutil.copytree(ROOT / "examples", tmp_path / "labels")
    shutil.copy(SITE / "news" / "wall-repair.html", tmp_path / "page.html")
    lines = [line for kind, body, _ in blocks(GUIDE) if kind == "sh" for line in body.splitlines()]
    chosen = [line for line in lines if "--alone" in line or "--model" in line]
    assert len(chosen) == 3
    for line in chosen:
        run_command(line, "…", tmp_path)
    assert {"own.npz", "own.json"} <= {path.name for path in tmp_path.iterdir()}
