"""Markers for long tests, and the settings of hypothesis."""

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "suite",
    deadline=None,
    derandomize=True,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("suite")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--run-soak", action="store_true", help="run the tests that are too long for make test, too"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "soak: too long for make test; needs --run-soak")
    config.addinivalue_line("markers", "slow: seconds rather than milliseconds; always run")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--run-soak"):
        return
    config.hook.pytest_deselected(items=[item for item in items if "soak" in item.keywords])
    items[:] = [item for item in items if "soak" not in item.keywords]
