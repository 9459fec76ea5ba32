"""What is wrong with a request, in our own words."""

import json
from typing import Any

import pytest

from pagelet.errors import OptionError
from pagelet.server.app import to_http_error
from pagelet.server.requests import inspect_model, method_model, read_form
from pagelet.server.run import open_socket
from pagelet.server.settings import Settings

BODIES: list[tuple[str, Any, str]] = [
    ("menu", [1], "the body must be a JSON object"),
    ("menu", {"query": ["x"]}, "option query: menu takes no query"),
    ("menu", {"min_score": 1}, "option min_score = 1: give it as options.min_score"),
    ("menu", {"options": {"nope": 1}}, "option options.nope = 1: menu has no such option"),
    ("menu", {"options": {"min_score": 9}}, "options.min_score = 9: must be between 0 and 1"),
    ("menu", {"options": {"min_score": "x"}}, "options.min_score = 'x': must be a number"),
    ("menu", {"options": {"explain": True}}, "it only changes what the command line prints"),
    ("menu", {"options": 3}, "option options = 3: must be an object"),
    ("menu", {"format": "pdf"}, "option format = 'pdf': must be json, text or html"),
    ("menu", {"html": 3}, "option html = 3: must be a string"),
    ("menu", {"url": "x" * 30_000}, "…': must have at most 20,000 characters"),
    ("menu", {"site": {}}, "option site: must be a list"),
    ("menu", {"site": [{"html": ""}] * 51}, "option site: must have at most 50 items"),
    ("menu", {"site": [{"url": "x"}]}, "option site.0.html: is required"),
    ("menu", {"site": [{"html": "", "x": 1}]}, "option site.0.x = 1: no such field"),
    ("content", {"options": {"model": "x"}}, "options.model = 'x': a client may not name files"),
    ("content", {"options": {"keep": "x"}}, "options.keep = 'x': must be a list of strings"),
    ("content", {"options": {"keep": [1]}}, "options.keep.0 = 1: must be a string"),
    ("inspect", {"options": {"menu": {"nope": 1}}}, "options.menu.nope = 1: menu has no such"),
    ("inspect", {"options": {"content": {"rules": "a"}}}, "a client may not name files"),
    ("inspect", {"options": {"nope": {}}}, "option options.nope: no such field"),
    ("inspect", {"nope": 1}, "option nope = 1: inspect takes no nope"),
    ("segments", {"layout": {"width": -1, "height": 1, "boxes": []}}, "= -1: must be 0 or more"),
]


@pytest.mark.parametrize(("name", "body", "message"), BODIES)
def test_messages_have_no_words_of_the_validator(name: str, body: object, message: str) -> None:
    model = inspect_model() if name == "inspect" else method_model(name)
    with pytest.raises(Exception) as caught:  # noqa: PT011 - two kinds, one form
        read_form(model, json.dumps(body).encode(), name)
    error = to_http_error(caught.value)
    assert (error.status, error.error) == (422, "OptionError")
    assert message in error.message


@pytest.mark.parametrize(
    ("host", "why"),
    [
        ("0.0.0.0x", "option host = '0.0.0.0x': no such address"),
        ("192.0.2.1", "option host = '192.0.2.1': this machine does not have this address"),
    ],
)
def test_a_wrong_host_is_not_blamed_on_the_port(host: str, why: str) -> None:
    with pytest.raises(OptionError) as caught:
        open_socket(Settings(host=host, port=0, token="t" * 40))
    assert str(caught.value) == why
