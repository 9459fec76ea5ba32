"""Settings of the documentation site; `make docs` builds it, see scripts/build_docs.py."""

import pagelet

project = "pagelet"
author = "The pagelet authors"
project_copyright = "The pagelet authors, Apache-2.0"
version = release = pagelet.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "index"
myst_heading_anchors = 4  # the anchors that a forge makes of headings
default_role = "code"  # docstrings write code in single backticks, as Markdown does

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
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
highlight_language = "none"
