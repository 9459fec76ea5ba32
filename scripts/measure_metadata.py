"""Count how often each source of metadata is right, and write confidences.json.

Give folders with labelled pages, or none for those in data/. `pagelet evaluate metadata DIR`
shows how far such confidences hold on hosts that they were not measured on.
"""

import json
import sys
from pathlib import Path

import pagelet.metadata
from pagelet.lab.metadata.reliability import count_evidence
from pagelet.metadata.confidence import FILE

DATA = Path(__file__).parents[1] / "data"
FOLDERS = ("wcxb", "articles", "gate")


def main() -> None:
    """Write the counts."""
    folders = list(map(Path, sys.argv[1:])) or [DATA / name for name in FOLDERS]
    counts = count_evidence(folders)
    path = Path(pagelet.metadata.__file__).parent / FILE
    lines = (
        f' "{field}": {{\n'
        + ",\n".join(f"  {json.dumps(name)}: {list(two)}" for name, two in sorted(of.items()))
        + "\n }"
        for field, of in counts.items()
    )
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
