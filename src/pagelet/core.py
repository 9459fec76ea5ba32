"""Which core computes: the compiled one where it was built, else Python and numpy.

Both give the same answers. The environment variable PAGELET_CORE chooses one: `python`, or
`compiled`, which is an error where there is none. A build of Python without the global lock takes
the Python core.
"""

import os
import sysconfig
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from pagelet.errors import OptionError

__all__ = ["compiled", "describe_core", "kernels"]

VARIABLE = "PAGELET_CORE"  #: environment variable that chooses a core
CHOICES = ("compiled", "python")


def load_kernels(choice: str) -> Any:
    """The compiled module, or None for the Python core."""
    if choice not in ("", *CHOICES):
        raise OptionError(VARIABLE, choice, f"no such core; set it to {' or '.join(CHOICES)}")
    if choice == "python":
        return None
    reason = _find_obstacle()
    if not reason:
        try:
            return import_module("pagelet._core")
        except ImportError as error:
            reason = f"it cannot be loaded: {error}"
    if choice == "compiled":
        raise OptionError(VARIABLE, choice, f"there is no compiled core: {reason}")
    return None


def _find_obstacle() -> str:
    """Why there can be no compiled core here; empty if there can."""
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        return "it needs a Python with the global lock"
    if find_spec("pagelet._core") is None:
        return "it was not built; install a C compiler, then install pagelet again"
    return ""


if TYPE_CHECKING:
    import pagelet._core as kernels
else:
    kernels = load_kernels(os.environ.get(VARIABLE, ""))

compiled: bool = kernels is not None  #: whether kernels are used; read it from this module


def describe_core() -> str:
    """The core that is active, in words."""
    return "compiled core" if compiled else "Python core"
