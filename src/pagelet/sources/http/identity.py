"""What requests say about who sends them: user agent, headers and cookies that a user gives."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pagelet.errors import NO_VALUE, OptionError

PRODUCT = "pagelet"  #: product token in robots.txt and in requests
DEFAULT_AGENT = f"{PRODUCT}/0.1"

_PRODUCT_TOKEN = re.compile(r"[a-z_-]+")
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_VALUE = re.compile(r"[^\0\r\n]*")
_COOKIE = re.compile(r"[^\s=;,\"\0]+=[^\s;\0]*")
#: headers that the connection or another option sets
RESERVED = ("accept-encoding", "connection", "content-length", "cookie", "host",
            "transfer-encoding", "user-agent")  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """The sender of requests; headers and cookies go to the hosts a user names, and no others."""

    user_agent: str = DEFAULT_AGENT
    header: tuple[str, ...] = ()  #: "NAME: VALUE" each
    cookie: tuple[str, ...] = ()  #: "NAME=VALUE" each

    def __post_init__(self) -> None:
        if not (self.user_agent.isascii() and self.user_agent.isprintable() and self.product):
            why = "printable ASCII that begins with a product name is needed, such as mybot/1.0"
            raise OptionError("user_agent", self.user_agent, why)
        for text in self.header:
            self._check_header(text)
        for text in self.cookie:
            if _COOKIE.fullmatch(text) is None:
                raise OptionError("cookie", NO_VALUE, "NAME=VALUE is needed, one per --cookie")

    @staticmethod
    def _check_header(text: str) -> None:
        name, colon, value = text.partition(":")
        if not colon or not _HEADER_NAME.fullmatch(name) or not _HEADER_VALUE.fullmatch(value):
            raise OptionError("header", NO_VALUE, "NAME: VALUE on one line is needed")
        if name.lower() in RESERVED:
            raise OptionError("header", name, "this header is set by pagelet or another option")

    @property
    def product(self) -> str:
        """The name that robots.txt knows the sender by."""
        token = _PRODUCT_TOKEN.match(self.user_agent.lower())
        return token[0] if token else ""

    @property
    def private_headers(self) -> Mapping[str, str]:
        """The headers that a user gave, which no other host may see."""
        pairs = (text.partition(":") for text in self.header)
        headers = {name: value.strip() for name, _, value in pairs}
        return headers | ({"Cookie": "; ".join(self.cookie)} if self.cookie else {})
