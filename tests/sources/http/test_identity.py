"""Who sends requests: a user agent for all servers, headers and cookies for the named one."""

import pytest

from pagelet.errors import OptionError
from pagelet.sources.http.cache import Cache
from pagelet.sources.http.identity import DEFAULT_AGENT, Identity
from pagelet.sources.http.loader import Loader, Politeness
from pagelet.sources.options import Limits
from tests.sources.site import StillClock

WHO = Identity(
    user_agent="fernbot/2.1 (+https://fern.example/bot)",
    header=("X-Key: k1", "Accept-Language: de"),
    cookie=("consent=yes", "theme=dark"),
)


def loading(site, who, cache=None, **politeness) -> Loader:
    allowed = (site.place, f"localhost:{site.server_port}")
    options = Politeness(delay=0, allow_private=allowed, scope=("*",), **politeness)
    return Loader(Limits(), options, StillClock(), cache, who)


def test_the_usual_sender_gives_its_name_alone(site):
    with loading(site, Identity(), robots=False) as loader:
        loader.load(f"{site.url}/page")
    [request] = site.requests
    assert request.headers["User-Agent"] == DEFAULT_AGENT
    assert "Cookie" not in request.headers


def test_headers_and_cookies_are_sent_with_the_servers_own(site):
    with loading(site, WHO, robots=False) as loader:
        loader.load(f"{site.url}/cookie")
    first, second = (request.headers for request in site.requests)
    assert first["User-Agent"] == WHO.user_agent
    assert (first["X-Key"], first["Accept-Language"]) == ("k1", "de")
    assert first["Cookie"] == "consent=yes; theme=dark"
    assert second["Cookie"] == "consent=yes; theme=dark; session=abc"


def test_another_server_gets_the_user_agent_only(site):
    other = f"http://localhost:{site.server_port}/page"
    with loading(site, WHO, robots=False) as loader:
        loader.load(f"{site.url}/to?url={other}")
        loader.load(other)
    named, led, named_too = (request.headers for request in site.requests)
    assert "X-Key" in named
    assert "X-Key" in named_too
    assert led["User-Agent"] == WHO.user_agent
    assert not {"X-Key", "Cookie", "Accept-Language"} & set(led)


def test_robots_txt_is_read_for_the_name_that_is_given(site):
    site.robots = (200, b"User-agent: pagelet\nDisallow: /\n\nUser-agent: fernbot\nAllow: /")
    with loading(site, WHO) as loader:
        assert loader.load(f"{site.url}/page").status == 200


def test_what_one_user_sees_is_not_kept_for_others(site, tmp_path):
    for _ in range(2):
        with loading(site, WHO, Cache(tmp_path), robots=False) as loader:
            loader.load(f"{site.url}/page")
    assert len(site.requests) == 2
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "wrong",
    [
        {"user_agent": ""},
        {"user_agent": "1bot"},
        {"user_agent": "bot\r\nX: y"},
        {"user_agent": "bót"},
        {"header": ("no colon",)},
        {"header": ("Bad Name: x",)},
        {"header": ("X: a\r\nHost: b",)},
        {"header": ("Host: elsewhere",)},
        {"header": ("Cookie: a=b",)},
        {"cookie": ("novalue",)},
        {"cookie": ("a=b; c=d",)},
    ],
    ids=str,
)
def test_what_is_refused(wrong):
    with pytest.raises(OptionError) as error:
        Identity(**wrong)
    [name] = wrong
    assert name.replace("_", "-") in str(error.value) or name in str(error.value)
