"""Other extractors, each called as its documentation recommends.

All of them get the text as we decode it, so that none pays for guessing an encoding. Packages
are imported when a peer is loaded, never before; loading prepares what many pages can share.
"""

import logging
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

import turbohtml

from pagelet.errors import OptionError
from pagelet.page.html import decode

Extract = Callable[[bytes, str | None], str]  #: takes HTML and URL, returns the main text


@dataclass(frozen=True, slots=True)
class Peer:
    """An extractor that someone else wrote."""

    name: str
    package: str  #: name of its distribution
    load: Callable[[], Extract]
    note: str = ""  #: caveat for readers of its figures

    @property
    def version(self) -> str | None:
        """The installed version; None when it is not installed."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return None


PEERS_ADVICE = "pip install 'pagelet[peers]' installs all of them"  #: where some are missing


def load_peers(names: Iterable[str] = ()) -> tuple[dict[str, Extract], list[str]]:
    """The named peers that are installed, all by default, and the names of those that are not."""
    peers: dict[str, Extract] = {}
    missing = []
    for name in names or PEERS:
        if name not in PEERS:
            raise OptionError("peers", name, f"no such extractor; choose from {', '.join(PEERS)}")
        try:
            with quiet():
                peers[name] = PEERS[name].load()
        except ImportError:
            missing.append(name)
    return peers, missing


@contextmanager
def quiet() -> Iterator[None]:
    """Suppress warnings and log lines of other packages."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


# -- one function per peer --------------------------------------------------------------------


def _trafilatura(**options: bool) -> Callable[[], Extract]:
    def load() -> Extract:
        extract = import_module("trafilatura").extract
        return lambda html, url: extract(decode(html), url=url, **options) or ""

    return load


def _resiliparse() -> Extract:
    """Without alt texts: its documentation has them off by default, its code has them on."""
    extract = import_module("resiliparse.extract.html2text").extract_plain_text
    return lambda html, _: str(extract(decode(html), main_content=True, alt_texts=False))


def _readability() -> Extract:
    document = import_module("readability").Document

    def extract(html: bytes, url: str | None) -> str:
        return turbohtml.parse(document(decode(html), url=url).summary()).to_text()

    return extract


def _justext() -> Extract:
    justext = import_module("justext")
    words = justext.get_stoplist("English")

    def extract(html: bytes, _: str | None) -> str:
        paragraphs = justext.justext(decode(html), words)
        return "\n".join(each.text for each in paragraphs if not each.is_boilerplate)

    return extract


def _boilerpy3() -> Extract:
    extractor = import_module("boilerpy3.extractors").ArticleExtractor()
    return lambda html, _: str(extractor.get_content(decode(html)))


def _newspaper4k() -> Extract:
    make = import_module("newspaper").Article

    def extract(html: bytes, url: str | None) -> str:
        article = make(url or "", fetch_images=False)  # nothing is fetched
        article.download(input_html=decode(html))
        article.parse()
        return str(article.text)

    return extract


def _goose3() -> Extract:
    goose = import_module("goose3").Goose()
    return lambda html, _: str(goose.extract(raw_html=decode(html)).cleaned_text)


def _chromerag() -> Extract:
    extractor = import_module("chromerag").ChromeRAG()
    return lambda html, url: _body(extractor.extract(decode(html), url=url).markdown)


def _body(markdown: str) -> str:
    """Markdown without its front matter, which is not content."""
    if not markdown.startswith("---\n"):
        return markdown
    _, fence, body = markdown.partition("\n---\n")
    return body if fence else markdown


def _turbohtml() -> Extract:
    return lambda html, _: turbohtml.parse(decode(html), positions=False).main_text()


PEERS = {
    peer.name: peer
    for peer in (
        Peer("trafilatura", "trafilatura", _trafilatura()),
        Peer("trafilatura-precision", "trafilatura", _trafilatura(favor_precision=True)),
        Peer("trafilatura-recall", "trafilatura", _trafilatura(favor_recall=True)),
        Peer("trafilatura-fast", "trafilatura", _trafilatura(fast=True)),
        Peer("resiliparse", "resiliparse", _resiliparse),
        Peer("readability-lxml", "readability-lxml", _readability),
        Peer("justext", "justext", _justext, "English stop words"),
        Peer("boilerpy3", "boilerpy3", _boilerpy3, "ArticleExtractor"),
        Peer("newspaper4k", "newspaper4k", _newspaper4k),
        Peer("goose3", "goose3", _goose3),
        Peer("chromerag", "chromerag", _chromerag, "its model was fitted on the wcxb pages"),
        Peer("turbohtml", "turbohtml", _turbohtml, "main_text"),
    )
}
