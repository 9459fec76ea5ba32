"""Every feature of a text block, from its meaning: plain loops over plain nodes.

`features` gives a dict by name. A name that the code has and this has not makes the tests red.
"""

import json
from collections.abc import Callable
from functools import lru_cache

from pagelet.methods.content.features import HEADING_KINDS
from pagelet.methods.content.statements import NOTICE_WORDS, SEE_ALSO
from pagelet.methods.content.threads import HEADING, ITEM_SIGN, OTHER_NAME, THREAD
from pagelet.methods.vocabulary import TEXT_KINDS, text_bits
from tests.naive import textblocks as plain
from tests.naive.content_sheet import Measured, Sheet, look
from tests.naive.tree import Node, ancestors, aria_hidden, chain, hidden

Values = dict[str, float]

GROUPS = """
p; li; ul ol menu dir; dl dt dd; td th; table; h1; h2; h3; h4 h5 h6; nav; header; footer; aside;
article; main; section; form; fieldset; blockquote; pre; code samp kbd tt;
figure figcaption picture; a; button; label legend; select option optgroup datalist; strong b;
em i cite; span; small; time; address; details summary; noscript; dialog; svg math;
object video audio; font center; sup sub; textarea; caption; ins del s strike; abbr q mark
"""
TAGS = {group.split()[0]: group.split() for group in GROUPS.split(";")}
NEVER_AROUND = ("a", "strong", "em", "small")
INSIDE = ("a", "strong", "em", "span", "button", "label", "time", "small", "code")
IS = {"p": 1, "li": 2, "td": 3, "div": 4, "h1": 5, "h2": 6, "h3": 7, "h4": 8, "dt": 9, "dd": 10}
PICTURES = ("img", "picture", "svg", "video")
CONTROLS = ("input", "select", "button", "textarea", "label", "option")
FAR = 999


def features(sheet: Sheet, at: int, weight: Callable[[Node], list[float]]) -> Values:
    """All features of one block; `weight` is what an element's own attributes weigh."""
    block = sheet.blocks[at]
    parts = (own, page_text, tags, levels, alike, cores, neighbours, windows, sections, place,
             announced, around_title, threads)  # fmt: skip
    found: Values = {}
    for part in parts:
        found |= part(sheet, block)
    return found | lexicon(sheet, block, weight)


def own(sheet: Sheet, block: Measured) -> Values:
    signs = {
        name: block.signs(kind)
        for name, kind in (
            ("digits", plain.DIGIT), ("capitals", plain.CAPITAL), ("stops", plain.STOP),
            ("commas", plain.COMMA), ("signs", plain.SIGN), ("money", plain.MONEY),
        )
    }  # fmt: skip
    begun = block.written[:80]
    return {name: count / max(block.chars, 1) for name, count in signs.items()} | {
        "words": block.words,
        "chars": block.chars,
        "chars_per_word": block.chars / max(block.words, 1),
        "link_density": block.links,
        "stop_count": signs["stops"],
        "comma_count": signs["commas"],
        "last_kind": plain.kind(block.written[-1]),
        "first_kind": plain.kind(block.written[0]),
        "texts": len(block.block.texts),
        "copies": sum(each.written[:80] == begun for each in sheet.blocks),
    }


def page_text(sheet: Sheet, block: Measured) -> Values:
    def structured(each: Measured) -> bool:
        words = each.block_begin.split()[:4]
        return any(
            words == sheet.structured[at : at + 4] for at in range(len(sheet.structured) - 3)
        )

    def titled(each: Measured) -> bool:
        text = each.block_begin
        return 12 <= len(text) <= 300 and any(text in title for title in sheet.titles)

    def cookies(each: Measured) -> bool:
        return "cookie" in each.block_begin or "クッキー" in each.block_begin

    at = block.place
    named = [each.place for each in sheet.blocks if titled(each)]
    above = [each for each in named if each <= at]
    before = sheet.nodes[: sheet.row[block.block.texts[0]]]
    return {
        "told": structured(block),
        "page_told": sum(each.words for each in sheet.blocks if structured(each)) / sheet.words,
        "telling": len(sheet.structured),
        "title": titled(block),
        "since_title": at - above[-1] if above else -1,
        "since_first_title": at - named[0] if named else at + FAR,
        "cookies": cookies(block),
        "cookies_near": sum(cookies(each) for each in sheet.blocks[max(at - 8, 0) : at + 9]),
        "rights": "©" in block.block_begin,
        "h1_before": sum(each.tag == 5 for each in sheet.blocks[: at + 1]),
        "articles_before": sum(node.name == "article" for node in before),
        "page_articles": sum(node.name == "article" for node in sheet.nodes),
    }


def tags(sheet: Sheet, block: Measured) -> Values:
    holder = block.block.holder
    around = {node.name for node in chain(holder)}
    within = {node.name for text in block.block.texts for node in ancestors(text)}
    found: Values = {"depth": block.depth}
    for name, names in TAGS.items():
        if name not in NEVER_AROUND:
            found[f"in_{name}"] = bool(around & set(names))
        if name in INSIDE:
            found[f"has_{name}"] = bool(within & set(names)) and not around & set(names)
    found["in_hidden"], found["in_aria_hidden"] = hidden(holder), aria_hidden(holder)
    return found | {f"is_{name}": block.tag == number for name, number in IS.items()}


def levels(sheet: Sheet, block: Measured) -> Values:
    """Block elements above, of those with the same blocks the highest."""
    line = [node for node in chain(block.block.holder) if plain.holds(node)]
    tops: list[Node | None] = []
    for at, node in enumerate(line):
        above = line[at + 1] if at + 1 < len(line) else None
        if above is None or sheet.number(above) > sheet.number(node):
            tops.append(node)
    found: Values = {}
    for level, top in enumerate((tops + [None] * 6)[:6]):
        words, number = sheet.total(top, "words"), sheet.number(top)
        found |= {
            f"up{level}_words": words,
            f"up{level}_share": words / sheet.words,
            f"up{level}_links": sheet.total(top, "linked") / max(words, 1),
            f"up{level}_blocks": number,
            f"up{level}_mean": words / max(number, 1),
        }
        if level:
            held = sheet.held[top] if top else []
            stops = sum(each.stops for each in held)
            paragraphs = sum(each.words for each in held if each.tag == 1)
            found |= {
                f"up{level}_stops": stops / max(words, 1),
                f"up{level}_paragraphs": paragraphs / max(words, 1),
                f"up{level}_pictures": sheet.tags(top, PICTURES),
                f"up{level}_controls": sheet.tags(top, CONTROLS) / max(number, 1),
                f"up{level}_place": rows_in(sheet, block, top),
            }
    return found


def rows_in(sheet: Sheet, block: Measured, top: Node | None) -> float:
    """How far into an element a block begins; -1 where there is no element."""
    row = sheet.row[block.block.texts[0]]
    return (row - sheet.row[top]) / len(sheet.below[top]) if top else -1


def repeated(node: Node) -> int:
    siblings = [node] if node.parent is None else node.parent.children
    return sum(look(each) == look(node) for each in siblings if each.name)


def alike(sheet: Sheet, block: Measured) -> Values:
    group = [each for each in sheet.blocks if each.looks == block.looks]
    words, linked = sum(each.words for each in group), sum(each.linked for each in group)
    line = chain(block.block.holder)
    found: Values = {
        "group_blocks": len(group),
        "group_words": words,
        "group_links": linked / max(words, 1),
        "group_mean": words / len(group),
        "group_share": words / sheet.words,
        "group_span": (group[-1].place - group[0].place) / len(sheet.blocks),
        "siblings": repeated(block.block.holder),
        "most_siblings": max(repeated(node) for node in line),
    }
    for name, fewest in (("item", 1), ("record", 3)):
        listed = [node for node in line if repeated(node) >= 3 and sheet.number(node) >= fewest]
        item = listed[0] if listed else None
        found |= {
            f"{name}_blocks": sheet.number(item),
            f"{name}_words": sheet.total(item, "words"),
            f"{name}_links": sheet.total(item, "linked") / max(sheet.total(item, "words"), 1),
            f"{name}_pictures": sheet.tags(item, PICTURES),
            f"{name}_controls": sheet.tags(item, CONTROLS),
            f"{name}_count": repeated(item) if item else 0,
        }
    return found


def cores(sheet: Sheet, block: Measured) -> Values:
    """The smallest block element with so much of the running text; else the root."""
    root = sheet.nodes[0]
    found: Values = {}
    for percent in (30, 50, 70, 90):
        least = percent / 100 * max(sheet.total(root, "good"), 1)
        wide = [each for each in sheet.nodes if each.name and plain.holds(each)]
        wide = [each for each in wide if sheet.total(each, "good") >= least]
        core = min(wide, key=lambda each: len(sheet.below[each]), default=root)
        found |= {
            f"core{percent}": block in sheet.held[core],
            f"core{percent}_share": sheet.total(core, "words") / sheet.words,
            f"core{percent}_place": rows_in(sheet, block, core),
        }
    return found


def neighbours(sheet: Sheet, block: Measured) -> Values:
    found: Values = {}
    for shift in (1, 2, 3):
        for side, at in (("before", block.place - shift), ("after", block.place + shift)):
            other = sheet.blocks[at] if 0 <= at < len(sheet.blocks) else None
            found |= {
                f"{side}{shift}_words": other.words if other else 0,
                f"{side}{shift}_links": other.links if other else 0,
                f"{side}{shift}_stops": other.stops if other else 0,
                f"{side}{shift}_tag": other.tag if other else 0,
                f"{side}{shift}_depth": (other.depth if other else 0) - block.depth,
            }
    return found


def windows(sheet: Sheet, block: Measured) -> Values:
    found: Values = {}
    for width in (3, 8, 20):
        near = [each for each in sheet.blocks if abs(each.place - block.place) <= width]
        words = sum(each.words for each in near)
        found |= {
            f"window{width}_mean": words / len(near),
            f"window{width}_links": sum(each.linked for each in near) / max(words, 1),
            f"window{width}_stops": sum(each.stops for each in near) / max(words, 1),
        }
    return found


def sections(sheet: Sheet, block: Measured) -> Values:
    """What stands under the same heading, and how far headings and long blocks are."""
    blocks, at = sheet.blocks, block.place
    above = [each.place for each in blocks if each.headed and each.place <= at]
    below = [each.place for each in blocks if each.headed and each.place >= at]
    beyond = [each.place for each in blocks if each.headed and each.place > at]
    first, last = above[-1] if above else 0, beyond[0] if beyond else len(blocks)
    words = sum(each.words for each in blocks[first:last])
    titles = [each.place for each in blocks if each.tag == 5]
    long = [each.place for each in blocks if each.words >= 25 and each.links < 0.3]
    return {
        "section_words": words,
        "section_links": sum(each.linked for each in blocks[first:last]) / max(words, 1),
        "since_heading": at - above[-1] if above else -1,
        "heading": blocks[above[-1]].tag if above else 0,
        "until_heading": (below[0] if below else len(blocks) + 50) - at,
        "since_h1": at - titles[0] if titles else -FAR,
        "since_long": at - max((each for each in long if each <= at), default=-FAR),
        "until_long": min((each for each in long if each >= at), default=FAR + len(blocks)) - at,
    }


def names_in(value: object) -> list[str]:
    """The names and headlines in a value of JSON, folded, in lower case."""
    if isinstance(value, list):
        return [name for each in value for name in names_in(each)]
    if not isinstance(value, dict):
        return []
    own = [each for key, each in value.items() if key in ("name", "headline")]
    texts = [" ".join(each.lower().split()) for each in own if isinstance(each, str)]
    return texts + [name for each in value.values() for name in names_in(each)]


def announced(sheet: Sheet, block: Measured) -> Values:
    """What structured data, lines and headings say of a block."""
    scripts = [node for node in sheet.nodes if node.attrs.get("type") == "application/ld+json"]
    items = [json.loads(child.text) for node in scripts for child in node.children]
    at, text = block.place, block.written[:301].lower()
    before = sheet.blocks[at - 1].written.lower() if at else ""
    headings = [each for each in sheet.blocks[: at + 1] if each.headed]
    bits = int(text_bits([headings[-1].written])[0]) if headings else 0
    kinds = {kind for number, kind in enumerate(TEXT_KINDS) if bits & 1 << number}
    return {
        "named": text in names_in(items),
        "notices": sum(word in text for word in NOTICE_WORDS),
        "see_also": any(text.startswith(each) for each in SEE_ALSO),
        "see_also_before": any(before.startswith(each) for each in SEE_ALSO),
        "heading_links": headings[-1].links if headings else 0,
        **{name: any(kind in kinds for kind in told) for name, told in HEADING_KINDS.items()},
    }


def around_title(sheet: Sheet, block: Measured) -> Values:
    """The lowest element that holds a block and the title."""

    def titled(each: Measured) -> bool:
        text = each.block_begin
        return 12 <= len(text) <= 300 and any(text in title for title in sheet.titles)

    named = [each for each in sheet.blocks if titled(each)]
    title = next((each for each in named if each.headed), named[0] if named else None)
    if title is None:
        return {"title_levels": -1, "title_share": 0, "title_articles": 0}
    line = list(chain(title.block.holder))
    own = set(ancestors(block.block.texts[0]))
    level = next(at for at, node in enumerate(line) if node in own)

    def articles(each: Measured) -> int:
        before = sheet.nodes[: sheet.row[each.block.texts[0]]]
        return sum(node.name == "article" for node in before)

    return {
        "title_levels": level,
        "title_share": sheet.total(line[level], "words") / sheet.words,
        "title_articles": articles(block) - articles(title),
    }


OTHER_TAGS = "html body main span a i b em code pre font time img svg button label".split()


def is_thread(sheet: Sheet, node: Node) -> bool:
    """Whether the names of an element are those of a thread, and no h1 is in it."""
    values = (node.attrs.get(name, "") for name in ("class", "id", "itemtype", "itemprop", "role"))
    names = [name.lower() for value in values for name in value.split() if len(name) <= 60]
    fits = any(THREAD.match(name) and not OTHER_NAME.search(name) for name in names)
    return fits and node.name not in OTHER_TAGS and sheet.tags(node, ("h1",)) == 0


@lru_cache(maxsize=2)
def blocks_in_threads(sheet: Sheet) -> set[Measured]:
    """The blocks in threads, by the elements around them and by the headings before them."""
    named = {node for node in sheet.nodes if is_thread(sheet, node)}
    inside = set()
    for each in sheet.blocks:
        if any(node in named for node in chain(each.block.holder)):
            inside.add(each)
        heading = each.block.holder.name
        if each.headed and heading != "h1" and HEADING.match(" ".join(each.written.split())):
            parent = list(chain(each.block.holder))[1]
            later = [other for other in sheet.held[parent] if other.place > each.place]
            said = "\n".join(other.written for other in later)
            if len(each.written) <= 160 and len(ITEM_SIGN.findall(said[:4000])) >= 2:
                inside |= {each, *later}
    running = [each for each in sheet.blocks if each.words >= 15 and each.links < 0.3]
    return set() if all(each in inside for each in running) else inside


def threads(sheet: Sheet, block: Measured) -> Values:
    """Whether a block is in a thread, and how far it is from the first."""
    inside = blocks_in_threads(sheet)
    first = min((each.place for each in inside), default=len(sheet.blocks) + FAR)
    return {
        "in_thread": block in inside,
        "since_thread": block.place - first,
        "page_thread": sum(each.words for each in inside) / sheet.words,
    }


def place(sheet: Sheet, block: Measured) -> Values:
    blocks, words, number = sheet.blocks, sheet.words, len(sheet.blocks)
    before = sum(each.words for each in blocks[: block.place])
    return {
        "place": block.place / number,
        "words_before": before / words,
        "blocks_before": block.place,
        "blocks_after": number - block.place,
        "page_words": words,
        "page_blocks": number,
        "page_links": sum(each.linked for each in blocks) / words,
        "page_mean": words / number,
        "page_paragraphs": sum(each.words for each in blocks if each.tag == 1) / words,
        "page_long": sum(each.words for each in blocks if each.words > 25) / words,
        "page_stops": sum(each.stops for each in blocks) / words,
        "page_plain": sum(each.words for each in blocks if each.links < 0.5),
        "page_money": sum(each.signs(plain.MONEY) for each in blocks) / words,
    }


def lexicon(sheet: Sheet, block: Measured, weight: Callable[[Node], list[float]]) -> Values:
    def weights(at: int) -> list[float]:
        if not 0 <= at < len(sheet.blocks):
            return [0.0] * len(weight(sheet.nodes[0]))
        line = chain(sheet.blocks[at].block.holder)
        return [sum(each) for each in zip(*map(weight, line), strict=True)]

    found: Values = {}
    for side, shift in (("", 0), ("_before", -1), ("_after", 1)):
        for number, value in enumerate(weights(block.place + shift)):
            found[f"lexicon{number}{side}"] = value
    return found
