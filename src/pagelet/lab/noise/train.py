"""Fitting a noise model for use: figures on what it had not seen, the model, its card."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from pagelet.errors import NoGold
from pagelet.lab import c45
from pagelet.lab.cards import LICENCES, check_target, store
from pagelet.lab.data import data_digest, one_thread
from pagelet.lab.noise import fit as noise_fit
from pagelet.lab.noise.examples import FOLDS, Example, read_examples
from pagelet.lab.noise.protocols import (
    by_site,
    counted,
    default_protocol,
    fit_paper,
    other_pages,
    paper_protocol,
    probabilities,
    unseen,
    unseen_paper,
    with_memory,
)
from pagelet.lab.noise.scores import WANTED, ClassCounts, read_noise
from pagelet.methods.noise import NOISE
from pagelet.methods.noise.model import NoiseModel, noise_model
from pagelet.methods.noise.paper import PAPER_FEATURES
from pagelet.models.trees import Trees

Say = Callable[[str], None]
Found = dict[str, ClassCounts]
PACKAGES = ("numpy", "scipy", "lightgbm", "turbohtml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """How a model is fitted."""

    profile: Literal["default", "paper"] = "default"
    seed: int = noise_fit.SEED
    card: bool = True  #: write what the model was made of beside it


def train_noise(folder: Path, target: Path, how: Training, *, say: Say) -> Found:
    """Measure by protocol, then fit on everything and write the model and its card."""
    one_thread()
    check_target(target)
    examples = read_examples(read_noise(folder))
    if not examples:
        raise NoGold(str(folder), WANTED)
    say(f"{len(examples)} pages of {len(by_site(examples))} sites")
    fit = _paper if how.profile == "paper" else _default
    model, found = fit(examples, how, say)
    store(model, target)
    if how.card:
        card = card_of(folder, target, examples, how, found)
        target.with_suffix(".json").write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
    return found


def _paper(examples: Sequence[Example], how: Training, say: Say) -> tuple[Trees, Found]:
    found = {"nodes, 66 of 100": _sum(paper_protocol(examples, how.seed))}
    if len(by_site(examples)) >= FOLDS:
        say("sites left out")
        said = unseen_paper(examples)
        found["sites unseen"] = _sum(map(counted, examples, said))
    return fit_paper(examples), found


def _default(examples: Sequence[Example], how: Training, say: Say) -> tuple[NoiseModel, Found]:
    """A model of its own where there are sites enough, else the shipped one with a memory."""
    sites = by_site(examples)
    if len(sites) < FOLDS:
        say(f"fewer than {FOLDS} sites: the shipped model learns to remember these pages")
        models = dict.fromkeys(sites, noise_model())
    else:
        models = unseen(examples, seed=how.seed, say=say)
    threshold = NOISE.profiles["default"].options.threshold
    likely = probabilities(examples, models, query=True)
    found = {"nodes, 66 of 100": _sum(default_protocol(examples, likely, how.seed))}
    others = other_pages(examples, likely)
    found["pages unseen"] = _told(examples, others, threshold)
    if len(sites) < FOLDS:
        return with_memory(noise_model(), examples), found
    found["sites unseen"] = _told(examples, likely, threshold)
    bare = probabilities(examples, models, query=False)
    found["sites unseen, no query"] = _told(examples, bare, threshold)
    say("fitting on all pages")
    return noise_fit.fit_noise(examples, seed=how.seed, say=say), found


def _told(examples: Sequence[Example], likely: Sequence[Any], threshold: float) -> ClassCounts:
    pairs = zip(examples, likely, strict=True)
    return _sum(counted(each, own >= threshold) for each, own in pairs)


def _sum(counts: Any) -> ClassCounts:
    return sum(counts, start=ClassCounts())


def card_of(
    folder: Path, target: Path, examples: Sequence[Example], how: Training, found: Found
) -> dict[str, Any]:
    """What a model was made of, and how well it does on what it has not seen."""
    learner: dict[str, Any] = {"tree": "C4.5", "confidence": c45.CONFIDENCE, "fewest": c45.FEWEST}
    if how.profile == "default":
        learner = {
            "groups": {"rounds": noise_fit.GROUP_ROUNDS, **noise_fit.GROUP_PARAMETERS},
            "units": {"rounds": noise_fit.UNIT_ROUNDS, **noise_fit.UNIT_PARAMETERS},
            "penalty of names and words": noise_fit.PENALTY,
        }
    return {
        "what": "tells the records of a result page from everything else",
        "made by": f"pagelet train noise DIR --profile {how.profile} --seed {how.seed}"
        f" --output {target.name}",
        "data": {
            folder.name: {
                "pages": len(examples),
                "sites": len(by_site(examples)),
                "digest": data_digest(folder),
                "licence": LICENCES.get(folder.name, "the user's own"),
            }
        },
        "learner": {**learner, "seed": how.seed},
        "features": list(PAPER_FEATURES) if how.profile == "paper" else "named in the npz file",
        "figures": {name: figures_of(counts) for name, counts in found.items()},
        "packages": {name: version(name) for name in PACKAGES},
    }


def figures_of(counts: ClassCounts) -> dict[str, float]:
    """The figures of one protocol, rounded."""
    precision, recall, f1 = counts.weighted
    told = {
        "content precision": counts.content.precision,
        "content recall": counts.content.recall,
        "content F1": counts.content.f1,
        "noise F1": counts.noisy.f1,
        "weighted precision": precision,
        "weighted recall": recall,
        "weighted F1": f1,
    }
    return {name: round(value, 4) for name, value in told.items()}
