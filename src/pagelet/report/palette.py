"""The palette: colour, line and fill of every kind of pagelet and of every role.

It is the one source of the report, the explorer, the annotator, the extension, the pictures and
the docs. `make docs` writes it as style sheet and script to the files of `WRITTEN`; nothing else
names a colour of a kind. A region around other regions has an outline and no fill.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

from pagelet.methods.content.roles import ROLES as CONTENT_ROLES
from pagelet.methods.links.options import ROLES as LINK_ROLES
from pagelet.methods.segments.roles import SEGMENT_ROLES

LINES = ("solid", "dashed", "dotted", "double")  #: border styles of CSS
FILLS = ("plain", "stripes", "dots", "none")
#: Share of black text above which a background needs it: where both contrasts are equal.
MIDDLE_LUMINANCE = 0.1791
BLACK, WHITE = "#000", "#fff"


@dataclass(frozen=True, slots=True)
class Look:
    """How the outlines of a kind or role look; line and fill differ where colours are close."""

    colour: str  #: of the outline, as #rrggbb
    words: str = ""  #: its name for people, where that is not the name of the kind
    line: str = "solid"  #: one of LINES
    fill: str = "plain"  #: one of FILLS
    quiet: bool = False  #: a thin outline, folded in lists, hidden at first
    labelled: bool = True  #: whether its label is always shown, or only under the pointer

    @property
    def ink(self) -> str:
        """Black or white: the colour of text on it."""
        return ink_on(self.colour)


#: The palette of Okabe and Ito (2008), which people with common kinds of colour blindness can
#: tell apart. Yellow, too faint for an outline, is replaced by the wine red of Tol's muted
#: scheme, and black by grey; links have that scheme's indigo, and records its green.
KIND_LOOKS: dict[str, Look] = {
    "menu": Look("#0072b2"),
    "clutter": Look("#d55e00", line="dashed", fill="stripes"),
    "links": Look("#332288", words="link group", line="double"),
    "noise": Look("#e69f00", line="dotted", fill="dots", labelled=False),
    "content": Look("#009e73", labelled=False),
    "dropped": Look("#6e7781", line="dashed", fill="none", quiet=True, labelled=False),
    "slot": Look("#56b4e9", words="the page's own part", line="double"),
    "template": Look("#cc79a7", line="dashed", fill="dots"),
    "segment": Look("#882255", fill="none", labelled=False),
    "record": Look("#117733", line="double"),
}
OTHER_LOOK = Look("#44546a")  #: of kinds that a method adds, and of roles without an entry

#: Roles by family: blue leads elsewhere, green is read, vermilion and orange distract, purple is
#: written by visitors or filled in by them. Within a family colours are close; labels differ.
ROLE_COLOURS = {
    "menu": "#0072b2",
    "navigation": "#0072b2",
    "section": "#2a5caa",
    "utility": "#4a6fa5",
    "breadcrumb": "#1b7f93",
    "pagination": "#3b7ea1",
    "toc": "#5b5ea6",
    "header": "#35618e",
    "footer": "#5a6b7b",
    "content": "#009e73",
    "main": "#009e73",
    "body": "#009e73",
    "title": "#00664a",
    "heading": "#007a5a",
    "byline": "#4d8b31",
    "caption": "#66801f",
    "list": "#2e8b57",
    "table": "#1b7f79",
    "code": "#3f7f4f",
    "quote": "#5f8a5f",
    "listing": "#117733",
    "item": "#117733",
    "related": "#d55e00",
    "tags": "#b3541e",
    "social": "#c2410c",
    "side bar": "#a85c32",
    "ads": "#e69f00",
    "advertisement": "#e69f00",
    "notice": "#8a6d00",
    "comment": "#aa3377",
    "comments": "#aa3377",
    "form": "#7a5195",
    "mixed": "#6e7781",
}
#: Names of roles for people.
ROLE_WORDS = {"toc": "table of contents", "ads": "advertisement", "breadcrumb": "breadcrumbs"}
#: Fills of roles that distract, so that they differ from what is read.
ROLE_FILLS = {
    **dict.fromkeys(("related", "tags", "social", "side bar"), "stripes"),
    **dict.fromkeys(("ads", "advertisement", "notice"), "dots"),
    "mixed": "none",
}
#: Lines of roles: what leads elsewhere is solid, what distracts dashed, what visitors write dotted.
ROLE_LINES = {
    **dict.fromkeys(("related", "tags", "social", "side bar"), "dashed"),
    **dict.fromkeys(("ads", "advertisement", "notice", "comment", "comments"), "dotted"),
}
#: Colours of segments without a role, so that neighbours differ; none is that of another kind.
SEGMENT_COLOURS = ("#882255", "#5d3a9b", "#7f4a1e", "#40567a", "#a03570", "#4b5f2f")


def role_look(role: str) -> Look:
    """The look of a role, or of a kind where that is given."""
    if role not in ROLE_COLOURS:
        return kind_look(role)
    return Look(
        ROLE_COLOURS[role],
        words=ROLE_WORDS.get(role, ""),
        line=ROLE_LINES.get(role, "solid"),
        fill=ROLE_FILLS.get(role, "plain"),
    )


def kind_look(kind: str) -> Look:
    """The look of a kind."""
    return KIND_LOOKS.get(kind, OTHER_LOOK)


def all_roles() -> tuple[str, ...]:
    """The roles of links, content blocks and segments, each once."""
    return tuple(dict.fromkeys((*LINK_ROLES, *CONTENT_ROLES, *SEGMENT_ROLES)))


def ink_on(colour: str) -> str:
    """Black or white, whichever has more contrast with a colour as WCAG 2 defines it."""
    return BLACK if luminance(rgb(colour)) > MIDDLE_LUMINANCE else WHITE


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of #rrggbb, from 0 to 255."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue


def luminance(colour: Iterable[int]) -> float:
    """Relative luminance of red, green and blue, from 0 to 1, as WCAG 2 defines it."""
    shares = (value / 255 for value in colour)
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


# -- as files -------------------------------------------------------------------------------


def describe_look(name: str, look: Look, css: str = "kind-other") -> dict[str, str | bool]:
    """A look as the scripts of the interfaces read it; `css` is its class in palette.css."""
    words = look.words or name
    return {"name": name, **asdict(look), "ink": look.ink, "words": words, "look": css}


def describe_kind(name: str) -> dict[str, str | bool]:
    """The look of a kind, as the scripts read it."""
    css = f"kind-{name}" if name in KIND_LOOKS else "kind-other"
    return describe_look(name, kind_look(name), css)


def describe_role(name: str) -> dict[str, str | bool]:
    """The look of a role, as the scripts read it."""
    return describe_look(name, role_look(name), _role_class(name))


def _role_class(role: str) -> str:
    return f"role-{role.replace(' ', '-')}"


#: Fills as backgrounds: in full for a swatch, and faint for a region over a page.
FILL_RULES = """\
[class*="kind-"], [class*="role-"] {
  --fill-plain: linear-gradient(var(--colour) 0 0);
  --fill-stripes: repeating-linear-gradient(45deg, var(--colour) 0 2px, transparent 2px 4px);
  --fill-dots: radial-gradient(circle, var(--colour) 1px, transparent 1.3px) 0 0 / 4px 4px;
  --fill-none: none;
  --wash-plain: linear-gradient(color-mix(in srgb, var(--colour) 9%, transparent) 0 0);
  --wash-stripes: repeating-linear-gradient(45deg,
    color-mix(in srgb, var(--colour) 18%, transparent) 0 4px,
    color-mix(in srgb, var(--colour) 4%, transparent) 4px 12px);
  --wash-dots: radial-gradient(circle, color-mix(in srgb, var(--colour) 34%, transparent) 1.2px,
    color-mix(in srgb, var(--colour) 5%, transparent) 1.6px) 0 0 / 9px 9px;
  --wash-none: none;
}"""


def write_css() -> str:
    """The palette as classes: .kind-menu, .role-side-bar, each with its custom properties.

    They are --colour, --ink (of text on it), --border (its style), --fill (of a swatch) and
    --wash (of a region that has no other inside).
    """
    rows = [
        *(_rule(f"kind-{name}", look) for name, look in KIND_LOOKS.items()),
        _rule("kind-other", OTHER_LOOK),
        *(_rule(_role_class(name), role_look(name)) for name in all_roles()),
    ]
    head = "/* The palette by kind and role. Written by make docs from pagelet.report.palette. */"
    return "\n".join((head, FILL_RULES, *rows, ""))


def _rule(name: str, look: Look) -> str:
    colours = f"--colour: {look.colour}; --ink: {look.ink}; --border: {look.line}"
    fills = f"--fill: var(--fill-{look.fill}); --wash: var(--wash-{look.fill})"
    return f".{name} {{ {colours}; {fills}; }}"


def write_script(start: str) -> str:
    """The palette as a script: `start` is what the object is assigned to."""
    parts: Mapping[str, object] = {
        "kinds": {name: describe_kind(name) for name in KIND_LOOKS},
        "other": describe_look("other", OTHER_LOOK),
        "roles": {name: describe_role(name) for name in all_roles()},
        "segments": SEGMENT_COLOURS,
    }
    head = "// The palette by kind and role. Written by make docs from pagelet.report.palette."
    return f"{head}\n{start}{json.dumps(parts, indent=1)};\n"


#: Files below the root of the repository, and what each has to say.
WRITTEN = {
    "src/pagelet/report/palette.css": write_css,
    "src/pagelet/server/static/shared/palette.js": lambda: write_script("export const PALETTE = "),
    "extension/page/palette.js": lambda: write_script("globalThis.pagelet.palette = "),
}
