"""Scores of metadata: each field right, wrong or missing, and dates where there are none."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Any

from pagelet.lab import Progress, ignore_progress
from pagelet.lab.figures import Figures
from pagelet.lab.metadata.gold import LABEL_NAMES, MetadataGold, compared, read_metadata_gold
from pagelet.lab.metadata.reliability import Reliability
from pagelet.lab.peers import quiet
from pagelet.metadata.facts import metadata
from pagelet.page.html import decode, parse
from pagelet.wording import count_of

Read = Callable[[bytes, str | None], Mapping[str, Any]]  #: takes HTML and URL, returns fields

COLUMNS = ("field", "labelled", "right", "wrong", "missing", "exact")


def read_pagelet(html: bytes, url: str | None) -> Mapping[str, Any]:
    """The metadata that we read."""
    return metadata(parse(html, url)).to_dict()


def load_trafilatura() -> Read:
    """The reader of trafilatura; ImportError where it is not installed."""
    extract = import_module("trafilatura").extract_metadata
    names = {"authors": "author", "published": "date", "licence": "license"}
    names |= {"site_name": "sitename"}

    def read(html: bytes, url: str | None) -> Mapping[str, Any]:
        with quiet():
            found = extract(decode(html), default_url=url)
        fields = {field: getattr(found, names.get(field, field), None) for field in LABEL_NAMES}
        return fields | {"authors": (fields["authors"] or "").split("; ")}

    return read


def systems(*, peers: bool) -> dict[str, Read]:
    """The readers that are compared: ours, and trafilatura where it is wanted and installed."""
    readers: dict[str, Read] = {"pagelet": read_pagelet}
    try:
        return readers | ({"trafilatura": load_trafilatura()} if peers else {})
    except ImportError:
        return readers


def evaluate_metadata(
    folders: Sequence[Path], *, peers: bool = False, progress: Progress = ignore_progress
) -> dict[str, Figures]:
    """A table per folder and system, by name."""
    tables = {}
    for folder in folders:
        golds = read_metadata_gold(folder)
        for name, read in systems(peers=peers).items():
            title = f"metadata {folder.name}" + ("" if name == "pagelet" else f" {name}")
            reliability = Reliability() if name == "pagelet" else None
            tables[title] = score_pages(title, golds, read, progress, reliability)
            if reliability is not None:
                sure = f"{title}: confidence"
                tables[sure] = reliability.figures(sure)
    return tables


def score_pages(
    title: str,
    golds: Sequence[MetadataGold],
    read: Read,
    progress: Progress = ignore_progress,
    reliability: Reliability | None = None,
) -> Figures:
    """The figures of one reader on labelled pages; its confidences are added to `reliability`."""
    counts = {field: [0, 0, 0] for field in LABEL_NAMES}  # right, wrong, missing
    false, seconds = 0, 0.0
    for at, gold in enumerate(golds, 1):
        html, began = gold.html, process_time()
        fields = read(html, gold.url)
        seconds += process_time() - began
        for field, label in gold.labels.items():
            counts[field][judge(field, fields.get(field), label)] += 1
        if reliability is not None:
            reliability.add(gold)
        false += gold.undated and bool(fields.get("published"))
        progress(title, at, len(golds))
    rows = [(field, sum(three), *three, three[0] / sum(three))
            for field, three in counts.items() if sum(three)]  # fmt: skip
    undated = sum(gold.undated for gold in golds)
    if undated:
        rows.append(("no date", undated, undated - false, false, 0, 1 - false / undated))
    notes = (f"{count_of(len(golds), 'page')}, {1000 * seconds / len(golds):.2f} ms CPU per page",)
    return Figures(title, COLUMNS, tuple(rows), notes)


def judge(field: str, value: Any, label: str | frozenset[str]) -> int:
    """0 for a right value, 1 for a wrong one, 2 for none."""
    found = compared(field, value)
    if not found:
        return 2
    return 0 if found == label else 1
