"""Which forms search, why, and which are never sent by themselves."""

import pytest

from pagelet import parse, read_forms
from pagelet.sources.forms.search import mentions_search

HERE = "https://www.example.org/"


def only(source: str, url: str | None = HERE):
    (form,) = read_forms(parse(source, url))
    return form


SEARCHES = {
    "role": "<form role=search><input name=x></form>",
    "element": "<search><form><input name=x></form></search>",
    "type": "<form><input type=search name=x></form>",
    "one letter": "<form><input name=s><button>Go</button></form>",
    "advanced": "<form method=post><input name=author><input name=title><select name=y><option>1"
    "</select><input type=submit value=Search></form>",
    "german": "<form><input name=wort><input type=submit value=Suchen></form>",
    "japanese": "<form><input name=w><button>検索</button></form>",
    "arabic": "<form><input name=w><button>بحث</button></form>",
    "image": "<form><input name=w><input type=image alt=Rechercher></form>",
    "action": "<form action=/search><input name=w></form>",
    "camel": "<form><input name=txtSearchBox></form>",
}

OTHERS = {
    "login": "<form action=/go><input name=q><input type=password name=p><button>Log in</form>",
    "newsletter": "<form><input type=email name=q><button>Subscribe</button></form>",
    "comment": "<form action=/comment method=post><textarea name=t></textarea><button>Go</form>",
    "contact": "<form method=post><input name=name><input name=subject><button>Send message</form>",
    "research": "<form action=/research method=post><input name=topic><button>Send</form>",
    "empty": "<form></form>",
    "nothing said": "<form><input name=x></form>",
    "language": "<form><select name=lang><option>en<option>de</select><button>Go</button></form>",
}


@pytest.mark.parametrize("name", SEARCHES)
def test_search_forms(name):
    form = only(SEARCHES[name])
    assert form.searches, form.reasons
    assert form.refused == ()


@pytest.mark.parametrize("name", OTHERS)
def test_other_forms(name):
    form = only(OTHERS[name])
    assert not form.searches, form.reasons
    assert form.refused


def test_the_score_follows_from_its_reasons():
    form = only("<form role=search action=/x><input name=q></form>")
    assert form.reasons == {
        "role search": 4.0,
        "field named q": 2.5,
        "method get": 0.5,
        "one text field": 0.5,
    }
    assert form.search == pytest.approx(1 / (1 + 2.718281828 ** -(7.5 - 2.5)))


@pytest.mark.parametrize(
    ("field", "why"),
    [
        ("<input type=password name=x>", "it has a password field"),
        ("<input type=file name=x>", "it has a file field"),
        ("<input type=email name=x>", "it has an e-mail field"),
        ("<input name=user_email>", "it has an e-mail field"),
        ("<label>E-Mail <input name=x></label>", "it has an e-mail field"),
        ("<input name=x autocomplete=cc-number>", "it has a payment field"),
        ("<input name=cardNumber>", "it has a payment field"),
        ("<label>CVV <input name=x></label>", "it has a payment field"),
    ],
)
def test_private_fields_keep_a_form_from_being_sent(field, why):
    strong = "<form role=search action=/search><input type=search name=q>{}<button>Search</form>"
    assert only(strong.format("")).refused == ()
    assert why in only(strong.format(field)).refused


def test_words_that_only_look_private():
    form = only("<form role=search><input name=mailbox><input name=discard_number></form>")
    assert form.refused == ()


@pytest.mark.parametrize(
    ("action", "refused"),
    [
        ("/find", ()),
        ("https://example.org/find", ()),
        ("https://search.example.org/find", ()),
        ("https://example.com/find", ("it sends to another site, example.com",)),
        ("https://badexample.org/", ("it sends to another site, badexample.org",)),
        ("mailto:x@example.org", ("its action is no http address",)),
        ("javascript:go()", ("its action is no http address",)),
    ],
)
def test_where_it_may_send(action, refused):
    assert only(f"<form role=search action='{action}'><input name=q></form>").refused == refused


def test_without_an_address_nothing_is_sent():
    form = only("<form role=search><input name=q></form>", None)
    assert form.refused == ("its action is no http address",)


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ("<input name=a><input name=b type=search>", "b"),
        ("<input name=a><input name=q>", "q"),
        ("<input name=a><input name=b placeholder='Search here'>", "b"),
        ("<input name=d type=date><input name=a>", "a"),
        ("<input name=q type=hidden><input name=q2 disabled><input name=a>", "a"),
        ("<select name=a></select>", None),
    ],
)
def test_where_the_words_go(fields, name):
    found = only(f"<form>{fields}</form>").query_field
    assert (found and found.name) == name


def test_search_in_words():
    assert mentions_search("searchForm")
    assert mentions_search("quick_search")
    assert not mentions_search("Research papers")
    assert not mentions_search("")
