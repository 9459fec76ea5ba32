"""Words that tell the role of a block: in names and microdata, and in texts of many languages.

Names are matched word by word, texts as a whole.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache

import numpy as np

from pagelet import core
from pagelet.methods.vocabulary import TEXT_KINDS, NameTable
from pagelet.page.table import Page
from pagelet.page.textblocks import TextBlocks

#: Words in class names, ids, roles and microdata, by the role that they speak for.
ROLE_NAMES = {
    "advertisement": r"^ads?$|^adv$|advert|sponsor|^promo(?:ted|tion)?$|outbrain|taboola|^dfp$"
    r"|^gpt$|adsense|^adslot|^banners?$|anzeige|werbung|publicid|reklam|^commercial$",
    "notice": r"cookie|consent|gdpr|^cmp$|newsletter|subscri|signup|disclaim|copyright|^legal$"
    r"|imprint|paywall|^notice|^alert$|donat|^cta$|rights|noscript|colophon|onetrust|optin",
    "related": r"^relat|recommend|similar|^popular|trending|^latest$|^recents?$|teaser|^also$"
    r"|upsell|cross(?:sell)?|readmore|^readnext|^more$|mostread|suggest|recirc|^further",
    "navigation": r"^nav|menu|breadcrumb|^crumbs?$|pagination|^pager$|toolbar|^tabs?$|^toc$"
    r"|footer|social|^shar(?:e|ing)|follow|sidebar|search|^tags?$|^skip|masthead|^lang|login"
    r"|navbar|^links?$|tagcloud",
    "byline": r"byline|^authors?$|^bio$|^posted$|^published$|dateline|datepublished|datemodified"
    r"|timestamp|^credits?$|^meta$|^dates?$|^writer|^pubdate|vcard|^infos?$",
    "caption": r"caption|^legend$|bildunterschrift|^cutline",
    "quote": r"^quotes?$|blockquote|pullquote|^bbcode|^cite$|testimonial",
    "code": r"^code$|codehilite|highlight$|^hljs$|^prettyprint|syntax|^codeblock|sourcecode",
}
ROLE_TABLE = NameTable(ROLE_NAMES)
ROLE_BITS = {role: 1 << at for at, role in enumerate(ROLE_NAMES)}

#: What kinds of headings, labels and short texts say about the role of a block.
TEXT_ROLES = {
    "advertisement": ("ad",),
    "notice": ("letter",),
    "related": ("related",),
    "byline": ("by",),
    "navigation": (
        *("home", "account", "legal", "company", "turn", "more", "share", "act", "skip"),
        *("language", "tags", "contents", "here", "archive"),
    ),
}
TEXT_ROLE_BITS = {
    role: sum(1 << TEXT_KINDS.index(kind) for kind in kinds) for role, kinds in TEXT_ROLES.items()
}

#: Notices: cookies, newsletters and subscriptions, rights, disclaimers, advice to browsers. Each
#: pattern stands behind a stem that all its texts have in lower case, since stems are found faster.
NOTICES = {
    "©": r"©",
    "(c)": r"\(c\)\s*(?:19|20)\d\d",
    "rights": r"all\srights\sreserved",
    "rechte": r"alle\srechte|all\srechten",
    "droits": r"tous\sdroits",
    "derechos": r"todos\slos\sderechos",
    "direitos": r"todos\sos\sdireitos",
    "diritti": r"tutti\si\sdiritti",
    "wszelkie": r"wszelkie\sprawa",
    "права": r"все\sправа",
    "版权所有": r"版权所有",
    "cookie": r"(?:we|this\s(?:site|website)|our\spartners).{0,40}\scookies"
    r"|cookies?.{0,20}(?:policy|settings)|(?:verwende[tn]|nutz(?:t|en)|setzt).{0,40}cookies"
    r"|utilis(?:e|ons).{0,30}cookies|(?:utiliza|usamos|usa|utilizamos).{0,30}cookies"
    r"|utilizza.{0,30}cookie|gebruik(?:t|en).{0,30}cookies"
    r"|(?:używa|korzysta|wykorzystuje).{0,30}cookies|использует.{0,30}cookie",
    "ciastecz": r"(?:używa|korzysta|wykorzystuje).{0,30}ciastecz",
    "クッキー": r"クッキー",
    "newsletter": r"newsletter",
    "mailing": r"mailing\slist",
    "sign": r"sign\sup\s(?:for|to)",
    "subscribe": r"subscribe\s(?:to|now|for)|already\sa\ssubscriber",
    "abonnier": r"(?:jetzt|hier)\sabonnieren",
    "abonnez": r"abonnez-vous",
    "inscrivez": r"inscrivez-vous",
    "suscríbete": r"suscríbete",
    "suscribirse": r"suscribirse",
    "assine": r"assine",
    "inscreva": r"inscreva-se",
    "iscriviti": r"iscriviti",
    "schrijf": r"schrijf\sje\sin",
    "zapisz": r"zapisz\ssię",
    "подпи": r"подпи(?:шитесь|саться)",
    "メルマガ": r"メルマガ",
    "订阅": r"订阅",
    "訂閱": r"訂閱",
    "affiliate": r"affiliate\s(?:links?|commission)",
    "commission": r"earn\sa\s(?:small\s)?commission",
    "informational": r"for\sinformational\spurposes",
    "expressed": r"views?\sexpressed",
    "constitute": r"does\snot\sconstitute",
    "haftung": r"keine\shaftung|haftungsausschluss",
    "responsabilité": r"aucune\sresponsabilité",
    "javascript": r"enable\sjavascript|javascript\s(?:is\s)?(?:disabled|required|aktivieren)",
    "block": r"ad\s?block",
    "published": r"email\saddress\swill\snot\sbe\spublished",
    "required": r"required\sfields",
    "akismet": r"akismet",
    "recaptcha": r"recaptcha",
    "already": r"already\sa\smember",
    "support": r"support\s(?:our|us|independent)",
    "donation": r"make\sa\sdonation",
    "spenden": r"jetzt\sspenden",
    "privacy": r"privacy\spolicy",
    "terms": r"terms\sof\s(?:use|service)",
    "datenschutz": r"datenschutz",
    "confidentialité": r"politique\sde\sconfidentialité",
    "política": r"política\sde\sprivac",
    "informativa": r"informativa",
}
STEMS = tuple(NOTICES)
NOTICE = re.compile("|".join(NOTICES.values()), re.IGNORECASE)
#: The single patterns, for texts in small letters.
NOTICES_IN_SMALL = {stem: re.compile(pattern) for stem, pattern in NOTICES.items()}
#: Letters that are like letters of the patterns, but do not become these in lower case.
ODD_LETTERS = re.compile("[\u0130\u0131\u017f\u1c80-\u1c8a\ufb05\ufb06]")


def find_notices(texts: Sequence[str]) -> list[int]:
    """The places of texts that are notices, or hold one."""
    lower = [text.lower() for text in texts]
    return [at for at, held in _stems_held(lower) if _is_notice(texts[at], lower[at], held)]


def _is_notice(text: str, lower: str, held: Iterable[str]) -> bool:
    """Whether a text, given in small letters too, is a notice by the stems that it may hold."""
    if not text.isascii() and ODD_LETTERS.search(text):
        return any(stem in lower for stem in held) and NOTICE.search(text) is not None
    return any(stem in lower and NOTICES_IN_SMALL[stem].search(lower) for stem in held)


def blocks_with_stems(page: Page, blocks: TextBlocks, asked: list[int]) -> list[int]:
    """Those of some blocks that may hold a stem of a notice, before their texts are made."""
    if core.compiled and asked:
        with suppress(UnicodeEncodeError):  # lone surrogates are left to Python
            places = page.ordinal[blocks.rows]
            return core.kernels.blocks_holding(page.texts, places, blocks.first, asked, _stems())
    return asked


def _stems_held(lower: list[str]) -> list[tuple[int, Iterable[str]]]:
    """The places of texts that may hold stems of notices, and these stems."""
    if not core.compiled:
        return [(at, NOTICES) for at in range(len(lower))]
    found = np.empty(len(lower), np.uint64)
    _stems().find_each(tuple(lower), found)
    return [(at, _stems_of(bits)) for at, bits in enumerate(found.tolist()) if bits]


def _stems_of(bits: int) -> Iterator[str]:
    """The stems of notices by their bits; there are bits beyond them where any may be held."""
    bits &= (1 << len(STEMS)) - 1
    while bits:
        lowest = bits & -bits
        yield STEMS[lowest.bit_length() - 1]
        bits ^= lowest


@cache
def _stems() -> "core.kernels.Phrases":
    return core.kernels.Phrases(tuple(stem.encode() for stem in NOTICES))


#: A byline: by whom, or when, at the beginning of a short text.
BYLINE = re.compile(
    r"""(?x)
    ^\W*(?i:by|von|par|por|di|door|af|av|autor(?:in|es)?|auteurs?|author|written\sby
        |posted\s(?:by|on|in|at)
        |published(?:\son|\sby|:)?|updated(?:\son|:)?|last\s(?:updated|modified)|veröffentlicht
        |erstellt
        |aktualisiert|stand|publié\sle|mis\sà\sjour|publicado|actualizado|atualizado|pubblicato
        |aggiornato|gepubliceerd|opublikowano|dodano|опубликовано|автор|текст|作者|発行|更新|来源|text)
    (?:\W+|$)(?-i:[A-ZÀ-ÞА-Я\d]|\w+\s\d|$)
    |^\W*\d{1,2}[./-]\d{1,2}[./-](?:\d\d){1,2}\b|^\W*(?:19|20)\d\d[./年-]\d{1,2}
    |^\W*(?:[^\W\d]{3,10}\.?,?\s)?\d{1,2}(?:st|nd|rd|th|\.)?\s[^\W\d]{3,10}\.?,?\s(?:19|20)\d\d\b
    |^\W*[^\W\d]{3,10}\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s(?:19|20)\d\d\b
    """
)
#: Labels above and below advertising.
ADVERTISEMENT = re.compile(
    r"(?i)^\W*(?:advertis(?:e?ment|ing)s?|anzeige|werbung|publicité|publicidade?|pubblicità|reklama?"
    r"|advertentie|annons|annonce|реклама|広告|广告|廣告|광고|sponsored(?: content| by.{0,60})?"
    r"|promoted|patrocinado|sponsorisé|gesponsert|ad|スポンサー(?:リンク)?"
    r"|continue reading below|story continues"
    r"(?: below)?(?: advertisement)?|scroll to continue)\W*$"
)
