"""The model that comes with pagelet, and the card that says what it was made of."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from pagelet.lab.gold import Gold
from pagelet.lab.menu.fit import (
    CORPUS_WEIGHT,
    MODELS,
    PARAMETERS,
    ROUNDS,
    WEAK_WEIGHT,
    feature_names,
    fit_ranker,
    read_corpora,
)

WEAK = "weak: tags, roles and names, which the model was not shown"
LICENCES = {
    "sites": "Apache-2.0 where the site is Apache's; elsewhere weights of structure only, no text",
    "segments": "public domain",
    "wcxb": "CC-BY-4.0, WCXB, Foley 2026",
    "articles": "Apache-2.0, newspaper4k's evaluation set",
    "mixed": "Apache-2.0, magic-html's evaluation set",
    "records": "MIT",
    "swde": "Apache-2.0",
}


def fit_shipped(
    folder: Path, gold: Gold, target: Path, *, seed: int, say: Callable[[str], None]
) -> None:
    """Fit on everything at hand; write the model and, beside it, its card."""
    known = read_corpora(folder, gold, say)
    say(f"fitting {len(known.examples)} pages")
    fit_ranker(known.examples, seed).save(target)
    pages = Counter(example.corpus for example in known.examples)
    sites = Counter(corpus for corpus, _ in {(e.corpus, e.group) for e in known.examples})
    weak = {example.corpus for example in known.examples if example.weak}
    card = {
        "what": "ranks the elements of a page by how well they cover its main menu",
        "made by": f"pagelet train menu DIR --profile default --seed {seed}",
        "data": {
            name: {
                "pages": pages[name],
                "sites": sites[name],
                "labels": WEAK if name in weak else "people's",
                "licence": LICENCES.get(name, "the user's own"),
            }
            for name in pages
        },
        "learner": {"models": MODELS, "rounds": ROUNDS, **PARAMETERS, "seed": seed},
        "weights": {**CORPUS_WEIGHT, "weak": WEAK_WEIGHT},
        "target": "squared F1 of the candidate's rows with the menu's",
        "features": list(feature_names()),
    }
    target.with_suffix(".json").write_text(json.dumps(card, indent=2) + "\n")
