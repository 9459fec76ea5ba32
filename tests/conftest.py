"""What the whole suite shares: a marker for long tests, and how hypothesis searches."""

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
        "--run-soak", action="store_true", help="run what takes longer than a test may"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "soak: longer than a test may take; needs --run-soak")
    config.addinivalue_line("markers", "slow: seconds rather than milliseconds; always run")


DRIVEN = ("tests/server/", "tests/extension/", "tests/sources/test_browser")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    again = pytest.mark.flaky(reruns=1)  # a browser on a busy machine may be late once, not twice
    for item in items:
        if item.nodeid.startswith(DRIVEN):
            item.add_marker(again)
    if config.getoption("--run-soak"):
        return
    skip = pytest.mark.skip(reason="needs --run-soak")
    for item in items:
        if "soak" in item.keywords:
            item.add_marker(skip)
