"""The query of a result page, from forms and from submissions."""

import json

import pytest

from pagelet import parse
from pagelet.errors import OptionError
from pagelet.sources.forms.query import form_query, read_submissions


def test_labels_of_forms_and_submissions_are_evidence(tmp_path):
    page = parse("<form><label>Plant name <input name=q></label></form>")
    assert {"plant", "name"} <= form_query(page).labels
    file = tmp_path / "submissions.jsonl"
    row = {"labels": {"q": "Plant name"}, "values": {"q": ["bean soup"], "page": "2"}}
    file.write_text(json.dumps(row) + "\n\n")
    query = read_submissions(file)
    assert query.words == {"bean", "soup"}
    assert query.labels == {"plant", "name"}
    for broken in ("no json", "[1]"):
        file.write_text(broken)
        with pytest.raises(OptionError, match="not a file of submissions"):
            read_submissions(file)
    with pytest.raises(OptionError, match="nix': no such file"):
        read_submissions(tmp_path / "nix")
