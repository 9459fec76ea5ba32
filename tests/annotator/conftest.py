"""The service and the browser of the tests of the server."""

from tests.server.conftest import elsewhere, service, window

__all__ = ["elsewhere", "service", "window"]
