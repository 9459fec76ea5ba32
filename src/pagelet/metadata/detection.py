"""The language of a text, detected where the page declares none; asked for, since it costs time."""

from functools import cache
from importlib import import_module
from typing import Any

from pagelet.errors import MissingExtra
from pagelet.metadata.lookup import NO_FACT, Fact
from pagelet.metadata.shown import text_rows
from pagelet.page.table import Page

MAX_DETECTED_CHARS = 2000  #: characters of a page that are looked at
MIN_DETECTED_CHARS = 60  #: characters below which no language is told
MIN_TEXT_CHARS = 40  #: characters of a text that counts: labels are often English


@cache
def _identifier() -> Any:
    try:
        module = import_module("py3langid.langid")
    except ImportError as error:
        raise MissingExtra("language", "detecting a language") from error
    return module.LanguageIdentifier.from_model_file(module.MODEL_FILE, norm_probs=True)


def detect_language(page: Page) -> Fact:
    """The language of the longer texts of a page, as ISO 639-1, with its probability."""
    identifier = _identifier()
    rows = text_rows(page)
    texts, chars = [], 0
    for row in rows[page.chars[rows] >= MIN_TEXT_CHARS].tolist():
        texts.append(page.text(row)[:MAX_DETECTED_CHARS])
        chars += len(texts[-1])
        if chars >= MAX_DETECTED_CHARS:
            break
    text = " ".join(" ".join(texts).split())[:MAX_DETECTED_CHARS]
    if len(text) < MIN_DETECTED_CHARS:
        return NO_FACT
    language, probability = identifier.classify(text)
    return Fact(str(language), "detected", round(float(probability), 4))
