"""Words in class names, ids and labels that speak for or against a main menu."""

import re

#: Words that menus are called by.
FOR = re.compile(r"menu|nav(?!y)|gnb|tabs?\b|rubri|topbar|toolbar")

#: Words that say which of several menus is the main one.
MAIN = re.compile(r"main|primary|top|global|site|header|head\b|principal")

#: Words of other link lists.
AGAINST = re.compile(
    r"foot|crumb|pathway|social|share|lang|pag(?:er|ing|ination)|related|tags?\b|cloud|legal|copy"
    r"|login|log-?in|account|user|cart|toc|comment|meta|widget|recent|archive|categor|secondary"
    r"|sub-?nav|sub-?menu|utility|skip|banner|sponsor|ads?\b|partner|news|latest|popular|search"
    r"|mobile|offcanvas|drawer"
)

#: What the link to the front page is called.
HOME = frozenset(
    "home|homepage|home page|start|startseite|accueil|inicio|início|portada|principal|hjem|hem"
    "|forside|pagina iniziale|strona główna|ana sayfa|úvod|domů|αρχική|главная|головна|начало"
    "|ホーム|トップ|首页|首頁|홈|الرئيسية|דף הבית|خانه|trang chủ|beranda|หน้าแรก".split("|")
)
