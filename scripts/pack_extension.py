"""Pack the extension into an archive for each browser: the same files give the same bytes."""

import json
import sys
import zipfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
EXTENSION = ROOT / "extension"
APART = ("store",)  #: folders that are for the shops, not for browsers
BEGINNING = (1980, 1, 1, 0, 0, 0)  #: the first day that an archive can name
MODE = 0o644 << 16

#: what a browser does not read, and its shop warns of
UNREAD = {
    "chromium": (("browser_specific_settings",), ("background", "scripts")),
    "firefox": (("minimum_chrome_version",), ("background", "service_worker")),
}


def main() -> None:
    """Write the archives to a folder, `build` unless another is named."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build"
    folder.mkdir(parents=True, exist_ok=True)
    for browser in UNREAD:
        path = folder / f"pagelet-{manifest_for(browser)['version']}-{browser}.zip"
        pack(browser, path)
        print(f"{path.name}: {path.stat().st_size:,} bytes")


def pack(browser: str, path: Path) -> None:
    """Write the archive for one browser."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in contents(browser).items():
            told = zipfile.ZipInfo(name, BEGINNING)
            told.compress_type, told.external_attr = zipfile.ZIP_DEFLATED, MODE
            told.create_system = 3  # else it says which system packed it
            archive.writestr(told, data, compresslevel=9)


def contents(browser: str) -> dict[str, bytes]:
    """The files of an archive by name, in order."""
    files = sorted(path for path in EXTENSION.rglob("*") if path.is_file())
    names = {path.relative_to(EXTENSION).as_posix(): path for path in files}
    found = {
        name: path.read_bytes()
        for name, path in names.items()
        if name.split("/")[0] not in APART and not path.name.startswith(".")
    }
    found["manifest.json"] = (json.dumps(manifest_for(browser), indent=2) + "\n").encode()
    return found


def manifest_for(browser: str) -> dict[str, Any]:
    """The manifest without what the browser does not read."""
    manifest: dict[str, Any] = json.loads((EXTENSION / "manifest.json").read_text("utf-8"))
    for *above, name in UNREAD[browser]:
        held = manifest
        for step in above:
            held = held[step]
        held.pop(name, None)
    return manifest


if __name__ == "__main__":
    main()
