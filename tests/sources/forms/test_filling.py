"""Forms filled in: the requests that go out, and the forms that never do."""

from urllib.parse import parse_qsl, urlsplit

import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st

from pagelet import parse, read_forms
from pagelet.errors import OptionError
from pagelet.sources.forms.filling import FormFiller, codec_of

URL = "https://example.org/"


def form_of(fields: str, attributes: str = "role=search", url: str = URL):
    (form,) = read_forms(parse(f"<form {attributes}>{fields}</form>", url))
    return form


def sent(fields: str, values, attributes: str = "role=search") -> str:
    request = FormFiller(form_of(fields, attributes)).fill(values).request
    return urlsplit(request.url).query


ALL = """<label for=i>Title words:</label><input id=i name=q value=old><input type=hidden name=h
value=1><select name=s><option value=1>One<option value=2 selected>Two<option disabled>3</select>
<input type=radio name=r value=a checked>A<input type=radio name=r value=b>B
<input type=checkbox name=c value=x><textarea name=t>x</textarea><input name=d value=9 disabled>
<input type=reset name=z><button name=go value=1>Search</button>
<button name=no value=2>Help</button>"""


@pytest.mark.parametrize(
    ("values", "query"),
    [
        ({}, "q=old&h=1&s=2&r=a&t=x&go=1"),
        ({"q": "a b&c"}, "q=a+b%26c&h=1&s=2&r=a&t=x&go=1"),
        ({"title WORDS": "é"}, "q=%C3%A9&h=1&s=2&r=a&t=x&go=1"),
        ({"s": "1", "r": "b", "c": "x"}, "q=old&h=1&s=1&r=b&c=x&t=x&go=1"),
        ({"s": "one", "h": "0"}, "q=old&h=0&s=1&r=a&t=x&go=1"),
        ({"t": "1\n2\r3"}, "q=old&h=1&s=2&r=a&t=1%0D%0A2%0D%0A3&go=1"),
        ({"no": ""}, "q=old&h=1&s=2&r=a&t=x&no=2"),
    ],
)
def test_what_is_sent(values, query):
    assert sent(ALL, values) == query


def test_several_values():
    fields = "<select name=s multiple><option>a<option>b<option>c</select><input name=q>"
    assert sent(fields, {"s": ["a", "c"]}) == "s=a&s=c&q="


def test_the_button_that_says_search_is_pressed():
    assert sent("<input name=q><button name=b value=1>Help</button><input type=submit name=b "
                "value=Search>", {}) == "q=&b=Search"  # fmt: skip


def test_an_image_is_pressed_at_its_corner():
    assert sent("<input name=q><input type=image name=i alt=Search>", {}) == "q=&i.x=0&i.y=0"


def test_the_query_of_the_action_is_replaced():
    form = form_of("<input name=q>", "role=search action='/find?old=1#x'")
    assert FormFiller(form).fill({"q": "1"}).request.url == "https://example.org/find?q=1"


def test_what_was_filled_in_is_known():
    filled = FormFiller(form_of(ALL)).fill({"title words": "whale", "s": "One"})
    assert filled.values == {"q": ("whale",), "s": ("1",)}
    assert filled.labels == {"q": "Title words"}
    assert filled.summary == "q=whale s=1"


@given(st.lists(st.text(max_size=5), min_size=1, max_size=5))
def test_what_a_server_reads_is_what_was_said(texts):
    fields = "".join(f"<input name=n{at}>" for at in range(len(texts)))
    given = {f"n{at}": value for at, value in enumerate(texts)}
    query = sent(fields, given)
    read = dict(parse_qsl(query, keep_blank_values=True, errors="strict"))
    lines = {name: "\r\n".join(value.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
             for name, value in given.items()}  # fmt: skip
    assert read == lines


def test_untouched_it_sends_what_the_parser_says():
    source = f"<form role=search>{ALL}</form>"
    data = turbohtml.parse(source).find("form").form_data()
    assert parse_qsl(sent(ALL, {})) == [*data, ("go", "1")]


# -- post --------------------------------------------------------------------------------------


def test_post():
    form = form_of("<input name=q value='é'>", "role=search method=post action='/f?keep=1'")
    request = FormFiller(form).fill({}).request
    assert (request.method, request.url) == ("POST", "https://example.org/f?keep=1")
    assert request.body == b"q=%C3%A9"
    assert request.content_type == "application/x-www-form-urlencoded"


def test_multipart():
    attributes = "role=search method=post enctype=multipart/form-data"
    filler = FormFiller(form_of("<input name='a\"b'><input name=q>", attributes))
    request = filler.fill({"q": "x\ny"}).request
    kind, _, boundary = (request.content_type or "").partition("; boundary=")
    assert kind == "multipart/form-data"
    assert (
        request.body
        == (
            f'--{boundary}\r\nContent-Disposition: form-data; name="a%22b"\r\n\r\n\r\n'
            f'--{boundary}\r\nContent-Disposition: form-data; name="q"\r\n\r\nx\r\ny\r\n'
            f"--{boundary}--\r\n"
        ).encode()
    )
    assert filler.fill({"q": "x\ny"}).request == request
    assert filler.fill({"q": "z"}).request != request


def test_plain_text():
    form = form_of("<input name=q value=1>", "role=search method=post enctype=text/plain")
    assert FormFiller(form).fill({}).request.body == b"q=1\r\n"


# -- charsets ----------------------------------------------------------------------------------


def test_the_charset_of_the_form():
    attributes = "role=search accept-charset=windows-1251"
    assert sent("<input name=q>", {"q": "мир €☃"}, attributes) == "q=%EC%E8%F0+%88%26%239731%3B"


@pytest.mark.parametrize(
    ("attributes", "query"),
    [("role=search", "q=%BF"), ("role=search accept-charset=koi8-r", "q=%F0")],
)
def test_the_charset_that_the_server_said(attributes, query):
    form = form_of("<input name=q>", attributes)
    filled = FormFiller(form, charset="iso-8859-5").fill({"q": "П"})
    assert urlsplit(filled.request.url).query == query


@pytest.mark.parametrize(
    ("label", "codec"),
    [
        ("utf-8", "utf-8"), ("UTF-16LE", "utf-8"), ("nonsense", "utf-8"), ("", "utf-8"),
        ("rot13", "utf-8"), ("idna", "utf-8"), ("a\0b", "utf-8"), ("latin1", "cp1252"),
        ("Shift_JIS", "cp932"), ("windows-1251", "cp1251"), ("é", "utf-8"),
    ],
)  # fmt: skip
def test_codecs(label, codec):
    assert codec_of(label) == codec


def test_every_codec_can_write():
    for label in (
        "big5",
        "euc-kr",
        "gb2312",
        "gbk",
        "euc-jp",
        "iso-2022-jp",
        "koi8-r",
        "macintosh",
    ):
        assert "x☃".encode(codec_of(label), "xmlcharrefreplace")


# -- refusals ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "attributes", "why"),
    [
        ("<input name=q><input type=password name=p>", "role=search", "password"),
        ("<input name=q><input type=file name=p>", "role=search", "file"),
        ("<input name=q><input type=email name=p>", "role=search", "e-mail"),
        ("<input name=q><input name=cvv>", "role=search", "payment"),
        ("<input name=x>", "method=post", "does not look like a search form"),
        ("<input name=q>", "role=search action=https://example.com/", "another site"),
    ],
)
def test_forms_that_are_only_sent_by_name(fields, attributes, why):
    form = form_of(fields, attributes)
    with pytest.raises(OptionError, match=f"{why}.*--form-name"):
        FormFiller(form)
    assert FormFiller(form, named=True).fill({}).request.url.startswith("https://")


@pytest.mark.parametrize("attributes", ["action=mailto:x@example.org", "method=dialog"])
def test_forms_that_are_never_sent(attributes):
    with pytest.raises(OptionError):
        FormFiller(form_of("<input name=q>", f"role=search {attributes}"), named=True)


def test_files_are_never_sent():
    fields = "<input name=q value=1><input type=file name=p>"
    filler = FormFiller(form_of(fields), named=True)
    assert filler.fill({}).request.url.endswith("?q=1")
    with pytest.raises(OptionError, match="files are never sent"):
        filler.fill({"p": "passwords.txt"})


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"nope": "x"}, "no such field; the form has q, s, r, c, t"),
        ({"d": "x"}, "no such field"),
        ({"s": "4"}, "no such option; there is '1', '2'"),
        ({"s": "3"}, "no such option"),
        ({"q": ["a", "b"]}, "one value"),
    ],
)
def test_values_that_cannot_be(values, why):
    with pytest.raises(OptionError, match=why):
        FormFiller(form_of(ALL)).fill(values)


def test_the_options_of_a_field():
    filler = FormFiller(form_of(ALL))
    assert filler.choices("s") == ["1", "2"]
    with pytest.raises(OptionError, match="no list"):
        filler.choices("q")
