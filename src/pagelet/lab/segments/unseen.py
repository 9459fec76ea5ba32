"""The default profile with models that have not seen the page's site: the answers that count."""

from collections.abc import Callable, Sequence
from functools import partial

from pagelet.errors import MissingExtra
from pagelet.lab.segments.examples import LARGE, LEVELS, Gaps, gaps_of
from pagelet.lab.segments.fit import FOLDS, unseen
from pagelet.lab.segments.pages import Example
from pagelet.lab.segments.ways import Granularity, Way, name_of
from pagelet.methods.segments.geometry.partition import Segments
from pagelet.methods.segments.visual import VisualOptions, segment_visual
from pagelet.methods.segments.visual.sight import sight_of
from pagelet.models.trees import Trees

LEARNED: tuple[Granularity, ...] = ("blocks", "paragraphs")  #: those with a model

Models = dict[str, Trees]


def unseen_ways(examples: Sequence[Example], say: Callable[[str], None]) -> list[Way]:
    """A way for each granularity that has a model; none when models cannot be fitted."""
    some = [example for example in examples if len(example.boxes)]
    if len({example.site for example in some}) < FOLDS:
        say(f"fewer than {FOLDS} sites: no models are fitted without a page's site")
        return []
    ways = []
    for granularity in LEARNED:
        say(f"fitting {granularity} without each fifth of the sites")
        try:
            models = _models(some, granularity)
        except MissingExtra as error:
            say(f"only the shipped models answer: {error}")
            return []
        ways.append(Way(name_of(granularity, "unseen"), partial(_answer, models, granularity)))
    return ways


def learned_gaps(examples: Sequence[Example], size: Granularity) -> list[Gaps]:
    """The gaps of each page, as people's blocks of the level for a granularity part them."""
    found = []
    for of in examples:
        sight = sight_of(of.page, of.layout, of.boxes)
        found.append(gaps_of(sight, of.boxes, of.gold[LEVELS[size]], LARGE[size]))
    return found


def _models(examples: Sequence[Example], size: Granularity) -> Models:
    """For each page a model that was fitted without its site."""
    sites = [example.site for example in examples]
    fitted = unseen(learned_gaps(examples, size), sites, size)
    return {example.name: model for example, model in zip(examples, fitted, strict=True)}


def _answer(models: Models, granularity: Granularity, of: Example) -> Segments:
    options = VisualOptions(granularity=granularity)
    return segment_visual(of.page, of.layout, of.boxes, options, models.get(of.name))
