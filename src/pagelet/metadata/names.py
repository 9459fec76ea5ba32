"""Names of people as bylines write them: cleaned, split, told from organisations."""

import re
from collections.abc import Iterable

from pagelet.metadata.lookup import key_of
from pagelet.metadata.months import month_number
from pagelet.metadata.naming import MAX_NAME_CHARS
from pagelet.metadata.patterns import AnyCase

MAX_PERSON_CHARS = 60  #: characters of one name
MIN_PERSON_CHARS = 3  #: letters of the shortest name
MAX_PERSON_WORDS = 6
MAX_NAMES = 30  #: authors of one page

#: Words before a name: by, written by, view all posts by, profile of.
BEFORE = re.compile(
    r"^(?:(?:view|see|show|read|more|all|zeige|alle|weitere|mehr|ver|voir|tous|toutes|todos|todas)\s+"
    r"(?:\w+\s+){0,3}?(?:by|from|of|von|par|por|de|les|las|los)\s+"
    r"|(?:zum\s+profil|profil|profile)\s+(?:von|of|de)\s+"
    r"|(?:(?:written|posted|published|story|stories|reported|reviewed|edited|compiled|created"
    r"|submitted|contributed|words|photos?|text|article|erstellt|geschrieben|verfasst|eingestellt"
    r"|publiziert|veröffentlicht|interview|gastbeitrag|kommentar|publié|escrito|scritto)\s+)?"
    r"(?:by|von|vom|par|por|door|durch|(?-i:af|av|di|van))\b:?\s+"
    r"|(?:authors?|autor(?:en|in|innen|es|a)?|auteurs?|autore|text|words|by|von|interview|story"
    r"|redaktion|bericht|contributors?|writer|posted|published|submitted|verfasser(?:in)?"
    r"|redacteur|redactie)\s?:\s*|autor(?:en|in)?\s+(?=[^\W\d_]+\s))",
    re.I,
)
#: What ends a name: a date, the site, a number of comments, an action.
AFTER = AnyCase(
    r"\s*(?:[|·•(\[/]|\s[-–—]{1,2}\s|\d{1,4}\s*[./:\s]"
    r"|(?<=\S)\s+(?:updated|published|posted|on|at|in|last|for|is|stand|datum|date|follow(?:ing)?"
    r"|aktualisiert|veröffentlicht|am|vom|publicado|publié|view|share|read|comments?|email|contact"
    r"|subscribe|minutes?|about|bio|über|former|former\w*)\b)"
)
#: A comma, `and` and the like between two names.
BETWEEN = re.compile(
    r"\s*(?:;|,|&|、|・|\s/\s"
    r"|\b(?:(?-i:y|e|et)|and|und|with|im gespräch mit)\b(?!\.))\s*",
    re.I,
)
#: Functions and degrees that stand as a part of a list of names.
FUNCTION = AnyCase(
    r"(?:\b(?:writer|editor|editors|reporter|correspondent|journalist|columnist|contributor"
    r"|producer|critic|staff|author|director|manager|expert|specialist|analyst|professor|founder"
    r"|ceo|cto|president|dietitian|redakteur(?:in)?|korrespondent(?:in)?|chefredakteur(?:in)?"
    r"|autor(?:in)?|journaliste|rédacteur|periodista|redactor|head of|senior|freelance|guest"
    r"|contributing|executive|associate|deputy|chief|special to|medically reviewed)\b"
    r"|^(?:md|m\.d\.?|phd|ph\.d\.?|mba|rn|rd|ms|ma|esq\.?|jr\.?|sr\.?|cpa|cfp®?|dvm|jd|bsc|msc)$)"
)
TRAILING_FUNCTION = re.compile(
    r"(?<=\S)\s+(?:(?:(?:staff|senior|guest|contributing|freelance|associate|news|sports|political)"
    r"\s+)*(?:writer|editor|reporter|correspondent|columnist|contributor|producer|author)s?"
    r"|(?-i:M\.?D\.?|Ph\.?D\.?|MS|RDN?|LD|MBA|RN|CPA|CFP®?|DVM|JD|MPH|MA|BSc|MSc|DDS|DO))$",
    re.I,
)
TRAILING_AGENCY = re.compile(r"(?<=\w)\s+(?:[Tt]he\s+)\S.*$")
LETTERS = re.compile(
    r"(?:[A-Z][A-Za-z]{0,2}\.?){1,4}®?|[A-Z]{2,6}®?"
)  #: degrees in a list of names
#: Words of the name of an organisation.
ORGANISATION = AnyCase(
    r"\b(?:gmbh|ag|e\.?\s?v\.?|ltd|inc|llc|corp|co|kg|plc|university|universität|universidad"
    r"|institut\w*|redaktion|editorial|editors?|staff|team|magazin\w*|magazine|zeitung|news\w*|press"
    r"|presse|verlag|media|verband|bund|stiftung|foundation|association|agency|agentur|agence|agencia"
    r"|society|group|network|online|blog|radio|tv|times|post|journal|herald|tribune|gazette|daily"
    r"|ministerium|ministry|department|office|bureau|admin(?:istrator)?|webmaster|guest|gast"
    r"|anonymous|unknown|drupal|wordpress|company|service|portal|desk|board|committee|center|centre"
    r"|reuters|afp|dpa|efe|apa)\b"
)
NO_NAME = re.compile(
    r"^(?:by|von|authors?|autor|name|posted|published|share|email|follow|more|read|home|contact"
    r"|about|login|comments?|reply|updated|editors?|here|website|publiziert|datum|date|text|teilen"
    r"|kommentar\w*|mehr|bild|fotos?|photos?|source|quelle|view|none|null|undefined|n/a|me|us|our|learn"
    r"|senior|founder|lead|tagged|reviews?|print|facebook|twitter|x|linkedin|instagram|youtube"
    r"|reddit|whatsapp|pinterest|mastodon|bluesky|rss|sponsored|content|news|offline|online|menu"
    r"|search|subscribe|sign|cookies?|monday|tuesday|wednesday|thursday|friday|saturday|sunday"
    r"|mon|tue|wed|thu|fri|sat|sun|zuletzt|publicado|publicada|publié|gepubliceerd|erstellt|stand|veröffentlicht\w*)(?:\b|$)(?!\s+[A-Z][a-z]+$)",
    re.I,
)
PARTICLES = frozenset(
    "de del della di da das dos do du des la las le les el al ad von vom van der den dem zu zum zur"
    " ten ter te op of bin ben ibn y e i av af and st".split()
)  #: words of names without a capital
ABBREVIATED = re.compile(r"\b(?:Jr|Sr|[A-Z])\.$")  #: end of a name with an abbreviation
HANDLE = re.compile(r"[a-z0-9._-]+")  #: pattern of a login name


def clean_names(values: Iterable[str], sites: frozenset[str] = frozenset()) -> list[str]:
    """The names in some texts, each once, without what stands around them."""
    names: dict[str, str] = {}
    for value in values:
        for part in _split(_strip_before(value), sites):
            if (name := person(part, sites)) is not None:
                names.setdefault(key_of(name), name)
    return list(names.values())[:MAX_NAMES]


def _strip_before(text: str) -> str:
    text = " ".join(text[: 2 * MAX_NAME_CHARS].split()).strip(" ,;|·•-–—:")
    for _ in range(3):
        if (match := BEFORE.match(text)) is None or not (shorter := text[match.end() :].strip()):
            break
        text = shorter
    return text


def _split(text: str, sites: frozenset[str]) -> list[str]:
    """The single names of a text that joins them; a name that is the site's is left whole."""
    parts = [part for part in BETWEEN.split(text) if part.strip()]
    if key_of(text) in sites or not parts:
        return [text]
    if key_of(parts[0]) in sites:
        return parts[:1]  # a place may follow
    plain = [
        part
        for at, part in enumerate(parts)
        if not at or not (FUNCTION.search(part) or LETTERS.fullmatch(part.strip()))
    ]
    if len(plain) > 1 and all(len(part.split()) == 1 for part in plain) and "," not in text:
        return [text]  # Herz und Blut
    return plain


def person(text: str, sites: frozenset[str] = frozenset()) -> str | None:
    """One name without a function or the site behind it; None if it is no name."""
    name = _strip_before(text)
    if "://" in name or "@" in name or name.startswith(("www.", "(")) or len(name) > MAX_NAME_CHARS:
        return None
    name = _without_site(name, sites)
    name = name[: end.start()] if (end := AFTER.search(name)) else name
    shorter = TRAILING_FUNCTION.sub("", name)
    if shorter != name:
        shorter = TRAILING_FUNCTION.sub("", shorter)
        name = name if ORGANISATION.fullmatch(shorter) else shorter
    shorter = TRAILING_AGENCY.sub("", name)
    if shorter != name and ORGANISATION.search(name[len(shorter) :]):
        name = shorter
    name = name.strip(" ,;|·•-–—:*\"'“”")
    name = name if ABBREVIATED.search(name) else name.rstrip(". ")
    key = key_of(name)
    short = len(key) < MIN_PERSON_CHARS and not name.isupper()
    if short or not key or key.isdigit() or NO_NAME.match(name) or month_number(name):
        return None
    if len(name) > MAX_PERSON_CHARS or len(name.split()) > MAX_PERSON_WORDS:
        return None
    return name


def _without_site(name: str, sites: frozenset[str]) -> str:
    """A name without the site before or after a separator: unocero - Alberto Ávila."""
    for mark in (" | ", " - ", " – ", " — ", ", ", " / "):
        before, found, behind = name.partition(mark)
        if found and key_of(before) in sites:
            return behind
        if found and key_of(behind) in sites:
            return before
    return name


def is_person(name: str, sites: frozenset[str]) -> bool:
    """Whether a name is that of a person, not of the site, an organisation or an account."""
    words = name.split()
    return (
        key_of(name) not in sites
        and HANDLE.fullmatch(name) is None
        and ORGANISATION.search(name) is None
        and not any(map(str.isdigit, name))
        and "." not in words[-1].rstrip(".")[2:]
        and all(_is_name_word(word) for word in words)
    )


def _is_name_word(word: str) -> bool:
    """Whether a word may be part of a person's name: a capital first, or a particle."""
    return not word[:1].islower() or word.lower() in PARTICLES or word[1:2] in "'’"
