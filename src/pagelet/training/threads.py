"""One thread for linear algebra: fits are many small steps, and threads add up in any order."""

import os
import sys
from collections.abc import MutableMapping

LIBRARIES = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def one_thread(environment: MutableMapping[str, str] = os.environ) -> None:
    """Ask for one thread unless the user said otherwise; libraries listen when they are loaded.

    On two busy cores a fit of the lexicon took a seventh of the time.
    """
    if "scipy" not in sys.modules:
        for name in LIBRARIES:
            environment.setdefault(name, "1")
