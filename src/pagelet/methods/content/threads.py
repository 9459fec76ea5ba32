"""Comment threads: where readers comment on a page, by names, microdata and headings.

A thread is an element that is named one (`comments`, `disqus_thread`, microdata Comment), or what
follows a heading such as "12 Comments" where it looks like comments: dates, replies, authors.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np

from pagelet import core
from pagelet.arrays import Ints, Mask
from pagelet.page.table import Page
from pagelet.page.tags import FIRST_CUSTOM_TAG, HEADINGS, NUMBER, numbers
from pagelet.page.textblocks import TextBlocks

NAMED = ("class", "id", "itemtype", "itemprop", "role")
#: Parts of names of threads, in lower case; one is in every such name.
STEMS = ("comment", "mentar", "disqus", "yorum", "respond", "responses")
HOLDS_STEM = re.compile("|".join(STEMS)).search  #: spares most names the rest
MAX_NAMES = 2_000  #: names that are remembered
#: Parts of headings of threads; one is in every such heading.
HEADING_STEMS = tuple(
    "comment respon repl conver thought reacti réacti mentar leserbrief mentár respost risposte"
    " komentá yorum коммент коментар отзывы コメント 评论 評論 留言 댓글 luận hozzászól komment"
    " σχόλια تعليقات".split()
)
#: A single name of a thread or of a comment in it. Nothing is tried twice (`*+`), here and in
#: headings: digits that may be divided in many ways would take for ever.
THREAD = re.compile(
    r"""(?ix)
    (?:^respond|^responses
      |(?:^|.*[-_:/.])
      (?:(?:user|reader|post|article|blog|fb|wp|entry|page|story|news)[-_]*)?
      (?:comments?|commentaires?|kommentare?|kommentarer|comentarios?|comentários?|commenti
        |komentarz[ey]?|komentar[ei]?|yorum(?:lar)?|disqus))
    (?:[-_]*+(?:list|thread|area|section|wrapper|wrap|container|block|box|body|text|content|item
      |inner|holder|main|tree|children|root|module|region|feed|stream|panel|template|widget
      |author|meta|date|entry|row|node|post|new|app-root|app|replies|reply|outer|\d++))*+$
    """
)
#: Names that hold the word but are no thread: counts, switches, forms, classes of the page.
OTHER_NAME = re.compile(
    r"(?i)count|number|(?<!com)num(?!e)|link|button|btn|icon|toggle|form|open|close|policy|share"
    r"|no-comment|without|disabled|enabled|has-|off$|bubble|trigger|count|anchor|jump"
)
END = "\0"  #: separator between values; no attribute holds it
MAX_NAME_CHARS = 60  #: characters of the longest name that is read
#: Elements whose names speak of the page, or of a single word: a comment of a program, a count.
OTHER_TAGS = numbers("html body main span a i b em code pre font time img svg button label")

IS_OTHER = np.zeros(FIRST_CUSTOM_TAG + 1, np.bool_)  #: the same by number of the tag
IS_OTHER[list(OTHER_TAGS)] = True

#: Headings of threads in many languages, with or without a number.
HEADING = re.compile(
    r"""(?ix)^[^\w]*
    (?:(?:no|one|your|all|add|leave|join|view|show|see|reader|user|recent|latest|keine|alle|aucun
        |sin|nessun|geen|brak|ingen)\s++|\d[\d.,]*+\s*+(?:条|件の|개의)?+\s*+)*+
    (?:comments?|responses?|replies|conversations?|thoughts?|reactions?
      |kommentare?|kommentarer|leserkommentare|leserbriefe|commentaires?|réactions?
      |comentarios?|respuestas|comentários?|respostas|commenti|risposte|reacties|komentarze
      |komentářů?|komentáře|komentari|yorumlar?|комментари[йяие]+|коментар[іи]+|отзывы
      |コメント|评论|評論|留言|댓글|bình\sluận|komentar|hozzászólás(?:ok)?|kommentit|σχόλια|تعليقات)
    \b[^\w]*+(?:\d[\d.,]*+[^\w]*+)?+
    (?:(?:on|to|for|zu|zum|sur|à|en|a|su|in|på|do|op|на|к)\s.{0,150}|section|below|\(\d+\))?[^\w]*$
    """
)
MAX_HEADING_CHARS = 160  #: characters of a heading that is compared
#: What comments have beside their text: an action, who wrote it, how long ago.
ITEM_SIGN = re.compile(
    r"(?i)\b(?:reply|replies|says|said|wrote|permalink|report|log in to|antworten|antwort|schrieb"
    r"|sagt|meint|melden|répondre|signaler|dit|responder|dice|dijo|disse|rispondi|reageer|schreef"
    r"|odpowiedz|pisze|ответить|svar|svara|cevapla|yanıtla|ago|hace|geleden)\b"
    r"|vor \d+ |il y a|返信|回复|回覆|답글|\d{1,2}[:.]\d{2}\b|\d{1,2}[./]\d{1,2}[./]\d{2,4}"
)
MIN_SIGNS = 2  #: signs from which on what follows a heading is a thread
MAX_THREAD_CHARS = 4_000  #: characters behind a heading in which signs are counted


def find_threads(page: Page, blocks: TextBlocks, texts: Sequence[str], running: Mask) -> Mask:
    """Mark the blocks in comment threads; `running` marks those of running text.

    Where hardly anything else is left, the thread is the page itself, and none is marked.
    """
    named = [row for name in NAMED for row in _named_rows(*page.distinct(name))]
    headings = np.flatnonzero(page.is_tag(*HEADINGS)[blocks.holder]).tolist()
    row = blocks.rows[blocks.first] if len(blocks) else np.zeros(0, np.intp)
    inside = _named(page, named)[row] | mark_headed(page, blocks, texts, headings)
    if inside.any() and not (running & ~inside).any():
        return np.zeros(len(blocks), np.bool_)
    return np.asarray(inside)


def _named(page: Page, named: list[int]) -> Mask:
    """Mark the rows at and below elements that are named threads."""
    rows = np.array(named, np.intp)
    rows = rows[~IS_OTHER.take(page.tag[rows], mode="clip")]
    first = np.flatnonzero(page.tag == NUMBER["h1"])
    if len(first):  # an opinion piece, with its heading, may be named comment too
        rows = rows[first.searchsorted(rows) == first.searchsorted(rows + page.size[rows])]
    return page.inside(rows) if len(rows) else np.zeros(len(page), np.bool_)


def _named_rows(rows: Ints, number: Ints, values: tuple[str, ...]) -> list[int]:
    """The rows whose value of an attribute names a thread."""
    find = _find_stems_compiled if core.compiled else _find_stems
    return rows_named(rows, number, [at for at in find(values) if names_thread(values[at])])


def rows_named(rows: Ints, number: Ints, values: list[int]) -> list[int]:
    """The rows that have one of the values, by number."""
    return list(rows[np.isin(number, values)].tolist()) if values else []


def _find_stems(values: tuple[str, ...]) -> list[int]:
    """The places of values that hold a part of a name of a thread."""
    whole = END.join(values).lower()
    stems = [stem for stem in STEMS if stem in whole]
    if not stems:  # spares most pages the rest
        return []
    lower = [value.lower() for value in values]
    return [at for at, value in enumerate(lower) if any(stem in value for stem in stems)]


def _find_stems_compiled(values: tuple[str, ...]) -> list[int]:
    """The same by the compiled core."""
    return compiled_stems().find_in(values) if values else []


@cache
def compiled_stems() -> "core.kernels.Phrases":
    """Parts of names of threads, for the compiled core."""
    return core.kernels.Phrases(tuple(stem.encode() for stem in STEMS))


def names_thread(value: str) -> bool:
    """Whether a value of an attribute names a thread."""
    return any(
        len(name) <= MAX_NAME_CHARS and _is_thread(name)
        for name in filter(HOLDS_STEM, value.lower().split())
    )


@lru_cache(MAX_NAMES)
def _is_thread(name: str) -> bool:
    """Whether a single name is that of a thread; pages have many names in common."""
    return THREAD.match(name) is not None and OTHER_NAME.search(name) is None


def mark_headed(page: Page, blocks: TextBlocks, texts: Sequence[str], headings: list[int]) -> Mask:
    """Mark the blocks behind headings of threads, up to the end of the element around them."""
    marked = np.zeros(len(blocks), np.bool_)
    if not headings:
        return marked
    joined = "\n".join([texts[at] for at in headings]).lower()
    if not any(stem in joined for stem in HEADING_STEMS):  # spares most pages the rest
        return marked
    row = blocks.rows[blocks.first]
    for at in headings:
        text = texts[at]
        if len(text) > MAX_HEADING_CHARS or HEADING.match(" ".join(text.split())) is None:
            continue
        around = int(page.parent[blocks.holder[at]])
        last = int(np.searchsorted(row, page.end[around]))
        if page.tag[blocks.holder[at]] != NUMBER["h1"] and _has_signs(texts, at + 1, last):
            marked[at:last] = True
    return marked


def _has_signs(texts: Sequence[str], first: int, last: int) -> bool:
    """Whether some of the texts look like comments with their authors, dates and actions."""
    pieces, chars = list[str](), 0
    while first < last and chars <= MAX_THREAD_CHARS:  # no others are looked at
        pieces.append(texts[first])
        chars += len(pieces[-1]) + 1
        first += 1
    joined = "\n".join(pieces)[:MAX_THREAD_CHARS]
    return sum(1 for _, _ in zip(ITEM_SIGN.finditer(joined), range(MIN_SIGNS), strict=False)) == (
        MIN_SIGNS
    )
