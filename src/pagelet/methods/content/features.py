"""Features of text blocks.

They are written over columns and recorded as a program, which numpy or the compiled core runs; see
pagelet.models.columns. Names stand beside the values they name, so that a model and a reason use
the same ones. A new feature is one line in one of these functions.
"""

from functools import cache

import numpy as np

from pagelet.arrays import Floats
from pagelet.methods.content.counts import HOLDERS, count_blocks
from pagelet.methods.content.inputs import INPUTS, Inputs, read_inputs
from pagelet.methods.content.statements import MAX_LINK_DENSITY, read_statements
from pagelet.methods.content.structure import (
    HOLDER_FEATURES,
    INNER,
    LONG_BLOCK_WORDS,
    OUTER,
    structure_features,
    tag_bits,
)
from pagelet.methods.vocabulary import TEXT_KINDS
from pagelet.models.columns import (
    FeatureColumn,
    Kind,
    Program,
    either,
    maximum,
    minimum,
    stack,
    trace_program,
)
from pagelet.models.columns.program import Outputs
from pagelet.models.features import FeatureTable
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER
from pagelet.page.textblocks import TextBlocks

MISSING = 999  #: distance to something that the page does not have


def content_features(
    page: Page, blocks: TextBlocks, scores: Floats, more: tuple[str, ...] = ()
) -> FeatureTable:
    """All features that the page alone decides; `scores` are those of the lexicon.

    The caller fills the lines of `more` features, which follow.
    """
    counts = count_blocks(page, blocks)
    inputs = read_inputs(counts, read_statements(counts), scores)
    return feature_program(len(scores)).run(inputs, len(blocks), more)


@cache
def feature_program(kinds: int) -> Program:
    """The program of all features, for a lexicon with weights for so many kinds of pages."""
    inputs = INPUTS | {"scores": (Kind.REAL, kinds)}
    return trace_program(inputs, lambda given: write_features(Inputs(**given)))


def write_features(given: Inputs) -> Outputs:
    """Every feature with its name, in the order that models depend on."""
    return {
        **_own_features(given),
        **_page_text_features(given),
        **_tag_features(given),
        **structure_features(given),
        **_neighbour_features(given),
        **_heading_features(given),
        **_thread_features(given),
        **_place_features(given),
        **_lexicon_features(given),
    }


def _own_features(given: Inputs) -> Outputs:
    """Words and characters of a block."""
    chars = given.chars
    return {
        "words": given.words,
        "chars": chars,
        "chars_per_word": chars / maximum(given.words, 1),
        "link_density": given.density,
        ("digits", "capitals", "stops", "commas", "signs", "money"): (
            given.kinds / maximum(chars, 1)
        ),
        "stop_count": given.stops,
        "comma_count": given.kinds.line(3),
        "last_kind": given.last_kind,
        "first_kind": given.first_kind,
        "texts": given.pieces,
        "copies": given.copies,
    }


# Titles, structured data and notices: what the page states about itself


def _page_text_features(given: Inputs) -> Outputs:
    """Whether the title or structured data hold a block's text, and what came before it."""
    place, titled = given.place, given.titled
    last = either(titled, place, -1).running_max()
    articles = (given.tag == NUMBER["article"]).running_sum()
    return {
        "told": given.stated,
        "named": given.named,
        "page_told": (given.stated * given.words).sum() / given.total,
        "telling": given.structured_words,
        "title": titled,
        "since_title": either(last >= 0, place - last, -1),
        "since_first_title": place - either(titled.any(), titled.first(), -MISSING),
        "h1_before": (given.holder_kind == HOLDERS["h1"]).running_sum(),
        **_notice_features(given),
        "articles_before": articles[given.row],
        "page_articles": (given.tag == NUMBER["article"]).sum(),
        **_title_features(given, articles[given.row]),
    }


COOKIE_BLOCKS = 8  #: blocks to either side in which cookies are counted


def _notice_features(given: Inputs) -> Outputs:
    """Words about the site itself in any language: cookies, newsletters, other pages, rights."""
    cookies, place = given.cookies > 0, given.place
    before = cookies.prefix()
    last = minimum(place + (COOKIE_BLOCKS + 1), given.blocks)
    return {
        "cookies": cookies,
        "cookies_near": before[last] - before[maximum(place - COOKIE_BLOCKS, 0)],
        "rights": given.rights,
        "notices": given.notices,
        "see_also": given.leads,
        "see_also_before": given.leads.shift(1),
    }


def _title_features(given: Inputs, articles: FeatureColumn) -> Outputs:
    """The smallest element that holds both a block and the title: a heading, or else any copy."""
    titled, row, end = given.titled, given.tag.places(), given.end
    headed = titled & _is_headed(given)
    first = either(headed.any(), headed.first(), titled.first())
    holder = given.holder[first]
    around = (row <= holder) & (end > holder)  # the elements above the title
    nearest = around.nearest(given.parent)[given.row]
    shared = either(nearest >= 0, nearest, around.least(given.depth))
    words = given.words.spread(given.row, given.tag).prefix()
    share = (words[end[shared]] - words[shared]) / given.total
    shown = titled.any()
    return {
        "title_levels": either(shown, given.depth[holder] - given.depth[shared], -1),
        "title_share": either(shown, share, 0.0),
        "title_articles": either(shown, articles - articles[first], 0),
    }


def _is_headed(given: Inputs) -> FeatureColumn:
    """Mark the blocks that are headings."""
    return (given.holder_kind >= HOLDERS["h1"]) & (given.holder_kind <= HOLDERS["h4"])


# Tags at, above and inside a block

IN, HAS = (tuple(f"{how}_{name}" for name in tags) for how, tags in (("in", OUTER), ("has", INNER)))
IS = tuple(f"is_{name}" for name in HOLDER_FEATURES)
OUTER_BITS, INNER_BITS = (np.array(list(tags.values()))[:, None] for tags in (OUTER, INNER))
IS_KINDS = np.array([float(HOLDERS[name]) for name in HOLDER_FEATURES])[:, None]


def _tag_features(given: Inputs) -> Outputs:
    """Tags that hold a block and tags inside it, hidden ones too."""
    constant = given.tag.trace.constant
    path = tag_bits(given).or_above(given.parent, given.depth)
    above, inner = path[given.holder], path[given.text_rows].or_by_part(given.first)
    return {
        IN: (above & constant(OUTER_BITS)) != 0,
        HAS: ~(above & constant(INNER_BITS) != 0) & (inner & constant(INNER_BITS) != 0),
        IS: given.holder_kind == constant(IS_KINDS),
        "depth": given.depth[given.holder],
    }


# Neighbours, windows and headings

#: Blocks from one to the other.
NEIGHBOURS = {"before1": 1, "before2": 2, "after1": -1, "after2": -2}
WINDOWS = (3, 8, 20)  #: blocks to either side


def _neighbour_features(given: Inputs) -> Outputs:
    """Neighbours, and sums over windows of blocks."""
    depth = given.depth[given.holder]
    features: dict[str | tuple[str, ...], FeatureColumn] = {}
    for side, shift in NEIGHBOURS.items():
        features[f"{side}_words"] = given.words.shift(shift)
        features[f"{side}_links"] = given.density.shift(shift)
        features[f"{side}_stops"] = given.stops.shift(shift)
        features[f"{side}_tag"] = given.holder_kind.shift(shift)
        features[f"{side}_depth"] = depth.shift(shift) - depth
    prefix, place = stack(given.words, given.linked, given.stops).prefix(), given.place
    for width in WINDOWS:
        low, high = maximum(place - width, 0), minimum(place + (width + 1), given.blocks)
        sums = prefix[high] - prefix[low]
        some = maximum(sums.line(0), 1)
        features[f"window{width}_mean"] = sums.line(0) / (high - low)
        features[f"window{width}_links"] = sums.line(1) / some
        features[f"window{width}_stops"] = sums.line(2) / some
    return features


def _heading_features(given: Inputs) -> Outputs:
    """The text under the same heading, and the distance to headings and to running text."""
    place, blocks, tag = given.place, given.blocks, given.holder_kind
    headed, first = _is_headed(given), tag == HOLDERS["h1"]
    section = headed.running_sum()
    words, linked = given.words.sum_by(section), given.linked.sum_by(section)
    last = either(headed, place, -1).running_max()
    long = (given.words >= LONG_BLOCK_WORDS) & (given.density < MAX_LINK_DENSITY)
    return {
        "section_words": words[section],
        "section_links": (linked / maximum(words, 1))[section],
        "since_heading": either(last >= 0, place - last, -1),
        "heading": either(last >= 0, tag[last], 0.0),
        "heading_links": either(last >= 0, given.density[last], 0.0),
        **{name: given.heading_kinds & mask != 0 for name, mask in HEADING_BITS.items()},
        "until_heading": either(headed, place, blocks + 50).coming_min() - place,
        "since_h1": either(first.any(), place - first.first(), -MISSING),
        "since_long": place - either(long, place, -MISSING).running_max(),
        "until_long": either(long, place, blocks + MISSING).coming_min() - place,
    }


#: Kinds of headings by their words, of which each is a feature.
HEADING_KINDS = {
    "under_related": ("related", "more"),
    "under_promotion": ("letter", "ad", "account", "share"),
    "under_company": ("company", "legal", "by"),
    "under_lists": ("tags", "archive", "contents"),
}
HEADING_BITS = {
    name: sum(1 << TEXT_KINDS.index(kind) for kind in kinds)
    for name, kinds in HEADING_KINDS.items()
}


def _thread_features(given: Inputs) -> Outputs:
    """Comment threads, and the distance to them."""
    inside = given.thread
    first = either(inside.any(), inside.first(), given.blocks + MISSING)
    return {
        "in_thread": inside,
        "since_thread": given.place - first,
        "page_thread": (given.words * inside).sum() / given.total,
    }


def _place_features(given: Inputs) -> Outputs:
    """Where a block stands, and the page as a whole."""
    blocks, words, total, place = given.blocks, given.words, given.total, given.place
    return {
        "place": place / blocks,
        "words_before": (words.running_sum() - words) / total,
        "blocks_before": place,
        "blocks_after": blocks - place,
        "page_words": total,
        "page_blocks": blocks,
        "page_links": given.linked.sum() / total,
        "page_mean": total / blocks,
        "page_paragraphs": (words * (given.holder_kind == HOLDERS["p"])).sum() / total,
        "page_long": (words * (words > LONG_BLOCK_WORDS)).sum() / total,
        "page_stops": given.stops.sum() / total,
        "page_plain": (words * (given.density < 0.5)).sum(),
        "page_money": given.kinds.line(5).sum() / total,
    }


def _lexicon_features(given: Inputs) -> Outputs:
    """Weights of the class names and ids above a block, and above its neighbours."""
    if not given.scores.lines:
        return {}
    paths = given.scores.sum_above(given.end)[given.holder]
    features: dict[str | tuple[str, ...], FeatureColumn] = {}
    for at in range(paths.lines):
        path = paths.line(at)
        features[f"lexicon{at}"] = path
        features[f"lexicon{at}_before"] = path.shift(1)
        features[f"lexicon{at}_after"] = path.shift(-1)
    return features
