"""What a text is worth: a price with its currency, a date, a rating, a number."""

import re
from dataclasses import dataclass
from typing import Any

from pagelet.metadata.dates import Order, find_date, fold

MAX_VALUE_CHARS = 60  #: characters of a text that is one value
MIN_DATE_SHARE = 0.35  #: share of a text that a date must take
CURRENCIES = {
    "$": "USD", "US$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB",
    "₩": "KRW", "₪": "ILS", "₺": "TRY", "zł": "PLN", "Kč": "CZK", "R$": "BRL", "C$": "CAD",
    "CA$": "CAD", "A$": "AUD", "AU$": "AUD", "Rs": "INR", "Rs.": "INR", "CHF": "CHF", "kr": "SEK",
    "د.إ": "AED", "﷼": "SAR", "฿": "THB", "₫": "VND", "₴": "UAH", "元": "CNY", "円": "JPY",
}  # fmt: skip
CODES = (
    "USD EUR GBP JPY CHF CAD AUD NZD INR CNY RUB BRL MXN SEK NOK DKK PLN CZK HUF TRY ZAR KRW SGD"
    " HKD THB ILS AED SAR".split()
)
_MARK = "|".join(sorted(map(re.escape, (*CURRENCIES, *CODES)), key=len, reverse=True))
_NUMBER = r"\d{1,3}(?:[ .,'\u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d+)?"
PRICE = re.compile(
    rf"(?:(?P<before>(?<![^\W\d_]){_MARK})\s?(?P<after_mark>{_NUMBER}))"
    rf"|(?:(?P<before_mark>{_NUMBER})\s?(?P<after>{_MARK})(?![^\W\d_]))"
)
RATING = re.compile(
    r"(?P<value>\d+(?:[.,]\d+)?)\s?(?:/|out of|of|von|sur|de|su)\s?(?P<best>5|10|100)(?!\d)"
    r"(?:\s?(?:stars?|points?))?", re.I,
)  # fmt: skip
STARS = re.compile(r"(?P<value>\d+(?:[.,]\d+)?)[\s-]stars?\b", re.I)
DRAWN_STARS = re.compile(r"[★☆⭐✩✪✭⯨]{3,10}")
NUMBER = re.compile(rf"[(\[#]?(?P<number>[-+−]?(?:{_NUMBER}))(?P<scale>[kKmMbB])?%?[)\]]?")
COUNTED = re.compile(rf"[(\[]?(?P<number>{_NUMBER})(?P<scale>[kKmM])?\+? [^\W\d_]+[)\]]?")
SCALES = {"k": 1e3, "m": 1e6, "b": 1e9}


@dataclass(frozen=True, slots=True)
class Value:
    """A value that a text stands for."""

    kind: str  #: price, date, rating or number
    value: Any  #: a number, or a date in ISO 8601
    currency: str | None = None  #: code in ISO 4217
    best: float | None = None  #: best rating that can be given

    def to_dict(self) -> dict[str, Any]:
        """The JSON form, to be put beside the raw text."""
        more = {"currency": self.currency, "best": self.best}
        return {"value": self.value, **{name: one for name, one in more.items() if one is not None}}

    @property
    def cell(self) -> Any:
        """The value in a cell of a table: a price has its currency behind it."""
        return self.value if self.currency is None else f"{self.value:g} {self.currency}"


def read_value(text: str, order: Order = "") -> Value | None:
    """The value of a text; None for words."""
    if not text or len(text) > MAX_VALUE_CHARS:
        return None
    if drawn := DRAWN_STARS.fullmatch(text.strip()):
        full = sum(text.count(mark) for mark in "★⭐✪✭")
        return Value("rating", float(full), best=float(len(drawn[0])))
    if not any(map(str.isdigit, text)):
        return None
    return _price(text) or _rating(text) or _date(text, order) or _number(text)


def _price(text: str) -> Value | None:
    found = PRICE.search(text)
    if not found or len(text) - len(found[0]) > 2 * len(found[0]) + 8:
        return None
    amount = read_number(found["after_mark"] or found["before_mark"])
    mark = found["before"] or found["after"]
    return None if amount is None else Value("price", amount, CURRENCIES.get(mark, mark))


def _rating(text: str) -> Value | None:
    found = RATING.search(text) or STARS.search(text)
    if not found or "page" in text.lower():
        return None
    value = read_number(found["value"])
    best = float(found["best"]) if "best" in found.re.groupindex else 5.0
    return None if value is None or value > best else Value("rating", value, best=best)


def _date(text: str, order: Order) -> Value | None:
    folded = fold(text)
    found = find_date(folded, order)
    if found is None or folded.isdigit() or found.end - found.start < MIN_DATE_SHARE * len(folded):
        return None
    return Value("date", found.value)


def _number(text: str) -> Value | None:
    found = NUMBER.fullmatch(text.strip()) or COUNTED.fullmatch(text.strip())
    number = read_number(found["number"]) if found else None
    if found is None or number is None:
        return None
    return Value("number", _whole(number * SCALES.get((found["scale"] or "").lower(), 1)))


def _whole(number: float) -> float | int:
    return int(number) if number == int(number) and abs(number) < 2**53 else number


def read_number(text: str) -> float | None:
    """A number with marks between thousands, and a point or a comma before its decimals."""
    plain = re.sub(r"[\s'\u00a0\u202f]", "", text).replace("−", "-")
    last = max(plain.rfind("."), plain.rfind(","))
    if last >= 0:
        whole, decimals = plain[:last], plain[last + 1 :]
        mark, others = plain[last], re.sub(r"[.,]", "", whole)
        grouped = (
            len(decimals) == 3 and (mark == "," or mark in whole) and whole.lstrip("-+") != "0"
        )
        plain = others + decimals if grouped else f"{others}.{decimals}"
    try:
        number = float(plain)
    except ValueError:
        return None
    return number if abs(number) < 1e300 else None
