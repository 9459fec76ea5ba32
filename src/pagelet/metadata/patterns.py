"""Class names and words that tell bylines, dates, comments and teasers."""

import re

from pagelet.metadata.naming import name_pattern


class AnyCase:
    """A pattern, written in small letters, that is searched for in any letters.

    In small letters many alternatives are told apart by their first letter, so texts are made small
    where that changes nothing else: in ASCII.
    """

    def __init__(self, pattern: str) -> None:
        self.any, self.small = re.compile(pattern, re.I), re.compile(pattern)

    def search(self, text: str) -> re.Match[str] | None:
        """The first match in a text; its places are those of the text, its letters may be small."""
        return self.small.search(text.lower()) if text.isascii() else self.any.search(text)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """The match of the whole text, in the same way."""
        return self.small.fullmatch(text.lower()) if text.isascii() else self.any.fullmatch(text)


BYLINE = name_pattern(
    "by{,-}line{,s} author{,s} author{,-}{name,info,link,box,bold,text,line}{,s} writer{,s}"
    " {posted,written,wrote}{,-}by autor{,en,in,es,a,e} auteur{,s} redakteur{,in} contributor{,s}"
    " signature full{,-}name vcard",
    capitals="{Author,Autor,Byline,Auteur}{,s,Name,Info}",
)
COMMENT = name_pattern(
    "{,user,user-}comment{,s}{,list,-list,body,-body,author,-author,area,-area,form,-form,reply,-reply}"
    " kommentar{,e} commentaire{,s} comentario{,s} commenti respond disqus* leserbrief{,e}"
)
#: Teasers of other pages, side bars and the like.
OTHER_ITEM = name_pattern(
    "related recommended recommendation{,s} more-from read-{more,next} most-{read,popular} popular"
    " trending latest recent{,-}{posts,articles} ticker mega{,-}menu nav{,bar,igation} cookie"
    " newsletter teaser{,s}> menu> <widget"
)
DATED = name_pattern(
    "{,pub,create,creation,post,article,entry,news,online,release}dat{e,um,a}{,s}"
    " {pub,create,creation,post,article,entry,news,online,release}-dat{e,um,a}{,s}"
    " publishe{,d}{,at,-at,on,-on,date,-date,time,-time} time{,-}stamp posted{,on,-on} created"
    " fecha erstellt veroeffentlicht datetime time",
    capitals="Date Datum Timestamp",
)
TAG_BOX = name_pattern(
    "{,post,post-,entry,entry-,article,article-,story,story-}tag{,s}{,-}{link,links,list,cloud,box}"
    " {,post,post-,entry,entry-,article,article-,story,story-}tag{,s} keyword{,s} topic{,s}"
    " schlagwort{,e,er} mots{,-}cles"
)
CATEGORY_BOX = name_pattern(
    "cat{,-}links {post,entry,article}{,-}categor{y,ies} categor{y,ies} rubri{k,que} ressort"
)
#: Words before a date that is that of the last change.
UPDATED = AnyCase(
    r"updat|modifi|revis|edited|last (?:change|review)|review(?:ed)?\b|aktualisier|geändert|stand\b"
    r"|mis(?:e)? à jour|modificad|actualizad|atualizad|aggiorna|bijgewerkt|gewijzigd|muokattu"
    r"|päivitetty|обновл|изменен|оновлен|更新|수정|aktualizac|zaktualizow|uppdatera|opdatere|oppdatert"
)
#: Words before a date that is no date of the page.
NOT_PUBLISHED = AnyCase(
    r"©|\(c\)|\b(?:copyright|all rights|until|valid|expires?|deadline|due|born|birth|geboren"
    r"|gültig|bis|joined|member since|registr\w*|dabei seit|releases?d?|starts?|begins?|ends?"
    r"|events?|when|date of|effective|founded|since|seit|version|ab|from)\b"
)
#: Words before a date that is that of publication.
ISSUED = AnyCase(
    r"publi[sckq]|erschien|veröffentlicht|posted|issued|date de parution|paru le|gepubliceerd"
    r"|julkaistu|publicerad|udgivet|опубликован|опубліковано|pubblicat|発行|公開|発表|发布|發布|게시"
)
