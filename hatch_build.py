"""Builds the compiled core with the package, where there is a C compiler.

PAGELET_CORE=python builds the package without it, PAGELET_CORE=compiled makes its absence an error.
"""

import os
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))
from scripts.build_core import CoreNotBuilt, build_core


class CoreHook(BuildHookInterface):
    """Adds the module to the wheel, or leaves the wheel as it is."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Build before the files of the wheel are listed, or linked to by an editable one."""
        choice = os.environ.get("PAGELET_CORE", "")
        if choice not in ("", "python", "compiled"):
            sys.exit(f"PAGELET_CORE = {choice!r}: no such core; set it to compiled or python")
        if choice == "python":
            return
        try:
            module = build_core()
        except CoreNotBuilt as error:
            if choice == "compiled":
                sys.exit(
                    f"PAGELET_CORE is compiled, but the core could not be built: {error}; "
                    "install a C compiler, or unset PAGELET_CORE"
                )
            self.app.display_warning(f"pagelet: no compiled core, the Python core is used: {error}")
            return
        build_data["artifacts"].append(f"/{module.relative_to(self.root).as_posix()}")
        build_data["pure_python"] = False
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"cp311-abi3-{platform}"
