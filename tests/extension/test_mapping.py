"""From the live tree to HTML, to paths of pagelet's parse, and back to the same live nodes."""

import json
import random

from playwright.sync_api import Page as Tab

import pagelet
from tests.cases import case
from tests.extension.driving import SAMPLE, inject

TAGS = "div p p ul li a b i table tr td span form select option svg g pre h1 o:p".split()

#: Takes a document; gives the HTML, and of every path the names or texts of the live nodes there.
TAKE = """(document) => {
  const { nodes, write, Twin } = pagelet;
  const listed = nodes.list(document, { shadows: true });
  const twin = new Twin(listed, write.writeNumbered(listed));
  const told = (node) =>
    ({ 1: nodes.nameOf, 3: nodes.read.value, 11: () => "template" })[nodes.read.type(node)](node);
  const found = {};
  for (const [, path] of twin.paths()) {
    const node = twin.at(path);
    const counts = nodes.read.type(node) === 1 || write.NOT_BLANK.test(node.data);
    const own = counts ? twin.own(node) : null;
    if (own) found[path] = own.map((live) => told(live));
  }
  return { html: write.write(listed), found };
}"""

#: Builds a tree out of [name, …children], texts as they are, two in a row as two nodes.
BUILD = """([trees, take]) => trees.map((tree) => {
  const made = document.implementation.createHTMLDocument("made");
  const waiting = [[tree, made.body]];
  while (waiting.length) {
    const [node, parent] = waiting.pop();
    if (typeof node === "string") { parent.append(made.createTextNode(node)); continue; }
    const svg = node[0] === "svg" || node[0] === "g";
    const space = svg ? "http://www.w3.org/2000/svg" : "http://www.w3.org/1999/xhtml";
    const element = made.createElementNS(space, node[0]);
    parent.append(element);
    const holder = element.content ?? element;
    for (const child of node.slice(1).reverse()) waiting.push([child, holder]);
  }
  return eval(take)(made);
})"""


def solid(text: str) -> str:
    """A text without white space: blank texts have no number, also when others join them."""
    return "".join(text.split())


def check(taken: dict) -> int:
    """Every path of one side is a path of the other, and both mean the same."""
    page = pagelet.parse(taken["html"])
    paths = {page.path(row): row for row in range(len(page))}
    assert set(paths) == set(taken["found"])
    lost = 0
    for path, live in taken["found"].items():
        row = paths[path]
        if not live:
            lost += 1
        elif page.name(row):
            assert live[0].lower() == page.name(row).lower()
        else:
            assert solid("".join(live)) == solid(page.text(row))
    return lost


#: HTML, and what a script does to it then
PAGES = {
    "texts side by side are one": (
        "<p>One</p>",
        "p = document.querySelector('p');"
        " p.append(' two', ' three', document.createElement('b'), 'four')",
    ),
    "a comment keeps texts apart": ("<p>One<!-- x > y -->two</p>", ""),
    "a p that holds a div": (
        "<p>a</p>",
        "document.querySelector('p').append(document.createElement('div'), 'b')",
    ),
    "a table without tbody": (
        "<div></div>",
        "t = document.createElement('table'); t.append(document.createElement('tr'));"
        " t.rows[0].insertCell().textContent = 'cell'; document.querySelector('div').append(t)",
    ),
    "a first line break in pre": ("<pre>\n\nkept</pre><textarea>\n\n typed</textarea>", ""),
    "noscript": ("<noscript><p>without <b>scripts</b></p></noscript><p>with</p>", ""),
    "raw text": (
        '<style>a > b {}</style><script type=\'text/json\'>{"a": "<\\\\/p>"}</script>'
        "<p>1 &lt; 2 &amp; 3</p>",
        "",
    ),
    "odd names": (
        "<o:p>x</o:p><svg><linearGradient/><foreignObject><p>in</p></foreignObject></svg>",
        "",
    ),
    "a link in a link": (
        "<a href=1></a>",
        "a = document.querySelector('a'); a.append(document.createElement('a'));"
        " a.firstChild.append('inner')",
    ),
    "an inert template": ("<template><p>a</p><td>b</td></template><p>c</p>", ""),
    "quotes": ('<p title="a &quot;b&quot; <c>">d</p>', ""),
    "form fields named as properties": (
        '<form><input name="childNodes"><input name="attributes"><input name="parentNode">'
        '<input name="nodeType"><input name="firstChild"><p>text</p></form>'
        '<img name="createElement"><img name="evaluate"><form name="querySelectorAll"></form>',
        "",
    ),
    "frameset": ("", "document.body.outerHTML = '<frameset><frame></frameset>'"),
}

MADE_UP = ("noscript", "a table without tbody", "a p that holds a div")  #: by the parser alone


def test_paths_lead_to_the_live_nodes(tab: Tab) -> None:
    for name, (html, script) in PAGES.items():
        with case(name):
            tab.set_content(f"<!doctype html><title>t</title>{html}")
            if script:
                tab.evaluate(f"() => {{ {script} }}")
            inject(tab)
            lost = check(tab.evaluate(f"({TAKE})(document)"))
            assert (lost > 0) == (name in MADE_UP)


def test_sample_pages(tab: Tab) -> None:
    for file in sorted(str(f.relative_to(SAMPLE)) for f in SAMPLE.rglob("*.html")):
        with case(file):
            tab.goto((SAMPLE / file).as_uri())
            inject(tab)
            check(tab.evaluate(f"({TAKE})(document)"))


def tree_of(chance: random.Random, depth: int = 0) -> list:
    children = [
        chance.choice(["text", "  ", " x ", "a & b <c>"])
        if depth > 4 or chance.random() < 0.4
        else tree_of(chance, depth + 1)
        for _ in range(chance.randrange(4))
    ]
    return [chance.choice(TAGS), *children]


def test_any_tree_that_scripts_can_make(tab: Tab) -> None:
    """Trees that no parser would build: the paths still agree, texts are still found."""
    tab.set_content("<p>nothing")
    inject(tab)
    chance = random.Random(8)
    trees = [["div", *(tree_of(chance) for _ in range(3))] for _ in range(300)]
    for tree, taken in zip(trees, tab.evaluate(BUILD, [trees, TAKE]), strict=True):
        try:
            check(taken)
        except AssertionError as error:
            raise AssertionError(json.dumps(tree)) from error


def test_shadow_roots_are_written_as_templates(tab: Tab) -> None:
    tab.set_content("<div>light</div>")
    tab.evaluate("""() => { document.querySelector("div").attachShadow({ mode: "open" })
      .innerHTML = "<p>in the <slot></slot> shadow</p>"; }""")
    inject(tab)
    taken = tab.evaluate("() => pagelet.take({ boxes: true })")
    assert '<div><template shadowrootmode="open"><p>in the ' in taken["html"]
    boxes = {box["path"]: box for box in taken["layout"]["boxes"]}
    assert "/html/body/div/template/p" in boxes
    assert pagelet.parse(taken["html"]).row("/html/body/div/template/p/slot") > 0
    found = "() => pagelet.twin.find('/html/body/div/template/p').map(p => p.textContent)"
    assert tab.evaluate(found) == ["in the  shadow"]


def test_what_was_typed_and_what_is_hidden_stays(tab: Tab) -> None:
    tab.set_content("""<input id=a value=shown><input type=hidden value=csrf><input type=PASSWORD
      value=secret><script>const state = "secret"</script><script type="application/ld+json">
      {"author": "Ann"}</script>""")
    tab.fill("#a", "typed")
    inject(tab)
    html = tab.evaluate("() => pagelet.take({ boxes: false }).html")
    assert "shown" in html
    assert "Ann" in html
    assert not any(word in html for word in ("typed", "csrf", "secret"))


def test_deep_and_wide_pages(tab: Tab) -> None:
    tab.set_content("<p>end")
    tab.evaluate("""() => {
      let at = document.body;
      for (let depth = 0; depth < 600; depth++) {
        const inner = document.createElement("div"); at.append(inner); at = inner; }
      at.append("deep");
      document.body.insertAdjacentHTML("beforeend", "<i>x</i>".repeat(20000)); }""")
    inject(tab)
    html, longest = tab.evaluate("""() => {
      const { html, layout } = pagelet.take({ boxes: true });
      return [html, Math.max(...layout.boxes.map((box) => box.path.length))]; }""")
    page = pagelet.parse(html)
    assert len(page) > 40_000
    assert 2_000 < longest <= 4_000
    last = page.path(len(page) - 1)
    assert tab.evaluate("path => pagelet.twin.find(path)[0].data", last) == "x"
    assert tab.evaluate("path => pagelet.twin.find(path)", "/html/body/nothing[3]") == []
    assert tab.evaluate("path => pagelet.twin.find(path)", "/html'] | //*") == []
