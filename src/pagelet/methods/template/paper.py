"""Site templates as published: Alarte, Insa, Silva, Tamarit, TeMex.

Pages that link each other are mapped on the key page. A node is template when it is mapped to at
least `votes` pages of a complete subdigraph.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pagelet.arrays import Ints
from pagelet.methods.template.equality import (
    AUTHORS_LATER,
    AUTHORS_OLDER,
    AuthorsRelation,
    SameAttributes,
    SameLabel,
)
from pagelet.methods.template.mapping import (
    LabelledPage,
    Relation,
    Vocabulary,
    count_votes,
    drop_shells,
    label_page,
    top_down,
)
from pagelet.methods.template.options import TemplateOptions
from pagelet.methods.template.pages import LinkedPages, complete_subdigraph, menu_links
from pagelet.page.site import Site
from pagelet.page.table import Page

RELATIONS: dict[str, Relation] = {
    "authors": AUTHORS_LATER,
    "older": AUTHORS_OLDER,
    "as_run": AuthorsRelation(priorities=False),
    "label": SameLabel(),
    "strict": SameAttributes(),
}


@dataclass(frozen=True, slots=True)
class Votes:
    """The votes of the linked pages for each row of the key page."""

    votes: Ints  #: number of pages in which each row is mapped; 0 for rows that are not counted
    needed: int  #: votes that a row needs to be template
    pages: LinkedPages


def relation_of(options: TemplateOptions) -> Relation:
    """The relation that options name; the weights and the cut are those of `authors`."""
    if options.relation != "authors":
        return RELATIONS[options.relation]
    return AuthorsRelation(
        classes=options.classes_weight,
        position=options.position_weight,
        attributes=options.attributes_weight,
        children=options.children_weight,
        cut=options.cut,
    )


def vote(page: Page, site: Site, options: TemplateOptions) -> Votes:
    """Load pages that link each other, map each on the key page, and count the votes."""
    menu = menu_links(page) if options.menu_first else None
    pages = complete_subdigraph(
        page, site, options.size, options.loads, copies=options.copies, menu=menu
    )
    vocabulary = Vocabulary()
    key = label_page(page, vocabulary, words=options.words)
    others = [label_page(other, vocabulary, words=options.words) for other in pages.chosen]
    votes = np.zeros(len(page), np.intp)
    votes[key.rows] = count_labelled(key, others, options)
    return Votes(votes, min(options.votes, len(pages.chosen)), pages)


def count_labelled(
    key: LabelledPage, others: Sequence[LabelledPage], options: TemplateOptions
) -> Ints:
    """Number of other pages in which each place of the key page is mapped.

    Where words are compared, an element none of whose leaves is mapped is not mapped itself.
    """
    relation = relation_of(options)
    mapped = [top_down(key, other, relation) for other in others]
    if options.words:
        mapped = [drop_shells(key, partner) for partner in mapped]
    return count_votes(mapped, len(key))
