"""Labels of fields: texts before them that say what they are."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pagelet.methods.records.lines import (
    CONSTANT_SHARE,
    LABEL_WORDS,
    MARKS,
    MAX_LABEL_CHARS,
    MAX_LABEL_WORDS,
    MIN_CONSTANT_RECORDS,
    hash_text,
)
from pagelet.methods.records.places import CELLS
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER

LABELLED = re.compile(r"([^\W\d_][^:\n]{0,38}?)\s*[:：]\s+(?=\S)")


@dataclass(slots=True)
class Draft:
    """A field before its place is known."""

    record: int
    row: int
    texts: list[int]
    text: str
    holder: int
    label: str = ""
    src: str = ""
    alt: str = ""
    bare: str = ""  #: the text without its label; empty where there is none in it
    direct: bool = False  #: whether it is a text beside inline elements


@dataclass(frozen=True, slots=True)
class LabelWords:
    """The labels that most records have, as hashes."""

    blocks: frozenset[int] = frozenset()  #: texts that are alone in blocks of one tag
    prefixes: frozenset[int] = frozenset()  #: texts before a colon

    @classmethod
    def learn(cls, pages: Sequence[tuple[Page, Sequence[Draft]]]) -> "LabelWords":
        """The labels of all records of all pages."""
        blocks: dict[int, set[tuple[int, int]]] = defaultdict(set)
        count = 0
        for number, (page, drafts) in enumerate(pages):
            count += len({draft.record for draft in drafts})
            for draft in drafts:
                blocks[_block_key(page, draft)].add((number, draft.record))
        common = (key for key, held in blocks.items() if len(held) >= max(2, count / 2))
        return cls(frozenset(common), _label_prefixes(pages))


def _block_key(page: Page, draft: Draft) -> int:
    return hash_text(f"{int(page.tag[draft.holder])} {draft.text[: MAX_LABEL_CHARS + 1]}")


def add_labels(page: Page, drafts: list[Draft], words: LabelWords) -> Iterator[Draft]:
    """Fields whose labels stand before them in a block of their own, or in the text itself."""
    terms = _label_blocks(page, drafts, words)
    prefixes = words.prefixes
    label = ""
    for at, draft in enumerate(drafts):
        following = drafts[at + 1] if at + 1 < len(drafts) else None
        if at in terms and following is not None and following.record == draft.record:
            label = draft.text.strip(MARKS)
            continue
        labelled = replace(draft, label=label) if label and not draft.label else draft
        yield _strip_prefix(page, labelled, prefixes)
        keeps = following is not None and page.tag[draft.holder] == NUMBER["dd"]
        label = label if keeps and _is_dd(page, following, draft) else ""


def _is_dd(page: Page, following: Draft | None, draft: Draft) -> bool:
    return (
        following is not None
        and following.record == draft.record
        and page.tag[following.holder] == NUMBER["dd"]
    )


def _label_blocks(page: Page, drafts: Sequence[Draft], words: LabelWords) -> set[int]:
    """The places of fields that are labels of the fields behind them."""
    terms: Counter[int] = Counter()
    for draft in drafts:
        terms[draft.record] += page.tag[draft.holder] == NUMBER["dt"]
    found = set()
    for at, draft in enumerate(drafts[:-1]):
        if draft.label or len(draft.text) > MAX_LABEL_CHARS:
            continue
        tag, following = int(page.tag[draft.holder]), drafts[at + 1]
        constant = _block_key(page, draft) in words.blocks
        if _may_label(page, draft, following) and (
            constant
            or (tag == NUMBER["dt"] and terms[draft.record] > 1)
            or tag == NUMBER["th"]
            or draft.text.endswith((":", "："))
        ):
            found.add(at)
    return found


def _may_label(page: Page, draft: Draft, following: Draft) -> bool:
    """Whether a block could be the label of the next: as a term, a head cell, or by its name."""
    tag, behind = int(page.tag[draft.holder]), int(page.tag[following.holder])
    if draft.record != following.record or draft.holder == following.holder:
        return draft.record == following.record and draft.text.endswith((":", "："))
    if tag == NUMBER["dt"]:
        return behind == NUMBER["dd"]
    beside = page.parent[draft.holder] == page.parent[following.holder]
    if tag in CELLS:
        return behind == NUMBER["td"] and bool(beside) and _two_cells(page, draft.holder)
    names = page.attributes_of(draft.holder).get("class", "")
    return bool(beside) and (draft.text.endswith((":", "：")) or bool(LABEL_WORDS.search(names)))


def _two_cells(page: Page, cell: int) -> bool:
    """Whether a row of a table has a cell with a label and one with a value."""
    above = int(page.parent[cell])
    return int(page.children[above]) == 2 and int(page.parent[cell]) >= 0


def _label_prefixes(pages: Sequence[tuple[Page, Sequence[Draft]]]) -> frozenset[int]:
    """Labels such as "Price" of texts such as "Price: 5": in most records, or beside others."""
    records: dict[str, set[tuple[int, int]]] = defaultdict(set)
    beside: dict[tuple[int, int], set[str]] = defaultdict(set)
    count = 0
    for number, (page, drafts) in enumerate(pages):
        count += len({draft.record for draft in drafts})
        for draft in drafts:
            if found := _prefix(page, draft):
                records[found[1]].add((number, draft.record))
                beside[number, int(page.parent[draft.holder])].add(found[1])
    several = {label for labels in beside.values() if len(labels) > 1 for label in labels}
    return frozenset(
        hash_text(label)
        for label, held in records.items()
        if (count >= MIN_CONSTANT_RECORDS and len(held) >= CONSTANT_SHARE * count)
        or (label in several and (len(held) > 1 or count == 1))
    )


def _prefix(page: Page, draft: Draft) -> re.Match[str] | None:
    """The label at the beginning of a text that is no link."""
    if draft.label or draft.src or page.link[draft.texts[0]]:
        return None
    found = LABELLED.match(draft.text)
    return found if found and len(found[1].split()) <= MAX_LABEL_WORDS else None


def _strip_prefix(page: Page, draft: Draft, prefixes: frozenset[int]) -> Draft:
    found = _prefix(page, draft)
    if found is None or hash_text(found[1]) not in prefixes:
        return draft
    return replace(draft, label=found[1], bare=draft.text[found.end() :])
