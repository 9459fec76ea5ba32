"""Words that tell the role of a block: in names and microdata, and in texts of many languages.

Names are matched word by word, texts as a whole.
"""

import re

from pagelet.methods.vocabulary import TEXT_KINDS, NameTable

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

#: Notices: cookies, newsletters and subscriptions, rights, disclaimers, advice to browsers.
NOTICE = re.compile(
    r"""(?ix)
    ©|\(c\)\s*(?:19|20)\d\d|all\srights\sreserved|alle\srechte|tous\sdroits|todos\slos\sderechos
    |todos\sos\sdireitos|tutti\si\sdiritti|wszelkie\sprawa|все\sправа|版权所有|all\srechten
    |(?:we|this\s(?:site|website)|our\spartners).{0,40}\scookies|cookies?.{0,20}(?:policy|settings)
    |(?:verwende[tn]|nutz(?:t|en)|setzt).{0,40}cookies|utilis(?:e|ons).{0,30}cookies
    |(?:utiliza|usamos|usa|utilizamos).{0,30}cookies|utilizza.{0,30}cookie|gebruik(?:t|en).{0,30}cookies
    |(?:używa|korzysta|wykorzystuje).{0,30}(?:cookies|ciastecz)|использует.{0,30}cookie|クッキー
    |newsletter|mailing\slist|sign\sup\s(?:for|to)|subscribe\s(?:to|now|for)|(?:jetzt|hier)\sabonnieren
    |abonnez-vous|inscrivez-vous|suscríbete|suscribirse|assine|inscreva-se|iscriviti|schrijf\sje\sin
    |zapisz\ssię|подпи(?:шитесь|саться)|メルマガ|订阅|訂閱
    |affiliate\s(?:links?|commission)|earn\sa\s(?:small\s)?commission|for\sinformational\spurposes
    |views?\sexpressed|does\snot\sconstitute|keine\shaftung|haftungsausschluss|aucune\sresponsabilité
    |enable\sjavascript|javascript\s(?:is\s)?(?:disabled|required|aktivieren)|ad\s?block
    |email\saddress\swill\snot\sbe\spublished|required\sfields|akismet|recaptcha
    |already\sa\s(?:subscriber|member)|support\s(?:our|us|independent)|make\sa\sdonation|jetzt\sspenden
    |privacy\spolicy|terms\sof\s(?:use|service)|datenschutz|politique\sde\sconfidentialité
    |política\sde\sprivac|informativa
    """
)
#: Parts of notices in lower case; one is in every notice. They are found much faster.
NOTICE_STEMS = tuple(
    "© (c) rights rechte droits derechos direitos diritti wszelkie права 版权所有 cookie ciastecz"
    " クッキー newsletter mailing sign subscribe abonnier abonnez inscrivez suscríbete suscribirse"
    " assine inscreva iscriviti schrijf zapisz подпи メルマガ 订阅 訂閱 affiliate commission"
    " informational expressed constitute haftung responsabilité javascript block published required"
    " akismet recaptcha already support donation spenden privacy terms datenschutz confidentialité"
    " política informativa".split()
)


def is_notice(text: str) -> bool:
    """Whether a text is a notice, or holds one."""
    lower = text.lower()
    return any(stem in lower for stem in NOTICE_STEMS) and NOTICE.search(text) is not None


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
