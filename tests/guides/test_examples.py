"""The examples stand in their guide as they are; what they print is checked with all commands."""

import re

from tests.guides.tables import GUIDES
from tests.places import ROOT

GUIDE = (GUIDES / "examples.md").read_text(encoding="utf-8")


def test_the_guide_shows_every_file_and_runs_it():
    files = {path.name for path in (ROOT / "examples").glob("*.py")} - {"spider.py"}
    shown = re.findall(r"^```py\n(.*?)^```$", GUIDE, flags=re.DOTALL | re.MULTILINE)
    run = re.findall(r"^\$ python examples/(.*)$", GUIDE, flags=re.MULTILINE)
    assert set(run) == files
    assert shown == [(ROOT / "examples" / name).read_text(encoding="utf-8") for name in run]
