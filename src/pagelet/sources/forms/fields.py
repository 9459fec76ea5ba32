"""The fields of forms: type, label, value and options."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from pagelet.arrays import Mask
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, numbers
from pagelet.page.tree import nearest, sum_path
from pagelet.sources.forms.labels import (
    CHECKABLE,
    NO_LABEL,
    Label,
    LabelFinder,
    LabelTexts,
    control_attributes,
    first_label,
)

BUTTON_ATTRIBUTES = ("value", "aria-label", "alt", "title")  #: attributes with a button's label
CONTROLS = numbers("input select textarea button")
BUTTONS = ("submit", "image", "button", "reset")  #: types that are pressed
SUBMITS = ("submit", "image")  #: types that send the form
CHOICES = ("select", "radio", "checkbox")  #: types whose values are their options
UNTYPED = frozenset({*BUTTONS, *CHOICES, "file", "range", "color"})  #: types nobody types into
INPUT_TYPES = frozenset(
    "text search url tel email password date month week time datetime-local number range color"
    " checkbox radio file hidden submit image reset button".split()
)


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a field."""

    value: str  #: value that is sent
    text: str  #: text that people read
    selected: bool = False
    disabled: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "value": self.value, "text": self.text,
            "selected": self.selected, "disabled": self.disabled,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a form, or one of its buttons."""

    page: Page = field(repr=False, compare=False)
    row: int  #: row of the control; of the first where radio buttons or check boxes share a name
    name: str  #: name of the value that is sent; empty when it is never sent
    type: str  #: type as in HTML, or select or textarea; unknown types are text
    label: str = ""
    label_from: str = ""  #: source of the label
    value: str = ""  #: initial value
    options: tuple[Option, ...] = ()  #: options of a select or a group, or those of a data list
    required: bool = False
    disabled: bool = False
    hidden: bool = False  #: whether people see the form, but not this field
    multiple: bool = False  #: whether several values may be sent

    @property
    def path(self) -> str:
        """XPath of the first control."""
        return self.page.path(self.row)

    @property
    def fillable(self) -> bool:
        """Whether a person could fill it in or choose."""
        return bool(self.name) and not (self.disabled or self.hidden or self.type in BUTTONS)

    @property
    def textual(self) -> bool:
        """Whether a person types into it."""
        return self.type not in UNTYPED and self.fillable

    @property
    def defaults(self) -> tuple[str, ...]:
        """The values sent when the field is not changed."""
        if not self.name or self.disabled or self.type in (*BUTTONS, "file"):
            return ()
        if self.type in CHOICES:
            return tuple(one.value for one in self.options if one.selected and not one.disabled)
        return (self.value,)

    def attributes(self) -> dict[str, str]:
        """The attributes of the first control."""
        return control_attributes(self.page, self.row)

    def to_dict(self, path: str | None = None) -> dict[str, Any]:
        """The JSON form; its path may be given."""
        return {
            "name": self.name, "type": self.type, "label": self.label,
            "label_from": self.label_from, "value": self.value,
            "options": [option.to_dict() for option in self.options],
            "required": self.required, "disabled": self.disabled, "hidden": self.hidden,
            "multiple": self.multiple, "path": self.path if path is None else path,
        }  # fmt: skip


class FieldReader:
    """Reads the fields of a page, form by form."""

    def __init__(self, page: Page, inert: Mask) -> None:
        """Find the controls; `inert` marks the rows that are no part of the page."""
        self.page, self.texts = page, LabelTexts(page, inert)
        controls = np.flatnonzero(page.is_tag(*CONTROLS))
        self.controls = controls[~self._left_out(inert)[controls]]
        self.rows: list[int] = self.controls.tolist()
        self.types = self._types()
        pairs = zip(self.rows, self.types, strict=True)
        self.labels = LabelFinder(
            page, [row for row, kind in pairs if kind != "hidden"], self.texts
        )

    def _left_out(self, inert: Mask) -> Mask:
        """The rows whose controls belong to no form: inert ones, and those of data lists."""
        lists = self.page.tag == NUMBER["datalist"]
        return inert | self.page.inside(lists) if lists.any() else inert

    def read_attributes(self, at: list[int]) -> None:
        """Read the attributes of the controls at some places, all at once."""
        rows = self.controls[at]
        maps = self.page.attributes_of_each(rows)
        self.page.derived["controls"].update(zip(rows.tolist(), maps, strict=True))

    def read(self, form: int, at: list[int]) -> tuple[Field, ...]:
        """The fields of a form that owns the controls at some places, groups as one."""
        alone = [self._read_field(self.rows[one], self.types[one], form) for one in at]
        if not any(one.type in CHECKABLE for one in alone):
            return tuple(alone)
        return tuple(self._merge_groups(alone, form))

    def _merge_groups(self, fields: list[Field], form: int) -> Iterator[Field]:
        """Merge radio buttons and check boxes of one name into one field."""
        groups: dict[tuple[str, str], list[Field]] = {}
        for one in fields:
            key = (one.type, one.name) if one.type in CHECKABLE and one.name else ("", str(one.row))
            groups.setdefault(key, []).append(one)
        for (kind, _), members in groups.items():
            yield self._merge(members, form) if kind and len(members) > 1 else members[0]

    def _merge(self, members: list[Field], form: int) -> Field:
        first = members[0]
        options = [option for one in members for option in one.options]
        if first.type == "radio":
            options = _keep_last_selected(options)
        label, source = self._group_label(first.row, form)
        return replace(
            first,
            label=label,
            label_from=source,
            value=next((one.value for one in options if one.selected), ""),
            options=tuple(options),
            required=any(one.required for one in members),
            disabled=all(one.disabled for one in members),
            multiple=first.type == "checkbox",
        )

    def _group_label(self, row: int, form: int) -> Label:
        legend = self.labels.legend(row, form)
        return legend if legend[0] else self.labels.before(row, form)

    # -- one control ---------------------------------------------------------------------

    def _types(self) -> list[str]:
        """The type of each control."""
        page, kinds = self.page, self.page.attribute("type")
        tags = page.tag[self.controls].tolist()
        pairs = zip(self.rows, tags, strict=True)
        return [_type(tag, kinds.get(row, "").strip().lower()) for row, tag in pairs]

    def _read_field(self, row: int, kind: str, form: int) -> Field:
        page, attrs = self.page, control_attributes(self.page, row)
        hidden = kind == "hidden"
        label, source = NO_LABEL if hidden else self._label(row, kind, form)
        options = self._options_of(row, kind, attrs, label)
        return Field(
            page,
            row,
            name=attrs.get("name", ""),
            type=kind,
            label=label,
            label_from=source,
            value=self._value(row, kind, attrs, options),
            options=options,
            required="required" in attrs,
            disabled="disabled" in attrs or row in self._disabled,
            hidden=hidden or bool(page.hidden[row] and not page.hidden[form]),
            multiple=kind == "select" and "multiple" in attrs,
        )

    def _label(self, row: int, kind: str, form: int) -> Label:
        if kind not in BUTTONS:
            return self.labels.of(row, kind, form)
        attrs = control_attributes(self.page, row)
        own = self.texts.below(row) if self.page.name(row) == "button" else ""
        return first_label(own, "own text", attrs, BUTTON_ATTRIBUTES)

    def _value(
        self, row: int, kind: str, attrs: Mapping[str, str], options: tuple[Option, ...]
    ) -> str:
        if kind == "textarea":
            return self.texts.below(row)
        if kind == "select":
            return next((one.value for one in options if one.selected), "")
        return attrs.get("value", "on" if kind in CHECKABLE else "")

    def _options_of(
        self, row: int, kind: str, attrs: Mapping[str, str], label: str
    ) -> tuple[Option, ...]:
        if kind in CHECKABLE:
            disabled = "disabled" in attrs or row in self._disabled
            return (Option(attrs.get("value", "on"), label, "checked" in attrs, disabled),)
        if kind == "select":
            return tuple(_select_default(self._options.get(row, []), attrs))
        if "list" not in attrs:
            return ()
        suggested = self._datalists.get(attrs["list"], -1)
        return tuple(self._options.get(suggested, ()))

    # -- the whole page ---------------------------------------------------------------

    @cached_property
    def _disabled(self) -> frozenset[int]:
        """Controls in a disabled field set, but not in its first legend."""
        page = self.page
        fieldset = page.tag == NUMBER["fieldset"]
        sets = [row for row in page.attribute("disabled") if fieldset[row]]
        if not sets:
            return frozenset()
        disabled = np.zeros(len(page))
        disabled[sets] = 1
        legends = np.flatnonzero(page.tag == NUMBER["legend"])
        legends = legends[np.unique(page.parent[legends], return_index=True)[1]]
        disabled[legends] -= np.where(page.parent[legends] >= 0, disabled[page.parent[legends]], 0)
        inside = sum_path(page.end, disabled)[self.controls] > 0
        return frozenset(self.controls[inside].tolist())

    @cached_property
    def _options(self) -> dict[int, list[Option]]:
        """The options by the row of the select or data list they are in."""
        page = self.page
        rows = np.flatnonzero(page.tag == NUMBER["option"])
        if not len(rows):
            return {}
        around = nearest(page.parent, page.is_tag(NUMBER["select"], NUMBER["datalist"]))[rows]
        groups = page.is_tag(NUMBER["optgroup"])
        disabled = page.attribute("disabled")
        off = page.inside(np.array([row for row in disabled if groups[row]], np.int32))[rows]
        texts, maps = self.texts.below_each(rows), page.attributes_of_each(rows)
        options: dict[int, list[Option]] = {}
        columns = (around.tolist(), texts, maps, off.tolist())
        for holder, text, attrs, is_off in zip(*columns, strict=True):
            options.setdefault(holder, []).append(_option(attrs, text, disabled=is_off))
        return options

    @cached_property
    def _datalists(self) -> dict[str, int]:
        lists = self.page.tag == NUMBER["datalist"]
        if not lists.any():
            return {}
        named = reversed(self.page.attribute("id").items())
        return {value: row for row, value in named if value and lists[row]}


def _type(tag: int, stated: str) -> str:
    """The type of a control, given the type that it states."""
    if tag == NUMBER["input"]:
        return stated if stated in INPUT_TYPES else "text"
    if tag == NUMBER["button"]:
        return stated if stated in ("reset", "button") else "submit"
    return "select" if tag == NUMBER["select"] else "textarea"


def _option(attrs: Mapping[str, str], text: str, *, disabled: bool) -> Option:
    """An option with some attributes and text, in a group that may be disabled."""
    text = " ".join(text.split())
    return Option(
        attrs.get("value", text),
        attrs.get("label") or text,
        "selected" in attrs,
        disabled or "disabled" in attrs,
    )


def _keep_last_selected(options: list[Option]) -> list[Option]:
    """Keep only the last selected option, where only one can be selected."""
    chosen = [at for at, option in enumerate(options) if option.selected]
    if len(chosen) <= 1:
        return options
    return [
        replace(option, selected=at in chosen[-1:]) if option.selected else option
        for at, option in enumerate(options)
    ]


def _select_default(options: list[Option], attrs: Mapping[str, str]) -> list[Option]:
    """The options of a select with the one that a browser selects at first."""
    if "multiple" in attrs:
        return options
    options = _keep_last_selected(options)
    size = attrs.get("size", "").strip()
    one_line = not size.isdecimal() or len(size) > 9 or int(size) <= 1
    if one_line and not any(option.selected for option in options):
        first = next((at for at, option in enumerate(options) if not option.disabled), None)
        if first is not None:
            options = [*options]
            options[first] = replace(options[first], selected=True)
    return options
