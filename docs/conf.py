"""Settings of the documentation site; `make docs` builds it, see scripts/build_docs.py."""

import re
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

import pagelet

project = "pagelet"
author = "The pagelet authors"
project_copyright = "The pagelet authors, Apache-2.0"
version = release = pagelet.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "index"
myst_heading_anchors = 4  # the anchors that a forge makes of headings
default_role = "code"  # docstrings write code in single backticks, as Markdown does
highlight_language = "none"

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_type_aliases = {
    name: name for name in ("Source", "SiteSource", "QuerySource", "TemplateSource")
}
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = f"pagelet {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_sourcelink = False

#: Classes that people make themselves; results are only read, so their constructors are not shown.
MADE_BY_USERS = re.compile(r"pagelet\.(\w+Options|Limits|Query)")
ARRAY = re.compile(r"ndarray\[tuple\[Any, \.\.\.\], dtype\[(\w+?)_?\]\]")


def hide_constructor(_app: Sphinx, what: str, name: str, *_rest: Any) -> tuple[str, None] | None:
    """No signature for classes that only pagelet makes."""
    return ("", None) if what == "class" and not MADE_BY_USERS.fullmatch(name) else None


def shorten_arrays(_app: Sphinx, document: nodes.document, _name: str) -> None:
    """Types of arrays as people say them, not as numpy spells them."""
    for kind in (addnodes.desc_annotation, addnodes.desc_returns):
        for node in document.findall(kind):
            text, changed = ARRAY.subn(r"array of \1", node.astext())
            if changed:
                node.children = [nodes.Text(text)]


def setup(app: Sphinx) -> None:
    """Connect the two."""
    app.connect("autodoc-process-signature", hide_constructor)
    app.connect("doctree-resolved", shorten_arrays)
