"""Site templates as published: mutually linked pages, mapped on the key page, vote by vote.

Alarte, Insa, Silva, Tamarit: TeMex. A node is template when it is mapped to at least `votes`
of the pages of a complete subdigraph.
"""

from dataclasses import dataclass

import numpy as np

from pagelet.arrays import Ints
from pagelet.methods.template.equality import LATER, OLDER, Authors, SameAttributes, SameLabel
from pagelet.methods.template.mapping import Relation, Vocabulary, labelled, top_down, votes
from pagelet.methods.template.pages import Explored, complete_subdigraph
from pagelet.page.site import Site
from pagelet.page.table import Page

RELATIONS: dict[str, Relation] = {
    "authors": LATER,
    "older": OLDER,
    "as_run": Authors(priorities=False),
    "label": SameLabel(),
    "strict": SameAttributes(),
}


@dataclass(frozen=True, slots=True)
class Vote:
    """What the pages said of each row of the key page."""

    votes: Ints  #: in how many pages each row is mapped; 0 for rows that are not counted
    needed: int  #: votes a row needs to be template
    explored: Explored


def vote(page: Page, site: Site, relation: Relation, size: int, needed: int, most: int) -> Vote:
    """Load pages that link each other, map each on the key page, count."""
    explored = complete_subdigraph(page, site, size, most)
    words = Vocabulary()
    key = labelled(page, words)
    mapped = [top_down(key, labelled(other, words), relation) for other in explored.chosen]
    counted = np.zeros(len(page), np.intp)
    counted[key.rows] = votes(mapped, len(key))
    return Vote(counted, min(needed, len(explored.chosen)), explored)
