"""The models that come with pagelet for segments, and the card that says what they are made of."""

import json
from collections.abc import Sequence
from pathlib import Path

from pagelet.methods.segments_gaps import NAMES
from pagelet.training.menu_ship import LICENCES
from pagelet.training.segments_examples import LEVELS, Gaps
from pagelet.training.segments_fit import MODELS, PARAMETERS, ROUNDS, SHAPES, fit_cuts


def ship_cuts(
    pages: Sequence[Gaps], target: Path, granularity: str, *, corpus: str, seed: int
) -> None:
    """Fit on all pages; write the model and, beside it, its card."""
    fit_cuts(pages, granularity, seed).save(target)
    card = {
        "what": "says how likely people part a drawn page at a gap between its boxes",
        "made by": f"pagelet train segments DIR --granularity {granularity} --seed {seed}",
        "data": {
            corpus: {
                "pages": sum(len(page.cut) > 0 for page in pages),
                "gaps": sum(len(page.cut) for page in pages),
                "cut": int(sum(page.cut.sum() for page in pages)),
                "labels": f"people's, data-block = {LEVELS[granularity]}",
                "licence": LICENCES.get(corpus, "the user's own"),
            }
        },
        "learner": {
            "models": MODELS,
            "rounds": ROUNDS[granularity],
            **PARAMETERS,
            **SHAPES[granularity],
            "seed": seed,
        },
        "features": list(NAMES),
    }
    target.with_suffix(".json").write_text(json.dumps(card, indent=2) + "\n")
