"""Whether a form searches, as a score with its reasons, and whether it may be sent.

The score is 1 / (1 + exp(-sum of weights)). The weights were set by hand and tried on result
pages of real sites, where the form that holds the words searched for is the search form.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import exp
from urllib.parse import unquote_plus, urlsplit

from pagelet.page.site import host_of
from pagelet.sources.forms.fields import SUBMITS, Field

SEARCH_SCORE = 0.5  #: least score of a search form
NO_HTTP_ACTION = "its action is no http address"  #: reason that holds even for a named form
CACHED_TEXTS = 1_000  #: texts whose words are remembered, since forms of a page are often alike
MAX_NAME_CHARS = 300  #: characters of a name or an address that are used

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
LOGIN_WORDS = (
    r"\blog ?[io]n\b|\bsign ?(?:in|up)\b|\blogout\b|\bregist(?:er|ration)|password|anmeld|einlogg"
    r"|connexion|se connecter|iniciar ses|\bentrar\b|accedi|inloggen|zaloguj|войти"
    r"|ログイン|登录|登入|로그인"
)
SUBSCRIBE_WORDS = r"subscri|newsletter|mailing ?list|abonn|suscr|iscri|inscri|подпис|購読|订阅|구독"
MESSAGE_WORDS = (
    r"\bcomment|\breply\b|\bmessage|\bcontact\b|feedback|\breview\b|kommentar|nachricht|kontakt"
    r"|\bupload|\bvote\b|\bpoll\b|\bdonat|комментар|コメント|评论|留言|댓글"
)
BUY_WORDS = r"checkout|add ?to ?(?:cart|bag|basket)|\bbuy\b|\border\b|warenkorb|panier|carrito"
GO_WORDS = (
    r"^\W*(?:go|ok|show|list|filter|apply|submit query|los|anzeigen|filtrer?|ir|vai|»|›|>)\W*$"
)

CARD_WORDS = (
    r"\b(?:card|karten|carte|tarjeta)[ _-]?(?:number|num|no\b|nr|holder)"
    r"|\bcc[ _-]?(?:num|number|exp|csc|cvv|cvc)|\bcv[vc]2?\b|\biban\b"
    r"|\bcredit[ _-]?card|kreditkart"
)
MAIL_WORDS = r"(?<![^\W_])e-?mails?(?![^\W_])|\bcorreo\b|電子メール|メールアドレス|邮箱|이메일"
NAMING = ("placeholder", "title", "aria-label", "id", "class")  #: attributes that name a field
CAMEL_CASE = re.compile(r"(?<=[a-z])(?=[A-Z])")

BIAS = -2.5  #: sum of weights of a form without any sign


@cache
def _pattern(words: str) -> re.Pattern[str]:
    """The pattern of some words, compiled when first used."""
    return re.compile(words, re.I)


@lru_cache(maxsize=CACHED_TEXTS)
def _contains(words: str, text: str) -> bool:
    """Whether a text contains one of the words."""
    return _pattern(words).search(text) is not None


OTHER_PURPOSES = {
    "says log in or sign up": (LOGIN_WORDS, -3.0),
    "says subscribe": (SUBSCRIBE_WORDS, -3.0),
    "says comment or message": (MESSAGE_WORDS, -2.5),
    "says buy or order": (BUY_WORDS, -2.5),
}


@dataclass(frozen=True, slots=True)
class FormTraits:
    """The traits of a form that its score depends on."""

    method: str
    action: str
    names: str  #: name, id and class of the form
    marked: bool  #: whether role=search or the search element marks it
    fields: Sequence[Field]
    private: Sequence[str]  #: kinds of private fields among them


def search_score(traits: FormTraits) -> tuple[float, Mapping[str, float]]:
    """How likely a form searches, from 0 to 1, and the weights that were added up."""
    reasons = {name: weight for name, weight in _evidence(traits) if weight}
    return 1 / (1 + exp(-BIAS - sum(reasons.values()))), reasons


def _evidence(traits: FormTraits) -> Iterator[tuple[str, float]]:
    texts = [one for one in traits.fields if one.textual and one.type != "textarea"]
    buttons = [(one, _words(one)) for one in traits.fields if one.type in SUBMITS]
    action, names = _split(_path(traits.action)), _split(traits.names)
    yield "role search", 4.0 * traits.marked
    yield from _field_evidence(texts)
    usable = [(one.label, words) for one, words in buttons if not one.disabled]
    search_buttons = any(_contains(SEARCH_WORDS, words) for _, words in usable)
    yield "button says search", 3.5 * search_buttons
    go_buttons = any(_contains(GO_WORDS, label[:MAX_NAME_CHARS]) for label, _ in usable)
    yield "button says go", 1.0 * go_buttons
    yield "action says search", 2.0 * _contains(SEARCH_WORDS, action)
    yield "form is named search", 2.0 * _contains(SEARCH_WORDS, names)
    yield f"method {traits.method}", {"get": 0.5, "post": -0.5}.get(traits.method, 0.0)
    yield "one text field", 0.5 * (len(texts) == 1)
    yield "no text field", -1.5 * (not texts)
    words = f"{action} {names} {' '.join([words for _, words in buttons])}"
    yield from _counter_evidence(traits, words)


def _field_evidence(texts: list[Field]) -> Iterator[tuple[str, float]]:
    yield "field of type search", 4.0 * any(one.type == "search" for one in texts)
    named = next((one.name for one in texts if one.name.lower() in QUERY_NAMES), "")
    yield f"field named {named}", 2.5 * bool(named)
    mentions = any(_contains(SEARCH_WORDS, _words(one)) for one in texts)
    yield "field says search", (1.0 if named else 2.0) * mentions


def _counter_evidence(traits: FormTraits, words: str) -> Iterator[tuple[str, float]]:
    """Evidence of another purpose; `words` are those of the form and of its buttons."""
    yield from ((name, -6.0 if name != "e-mail field" else -4.0) for name in traits.private)
    areas = any(one.type == "textarea" and one.fillable for one in traits.fields)
    yield "text area", -3.0 * areas
    for name, (pattern, weight) in OTHER_PURPOSES.items():
        yield name, weight * _contains(pattern, words)


def private_kinds(fields: Sequence[Field]) -> list[str]:
    """The kinds of private fields that a form has."""
    types = {one.type for one in fields}
    purposes = [(one, _purpose(one)) for one in fields]
    paid = any(_asks_for_card(one, purpose) for one, purpose in purposes)
    mailed = "email" in types or any(
        one.textual and _contains(MAIL_WORDS, purpose) for one, purpose in purposes
    )
    kinds = {
        "password field": "password" in types,
        "file field": "file" in types,
        "payment field": paid,
        "e-mail field": mailed,
    }
    return [name for name, is_there in kinds.items() if is_there]


def _asks_for_card(one: Field, purpose: str) -> bool:
    stated = one.attributes().get("autocomplete", "")
    return stated.startswith("cc-") or _contains(CARD_WORDS, purpose)


def query_field(fields: Sequence[Field]) -> Field | None:
    """The field for the search words."""
    texts = [one for one in fields if one.textual and one.type not in ("password", "email")]
    ranked = sorted(texts, key=_rank)  # stable: the first of equals
    return ranked[0] if ranked else None


def _rank(one: Field) -> int:
    tests = (
        one.type == "search",
        one.name.lower() in QUERY_NAMES,
        _contains(SEARCH_WORDS, _words(one)),
        one.type in ("text", "search"),
    )
    return next((at for at, passed in enumerate(tests) if passed), len(tests))


def mentions_search(text: str) -> bool:
    """Whether a text has a word for search, in one of many languages."""
    return _contains(SEARCH_WORDS, _split(text))


def refusal_reasons(traits: FormTraits, score: float, url: str | None) -> tuple[str, ...]:
    """The reasons why a form is sent only when named; empty when it may be sent."""
    reasons = [f"it has a{'n' * (name[0] == 'e')} {name}" for name in traits.private]
    if score < SEARCH_SCORE:
        reasons.append(f"it does not look like a search form ({score:.2f})")
    if not any(one.fillable for one in traits.fields):
        reasons.append("it has nothing to fill in")
    if not traits.action.lower().startswith(("http://", "https://")):
        reasons.append(NO_HTTP_ACTION)
    elif url and not _same_site(host_of(url), host_of(traits.action)):
        reasons.append(f"it sends to another site, {host_of(traits.action)}")
    return tuple(reasons)


def _same_site(one: str, other: str) -> bool:
    """Whether two hosts are the same, or one is below the other; www is ignored."""
    one, other = one.removeprefix("www."), other.removeprefix("www.")
    return f".{one}".endswith(f".{other}") or f".{other}".endswith(f".{one}")


# -- words --------------------------------------------------------------------------------


def _split(text: str) -> str:
    """A name as words: searchTerm and search_term are both two."""
    if not text:
        return ""
    return _part(text[:MAX_NAME_CHARS])


def _part(names: str) -> str:
    parted = names if names.islower() else CAMEL_CASE.sub(" ", names)
    return parted.replace("_", " ").replace("-", " ")


def _path(action: str) -> str:
    try:
        return unquote_plus(urlsplit(action).path)
    except ValueError:
        return ""


def _words(one: Field) -> str:
    """All names and texts of a field, as words."""
    own = one.attributes().get
    names = one.name, one.label, *[own(name, "") for name in NAMING]
    return _part(" ".join([text[:MAX_NAME_CHARS] for text in names]))


def _purpose(one: Field) -> str:
    """Name, label and purpose of a field."""
    own = one.attributes().get
    others = [own(name, "")[:MAX_NAME_CHARS] for name in ("placeholder", "autocomplete", "id")]
    return " ".join((_split(one.name), one.label, *others))
