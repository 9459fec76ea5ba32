"""What the compiled core offers; the sources lie in src/pagelet_core, one file per idea."""

from pagelet.arrays import Floats, Ints, Singles

# -- trees.pxi

class TreeScorer:
    """An ensemble, prepared for masks."""

    def __init__(
        self,
        roots: Ints,
        feature: Ints,
        threshold: Floats,
        narrow: Singles,
        left: Ints,
        value: Floats,
        features: int,
        steps: int,
    ) -> None: ...
    def predict_narrow(self, lines: Singles, answers: Floats, first: int, last: int) -> None: ...
    def predict_wide(self, lines: Floats, answers: Floats, first: int, last: int) -> None: ...
