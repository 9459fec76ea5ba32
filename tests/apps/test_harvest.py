"""Harvesting an application without a value: words of records find the rows of the database."""

import json

import pytest

from tests.apps.finds import FINDS
from tests.apps.serving import App
from tests.apps.test_apps import words
from tests.apps.test_end_to_end import pagelet

BUDGET = 12  #: submissions


@pytest.mark.parametrize("name", ["roundup", "pydoc"])
def test_words_of_records_find_the_rows(name, request, tmp_path):
    app: App = request.getfixturevalue(name)
    manners = ("--delay", "0", "--allow-private", app.address, "--submissions", BUDGET)
    report = pagelet("probe", app.form_page_url, "-o", tmp_path / "found", *manners)
    lines = (tmp_path / "found" / "submissions.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert rows[0]["values"][app.field] == [""]
    assert len(rows) <= BUDGET
    shown = "".join(
        words((tmp_path / "found" / row["page"]).read_text(encoding="utf-8")) for row in rows
    )
    found = sum(f"K-{1000 + 37 * at}" in shown for at in range(len(FINDS)))
    assert found == len(FINDS)
    assert sum(row["new_records"] for row in rows) >= 0.7 * len(FINDS)
    assert f"queries; new: {rows[0]['new_records']} " in report
