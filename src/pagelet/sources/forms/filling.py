"""Requests from forms and values, as a browser would send them.

A form with a password, file, payment or e-mail field, one that does not search, or one that
sends to another site is filled only when the user named it. Files are never sent.
"""

import codecs
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from urllib.parse import quote_plus, urlsplit

from pagelet.errors import OptionError
from pagelet.sources.forms import Form
from pagelet.sources.forms.fields import BUTTONS, CHOICES, SUBMITS, Field
from pagelet.sources.forms.labels import clean_label
from pagelet.sources.forms.search import NO_HTTP_ACTION, mentions_search
from pagelet.sources.http.loader import HttpRequest

Values = Mapping[str, str | Sequence[str]]  #: values by name or label of a field

#: Codecs that browsers use for a label, where Python's of that name has fewer characters.
BROWSER_CODECS = {
    "iso-8859-1": "cp1252", "latin1": "cp1252", "us-ascii": "cp1252", "ascii": "cp1252",
    "iso-8859-9": "cp1254", "shift_jis": "cp932", "gb2312": "gbk", "euc-kr": "cp949",
    "big5": "big5hkscs",
}  # fmt: skip
MAX_LISTED = 12  #: options that a message lists


@dataclass(frozen=True, slots=True)
class FilledForm:
    """The request of a filled form."""

    request: HttpRequest
    values: Mapping[str, tuple[str, ...]]  #: values by name of the field
    labels: Mapping[str, str]  #: labels of those fields, by name

    @property
    def summary(self) -> str:
        """The values on one line."""
        pairs = [f"{name}={value}" for name, values in self.values.items() for value in values]
        return " ".join(pairs) or "(as the page has it)"


class FormFiller:
    """Turns values for one form into requests."""

    def __init__(self, form: Form, *, named: bool = False, charset: str | None = None) -> None:
        """Take a form; one that the user named may be of any kind.

        `charset` is that of the response; a form that names its own charset keeps that.
        """
        refused = [why for why in form.refused if not named or why == NO_HTTP_ACTION]
        if form.method == "dialog":
            refused.append("it is never sent")
        if refused:
            advice = "" if named else "; to send it anyway, name it with --form-name"
            raise OptionError("form", form.name or form.path, ", ".join(refused) + advice)
        self.form = form
        own = form.page.attributes_of(form.row).get("accept-charset", "").strip()
        self._codec = codec_of(form.charset if own else charset or form.charset)

    def fill(self, values: Values) -> FilledForm:
        """Make the request for some values; all other fields keep their initial values."""
        given: dict[int, tuple[str, ...]] = {}
        for name, value in values.items():
            field = self.field(name)
            several = (value,) if isinstance(value, str) else tuple(value)
            given[field.row] = self._check(field, several)
        filled = [field for field in self.form.fields if field.row in given]
        return FilledForm(
            self._request(list(self._entries(given))),
            {field.name: given[field.row] for field in filled},
            {field.name: field.label for field in filled if field.label},
        )

    def field(self, name: str) -> Field:
        """A field by its name, else by its label."""
        usable = [one for one in self.form.fields if one.name and not one.disabled]
        label = clean_label(name).casefold()
        by_name = (one for one in usable if one.name == name)
        by_label = (one for one in usable if one.label.casefold() == label)
        for field in chain(by_name, by_label):
            return field
        names = ", ".join(one.name for one in usable if one.fillable) or "nothing to fill in"
        raise OptionError("value", name, f"no such field; the form has {names}")

    def choices(self, name: str) -> list[str]:
        """Every value in the option list of a field that is not empty."""
        field = self.field(name)
        values = [one.value for one in field.options if one.value and not one.disabled]
        if not values:
            raise OptionError("each", name, "the field has no list of options")
        return list(dict.fromkeys(values))

    # -- values --------------------------------------------------------------------------

    def _check(self, field: Field, values: tuple[str, ...]) -> tuple[str, ...]:
        if field.type == "file":
            raise OptionError("value", field.name, "files are never sent")
        if len(values) > 1 and not field.multiple:
            raise OptionError("value", field.name, "takes one value")
        if field.type in CHOICES:
            return tuple(_option(field, value) for value in values)
        return values

    def _entries(self, given: Mapping[int, tuple[str, ...]]) -> Iterator[tuple[str, str]]:
        pressed = self._pressed(given)
        for field in self.form.fields:
            if field.type in BUTTONS:
                if field is pressed:
                    yield from _button_entries(field)
            else:
                for value in given.get(field.row, field.defaults):
                    yield field.name, value

    def _pressed(self, given: Mapping[int, tuple[str, ...]]) -> Field | None:
        """The button that has a value, else the one labelled search, else the first."""
        buttons = self.form.buttons
        ranked = sorted(
            buttons, key=lambda one: (one.row not in given, not mentions_search(one.label))
        )
        return ranked[0] if ranked else None

    # -- requests ------------------------------------------------------------------------

    def _request(self, entries: list[tuple[str, str]]) -> HttpRequest:
        form = self.form
        if form.method == "get":
            query = self._urlencoded(entries)
            return HttpRequest(urlsplit(form.action)._replace(query=query, fragment="").geturl())
        if form.enctype == "multipart/form-data":
            return self._multipart(entries)
        if form.enctype == "text/plain":
            body = b"".join(self._bytes(f"{name}={value}\n") for name, value in entries)
        else:
            body = self._urlencoded(entries).encode("ascii")
        return HttpRequest(form.action, "POST", body, form.enctype)

    def _urlencoded(self, entries: list[tuple[str, str]]) -> str:
        pairs = ((quote_plus(self._bytes(part), safe="*") for part in pair) for pair in entries)
        return "&".join("=".join(pair) for pair in pairs)

    def _multipart(self, entries: list[tuple[str, str]]) -> HttpRequest:
        """Encode as multipart; equal entries have equal boundaries, so that requests compare."""
        parts = [(self._bytes(name), self._bytes(value)) for name, value in entries]
        boundary = b"pagelet-" + sha256(repr(parts).encode()).hexdigest()[:32].encode()
        body = b"".join(
            b'--%s\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n'
            % (boundary, name.replace(b"\r\n", b"%0D%0A").replace(b'"', b"%22"), value)
            for name, value in parts
        )
        kind = f"multipart/form-data; boundary={boundary.decode()}"
        return HttpRequest(self.form.action, "POST", body + b"--%s--\r\n" % boundary, kind)

    def _bytes(self, text: str) -> bytes:
        """A text in the charset of the form; other characters become references."""
        lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\r\n")
        return lines.encode(self._codec, "xmlcharrefreplace")


def _option(field: Field, value: str) -> str:
    """The value to send for an option named by its value, else by its text."""
    usable = [one for one in field.options if not one.disabled]
    text = clean_label(value).casefold()
    by_value = (one for one in usable if one.value == value)
    by_text = (one for one in usable if clean_label(one.text).casefold() == text)
    for option in chain(by_value, by_text):
        return option.value
    values = ", ".join(repr(one.value) for one in usable[:MAX_LISTED])
    more = f" and {len(usable) - MAX_LISTED} more" if len(usable) > MAX_LISTED else ""
    raise OptionError("value", f"{field.name}={value}", f"no such option; there is {values}{more}")


def _button_entries(field: Field) -> Iterator[tuple[str, str]]:
    if field.type == "image":
        prefix = f"{field.name}." if field.name else ""
        yield from ((f"{prefix}x", "0"), (f"{prefix}y", "0"))
    elif field.name and field.type in SUBMITS:
        yield field.name, field.value


def codec_of(label: str) -> str:
    """Python's codec for a charset that a page names; UTF-8 for an unknown one."""
    label = label.strip().lower()
    if label in ("utf-8", "utf8"):
        return "utf-8"
    import turbohtml.detect  # noqa: F401, PLC0415 - registers the labels; few forms need it

    try:
        codecs.lookup(f"whatwg-{label}")  # only the labels of the Encoding standard
        name = codecs.lookup(BROWSER_CODECS.get(label, label)).name
    except (LookupError, ValueError):
        return "utf-8"
    return "utf-8" if name.startswith("utf-16") else name
