"""Pages at private addresses, on the command line."""

import pytest

from tests.sources.site import served


@pytest.fixture
def site():
    with served() as server:
        yield server


@pytest.mark.parametrize("command", ["menu", "clutter", "content", "inspect"])
def test_a_private_address_is_refused_unless_named(run, site, command, tmp_path):
    rest = ["-o", tmp_path / "report.html"] if command == "inspect" else []
    code, _, err = run(command, f"{site.url}/page", *rest)
    assert (code, site.requests) == (3, [])
    assert f"--allow-private {site.place}" in err
    code, _, _ = run(command, f"{site.url}/page", "--allow-private", site.place, *rest)
    assert (code, site.paths) == (0, ["/page"])


def test_the_option_may_be_said_several_times(run, site):
    allowed = ("--allow-private", "other.test:80", "--allow-private", site.place)
    assert run("menu", f"{site.url}/page", *allowed)[0] == 0


def test_a_mistake_in_the_option(run, site):
    code, _, err = run("menu", f"{site.url}/page", "--allow-private", "127.0.0.1")
    assert code == 2
    assert "HOST:PORT" in err
