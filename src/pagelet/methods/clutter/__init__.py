"""Link clutter: everything on a page that leads elsewhere.

The default profile asks what the links of an element are for, by the roles of their groups. The
paper profile is Mantratzis, Orgun, Cassidy, HT 2005: two ratios, scored 0 to 2.
"""

from pagelet.methods.clutter.answer import (
    find_paper,
    find_probable,
    list_clutter,
    list_notes,
    write_clutter_html,
    write_clutter_markdown,
)
from pagelet.methods.clutter.options import ClutterOptions, PaperClutterOptions
from pagelet.methods.clutter.ratios import score_blocks, topmost
from pagelet.methods.registry import Method, Profile

__all__ = ["CLUTTER", "score_blocks", "topmost"]

CLUTTER = Method(
    name="clutter",
    summary="link lists and text ads with their role, or the page without them",
    examples=(
        "pagelet clutter page.html",
        "pagelet clutter page.html --rest --format markdown",
    ),
    kinds=("clutter",),
    likely="clutter",
    uses=("site", "template", "boxes"),
    paper="Mantratzis, Orgun, Cassidy: Separating XHTML Content from Navigation Clutter Using"
    " DOM-Structure Block Analysis. HT 2005 (paper profile)",
    profiles={
        "default": Profile(find_probable, ClutterOptions(), "our values"),
        "paper": Profile(find_paper, PaperClutterOptions(), "the publication's values"),
    },
    formats=("text", "json", "markdown", "html"),
    writers={
        "text": list_clutter,
        "markdown": write_clutter_markdown,
        "html": write_clutter_html,
    },
    notes=list_notes,
)
