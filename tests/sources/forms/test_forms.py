"""Forms of a page: owners, types, labels, options, defaults; each against pages and twins."""

import json

import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st

from pagelet import parse, read_forms
from pagelet.sources.forms import base_url, forms_form, page_charset
from tests import hostile
from tests.build import html, page_of, to_html
from tests.cases import case
from tests.effort import ends, growth
from tests.naive import forms as naive

HERE = "https://example.org/books/list?x=1#top"


def only(source: str, url: str | None = HERE):
    (form,) = read_forms(parse(source, url))
    return form


def field(source: str):
    return next(one for one in only(f"<form>{source}</form>").fields if one.name == "f")


# -- where a form sends ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attributes", "method", "action"),
    [
        ("", "get", "https://example.org/books/list?x=1#top"),
        ("action=''", "get", "https://example.org/books/list?x=1#top"),
        ("action='find?y=2#z'", "get", "https://example.org/books/find?y=2"),
        ("action=' /fi\nnd ' method=POST", "post", "https://example.org/find"),
        ("action=//other.example/ method=put", "get", "https://other.example/"),
        ("action='http://[bad' method=dialog", "dialog", "https://example.org/books/list?x=1#top"),
    ],
)
def test_where_it_sends(attributes, method, action):
    form = only(f"<form {attributes}><input name=f></form>")
    assert (form.method, form.action) == (method, action)


def test_the_base_of_the_page_is_kept():
    source = "<base target=x><base href=/deep/er/><form action=find></form><base href=/no/>"
    assert only(source).action == "https://example.org/deep/er/find"
    assert base_url(parse("<p>", None)) == ""


def test_encoding_and_charset():
    form = only("<meta charset=KOI8-R><form enctype=multipart/form-data accept-charset='big5, x'>")
    assert (form.enctype, form.charset) == ("multipart/form-data", "big5")
    form = only("<meta charset=KOI8-R><form enctype=nonsense>")
    assert (form.enctype, form.charset) == ("application/x-www-form-urlencoded", "koi8-r")


@pytest.mark.parametrize(
    ("head", "charset"),
    [
        ("", "utf-8"),
        (
            "<meta http-equiv=Content-Type content='text/html; Charset=windows-1251'>",
            "windows-1251",
        ),
        ("<meta http-equiv=Content-Type content='text/html'>", "utf-8"),
    ],
)
def test_the_charset_of_a_page(head, charset):
    assert page_charset(parse(head)) == charset


# -- which form owns a field -------------------------------------------------------------------


def names(form) -> list[str]:
    return [one.name for one in form.fields]


def test_a_field_may_name_its_form():
    one, other = read_forms(
        parse(
            "<input name=a form=y><form id=x><input name=b><input name=c form=y></form>"
            "<form id=y><input name=d><input name=e form=none></form><input name=f>"
        )
    )
    assert (names(one), names(other)) == (["b"], ["a", "c", "d"])


def test_fields_of_a_form_that_a_table_cut_short():
    one, other = read_forms(
        parse(
            "<table><form id=x><tr><td><input name=a><input name=b></td></tr></form></table>"
            "<input name=c><form id=y><input name=d></form><table><tr><td><input name=e></table>"
        )
    )
    assert (names(one), names(other)) == (["a", "b"], ["d"])


def test_a_form_with_fields_of_its_own_takes_no_others():
    source = "<table><tr><td><form><input name=a></form><td><input name=b></table>"
    assert names(only(source)) == ["a"]


def test_templates_and_data_lists_hold_no_fields():
    source = (
        "<form><template><input name=a></template><datalist><option>x</option></datalist>"
        "<div><template shadowrootmode=open><input name=b></template></div><input name=c></form>"
        "<template><form><input name=d></form></template>"
    )
    assert names(only(source)) == ["b", "c"]


# -- labels ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "label", "said_by"),
    [
        ("<label for=i>Au<b>thor</b>:</label> or <input id=i name=f>", "Au thor", "label for"),
        ("<label for=i> </label><label for=i>B</label>x<input id=i name=f>", "B", "label for"),
        ("<label>Year * <input name=f></label>", "Year", "label around"),
        ("<label>In <select name=f><option>x</select></label>", "In", "label around"),
        ("x <input name=f aria-label='Title words'>", "Title words", "aria-label"),
        ("<i id=a>One</i><i id=b>two</i><input name=f aria-labelledby='a z b'>", "One two",
         "aria-labelledby"),
        ("x <input name=f placeholder='e.g. Proust' title=t>", "e.g. Proust", "placeholder"),
        ("x <input name=f title=Help>", "Help", "title"),
        ("Far<br><b>Author</b> name: <input name=f>", "Author name", "preceding text"),
        ("<p>Author</p><div><span><input name=f></span></div>", "Author", "preceding text"),
        ("Author <input name=g> <input name=f>", "", ""),
        ("<a href=/x>Help</a> <input name=f>", "", ""),
        ("| <input name=f>", "", ""),
        (f"{'word ' * 30}<input name=f>", "", ""),
        (f"Author {'<img>' * 28}<input name=f>", "Author", "preceding text"),
        (f"Author {'<img>' * 29}<input name=f>", "", ""),
        ("Yes <input type=checkbox name=f> No", "No", "following text"),
        ("Only <input type=checkbox name=f><input name=g>", "Only", "preceding text"),
        ("<table><tr><td>Author:</td><td></td><td><input name=f></table>", "Author",
         "cell to the left"),
        ("<table><tr><td>A</td><td>B</td></tr><tr><td><input></td><td><input name=f></table>", "B",
         "header above"),
        ("<table><tr><td colspan=2>A</td><td>B</td></tr><tr><td>&#8203;<input><td><input name=g>"
         "<td><input name=f></table>", "B", "header above"),
        ("<table><tr><th>A<tr><td><input><tr><td><input name=f></table>", "A", "header above"),
        ("<table><tr><td>A<td><input><td><input name=f></table>", "", ""),
    ],
)  # fmt: skip
def test_labels(source, label, said_by):
    found = field(source)
    assert (found.label, found.label_from) == (label, said_by)


def test_a_text_before_the_form_is_no_label():
    assert only("Welcome <form><input name=f></form>").fields[0].label == ""


def test_a_label_is_cut():
    assert len(field(f"<label for=i>{'x' * 500}</label><input id=i name=f>").label) == 200


_words = st.sampled_from(["Author", "in:", " ", "|", "two words *"])
_inputs = st.fixed_dictionaries(
    {"name": st.just("f")},
    optional={
        "id": st.sampled_from(["i", "j"]),
        "title": st.sampled_from(["help", " "]),
        "placeholder": st.just("e.g."),
        "aria-label": st.just("said"),
        "type": st.sampled_from(["text", "hidden", "search"]),
    },
).map(lambda attrs: ("input", attrs))


def _around(children):
    below = st.lists(children, max_size=4)
    cells = st.lists(st.builds(lambda kids: ("td", *kids), below), min_size=1, max_size=3)
    lines = st.lists(cells.map(lambda found: ("tr", *found)), min_size=1, max_size=3)
    kinds = st.sampled_from(["p", "b", "div", "span", "textarea", "script", "br"])
    return (
        st.builds(lambda name, kids: (name, *kids) if name != "br" else (name,), kinds, below)
        | st.builds(lambda to, kids: ("label", {"for": to}, *kids), st.sampled_from("ijk"), below)
        | st.builds(lambda kids: ("a", {"href": "/"}, *kids), below)
        | lines.map(lambda found: ("table", *found))
    )


_nodes = st.recursive(_words | _inputs, _around, max_leaves=20)
_forms = st.lists(_nodes, max_size=5).map(lambda kids: html("Before", ("form", *kids)))


@given(_forms)
def test_labels_equal_a_plain_walk(tree):
    rows = naive.nodes_of(tree)
    page = page_of(tree)
    (form,) = read_forms(page)
    found = {one.row: (one.label, one.label_from) for one in form.fields if one.type in TYPED}
    wanted = {
        node.row: naive.label(rows, node)
        for node in rows
        if node.name == "input" and node.attrs.get("type") != "hidden"
    }
    assert found == wanted


TYPED = ("text", "search")


# -- types, options, values --------------------------------------------------------------------


def test_types():
    form = only(
        "<form><input type=SEARCH name=a><input type=nonsense name=b><button name=c>x</button>"
        "<button type=reset name=d>x</button><select name=e></select><textarea name=g>\nx\n y"
        "</textarea><input type=image name=h alt=Go></form>"
    )
    assert [one.type for one in form.fields] == [
        "search", "text", "submit", "reset", "select", "textarea", "image",
    ]  # fmt: skip
    assert form.fields[5].value == "x\n y"
    assert [one.name for one in form.buttons] == ["c", "h"]
    assert (form.fields[6].label, form.fields[6].label_from) == ("Go", "alt")


def test_a_select():
    found = field(
        "<select name=f><option disabled>none<option value=1 label=One>x<optgroup disabled>"
        "<option>two</optgroup></select>"
    )
    told = [(one.value, one.text, one.selected, one.disabled) for one in found.options]
    assert told == [
        ("none", "none", False, True), ("1", "One", True, False), ("two", "two", False, True),
    ]  # fmt: skip
    assert (found.value, found.defaults, found.multiple) == ("1", ("1",), False)


def test_several_may_be_chosen():
    found = field("<select name=f multiple><option selected>a<option>b<option selected>c</select>")
    assert (found.multiple, found.defaults) == (True, ("a", "c"))


def test_radio_buttons_are_one_field():
    found = field(
        "<fieldset><legend>Kind</legend><input type=radio name=f value=1 checked required> Book"
        "<label><input type=radio name=f value=2 checked>Film</label></fieldset>"
    )
    assert (found.label, found.label_from, found.required) == ("Kind", "legend", True)
    assert [(one.value, one.text, one.selected) for one in found.options] == [
        ("1", "Book", False),
        ("2", "Film", True),
    ]
    assert (found.value, found.defaults, found.multiple) == ("2", ("2",), False)


def test_check_boxes_of_one_name_are_one_field():
    found = field(
        "Media: <input type=checkbox name=f value=1 checked>a<input type=checkbox name=f checked>b"
    )
    assert (found.label, found.defaults, found.multiple) == ("Media", ("1", "on"), True)


def test_suggestions():
    found = field("<input name=f list=l><datalist id=l><option>a<option>b</datalist>")
    assert ([one.value for one in found.options], found.type) == (["a", "b"], "text")
    assert found.defaults == ("",)


def test_what_is_disabled():
    form = only(
        "<form><fieldset disabled><legend><input name=a></legend><input name=b><fieldset><legend>"
        "<input name=c></legend></fieldset></fieldset><input name=d disabled></form>"
    )
    assert [one.disabled for one in form.fields] == [False, True, True, True]


def test_what_is_not_seen():
    form = only(
        "<form><div hidden><input name=a></div><input name=b type=hidden><input name=c></form>"
    )
    assert [one.hidden for one in form.fields] == [True, True, False]
    opened_by_a_script = only("<div style='display:none'><form><input name=a></form></div>")
    assert not opened_by_a_script.fields[0].hidden


_value = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(["a", "b", ""]),
        "value": st.sampled_from(["1", "x y", ""]),
        "checked": st.just(""),
        "disabled": st.just(""),
        "type": st.sampled_from(
            ["text", "hidden", "checkbox", "radio", "submit", "search", "file"]
        ),
    },
)
_options = st.lists(
    st.fixed_dictionaries(
        {}, optional={"value": st.just("v"), "selected": st.just(""), "disabled": st.just("")}
    ).map(lambda attrs: ("option", attrs, "text")),
    max_size=3,
)
_selects = st.builds(
    lambda attrs, options: ("select", {"name": "s", **attrs}, *options),
    st.sampled_from([{}, {"multiple": ""}, {"size": "3"}]),
    _options,
)
_sets = st.builds(
    lambda attrs, kids: ("fieldset", attrs, *kids),
    st.sampled_from([{}, {"disabled": ""}]),
    st.lists(_value.map(lambda attrs: ("input", attrs)) | _selects, max_size=3),
)


@given(st.lists(_value.map(lambda attrs: ("input", attrs)) | _selects | _sets, max_size=6))
def test_defaults_are_what_the_parser_would_send(kids):
    source = to_html(html(("form", *kids)))
    form = only(source)
    sent = [(one.name, value) for one in form.fields for value in one.defaults]
    assert sorted(sent) == sorted(turbohtml.parse(source).find("form").form_data())


# -- the whole ---------------------------------------------------------------------------------


def test_json():
    page = parse("<form id=x><input name=q></form>", "https://example.org/")
    told = json.loads(json.dumps(forms_form(page)))
    assert (told["schema"], told["method"], told["url"]) == (1, "forms", "https://example.org/")
    (form,) = told["forms"]
    assert form["path"] == "/html/body/form"
    assert form["fields"][0]["path"] == "/html/body/form/input"
    assert page.row(form["fields"][0]["path"]) == 4
    assert (form["query_field"], form["refused"]) == ("q", [])


def test_hostile_pages():
    for name in hostile.QUICK:
        with case(name), ends():
            assert isinstance(read_forms(hostile.page(name)), tuple)


WIDE = {
    "fields": lambda n: "<form>" + "Author <input name=a>" * n,
    "fields of one label": lambda n: "<form><label>Author " + "<input name=a>" * n,
    "forms": lambda n: "<form><input name=q></form>" * n,
    "options": lambda n: "<form><select name=a>" + "<option>x" * n,
    "radio buttons": lambda n: "<form>" + "<input type=radio name=a>x" * n,
    "a grid of fields": lambda n: (
        "<form><table>" + ("<tr>" + "<td><input name=a>" * 50) * (n // 50)
    ),
    "labels for one": lambda n: "<form>" + "<label for=i>x</label>" * n + "<input id=i>",
    "forms around nothing": lambda n: "<table>" + "<form></form>" * n + "<tr><td><input>" * n,
    "one long text": lambda n: "<form>" + "x" * (400 * n) + "<input name=q>" * 3,
    "long names": lambda n: f"<form id={'x' * 200 * n} class={'search' * 40 * n}><input name=q>",
}


def test_the_work_grows_with_the_form():
    for name, make in WIDE.items():
        with case(name), ends():
            read_forms(parse(make(4_000), HERE))
            assert growth(read_forms, lambda n, make=make: parse(make(n), HERE), 100) < 6
