"""Golden pages: answers that were reasoned, not recorded; of noise, its records."""

import json

import pytest

from tests.pages.make import FOLDERS, answer


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_page_is_answered_as_expected(folder):
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    found = answer(folder)
    paths = [pagelet["path"] for pagelet in found["pagelets"]]
    assert paths == [pagelet["path"] for pagelet in expected["pagelets"]]
    scores = [pagelet.get("score", 0) for pagelet in found["pagelets"]]
    assert scores == pytest.approx([p.get("score", 0) for p in expected["pagelets"]], abs=1e-4)
    fields = [pagelet.get("fields") for pagelet in found["pagelets"]]
    assert fields == [pagelet.get("fields") for pagelet in expected["pagelets"]]
    for part in ("columns", "records"):
        assert found.get(part) == expected.get(part)
    assert (found["method"], found["profile"]) == (expected["method"], expected["profile"])


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_expected_path_is_argued_for(folder):
    note = (folder / "note.md").read_text()
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    assert all(f"`{pagelet['path']}`" in note for pagelet in expected["pagelets"])
    assert expected["pagelets"] or "Nothing" in note


def test_there_are_pages():
    assert len(FOLDERS) >= 6
