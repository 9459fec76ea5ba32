"""Forms of a page: action, fields and labels of each, and which one searches."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin, urlsplit

import numpy as np
from numpy.typing import NDArray

from pagelet.page.addresses import strip_credentials
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER
from pagelet.page.tree import nearest
from pagelet.sources.forms.fields import SUBMITS, Field, FieldReader
from pagelet.sources.forms.search import (
    SEARCH_SCORE,
    FormTraits,
    private_kinds,
    query_field,
    refusal_reasons,
    search_score,
)

SCHEMA = 1  #: version of the JSON form
URLENCODED = "application/x-www-form-urlencoded"
ENCODINGS = (URLENCODED, "multipart/form-data", "text/plain")


@dataclass(frozen=True, slots=True)
class Form:
    """One form of a page."""

    page: Page = field(repr=False, compare=False)
    row: int
    name: str  #: name attribute, else id
    method: str  #: get, post or dialog
    action: str  #: absolute address, if the page has an address
    enctype: str
    charset: str  #: encoding of the values
    fields: tuple[Field, ...]
    search: float  #: score of being a search form, 0 to 1
    reasons: Mapping[str, float] = field(compare=False)  #: weights that make up the score
    refused: tuple[str, ...] = ()  #: reasons why it is sent only when named; empty if it may be

    @property
    def path(self) -> str:
        """XPath of the form."""
        return self.page.path(self.row)

    @property
    def searches(self) -> bool:
        """Whether it counts as a search form."""
        return self.search >= SEARCH_SCORE

    @property
    def buttons(self) -> tuple[Field, ...]:
        """The buttons that submit the form."""
        return tuple(one for one in self.fields if one.type in SUBMITS and not one.disabled)

    @property
    def query_field(self) -> Field | None:
        """The field for the search words."""
        return query_field(self.fields)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        query = self.query_field
        path, *paths = self.page.paths([self.row, *(one.row for one in self.fields)])
        return {
            "path": path, "name": self.name, "method": self.method, "action": self.action,
            "enctype": self.enctype, "charset": self.charset, "search": round(self.search, 6),
            "reason": dict(self.reasons), "refused": list(self.refused),
            "query_field": query.name if query else None,
            "fields": [one.to_dict(at) for one, at in zip(self.fields, paths, strict=True)],
        }  # fmt: skip


def read_forms(page: Page) -> tuple[Form, ...]:
    """Every form of a page, in document order."""
    forms = np.flatnonzero(page.tag == NUMBER["form"])
    if len(forms):
        inert = page.inside_inert()
        forms = forms[~inert[forms]]
    if not len(forms):
        return ()
    reader = FieldReader(page, inert)
    owned: dict[int, list[int]] = {}
    for at, owner in enumerate(owners(page, reader.controls, forms).tolist()):
        owned.setdefault(owner, []).append(at)
    base, charset = base_url(page), page_charset(page)
    rows, marked = forms.tolist(), _in_search_landmarks(page, forms)
    places = [owned.get(row, []) for row in rows]
    reader.read_attributes([at for some in places for at in some])
    return tuple(
        [
            _read_form(page, row, reader.read(row, some), (base, charset, search))
            for row, some, search in zip(rows, places, marked, strict=True)
        ]
    )


def forms_form(page: Page) -> dict[str, Any]:
    """The JSON form of all forms of a page."""
    forms = [form.to_dict() for form in read_forms(page)]
    return {"schema": SCHEMA, "url": page.url, "method": "forms", "forms": forms}


def _read_form(
    page: Page, row: int, fields: tuple[Field, ...], context: tuple[str, str, bool]
) -> Form:
    """Read one form; `context` is base address, charset, and whether it is in a search landmark."""
    base, charset, marked = context
    attrs = page.attributes_of(row)
    method = attrs.get("method", "").strip().lower()
    enctype = attrs.get("enctype", "").strip().lower()
    names = " ".join(attrs.get(name, "") for name in ("name", "id", "class"))
    traits = FormTraits(
        method=method if method in ("post", "dialog") else "get",
        action=_absolute(base, attrs.get("action", ""), page.url or base),
        names=names,
        marked=marked,
        fields=fields,
        private=private_kinds(fields),
    )
    score, reasons = search_score(traits)
    return Form(
        page,
        row,
        name=attrs.get("name", "") or attrs.get("id", ""),
        method=traits.method,
        action=traits.action,
        enctype=enctype if enctype in ENCODINGS else URLENCODED,
        charset=next(iter(attrs.get("accept-charset", "").replace(",", " ").split()), charset),
        fields=fields,
        search=score,
        reasons=reasons,
        refused=refusal_reasons(traits, score, page.url),
    )


def owners(
    page: Page, controls: NDArray[np.integer], forms: NDArray[np.integer]
) -> NDArray[np.integer]:
    """The form that each control belongs to; another row, or -1, when it belongs to none.

    A control belongs to the form that its `form` attribute names, else to the form around it.
    In a table a form may end before its controls begin, since `<table><form>` cannot hold
    rows: a form without controls gets those that follow it in the same table.
    """
    around = nearest(page.parent, page.tag == NUMBER["form"])[controls]
    owner: NDArray[np.integer] = around
    if len(around) and around.min() < 0:
        owner = np.where(around >= 0, around, _form_before(page, controls, forms, around))
    named = page.attribute("form")
    if not named:
        return owner
    ids = {value: row for row, value in reversed(page.attribute("id").items())}
    for at, row in enumerate(controls.tolist()):
        if row in named:
            owner[at] = ids.get(named[row], -1)
    return owner


def _form_before(
    page: Page,
    controls: NDArray[np.integer],
    forms: NDArray[np.integer],
    around: NDArray[np.integer],
) -> NDArray[np.integer]:
    """The empty form before each control, where both are in one table; else -1."""
    tables = page.tag == NUMBER["table"]
    if not tables.any():
        return np.full(len(controls), -1)
    empty = ~np.isin(forms, around)
    table = nearest(page.parent, tables)[forms]
    ends = np.where(empty & (table >= 0), page.end[table], 0)
    last = np.searchsorted(forms, controls) - 1
    return np.where((last >= 0) & (controls < ends[last]), forms[last], -1)


def _in_search_landmarks(page: Page, forms: NDArray[np.integer]) -> list[bool]:
    """Whether each form stands in a search landmark."""
    elements = np.flatnonzero(page.tag == NUMBER["search"]).tolist()
    marks = page.rows_with("role", lambda value: value.strip().lower() == "search") + elements
    if not marks:
        return [False] * len(forms)
    inside: list[bool] = page.inside(np.array(marks, np.int32))[forms].tolist()
    return inside


def base_url(page: Page) -> str:
    """The address that links of a page are relative to."""
    base = page.base_url or ""
    return _absolute(base, base, base)


def _absolute(base: str, address: str, otherwise: str) -> str:
    """An address made absolute, without its fragment; another one where there is none."""
    if not address.strip():
        return otherwise
    try:
        full = urljoin(base, "".join(address.split()))
        return strip_credentials(urlsplit(full)._replace(fragment="").geturl())
    except ValueError:
        return otherwise


def page_charset(page: Page) -> str:
    """The charset that a page declares; UTF-8 when it declares none."""
    for row in np.flatnonzero(page.tag == NUMBER["meta"]).tolist()[:100]:
        attrs = page.attributes_of(row)
        if attrs.get("charset", "").strip():
            return attrs["charset"].strip().lower()
        if attrs.get("http-equiv", "").strip().lower() == "content-type":
            charset = attrs.get("content", "").lower().partition("charset=")[2]
            if charset:
                return charset.split(";")[0].strip(" \"'")
    return "utf-8"
