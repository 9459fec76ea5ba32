"""`pagelet forms`: what people and programs read of the forms of a page."""

import json

import pytest

SOURCE = b"""<form id=find action=/search role=search><label>Title [b]words[/b] <input name=q
required></label><select name=s><option value="">any<option value=1>One</select>
<input type=hidden name=h value=1><input type=checkbox name=c checked>All
<button>Search</button></form>
<form name=login method=post><input type=password name=p></form>"""


def test_a_listing(run):
    code, out, err = run("forms", "-", "--url", "https://example.org/", stdin=SOURCE)
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "1 find  search form 1.00  GET https://example.org/search",
        "  /html/body/form[1]",
        '  q  text      "Title [b]words[/b]"  query, required',
        "  s  select    any*, 1 (One)",
        '  c  checkbox  "All"  checked',
        '  -  submit    "Search"',
        "  unseen: h=1",
        "2 login  form 0.00  POST https://example.org/",
        "  /html/body/form[2]",
        "  p  password",
        "  not sent unless named: it has a password field; it does not look like a search form"
        " (0.00)",
    ]


def test_reasons(run):
    _, out, _ = run("forms", "-", "--url", "https://example.org/", "--explain", stdin=SOURCE)
    assert '"Title [b]words[/b]" (label around)' in out
    assert "score: role search +4, field named q +2.5" in out


def test_json(run):
    code, out, _ = run("forms", "-", "--format", "json", stdin=SOURCE)
    told = json.loads(out)
    assert (code, told["method"], len(told["forms"])) == (0, "forms", 2)
    assert told["forms"][0]["fields"][0]["label"] == "Title [b]words[/b]"


def test_no_forms(run):
    assert run("forms", "-", stdin=b"<p>x") == (0, "", "no forms\n")


@pytest.mark.parametrize("fields", [100, 1])
def test_long_lists_are_cut(run, fields):
    hidden = "".join(f"<input type=hidden name=h{n} value={'x' * 99}>" for n in range(fields))
    options = "".join(f"<option>o{n}" for n in range(fields))
    source = f"<form>{hidden}<select name=s>{options}</select></form>"
    _, out, _ = run("forms", "-", stdin=source.encode())
    assert ("and 92 more" in out) is (fields > 1)
    assert ("and 94 more" in out) is (fields > 1)
    assert max(map(len, out.splitlines())) < 500
