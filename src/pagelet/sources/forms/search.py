"""Whether a form searches, as a score with its reasons, and whether it may be sent at all.

The score is 1 / (1 + exp(-sum of weights)). The weights were set by hand and tried on result
pages of real sites, where the form that holds the words searched for is the search form.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp
from urllib.parse import unquote_plus, urlsplit

from pagelet.page.site import host_of
from pagelet.sources.forms.fields import SUBMITS, Field

SEARCH = 0.5  #: the score from which on a form is taken for a search form
NOWHERE = "its action is no http address"  #: holds even when the form is named
CUT = 300  #: characters of a name or an address that are looked at

QUERY_NAMES = frozenset(
    "q query search s keyword keywords kw kwd term terms searchterm searchtext searchquery"
    " searchword searchstring find text_search qs wd p_search _search searchfor words phrase k"
    " suche suchbegriff suchwort recherche mots buscar busca busqueda pesquisa cerca zoek zoekterm"
    " szukaj hledat sok haku ara keres cauta".split()
)
SEARCH_WORDS = (
    r"(?<!re)search|\bfind\b|\bquery|keyword|look ?up|\bsuche|durchsuch|recherch|cherche|\bbuscar"
    r"|\bbusca\b|busqueda|búsqueda|pesquis|procur|\bcerca\b|ricerca|\bzoek|szukaj|wyszuk|hledat"
    r"|vyhled|\bsök|\bsøg|\bsøk|\bhaku|\bhae\b|\bara\b|keresés|keres\b|căuta|cauta|αναζήτηση|поиск"
    r"|найти|искать|пошук|знайти|търсене|חיפוש|بحث|جستجو|खोज|ค้นหา|tìm kiếm|\bcari\b"
    r"|検索|搜索|搜尋|查询|查詢|검색"
)
SIGN_WORDS = (
    r"\blog ?[io]n\b|\bsign ?(?:in|up)\b|\blogout\b|\bregist(?:er|ration)|password|anmeld|einlogg"
    r"|connexion|se connecter|iniciar ses|\bentrar\b|accedi|inloggen|zaloguj|войти"
    r"|ログイン|登录|登入|로그인"
)
JOIN_WORDS = r"subscri|newsletter|mailing ?list|abonn|suscr|iscri|inscri|подпис|購読|订阅|구독"
WRITE_WORDS = (
    r"\bcomment|\breply\b|\bmessage|\bcontact\b|feedback|\breview\b|kommentar|nachricht|kontakt"
    r"|\bupload|\bvote\b|\bpoll\b|\bdonat|комментар|コメント|评论|留言|댓글"
)
BUY_WORDS = r"checkout|add ?to ?(?:cart|bag|basket)|\bbuy\b|\border\b|warenkorb|panier|carrito"
GO_WORDS = (
    r"^\W*(?:go|ok|show|list|filter|apply|submit query|los|anzeigen|filtrer?|ir|vai|»|›|>)\W*$"
)

CARD = (
    r"\b(?:card|karten|carte|tarjeta)[ _-]?(?:number|num|no\b|nr|holder)"
    r"|\bcc[ _-]?(?:num|number|exp|csc|cvv|cvc)|\bcv[vc]2?\b|\biban\b"
    r"|\bcredit[ _-]?card|kreditkart"
)
MAIL = r"(?<![^\W_])e-?mails?(?![^\W_])|\bcorreo\b|電子メール|メールアドレス|邮箱|이메일"
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")

BIAS = -2.5  #: a form that says nothing of itself is no search form
Reasons = dict[str, float]


@cache
def _pattern(words: str) -> re.Pattern[str]:
    """The pattern of some words, made when it is first asked for."""
    return re.compile(words, re.I)


def _says(words: str, text: str) -> bool:
    """Whether a text has one of the words."""
    return _pattern(words).search(text) is not None


AGAINST = {
    "says log in or sign up": (SIGN_WORDS, -3.0),
    "says subscribe": (JOIN_WORDS, -3.0),
    "says comment or message": (WRITE_WORDS, -2.5),
    "says buy or order": (BUY_WORDS, -2.5),
}


@dataclass(frozen=True, slots=True)
class Look:
    """What the score of a form is made from."""

    method: str
    action: str
    names: str  #: name, id and class of the form
    marked: bool  #: by role=search or the search element
    fields: Sequence[Field]
    private: Sequence[str]  #: the kinds of private fields among them


def search_score(look: Look) -> tuple[float, Mapping[str, float]]:
    """How likely a form searches, from 0 to 1, and the weights that were added up."""
    reasons = {name: weight for name, weight in _evidence(look) if weight}
    return 1 / (1 + exp(-BIAS - sum(reasons.values()))), reasons


def _evidence(look: Look) -> Iterator[tuple[str, float]]:
    texts = [one for one in look.fields if one.textual and one.type != "textarea"]
    buttons = [one for one in look.fields if one.type in SUBMITS and not one.disabled]
    yield "role search", 4.0 * look.marked
    yield from _of_fields(texts)
    yield (
        "button says search",
        3.5 * any(_says(SEARCH_WORDS, _words(one)) for one in buttons),
    )
    yield "button says go", 1.0 * any(_says(GO_WORDS, one.label[:CUT]) for one in buttons)
    yield (
        "action says search",
        2.0 * _says(SEARCH_WORDS, _split(_path(look.action))),
    )
    yield "form is named search", 2.0 * _says(SEARCH_WORDS, _split(look.names))
    yield f"method {look.method}", {"get": 0.5, "post": -0.5}.get(look.method, 0.0)
    yield "one text field", 0.5 * (len(texts) == 1)
    yield "no text field", -1.5 * (not texts)
    yield from _against(look)


def _of_fields(texts: list[Field]) -> Iterator[tuple[str, float]]:
    yield "field of type search", 4.0 * any(one.type == "search" for one in texts)
    named = next((one.name for one in texts if one.name.lower() in QUERY_NAMES), "")
    yield f"field named {named}", 2.5 * bool(named)
    said = any(_says(SEARCH_WORDS, _words(one)) for one in texts)
    yield "field says search", (1.0 if named else 2.0) * said


def _against(look: Look) -> Iterator[tuple[str, float]]:
    yield from ((name, -6.0 if name != "e-mail field" else -4.0) for name in look.private)
    areas = any(one.type == "textarea" and one.fillable for one in look.fields)
    yield "text area", -3.0 * areas
    buttons = " ".join(_words(one) for one in look.fields if one.type in SUBMITS)
    heard = f"{_split(_path(look.action))} {_split(look.names)} {buttons}"
    for name, (words, weight) in AGAINST.items():
        yield name, weight * _says(words, heard)


def private(fields: Sequence[Field]) -> list[str]:
    """The kinds of private fields that a form has, by name."""
    checks = {
        "password field": lambda one: one.type == "password",
        "file field": lambda one: one.type == "file",
        "payment field": lambda one: (
            one.attributes().get("autocomplete", "").startswith("cc-") or _says(CARD, _said(one))
        ),
        "e-mail field": lambda one: (
            one.type == "email" or (one.textual and _says(MAIL, _said(one)))
        ),
    }
    return [name for name, check in checks.items() if any(map(check, fields))]


def query_field(fields: Sequence[Field]) -> Field | None:
    """The field that the words searched for go into."""
    texts = [one for one in fields if one.textual and one.type not in ("password", "email")]
    ranked = sorted(texts, key=_rank)  # stable: the first of equals
    return ranked[0] if ranked else None


def _rank(one: Field) -> int:
    tests = (
        one.type == "search",
        one.name.lower() in QUERY_NAMES,
        _says(SEARCH_WORDS, _words(one)),
        one.type in ("text", "search"),
    )
    return next((at for at, passed in enumerate(tests) if passed), len(tests))


def says_search(text: str) -> bool:
    """Whether a text says search, in one of many languages."""
    return _says(SEARCH_WORDS, _split(text))


def refusals(look: Look, score: float, url: str | None) -> tuple[str, ...]:
    """Why a form is not sent unless its name is said; empty when it may be."""
    found = [f"it has a{'n' * (name[0] == 'e')} {name}" for name in look.private]
    if score < SEARCH:
        found.append(f"it does not look like a search form ({score:.2f})")
    if not any(one.fillable for one in look.fields):
        found.append("it has nothing to fill in")
    if not look.action.lower().startswith(("http://", "https://")):
        found.append(NOWHERE)
    elif url and not _same_site(host_of(url), host_of(look.action)):
        found.append(f"it sends to another site, {host_of(look.action)}")
    return tuple(found)


def _same_site(one: str, other: str) -> bool:
    """Whether two hosts are the same, or one is below the other; www counts for nothing."""
    one, other = one.removeprefix("www."), other.removeprefix("www.")
    return f".{one}".endswith(f".{other}") or f".{other}".endswith(f".{one}")


# -- words --------------------------------------------------------------------------------


def _split(text: str) -> str:
    """A name as words: searchTerm and search_term are both two."""
    return CAMEL.sub(" ", text[:CUT]).replace("_", " ").replace("-", " ")


def _path(action: str) -> str:
    try:
        return unquote_plus(urlsplit(action).path)
    except ValueError:
        return ""


def _words(one: Field) -> str:
    """What a field says of itself, names as words."""
    attrs = one.attributes()
    others = (attrs.get(name, "") for name in ("placeholder", "title", "aria-label", "id", "class"))
    return " ".join(_split(text) for text in (one.name, one.label, *others))


def _said(one: Field) -> str:
    """Name, label and purpose of a field."""
    attrs = one.attributes()
    others = (attrs.get(name, "")[:CUT] for name in ("placeholder", "autocomplete", "id"))
    return " ".join((_split(one.name), one.label, *others))
