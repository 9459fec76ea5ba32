"""Markers for long tests, the settings of hypothesis, and a compiled core that is up to date."""

import gc

import pytest
from hypothesis import HealthCheck, settings
from scripts.build_core import is_current, module_path

settings.register_profile(
    "suite",
    deadline=None,
    derandomize=True,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
#: `make soak` asks more of every property, with other examples each time.
settings.register_profile(
    "deep", settings.get_profile("suite"), max_examples=1000, derandomize=False
)
settings.load_profile("suite")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--run-soak", action="store_true", help="run the tests that are too long for make test, too"
    )


def pytest_configure(config: pytest.Config) -> None:
    if module_path().exists() and not is_current(module_path()):
        pytest.exit("the compiled core is older than its sources: python scripts/build_core.py", 4)
    config.addinivalue_line("markers", "soak: too long for make test; needs --run-soak")
    config.addinivalue_line("markers", "slow: seconds rather than milliseconds; always run")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--run-soak"):
        return
    config.hook.pytest_deselected(items=[item for item in items if "soak" in item.keywords])
    items[:] = [item for item in items if "soak" not in item.keywords]


def pytest_collection_finish() -> None:
    gc.freeze()  # thousands of tests stay to the end; collections need not look at them again


def pytest_sessionfinish() -> None:
    gc.unfreeze()  # what is left is freed at the end, as ever
