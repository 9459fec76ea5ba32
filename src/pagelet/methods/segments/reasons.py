"""Why a part of the page is one segment, in words."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from math import log
from typing import Any

from pagelet.methods.phrases import (
    Phrases,
    describe,
    distance,
    flag,
    graded,
    logarithm,
    measure,
    rank_reasons,
)
from pagelet.methods.segments.element_phrases import ELEMENT_PHRASES
from pagelet.pagelets import WordedReason

MAX_DEGREE = 11  #: the greatest degree of coherence
MIN_PROBABILITY = 0.001  #: probability that log-odds are taken of, at least
MAX_GAP_REASONS = 4  #: reasons for the likeliest cut, at most

GapEffects = Callable[[], Mapping[str, tuple[float, float]]]  #: value and effect of features


def segment_reason(values: Mapping[str, Any], effects: GapEffects | None = None) -> WordedReason:
    """The measures of a segment, and their words; `effects` are those of its likeliest cut."""
    return WordedReason(values, partial(_explain, values, effects))


def _explain(values: Mapping[str, Any], effects: GapEffects | None) -> list[dict[str, Any]]:
    if effects is None:
        return rank_reasons(_measures(values))
    parts = _element(effects) if "likeliest_division" in values else _gap(effects)
    return rank_reasons((*_measures(values), *parts))


def _measures(values: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """How near the segment is to being divided, or joined with another."""
    threshold = values.get("threshold", 0.0)
    if "likeliest_cut" in values:
        cut = values["likeliest_cut"]
        text = f"no likely cut in it: the likeliest has {cut:.0%}, and {threshold:.0%} are needed"
        yield text, _log_odds(threshold) - _log_odds(cut)
    elif "likeliest_division" in values:
        cut = values["likeliest_division"]
        text = f"people divide such an element with {cut:.0%}, and {threshold:.0%} are needed"
        yield text, _log_odds(threshold) - _log_odds(cut)
    elif "joined_at" in values:
        joined, lost = values["joined_at"], values["lost_at"]
        text = f"its boxes are alike: joined from {joined:.2f} on, and the page is cut at"
        yield f"{text} {threshold:.2f}", threshold - joined
        yield f"what is around it differs: joined from {lost:.2f} on", lost - threshold
    elif "degree_of_coherence" in values:
        degree = values["degree_of_coherence"]
        yield f"degree of coherence {degree:g}, {MAX_DEGREE} is the greatest", degree / MAX_DEGREE
    else:
        yield "one element, or neighbours that belong together by tag and place", 1.0


def _log_odds(probability: float) -> float:
    bounded = min(max(probability, MIN_PROBABILITY), 1 - MIN_PROBABILITY)
    return log(bounded / (1 - bounded))


def _gap(effects: GapEffects) -> Iterator[tuple[str, float]]:
    """What speaks against the likeliest cut, and for it: the strongest measures of its gap."""
    strongest = list(effects().items())[:MAX_GAP_REASONS]
    for name, (value, effect) in strongest:
        yield f"where a cut is likeliest: {describe(PHRASES, name, value)}", -effect


def _element(effects: GapEffects) -> Iterator[tuple[str, float]]:
    """What speaks against dividing the element further, and for it."""
    for name, (value, effect) in list(effects().items())[:MAX_GAP_REASONS]:
        yield describe(ELEMENT_PHRASES, name, value), -effect


# -- the measures of gaps -----------------------------------------------------------------------


def _sides() -> dict[str, Any]:
    """What lies before and behind a gap."""
    phrases: dict[str, Any] = {}
    for side, word in (("before", "before"), ("behind", "after")):
        strip, every = f"the strip {word} it", f"all that is {word} it"
        phrases |= {
            f"thickness_{side}": logarithm(f"{strip} is {{:.0f}} px thick"),
            f"boxes_{side}": logarithm(f"{{:.0f}} boxes in {strip}"),
            f"font_size_{side}": measure(f"letters of {{:.0f}} px in {strip}"),
            f"pictures_{side}": measure(f"{{:.0%}} of {strip} are pictures"),
            f"line_{side}": measure(f"lines of {{:.0f}} characters in {strip}"),
            f"density_{side}": measure(f"{{:.0%}} of {strip} is filled"),
            f"width_{side}": measure(f"{strip} is {{:.0%}} as wide as the part"),
            f"columns_{side}": measure(f"{{:.0f}} columns in {strip}"),
            f"all_thickness_{side}": logarithm(f"{every} is {{:.0f}} px thick"),
            f"all_font_size_{side}": measure(f"letters of {{:.0f}} px in {every}"),
            f"all_pictures_{side}": measure(f"{{:.0%}} of {every} are pictures"),
            f"all_line_{side}": measure(f"lines of {{:.0f}} characters in {every}"),
            f"all_density_{side}": measure(f"{{:.0%}} of {every} is filled"),
        }
    return phrases


def _step(what: str, same: float) -> Any:
    return graded((same, f"{what} is the same on both sides"), last=f"{what} changes there")


#: Words for every measure of gaps, by its name.
PHRASES: Phrases = {
    "gap": logarithm("a gap of {:.0f} px"),
    "gap_to_median": measure("{:.1f} times the usual gap of the part"),
    "gap_rank": measure("as wide as {:.0%} of the gaps of the part, or wider"),
    "gap_to_group": measure("the gap is {:.0%} of the part"),
    "position": measure("after {:.0%} of the part"),
    "from_start": logarithm("{:.0f} px from the start of the page"),
    "to_end": logarithm("{:.0f} px from the end of the page"),
    "on_page": measure("after {:.0%} of the page"),
    "chars_before": measure("{:.0%} of the part's text is before it"),
    "area_before": measure("{:.0%} of the part's area is before it"),
    "boxes_before": measure("{:.0%} of the part's boxes are before it"),
    **_sides(),
    "font_size_step": distance(
        "smaller letters before it", "larger letters before it", "letters of one size"
    ),
    "font_weight_step": distance(
        "bolder letters after it", "bolder letters before it", "letters of one weight"
    ),
    "ground_step": _step("the background", 1),
    "colour_step": _step("the colour of the text", 1),
    "low_step": _step("the left or upper edge", 0.01),
    "high_step": _step("the right or lower edge", 0.01),
    "same_thickness": graded((0.8, "strips of other thickness"), last="strips of one thickness"),
    "same_boxes": graded((0.8, "other numbers of boxes"), last="as many boxes on both sides"),
    "all_ground_step": _step("the background as a whole", 1),
    "all_colour_step": _step("the colour of the text as a whole", 0.7),
    "all_low_step": _step("the left or upper edge as a whole", 0.01),
    "all_high_step": _step("the right or lower edge as a whole", 0.01),
    "other_ground": flag("another background beyond it", "one background on both sides"),
    "all_other_ground": flag("another main background beyond it", "one main background"),
    "edge_begins": graded((0.05, "no edge begins there"), last="an edge begins there"),
    "edge_ends": graded((0.05, "no edge ends there"), last="an edge ends there"),
    "in_line": measure("{:.0%} of the boxes are in line"),
    "down": flag("a cut from left to right", "a cut from top to bottom"),
    "gaps": logarithm("{:.0f} gaps in the part"),
    "group_length": logarithm("a part of {:.0f} px along the cut's direction"),
    "group_width": logarithm("a part of {:.0f} px across"),
    "group_boxes": logarithm("{:.0f} boxes in the part"),
    "group_chars": logarithm("{:.0f} characters in the part"),
    "group_on_page": measure("the part is {:.0%} as wide as the page"),
    "group_share": measure("the part is {:.0%} of the page"),
    "crossing_width": measure("surfaces that go on across it take {:.0%} of its width"),
    "crossing_area": measure("a surface that goes on across it is {:.0%} of the part"),
    "crossing_full": measure("a surface around both sides is {:.0%} as long as the part"),
    "framed_before": measure("a surface up to it takes {:.0%} of its width"),
    "framed_behind": measure("a surface from it on takes {:.0%} of its width"),
    "enclosed": measure("the part fills {:.0%} of the surface around it"),
    "gutter_shared": measure("white between columns goes on across it, {:.0%} of its width"),
    "gutter_ratio": measure("{:.0%} of the white between columns goes on across it"),
    "gutter_lost": measure("{:.0%} of its width is white between columns that ends there"),
    "all_gutter_shared": measure("columns stand on both sides of it, {:.0%} white between them"),
    "all_gutter_ratio": measure("{:.0%} of the white between columns is on both sides of it"),
    "all_gutter_lost": measure("{:.0%} of its width is white between columns on one side"),
    "all_columns_before": measure("{:.0f} columns before it"),
    "all_columns_behind": measure("{:.0f} columns after it"),
}
