"""Options of link groups and their roles."""

from dataclasses import dataclass
from typing import TypedDict

from pagelet.errors import OptionError
from pagelet.methods.registry import Options, option
from pagelet.models.trees import SHIPPED
from pagelet.wording import must_be_one_of

#: The roles, in the order of the model.
ROLES = (
    "menu", "section", "utility", "footer", "breadcrumb", "pagination", "toc", "tags", "related",
    "social", "ads", "byline", "content", "mixed",
)  # fmt: skip
MIXED = ROLES.index("mixed")
LINK_ROLES = tuple(role for role in ROLES if role != "mixed")  #: roles that a single link can have


@dataclass(frozen=True, slots=True, kw_only=True)
class LinksOptions(Options):
    """Options of link groups."""

    role: tuple[str, ...] = option(
        (),
        "only groups with these roles, separated by commas: "
        f"{', '.join(LINK_ROLES)}; with --all also mixed",
    )
    min_score: float = option(0.0, "lowest probability of the role of a group", 0, 1)
    all: bool = option(
        default=False, help="also wrappers with mixed roles, and groups with the role around them"
    )
    model: str = option(SHIPPED, "model of the roles: shipped, or an npz file", file=True)
    urls: bool = option(
        default=False, help="print the addresses alone, one per line (format text)", local=True
    )
    explain: bool = option(default=False, help="list the reasons behind the result", local=True)

    def __post_init__(self) -> None:
        Options.__post_init__(self)
        for role in self.roles:
            if role not in ROLES:
                raise OptionError("role", role, must_be_one_of(ROLES))

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles that were chosen; none stands for all."""
        return tuple(part.strip() for each in self.role for part in each.split(",") if part.strip())


class LinksChanges(TypedDict, total=False):
    """Options of link groups as keywords."""

    role: tuple[str, ...] | list[str]
    min_score: float
    all: bool
    model: str
    urls: bool
    explain: bool
