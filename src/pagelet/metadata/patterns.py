"""Class names and words that tell bylines, dates, comments and teasers."""

import re
from dataclasses import dataclass
from functools import reduce
from operator import or_

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class NamePattern:
    """A pattern of class names and ids; a name that fits holds one of the stems."""

    stems: tuple[str, ...]  #: lower case
    regex: re.Pattern[str]
    small: re.Pattern[str] | None  #: for names in small letters, where capitals tell nothing
    bits: np.uint64  #: the places of its stems in STEMS

    def fits(self, name: str) -> bool:
        """Whether a name fits."""
        if self.small is not None and name.isascii():  # much faster
            return self.small.search(name.lower()) is not None
        return self.regex.search(name) is not None


STEMS: list[str] = []  #: the stems of all patterns, at most 64, so that one search finds them all


def name_pattern(stems: str, regex: str) -> NamePattern:
    """A pattern of names, upper and lower case alike."""
    small = None if "(?-i:" in regex else re.compile(regex)
    STEMS.extend(stem for stem in stems.split() if stem not in STEMS)
    bits = reduce(or_, (1 << STEMS.index(stem) for stem in stems.split()))
    return NamePattern(tuple(stems.split()), re.compile(regex, re.I), small, np.uint64(bits))


BYLINE = name_pattern(
    "by-line byline author writer posted written wrote autor auteur redakteur contributor"
    " signature fullname full-name vcard",
    r"(?:^|[\s_-])(?:by-?lines?|authors?|author-?(?:name|info|link|box|bold|text|line)s?|writers?"
    r"|posted-?by|written-?by|wrote-?by|autor(?:en|in|es|a)?|auteurs?|autore|redakteur(?:in)?|contributors?"
    r"|signature|full-?name|vcard)(?:$|[\s_-])"
    r"|(?-i:[a-z](?:Author|Autor|Byline|Auteur)(?:s|Name|Info)?(?:$|[\s_A-Z\d-]))",
)
COMMENT = name_pattern(
    "comment kommentar comentario commenti respond disqus leserbrief",
    r"(?:^|[\s_-])(?:(?:user-?)?comments?(?:-?list|-?body|-?author|-?area|-?form|-?reply)?"
    r"|kommentare?|commentaires?|comentarios?|commenti|respond|disqus\w*|leserbriefe?)(?:$|[\s_-])",
)
#: Teasers of other pages, side bars and the like.
OTHER_ITEM = name_pattern(
    "related recommend more-from read-next read-more most-read popular trending latest recent"
    " ticker menu nav cookie newsletter teaser widget",
    r"(?<![^\s_-])(?:(?:related|recommend(?:ed|ations?)|more-from|read-(?:more|next)"
    r"|most-(?:read|popular)|popular|trending|latest|recent-?(?:posts|articles)"
    r"|ticker|mega-?menu|nav(?:bar|igation)?|cookie|newsletter)(?![^\s_-])"
    r"|(?:teasers?|menu)(?!\S)|(?<!\S)widget(?![^\s_-]))",
)
DATED = name_pattern(
    "date datum data publish time posted created fecha erstellt veroeffentlicht",
    r"(?:^|[\s_-])(?:(?:pub|create|creation|post|article|entry|news|online|release)?-?dat(?:e|um|a)s?"
    r"|published?(?:-?(?:at|on|date|time))?|time-?stamp|posted(?:-?on)?|created|fecha|erstellt"
    r"|veroeffentlicht|datetime|time)(?:$|[\s_-])"
    r"|(?-i:[a-z](?:Date|Datum|Timestamp)(?:$|[\s_A-Z\d-]))",
)
#: Words before a date that is that of the last change.
UPDATED = re.compile(
    r"updat|modifi|revis|edited|last (?:change|review)|review(?:ed)?\b|aktualisier|geändert|stand\b"
    r"|mis(?:e)? à jour|modificad|actualizad|atualizad|aggiorna|bijgewerkt|gewijzigd|muokattu"
    r"|päivitetty|обновл|изменен|оновлен|更新|수정|aktualizac|zaktualizow|uppdatera|opdatere|oppdatert",
    re.I,
)
#: Words before a date that is no date of the page.
NOT_PUBLISHED = re.compile(
    r"©|\(c\)|\b(?:copyright|all rights|until|valid|expires?|deadline|due|born|birth|geboren"
    r"|gültig|bis|joined|member since|registr\w*|dabei seit|releases?d?|starts?|begins?|ends?"
    r"|events?|when|date of|effective|founded|since|seit|version|ab|from)\b",
    re.I,
)
#: Words before a date that is that of publication.
ISSUED = re.compile(
    r"publi[sckq]|erschien|veröffentlicht|posted|issued|date de parution|paru le|gepubliceerd"
    r"|julkaistu|publicerad|udgivet|опубликован|опубліковано|pubblicat|発行|公開|発表|发布|發布|게시",
    re.I,
)
