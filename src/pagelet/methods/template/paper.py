"""Site templates as published: Alarte, Insa, Silva, Tamarit, TeMex.

Pages that link each other are mapped on the key page. A node is template when it is mapped to at
least `votes` pages of a complete subdigraph.
"""

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
    Relation,
    Vocabulary,
    count_votes,
    label_page,
    top_down,
)
from pagelet.methods.template.options import TemplateOptions
from pagelet.methods.template.pages import LinkedPages, complete_subdigraph
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


def vote(page: Page, site: Site, options: TemplateOptions) -> Votes:
    """Load pages that link each other, map each on the key page, and count the votes."""
    relation = RELATIONS[options.relation]
    pages = complete_subdigraph(page, site, options.size, options.loads, copies=options.copies)
    vocabulary = Vocabulary()
    key = label_page(page, vocabulary)
    mapped = [top_down(key, label_page(other, vocabulary), relation) for other in pages.chosen]
    votes = np.zeros(len(page), np.intp)
    votes[key.rows] = count_votes(mapped, len(key))
    return Votes(votes, min(options.votes, len(pages.chosen)), pages)
