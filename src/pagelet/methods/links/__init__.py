"""Groups of links and the role of each: what they are for on the page."""

from collections.abc import Mapping

from pagelet.methods.links.answer import answer, report_nothing, write_groups
from pagelet.methods.links.groups import find_groups
from pagelet.methods.links.options import LinksOptions
from pagelet.methods.links.roles import GroupRoles, find_roles
from pagelet.methods.links.shared import weigh_by_site
from pagelet.methods.registry import Evidence, Method, Profile
from pagelet.models.trees import NO_FILES, SHIPPED, Trees, load_shipped, read_trees
from pagelet.page.site import SharedRows
from pagelet.page.table import Page
from pagelet.pagelets import Pagelets


def _run(page: Page, options: LinksOptions, evidence: Evidence) -> Pagelets:
    model = model_of(options.model, evidence.files)
    roles = weigh_by_site(find_roles(find_groups(page), model), evidence.template)
    return answer(roles, options, model)


def decide_links(page: Page, template: SharedRows | None = None) -> GroupRoles:
    """The groups of a page and the role of each, by the shipped model and what the site shares."""
    roles = find_roles(find_groups(page), model_of(SHIPPED, NO_FILES))
    return weigh_by_site(roles, template)


def model_of(name: str, files: Mapping[str, bytes]) -> Trees:
    """The shipped model of the roles, or one that `pagelet train links` wrote."""
    return load_shipped(__name__, "links") if name == SHIPPED else read_trees(files[name], name)


LINKS = Method(
    name="links",
    summary="every group of links with its role, such as menu, footer, pagination or content",
    examples=(
        "pagelet links page.html",
        "pagelet links page.html --role content,pagination --urls",
    ),
    kinds=(),
    likely="links of the role “{role}”",
    paper="our own; see docs/methods/links.md",
    profiles={"default": Profile(_run, LinksOptions(), "our values")},
    uses=("template",),
    writers={"text": write_groups},
    notes=report_nothing,
)
