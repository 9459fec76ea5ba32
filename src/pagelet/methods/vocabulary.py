"""Words that tell what links are for: labels, headings, class names and addresses.

Each table maps a kind of evidence to words of many languages. A text is looked up once, however
often the page repeats it; the answer is a set of kinds as bits of a number.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from itertools import repeat

import numpy as np

from pagelet import core
from pagelet.arrays import Int64s, Mask
from pagelet.models.lexicon import END, split_words
from pagelet.page.table import WANTED, Page

# -- labels, headings and short texts ---------------------------------------------------------

#: Whole texts in lower case, or their first word or two, by kind.
PHRASES = {
    "home": "home|homepage|home page|start|startseite|accueil|inicio|início|portada|principal|hjem"
    "|hem|forside|pagina iniziale|strona główna|ana sayfa|úvod|domů|αρχική|главная|головна|начало"
    "|ホーム|トップ|首页|首頁|홈|الرئيسية|דף הבית|خانه|trang chủ|beranda|หน้าแรก",
    "account": "log in|login|log out|logout|sign in|sign up|signin|signup|register|my account"
    "|account|profile|cart|basket|bag|checkout|wishlist|wish list|favorites|favourites|subscribe"
    "|join|join now|anmelden|registrieren|mein konto|warenkorb|merkzettel|connexion"
    "|se connecter|mon compte|panier|s'inscrire|iniciar sesión|registrarse|mi cuenta|carrito"
    "|entrar|cadastre-se|accedi|registrati|carrello|inloggen|winkelwagen|zaloguj|logowanie|koszyk"
    "|войти|вход|регистрация|корзина|ログイン|会員登録|カート|登录|注册|登錄|註冊|购物车|로그인|회원가입"
    "|giriş|giriş yap|üye ol|sepetim|đăng nhập|đăng ký|giỏ hàng|masuk|daftar",
    "legal": "privacy|privacy policy|privacy notice|privacy statement|cookie policy|cookies"
    "|cookie settings|cookie preferences|manage cookies|terms|terms of use|terms of service"
    "|terms and conditions|terms & conditions|conditions of use|legal|legal notice|disclaimer"
    "|imprint|accessibility|accessibility statement|copyright|sitemap|site map"
    "|do not sell my personal information|do not sell|your privacy choices|ad choices|adchoices"
    "|impressum|datenschutz|datenschutzerklärung|agb|nutzungsbedingungen|barrierefreiheit"
    "|mentions légales|confidentialité|politique de confidentialité|cgu|cgv|plan du site"
    "|aviso legal|política de privacidad|política de cookies|términos|política de privacidade"
    "|termos de uso|note legali|informativa|condizioni|voorwaarden|privacybeleid|polityka"
    "|regulamin|политика|пользовательское|利用規約|プライバシー|プライバシーポリシー|特定商取引法"
    "|会社概要|隐私|隐私政策|隱私|使用条款|服务条款|免责声明|개인정보처리방침|이용약관|gizlilik|kvkk",
    "company": "about|about us|contact|contact us|careers|jobs|press|investors|investor relations"
    "|partners|help|help center|support|faq|faqs|advertise|advertise with us|feedback|newsletter"
    "|our story|our team|über uns|kontakt|karriere|presse|hilfe|à propos|contactez-nous|recrutement"
    "|aide|contacto|quiénes somos|acerca de|ayuda|contato|quem somos|sobre|ajuda|chi siamo"
    "|contatti|lavora|over ons|contact opnemen|o nas|o firmie|контакты|о нас|о компании|помощь"
    "|会社情報|お問い合わせ|よくある質問|关于我们|联系我们|關於我們|聯絡我們|회사소개|고객센터"
    "|hakkımızda|iletişim",
    "turn": "next|next page|next post|next article|prev|previous|previous page|previous post|back"
    "|older|newer|older posts|newer posts|older entries|newer entries|older post|newer post|first"
    "|last|load more|show more|more results|view more|next slide|previous slide|weiter|zurück"
    "|nächste|vorherige|suivant|précédent|suivante|précédente|siguiente|anterior|próxima|próximo"
    "|successivo|precedente|volgende|vorige|następna|poprzednia|следующая|предыдущая|далее|назад"
    "|次へ|前へ|次|前|下一页|上一页|下一頁|上一頁|다음|이전|sonraki|önceki|»|«|›|‹|→|←|>|<|>>|<<|…|...",
    "more": "read more|more|learn more|see more|see all|view all|show all|view|details|full story"
    "|continue reading|find out more|shop now|buy now|read|all|weiterlesen|mehr|mehr erfahren"
    "|alle anzeigen|lire la suite|en savoir plus|voir plus|leer más|ver más|seguir leyendo"
    "|saiba mais|leia mais|ler mais|leggi|leggi tutto|scopri|lees meer|meer|więcej|czytaj więcej"
    "|подробнее|читать далее|続きを読む|もっと見る|一覧|更多|查看更多|더보기|devamı",
    "share": "share|tweet|pin it|pin|share on|share this|follow|follow us|like|facebook|twitter|x"
    "|linkedin|pinterest|instagram|youtube|whatsapp|telegram|reddit|tumblr|rss|rss feed|feed"
    "|tiktok|snapchat|vimeo|flickr|threads|mastodon|bluesky|discord|email|e-mail|email this"
    "|mail|copy link|google+|vk|weibo|line|xing|flipboard|pocket|digg|stumbleupon|messenger"
    "|teilen|folgen|partager|suivez-nous|compartir|síguenos|compartilhar|condividi|seguici|delen"
    "|udostępnij|поделиться|シェア|ツイート|フォロー|はてな|分享|공유|paylaş|chia sẻ",
    "act": "reply|quote|report|edit|delete|like|likes|permalink|link|hide|save|flag|upvote|vote"
    "|comment|comments|leave a comment|add a comment|post a comment|no comments|view comments"
    "|print|download|bookmark|copy|cite|history|talk|view source|log in to reply|antworten|zitieren"
    "|melden|drucken|kommentare|répondre|imprimer|commentaires|responder|imprimir|comentarios"
    "|comentários|rispondi|stampa|reageer|odpowiedz|ответить|печать|комментарии|返信|印刷|回复|답글",
    "skip": "skip|skip to content|skip to main content|skip to main|skip navigation|skip to"
    "|jump to|jump to content|zum inhalt|aller au|ir al|ir para|vai al|naar de|przejdź do|menu"
    "|close|open menu|toggle navigation|search|suche|rechercher|buscar|cerca|zoeken|szukaj|поиск"
    "|検索|搜索|검색|ara",
    "language": "english|deutsch|français|español|português|italiano|nederlands|polski|русский"
    "|українська|日本語|中文|简体中文|繁體中文|한국어|türkçe|العربية|עברית|svenska|dansk|norsk|suomi"
    "|čeština|magyar|română|ελληνικά|bahasa indonesia|tiếng việt|ไทย|en|de|fr|es|pt|it|nl|ru|zh|ja"
    "|united states|usa|united kingdom|uk|canada|australia|germany|france|india|language|languages"
    "|region|country|usd|eur|gbp|currency",
    "related": "related|related articles|related posts|related stories|related content"
    "|related products|related topics|recommended|recommended for you|you may also like"
    "|you might also like|more from|more in|more stories|also read|read next|read also|see also"
    "|similar|similar products|customers also|people also|popular|most popular|most read|trending"
    "|trending now|latest|latest news|latest posts|latest articles|recent|recent posts"
    "|recent articles|recent comments|new|news|top stories|top posts|featured|editor's picks"
    "|don't miss|what's hot|must read|from our|in other news|further reading|ähnliche|verwandte"
    "|weitere|mehr zum thema|meistgelesen|meist gelesen|neueste|aktuell|beliebt|das könnte"
    "|auch interessant|à lire aussi|articles similaires|sur le même|les plus lus|derniers"
    "|dernières|voir aussi|vous aimerez|relacionados|artículos relacionados|te puede interesar"
    "|lo más|más leídas|últimas|entradas recientes|leia também|veja também|mais lidas|posts"
    "|articoli correlati|leggi anche|potrebbe interessarti|ultimi|lees ook|gerelateerd|laatste"
    "|zobacz także|podobne|najnowsze|polecane|похожие|читайте также|популярное|последние"
    "|смотрите также|関連記事|おすすめ|人気|新着|ランキング|最新|相关|相关文章|推荐|热门|相關"
    "|推薦|熱門|관련|인기|추천|ilgili|benzer|son|popüler|xem thêm|liên quan",
    "tags": "tags|tag|tagged|tagged with|filed under|topics|topic|categories|category|keywords"
    "|labels|posted in|in this|subjects|schlagwörter|schlagworte|themen|kategorien|kategorie"
    "|mots-clés|étiquettes|catégories|thèmes|etiquetas|categorías|temas|marcadores|categorias"
    "|assuntos|argomenti|categorie|etichette|onderwerpen|tagi|kategorie|метки|теги|рубрики"
    "|категории|темы|タグ|カテゴリ|カテゴリー|标签|分类|標籤|分類|태그|카테고리|etiketler",
    "contents": "contents|table of contents|on this page|in this article|jump to|quick links"
    "|overview|sections|inhalt|inhaltsverzeichnis|auf dieser seite|sommaire|table des matières"
    "|contenido|índice|en este artículo|neste artigo|conteúdo|indice|inhoud|inhoudsopgave"
    "|spis treści|содержание|оглавление|目次|目录|目錄|목차|içindekiler|mục lục",
    "here": "you are here|you are in|current page|breadcrumb|breadcrumbs|sie sind hier"
    "|sie befinden sich|vous êtes ici|estás aquí|está en|você está aqui|ti trovi in|je bent hier"
    "|jesteś tutaj|вы здесь|現在位置|当前位置|您的位置|현재 위치|/|>|»|›|::|→",
    "by": "by|written by|posted by|author|authors|published|published by|posted|posted on|updated"
    "|last updated|reviewed by|source|via|photo|photos|photo by|credit|edited by|von|autor|quelle"
    "|par|publié|auteur|por|publicado|fuente|autora|di|pubblicato|scritto da|fonte|door"
    "|gepubliceerd|opublikowano|автор|источник|опубликовано|投稿|著者|作者|来源|來源|글쓴이|기자|yazar",
    "archive": "archive|archives|monthly archive|blog archive|calendar|blogroll|navigation|menu"
    "|explore|browse|browse by|shop by|filter|filter by|refine|sort|sort by|show|departments"
    "|in this section|more information|quick links|resources|forum|forums|archiv|archivo"
    "|arquivo|arquivos|archivio|archief|archiwum|архив|архивы|アーカイブ|归档|存档|보관함",
    "ad": "ad|ads|advertisement|advertisements|advertising|sponsored|sponsor|sponsors"
    "|sponsored content|sponsored by|promoted|promotion|partner content|paid content|affiliate"
    "|special offer|special offers|anzeige|anzeigen|werbung|publicité|sponsorisé|publicidad"
    "|patrocinado|publicidade|pubblicità|sponsorizzato|advertentie|reklama|reklamy|реклама"
    "|広告|スポンサー|pr|广告|廣告|광고|reklam",
    "letter": "newsletter|newsletters|sign up for|subscribe to|subscribe now|get the|stay"
    "|stay connected|stay in touch|keep in touch|connect|connect with us|follow us on|get our"
    "|download the app|app store|google play|get it on|join our|abonnieren|abonnez-vous"
    "|suscríbete|assine|iscriviti|nieuwsbrief|подписаться|подпишитесь|メルマガ|订阅",
}
TEXT_KINDS = tuple(PHRASES)
MAX_PHRASE_CHARS = 48  #: characters of the longest text that is looked up
MAX_TEXT_CHARS = 4 * MAX_PHRASE_CHARS  #: characters of it with all white space around its words
PHRASE_BITS: dict[str, int] = {}
for _bit, _phrases in enumerate(PHRASES.values()):
    for _phrase in _phrases.split("|"):
        PHRASE_BITS[_phrase] = PHRASE_BITS.get(_phrase, 0) | 1 << _bit

#: Shapes of texts: a number, a date or a time ago, a counter, a name, a hashtag, a letter.
SHAPES = ("number", "date", "counter", "name", "hash", "letters")
ALL_KINDS = (*TEXT_KINDS, *SHAPES)
NUMBER, DATE, COUNTER, NAME, HASH, LETTERS = (
    1 << at for at in range(len(TEXT_KINDS), len(ALL_KINDS))
)
_NUMBER = re.compile(r"[#\[(]?\d{1,6}[\])+.]?")
_DATE = re.compile(
    r"(?:\d{1,4}[./-]\d{1,2}[./-]\d{2,4}|\d{1,2}(?:st|nd|rd|th)?\.?\s[^\W\d]{3,10}\.?,?\s\d{4}"
    r"|[^\W\d]{3,10}\.?\s\d{1,2},?\s\d{4}|[^\W\d]{3,10}\s(?:19|20)\d\d(?:\s?\(\d+\))?"
    r"|\d+\s(?:min|hour|day|week|month|year|stunde|tag|heure|jour|hora|día)\w*(?:\s\w+)?)"
    r"(?:\W.{0,12})?"
)
_COUNTER = re.compile(r"\d[\d.,]*\s?[kKmM]?\s[^\W\d]{4,12}|[^\W\d]{4,12}\s?\(\d+\)")
_NAME = re.compile(r"[A-ZÀ-Þ][\w.'’-]*(?:\s(?:[a-z]{2,3}\s)?[A-ZÀ-Þ][\w.'’-]*){1,3}")
_DIGIT = re.compile(r"\d")
LETTER_CHARS = 5  #: characters of a letter or range of letters, at most
MARKS = " :.,;!?*•|·()[]{}\"'“”‘’&+-–—"  #: characters that do not change what a text means


def phrase_bits(texts: Iterable[str]) -> Int64s:
    """The kinds of TEXT_KINDS that headings and short texts are of, as bits."""
    return np.array(list(map(phrase_kinds, texts)), np.int64)


def phrase_kinds(text: str) -> int:
    """The kinds of TEXT_KINDS that one text is of, as bits."""
    if len(text) > MAX_TEXT_CHARS:
        return 0
    text = " ".join(text.split())
    return 0 if not text or len(text) > MAX_PHRASE_CHARS else _find_phrase(text)


def _find_phrase(text: str) -> int:
    """The kinds of a text, or else of its first two words, or of the first one."""
    lower = text.lower()
    bare = lower.strip(MARKS)
    bits = PHRASE_BITS.get(bare) or PHRASE_BITS.get(lower)
    if bits is None and " " in bare:
        one, two, *_ = bare.split(" ", 2)
        bits = PHRASE_BITS.get(f"{one} {two}") or PHRASE_BITS.get(one.strip(MARKS))
    return bits or 0


def text_bits(texts: Iterable[str]) -> Int64s:
    """The kinds of ALL_KINDS that labels, headings and short texts are of, as bits."""
    bits = [_kinds_of(text) if text and len(text) <= MAX_TEXT_CHARS else 0 for text in texts]
    return np.array(bits, np.int64)


@lru_cache(maxsize=1 << 15)
def _kinds_of(text: str) -> int:
    text = " ".join(text.split())
    if not text or len(text) > MAX_PHRASE_CHARS:
        return 0
    return _find_phrase(text) | _shape_bits(text)


def _shape_bits(text: str) -> int:
    if not text.isalpha() and _DIGIT.search(text):
        if _NUMBER.fullmatch(text):
            return NUMBER
        return (DATE if _DATE.fullmatch(text) else 0) | (COUNTER if _COUNTER.fullmatch(text) else 0)
    if len(text) <= LETTER_CHARS and (len(text) == 1 or text[1:-1].strip(" -–") == ""):
        return LETTERS
    if text[0] == "#":
        return HASH
    return NAME if " " in text and _NAME.fullmatch(text) else 0


# -- labels of links ---------------------------------------------------------------------------

LABEL_STYLES = ("capital", "upper")  #: how labels are written
LABEL_KINDS = (*ALL_KINDS, *LABEL_STYLES)
MAX_DIGITS = 3  #: digits of a page number; years have more
MAX_SPACES = (1 << 16) - 1  #: spaces of a label that are counted
SPACES_BIT = len(LABEL_KINDS)  #: where the number of spaces begins in what is read of a label
NUMBER_BIT = SPACES_BIT + 16  #: where the number that the label is, plus 1, begins


def read_labels(labels: Sequence[str]) -> Int64s:
    """What labels are of LABEL_KINDS, as bits, and above those their spaces and number."""
    known = list(map(_LABEL_BITS.get, labels))
    if None in known:
        pairs = zip(labels, known, strict=True)
        known = [_read(text) if bits is None else bits for text, bits in pairs]
    return np.array(known, np.int64)


_LABEL_BITS: dict[str, int] = {}
MAX_LABELS = 1 << 15  #: labels that are remembered; pages share many


def _read(label: str) -> int:
    if len(label) > MAX_TEXT_CHARS:
        return _style_bits(label)
    if len(_LABEL_BITS) >= MAX_LABELS:
        _LABEL_BITS.clear()
    bits = _LABEL_BITS[label] = _kinds_of(label) | _style_bits(label)
    return bits


def _style_bits(label: str) -> int:
    styles = label[:1].isupper() | label.isupper() << 1
    spaces = min(label.count(" "), MAX_SPACES)
    return styles << len(ALL_KINDS) | spaces << SPACES_BIT | _number(label) + 1 << NUMBER_BIT


def _number(label: str) -> int:
    """The number that a label is, or ends with behind one word such as page; -1 for none."""
    words = label.split(None, 2)
    digits = words[-1].strip("[]()") if 0 < len(words) <= 2 else ""
    return int(digits) if len(digits) <= MAX_DIGITS and digits.isdecimal() else -1


# -- words of class names, ids, labels and addresses -------------------------------------------

#: Words in class names, ids and aria-labels, by what they speak for.
NAME_WORDS = {
    "nav": r"menu|nav(?!y)|gnb|lnb|rubri",
    "main": r"main|primary|global|site|principal|masthead|top|head|mega",
    "sub": r"second|sub|side|widget|categor|archive|facet|filter|local|tree",
    "utility": r"util|tool|login|account|user|cart|basket|lang|locale|region|search|skip|action"
    r"|print|setting|quick|eyebrow",
    "footer": r"foot|legal|copy|colophon|bottom|imprint",
    "crumb": r"crumb|pathway|trail|here",
    "pager": r"^pag(?:e|er|ing|ination|enav|es)$|paginat|prev|next|older|newer|carousel|slick"
    r"|slide|swiper|load",
    "toc": r"^toc|contents|anchor|jump|^tabs?|index|scrollspy",
    "tags": r"^tags?$|taglist|tagcloud|topic|keyword|label|cloud|term",
    "related": r"relat|recommend|similar|popular|trend|latest|recent|teaser|also|^more|upsell"
    r"|cross|featured|promo|card",
    "social": r"social|shar(?:e|ing)|follow|sns|facebook|twitter|addtoany|connect",
    "ads": r"^ads?$|advert|sponsor|banner|promo|outbrain|taboola|dfp|newsletter|subscri|signup"
    r"|^cta$|affiliate|partner",
    "byline": r"byline|author|meta|posted|date|publish|credit|contributor|info|detail|stats",
    "content": r"content|article|entry|post|body|result|list|product|item|thread|story|grid|text"
    r"|wiki|markdown|^ref",
    "comment": r"comment|reply|respon|discus|disqus",
    "mobile": r"mobile|canvas|drawer|burger|sticky|flyout|dropdown|modal|popup",
}
NAME_KINDS = tuple(NAME_WORDS)

#: Words in addresses, by what they speak for.
ADDRESS_WORDS = {
    "page": "page paged pages pg start offset cursor",
    "tag": "tag tags topic topics category categories label keyword subject subjects cat genre"
    " theme",
    "person": "author authors user users profile profiles member members memberlist people staff"
    " contributor contributors writer",
    "account": "login signin signup register account cart basket checkout wishlist logout auth"
    " subscribe password my",
    "legal": "privacy terms imprint impressum legal cookie cookies contact about career careers"
    " jobs press help support faq faqs sitemap datenschutz agb accessibility disclaimer advertise"
    " advertising advertisement copyright",
    "share": "share sharer intent submit feed rss atom",
    "act": "reply replyto comment comments respond report print edit action vote flag quote mode",
    "file": "pdf doc docx xls xlsx ppt pptx zip csv epub",
    "ad": "utm affiliate aff ad ads sponsor sponsored sponsors promo click track redirect go out",
    "listing": "search query sort filter archive archives all view",
}
ADDRESS_KINDS = (*ADDRESS_WORDS, "number", "dated")
_ADDRESS_BITS = {END.encode(): -1}
for _bit, _words in enumerate(ADDRESS_WORDS.values()):
    for _word in _words.split():
        _ADDRESS_BITS[_word.encode()] = _ADDRESS_BITS.get(_word.encode(), 0) | 1 << _bit
NUMBERED_BIT = len(ADDRESS_WORDS)  #: bit of addresses with a number; that of dates is the next
NUMBERED = re.compile(r"[/=-]\d{1,5}(?=[/?&#\0])")
DATED = re.compile(r"/(?:19|20)\d\d[/-]\d{1,2}(?=[/\0-])")
MAX_ADDRESS_CHARS = 160  #: characters of an address that are read
MAX_WORDS = 1 << 16  #: words, and names, whose kinds are remembered


class NameTable(dict[str, int]):
    """The kinds of words in names as bits; a word is matched once and then remembered."""

    def __init__(self, words: Mapping[str, str]) -> None:
        super().__init__({END: -1})
        self._any = re.compile("|".join(words.values()))
        self._patterns = [re.compile(pattern) for pattern in words.values()]

    def __missing__(self, word: str) -> int:
        bits = 0
        if self._any.search(word):
            bits = sum(1 << at for at, pattern in enumerate(self._patterns) if pattern.search(word))
        if len(self) < MAX_WORDS:
            self[word] = bits
        return bits

    def read(self, values: Sequence[str]) -> Int64s:
        """The kinds that the words of each value speak for together, as bits."""
        if not core.compiled:
            return self._read(values)
        bits = np.empty(len(values), np.int64)
        others = self._kinds.join(list(values), bits)
        if others:
            bits[others] = self._read([values[at] for at in others])
        return bits

    def read_rows(self, page: Page, attributes: tuple[str, ...], marked: Mask) -> Int64s:
        """For each marked row, the kinds that its values of some attributes speak for, as bits."""
        bits = np.zeros(len(page), np.int64)
        if core.compiled:
            numbers = tuple(map(WANTED.__getitem__, attributes))
            self._kinds.mark(page.wanted, numbers, marked.view(np.uint8), bits, self._read_one)
            return bits
        for name in attributes:
            rows, number, values = page.distinct(name)
            rows, number = rows[marked[rows]], number[marked[rows]]
            used, place = np.unique(number, return_inverse=True)
            if len(used):
                bits[rows] |= self._read([values[at] for at in used.tolist()])[place]
        return bits

    @cached_property
    def _kinds(self) -> "core.kernels.NameKinds":
        return core.kernels.NameKinds(self)

    def _read_one(self, value: str) -> int:
        return int(self._read([value])[0])

    def _read(self, values: Sequence[str]) -> Int64s:
        """The same by Python, many values at once."""
        words = split_words(values)
        return _join_bits(np.fromiter(map(self.__getitem__, words), np.int64, len(words)))


_NAME_BITS = NameTable(NAME_WORDS)
_VALUE_BITS: dict[str, int] = {}


def name_bits(names: Sequence[str]) -> list[int]:
    """The kinds of NAME_KINDS that class names, ids or labels speak for, as bits."""
    missing = [name for name in dict.fromkeys(names) if name not in _VALUE_BITS]
    if len(_VALUE_BITS) + len(missing) > MAX_WORDS:
        _VALUE_BITS.clear()
        missing = list(dict.fromkeys(names))
    if missing:
        _VALUE_BITS.update(zip(missing, _NAME_BITS.read(missing).tolist(), strict=True))
    return [_VALUE_BITS[name] for name in names]


#: Table for bytes.translate: ASCII letters become small and END stays, others become a space.
_ADDRESS_LETTERS = bytes(
    ord(chr(code).lower()) if code < 128 and (chr(code).isalpha() or chr(code) == END) else 32
    for code in range(256)
)


def address_bits(addresses: Sequence[str]) -> Int64s:
    """The kinds of ADDRESS_KINDS that addresses speak for, as bits."""
    if not core.compiled:
        return _address_bits(addresses)
    bits = np.empty(len(addresses), np.int64)
    others = _address_words().find_kinds(list(addresses), bits)
    if others:
        bits[others] = _address_bits([addresses[at] for at in others])
    return bits


@cache
def _address_words() -> "core.kernels.AddressWords":
    """The words of addresses for the compiled core."""
    kinds = {word: bits for word, bits in _ADDRESS_BITS.items() if bits >= 0}
    bits = np.array(list(kinds.values()), np.int64)
    return core.kernels.AddressWords(tuple(kinds), bits, 1 << NUMBERED_BIT, 2 << NUMBERED_BIT)


def _address_bits(addresses: Sequence[str]) -> Int64s:
    """The same by Python, many addresses at once."""
    short = [address[:MAX_ADDRESS_CHARS] for address in addresses]
    joined = END.join([*short, ""])
    if joined.count(END) > len(short):
        short = [address.replace(END, "") for address in short]
        joined = END.join([*short, ""])
    letters = joined.encode("ascii", "replace").translate(_ADDRESS_LETTERS)
    words = letters.replace(b"\0", b" \0 ").split()
    bits = _join_bits(np.fromiter(map(_ADDRESS_BITS.get, words, repeat(0)), np.int64, len(words)))
    begin = np.cumsum([0, *map(len, short[:-1])]) + np.arange(len(short))
    for bit, pattern in enumerate((NUMBERED, DATED), NUMBERED_BIT):
        places = [match.start() for match in pattern.finditer(joined)]
        bits[np.searchsorted(begin, places, "right") - 1] |= 1 << bit
    return bits


def _join_bits(kinds: Int64s) -> Int64s:
    """The kinds of the words of each value together; -1 stands behind the words of each."""
    last = kinds == -1
    begin = np.append(0, np.flatnonzero(last)[:-1] + 1)
    return np.bitwise_or.reduceat(np.where(last, 0, kinds), begin)


def unpack(bits: Int64s, kinds: int) -> Mask:
    """One line per bit: whether each number has it."""
    eights = bits.astype("<i8").view(np.uint8).reshape(-1, 8)
    return np.unpackbits(eights, axis=1, count=kinds, bitorder="little").T.view(np.bool_)


SOCIAL_HOSTS = frozenset(
    "facebook.com fb.com fb.me twitter.com x.com t.co linkedin.com pinterest.com pin.it"
    " instagram.com youtube.com youtu.be whatsapp.com wa.me t.me telegram.me reddit.com tumblr.com"
    " tiktok.com snapchat.com vimeo.com flickr.com threads.net mastodon.social bsky.app"
    " discord.gg discord.com vk.com ok.ru weibo.com line.me xing.com flipboard.com getpocket.com"
    " plus.google.com addtoany.com addthis.com hatena.ne.jp mix.com digg.com stumbleupon.com"
    " medium.com github.com soundcloud.com spotify.com feedly.com twitch.tv messenger.com".split()
)
