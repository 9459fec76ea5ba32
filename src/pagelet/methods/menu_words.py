"""Words in class names, ids and labels that speak for or against a main menu."""

import re
from functools import lru_cache

#: `for`: what menus are called by. `main`: which of several menus is meant. `against`: other
#: lists of links; tried first, so that a submenu or a footer menu speaks against.
WORDS = re.compile(
    r"(?P<against>foot|crumb|pathway|social|share|lang|pag(?:er|ing|ination)|related|tags?\b|cloud"
    r"|legal|copy|log-?in|account|user|cart|toc|comment|meta|widget|recent|archive|categor"
    r"|secondary|sub-?nav|sub-?menu|utility|skip|banner|sponsor|ads?\b|partner|news|latest|popular"
    r"|search|mobile|offcanvas|drawer)"
    r"|(?P<for>menu|nav(?!y)|gnb|tabs?\b|rubri|topbar|toolbar)"
    r"|(?P<main>main|primary|top|global|site|header|head\b|principal)"
)


@lru_cache(maxsize=1 << 14)
def said(words: str) -> frozenset[str]:
    """What class names, an id or a label say: some of for, against, main."""
    return frozenset(str(match.lastgroup) for match in WORDS.finditer(words.lower()))


#: What the link to the front page is called.
HOME = frozenset(
    "home|homepage|home page|start|startseite|accueil|inicio|início|portada|principal|hjem|hem"
    "|forside|pagina iniziale|strona główna|ana sayfa|úvod|domů|αρχική|главная|головна|начало"
    "|ホーム|トップ|首页|首頁|홈|الرئيسية|דף הבית|خانه|trang chủ|beranda|หน้าแรก".split("|")
)
