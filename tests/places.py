"""Where the repository and its sample site lie."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
SITE = ROOT / "examples" / "site"
PROJECTS = ROOT / "examples" / "projects"  #: small sites with labels
