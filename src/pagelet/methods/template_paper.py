"""Site templates as published: mutually linked pages, mapped on the key page, vote by vote.

Alarte, Insa, Silva, Tamarit: TeMex. A node is template when it is mapped to at least `votes`
of the pages of a complete subdigraph.
"""

from dataclasses import dataclass

import numpy as np

from pagelet.columns.page import Page
from pagelet.columns.site import Site
from pagelet.measures.mapping import Relation, top_down, votes
from pagelet.measures.mapping_equal import LATER, OLDER, Authors, SameAttributes, SameLabel
from pagelet.measures.mapping_labels import Ints, Vocabulary, labelled
from pagelet.methods.template_links import Explored, complete_subdigraph

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
