"""Measures in words: how a number, a flag or a distance becomes a phrase that people read.

Each method states the words of its own measures in its `reasons.py`, as a table of phrases by
the name of the measure. What tables share stands here.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from math import expm1
from typing import Any

Phrase = Callable[[float], str]  #: words for a value
Phrases = Mapping[str, Phrase]  #: words of measures, by name
Effects = Mapping[str, float]  #: how far each measure moved a decision, signed

MAX_REASONS = 6  #: reasons in words, at most
MIN_SHARE = 0.05  #: share of the strongest effect below which a reason is left out
MAX_LOGARITHM = 100.0  #: logarithm beyond which a number is written as no larger
MIN_EFFECT_SHARE = 0.02  #: share of the strongest effect that a measure needs to be described
ONE = re.compile(r"\b1 (\w+)s\b")  #: one of something, written as several
WHOLE_SHARE = re.compile(r"(0|100)% of (?=the (?:\w+s|text)\b)")  #: none or all of several
SHARE_WORDS = {"0": "hardly any", "100": "all"}
DECISIVE = 10.0  #: effect of what decides alone, whatever else is measured

#: Elements and roles that something may lie in or be.
PLACE_WORDS = {
    "nav": "a navigation element",
    "navigation": "a part with the role navigation",
    "header": "a header",
    "banner": "a part with the role banner",
    "footer": "a footer",
    "contentinfo": "a part with the role contentinfo",
    "aside": "a side bar",
    "complementary": "a part with the role complementary",
    "main": "the main element",
    "article": "an article element",
    "section": "a section",
    "form": "a form",
    "table": "a table",
    "td": "a table cell",
    "ul": "a list",
    "li": "a list item",
    "dl": "a description list",
    "menu": "a part with the role menu",
    "tablist": "a row of tabs",
    "hidden": "something hidden",
    "expandable": "something that opens on a click",
    "p": "a paragraph",
    "h1": "a main heading",
    "h2": "a heading of level 2",
    "h3": "a heading of level 3",
    "h4": "a small heading",
    "div": "a plain block (div)",
    "dt": "a term of a description list",
    "dd": "a text of a description list",
    "fieldset": "a set of form fields",
    "blockquote": "a quotation",
    "pre": "preformatted text",
    "code": "code",
    "figure": "a figure",
    "caption": "the caption of a table",
    "button": "a button",
    "label": "the label of a form field",
    "select": "a list of choices",
    "textarea": "a text field",
    "span": "a span",
    "time": "a time or date",
    "address": "an address element",
    "details": "something that opens on a click",
    "noscript": "a part for browsers without scripts",
    "dialog": "a dialog",
    "svg": "a drawing or formula",
    "object": "a video or other object",
    "font": "font or centre tags",
    "sup": "small raised text",
    "ins": "inserted or deleted text",
    "abbr": "an abbreviation or mark",
    "aria_hidden": "something hidden from screen readers",
    "a": "a link",
    "strong": "bold words",
    "em": "stressed words",
    "small": "small print",
}

NOTHING, FEW, SOME = 0.02, 0.2, 0.5  #: shares of linked text up to which there is none, few, …


def measure(text: str) -> Phrase:
    """A sentence with the value in it, as `str.format` writes it."""
    return text.format


def logarithm(text: str) -> Phrase:
    """A sentence with the value in it, of a measure that is the logarithm of one more."""
    return lambda value: text.format(expm1(min(value, MAX_LOGARITHM)))


def flag(yes: str, no: str) -> Phrase:
    """One of two sentences: for what holds, and for what does not."""
    return lambda value: yes if value > 0 else no


def distance(before: str, after: str, none: str) -> Phrase:
    """One of three sentences: below 0, above 0 and 0; {} is the distance."""
    return lambda value: (before if value < 0 else after if value > 0 else none).format(abs(value))


def graded(*steps: tuple[float, str], last: str) -> Phrase:
    """The sentence of the first step that the value does not exceed, or the last one."""
    return lambda value: next((text for limit, text in steps if value <= limit), last).format(value)


def present(text: str, missing: str) -> Phrase:
    """A sentence with the value in it, or another one where the value is below 0: there is none."""
    return lambda value: missing if value < 0 else text.format(value)


def link_share(subject: str) -> Phrase:
    """How much of the text of something is linked."""
    return graded(
        (NOTHING, f"{subject} has no links"),
        (FEW, f"{subject} has few links"),
        (SOME, f"{subject} has many links"),
        last=f"{subject} is mostly links",
    )


def length(subject: str) -> Phrase:
    """How long something is, given the number of its words."""
    return graded(
        (0, f"{subject} is missing"),
        (10, f"{subject} is short"),
        (30, f"{subject} is a sentence or two long"),
        last=f"{subject} is long",
    )


def sentences(subject: str, least: float) -> Phrase:
    """Whether something has sentences, given a count or share of full stops."""
    return graded((least, f"{subject} has no sentences"), last=f"{subject} has sentences")


def place_on_page(value: float) -> str:
    """Where something stands, given the share of the page before it."""
    if value <= 0.15:
        return "near the top of the page"
    return "in the middle of the page" if value <= 0.75 else "near the end of the page"


def family(prefix: str, text: str, none: str, words: Mapping[str, str]) -> dict[str, Phrase]:
    """Measures with one prefix: {0} is the subject, {1} the value; another text for 0."""
    return {f"{prefix}{name}": _about(text, none, word) for name, word in words.items()}


def _about(text: str, none: str, word: str) -> Phrase:
    return lambda value: (text if value > 0 else none).format(word, value)


def flags(prefix: str, yes: str, no: str, words: Mapping[str, str]) -> dict[str, Phrase]:
    """Flags with one prefix: {} is the subject."""
    return {
        f"{prefix}{name}": flag(yes.format(word), no.format(word)) for name, word in words.items()
    }


def describe(phrases: Phrases, name: str, value: float) -> str:
    """A measure and its value in words; its name stands in for words that are missing."""
    phrase = phrases.get(name)
    if phrase is None:
        return f"{name.replace('_', ' ')}: {value:.3g}"
    text = phrase(value)
    whole = WHOLE_SHARE.match(text)
    return f"{SHARE_WORDS[whole[1]]} of {text[whole.end() :]}" if whole else text


def telling(effects: Effects) -> Effects:
    """The effects that can be part of a strong reason; trees move most measures a very little."""
    least = MIN_EFFECT_SHARE * max(map(abs, effects.values()), default=0.0)
    return {name: effect for name, effect in effects.items() if abs(effect) > least}


def line(text: str, effect: float) -> dict[str, Any]:
    """One reason in words, in JSON form."""
    singular = ONE.sub(r"1 \1", text)  # 1 link, 2 links
    return {"text": singular, "effect": round(float(effect), 6)}


def rank_reasons(
    reasons: Iterable[tuple[str, float]], most: int = MAX_REASONS
) -> list[dict[str, Any]]:
    """The strongest reasons; measures that read the same are one reason with their sum."""
    sums: dict[str, float] = {}
    for text, effect in reasons:
        sums[text] = sums.get(text, 0.0) + float(effect)
    order = sorted(sums, key=lambda text: -abs(sums[text]))[:most]
    least = MIN_SHARE * abs(sums[order[0]]) if order else 0.0
    return [line(text, sums[text]) for text in order if sums[text] and abs(sums[text]) >= least]


def list_why(why: Iterable[Mapping[str, Any]], indent: str = "    ") -> list[str]:
    """Lines for people: the effect and the words of each reason."""
    return [f"{indent}{each['effect']:+.2f}  {each['text']}" for each in why]


def explain_density(density: float, threshold: float, *, kept: bool) -> list[dict[str, Any]]:
    """The text density of an element by CETD and the threshold of the page, in words."""
    sign = 1 if kept else -1
    text = f"text density {density:.1f}; the threshold of this page is {threshold:.1f}"
    lines = [line(text, sign * (density - threshold))]
    if kept and density < threshold:
        lines.insert(0, line("inside a part that is dense as a whole", threshold - density + 1))
    if not kept and density >= threshold:
        lines.insert(0, line("outside the densest parts", density - threshold + 1))
    return lines
