"""Write expected.json of every golden page again: `python -m tests.pages.make`.

Read the difference before it is kept: what a page must answer, and why, stands in its note.md.
"""

import json
from pathlib import Path
from typing import Any

from pagelet import parse
from pagelet.api import analyse
from pagelet.methods.noise import list_records

HERE = Path(__file__).parent
FOLDERS = sorted(path.parent for path in HERE.glob("*--*/page.html"))


def answer(folder: Path) -> dict[str, Any]:
    """What the paper profile says of a page; the method is the first word of the folder.

    Of noise, whose trees were fitted in both profiles, the records of the default are told; of
    records the whole table; of pages about roles, the kind and role of every block.
    """
    method = folder.name.partition("--")[0]
    page = parse((folder / "page.html").read_bytes(), url="https://example.org/")
    if method == "noise":
        records = list_records(analyse(page, method))
        told = [{"path": page.path(r.rows[0]), "fields": [*r.fields.values()]} for r in records]
        return {"method": method, "profile": "default", "pagelets": told}
    if method == "records":
        form = analyse(page, method).to_dict()
        paths = [{"path": item["path"] or item["paths"][0]} for item in form["pagelets"]]
        table = {name: form[name] for name in ("columns", "records")}
        return {"method": method, "profile": "default", "pagelets": paths, **table}
    if "roles" in folder.name:
        blocks = analyse(page, method, explain=True)
        told = [{"path": item.path, "fields": [item.kind, item.role]} for item in blocks]
        return {"method": method, "profile": "default", "pagelets": told}
    found = analyse(page, method, profile="paper")
    pagelets = [{"path": item.path, "score": round(item.score, 4)} for item in found]
    return {"method": method, "profile": "paper", "pagelets": pagelets}


def main() -> None:
    """Write all of them."""
    for folder in FOLDERS:
        text = json.dumps(answer(folder), indent=2, ensure_ascii=False) + "\n"
        (folder / "expected.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
