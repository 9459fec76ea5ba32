"""What the candidates look like: the features by which the groups of records are ranked."""

import re
from functools import cache
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Hashes
from pagelet.methods.records.candidates import FAMILIES, RecordCandidates
from pagelet.models.features import Features, FeatureTable
from pagelet.models.lexicon import END, split_words
from pagelet.page.signatures import MULTIPLIER, mix, path_signatures, row_signatures
from pagelet.page.table import Page
from pagelet.page.tags import FIRST_CUSTOM_TAG, HEADINGS, NUMBER, numbers
from pagelet.page.textblocks import readable_texts
from pagelet.page.tree import sum_path

RECORD_WORDS = frozenset(
    "result results item items product products listing listings card entry hit record records"
    " row post article story stories search tile offer job book video teaser summary snippet media"
    " object question answer thread topic event recipe movie song title".split()
)  #: words in class names and ids of records
OTHER_WORDS = frozenset(
    "nav navigation menu footer foot header head sidebar side aside facet facets filter filters"
    " refine refinement breadcrumb breadcrumbs pagination pager paging page pages related sponsor"
    " sponsored ad ads advert promo recommend recommended recommendations social share tabs tab"
    " comment comments tag tags toolbar login account language widget trending popular category"
    " categories dropdown option options select sort form modal banner cart hidden suggest".split()
)  #: words in class names and ids of what is no record
LONG_CHARS = 25  #: characters of a long text
VALUE = re.compile(
    r"[$€£¥₹]\s?\d|\d\s?[€£¥]|\b(?:19|20)\d\d\b|\d (?:second|minute|hour|day|week|month|year)s? ago"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d",
    re.I,
)  #: prices and dates
MAX_VALUE_CHARS = 60  #: characters of a text that is searched for a price or a date
COUNTS = (
    "chars", "texts", "link_chars", "links", "images", "headings", "long", "values", "digits",
    "rows", "controls", "hidden",
)  # fmt: skip
PRESENT = ("links", "images", "headings", "long", "values", "digits", "controls")
VARYING = ("chars", "texts", "links", "rows")
MEMBER_TAGS = {
    "is_item": "li",
    "is_line": "tr",
    "is_division": "div section",
    "is_article": "article",
    "is_link": "a",
    "is_table": "table tbody",
    "is_list": "ul ol dl menu",
    "is_block": "p h1 h2 h3 h4 h5 h6 dt",
    "is_inline": "span b em strong i font",
}
PLACES = {
    "in_nav": "nav",
    "in_edge": "header footer aside",
    "in_main": "main",
    "in_article": "article",
    "in_item": "li",
    "in_line": "tr",
    "in_form": "form",
}
CONTROLS = numbers("input button select textarea")
Numbers = NDArray[Any]


def candidate_features(candidates: RecordCandidates) -> FeatureTable:
    """One row per group."""
    return FeatureTable.of(_Sheet(candidates).features(), len(candidates.family))


class _Sheet:
    """Counts of a page, and what they come to over the members of each group."""

    def __init__(self, candidates: RecordCandidates) -> None:
        self.candidates, self.page = candidates, candidates.page
        self.texts = readable_texts(self.page)
        self.count = np.maximum(candidates.count, 1)

    def features(self) -> Features:
        """The features by name, in the order of the model."""
        features: Features = {"members": self.candidates.count}
        features |= {
            f"family_{name}": self.candidates.family == at for at, name in enumerate(FAMILIES)
        }
        held = self._held()
        features |= self._contents(held)
        features |= self._standing()
        features |= self._spacing(held)
        features |= self._parents(held)
        features |= self._likeness()
        return features

    # -- sums over members

    def _total(self, values: Numbers) -> Floats:
        """Sum over the members of each group."""
        group, groups = self.candidates.group, len(self.candidates.family)
        return np.bincount(group, values, groups).astype(np.float64)

    def _mean(self, values: Numbers) -> Floats:
        return np.asarray(self._total(values) / self.count)

    def _over(self, values: Floats) -> Floats:
        """Sum over the rows of each member."""
        prefix = np.append(0.0, np.cumsum(values))
        return np.asarray(prefix[self.candidates.stop] - prefix[self.candidates.start])

    # -- features

    def _held(self) -> dict[str, Floats]:
        """For each member what it holds."""
        return {name: self._over(values) for name, values in self._columns().items()}

    def _columns(self) -> dict[str, Floats]:
        page, texts = self.page, self.texts
        written = [page.texts[at] for at in page.ordinal[texts].tolist()]
        readable = np.zeros(len(page))
        readable[texts] = 1
        chars = page.chars * readable
        values, digits = np.zeros(len(page)), np.zeros(len(page))
        values[texts] = [
            len(each) <= MAX_VALUE_CHARS and VALUE.search(each) is not None for each in written
        ]
        digits[texts] = [any(map(str.isdigit, each[:MAX_VALUE_CHARS])) for each in written]
        anchors = np.zeros(len(page))
        anchors[page.anchors] = 1
        return {
            "chars": chars, "texts": readable, "link_chars": chars * page.link, "links": anchors,
            "images": page.is_tag(NUMBER["img"]).astype(float),
            "headings": page.is_tag(*HEADINGS).astype(float),
            "long": (chars >= LONG_CHARS).astype(float), "values": values, "digits": digits,
            "rows": np.ones(len(page)), "controls": page.is_tag(*CONTROLS).astype(float),
            "hidden": page.hidden * readable,
        }  # fmt: skip

    def _contents(self, held: dict[str, Floats]) -> Features:
        means = {name: self._mean(held[name]) for name in COUNTS}
        features: Features = {f"mean_{name}": values for name, values in means.items()}
        features |= {f"has_{name}": self._mean(held[name] > 0) for name in PRESENT}
        for name in VARYING:
            square = self._mean(held[name] ** 2)
            spread = np.sqrt(np.maximum(square - means[name] ** 2, 0))
            features[f"uneven_{name}"] = spread / np.maximum(means[name], 1e-9)
        total = max(float(self.page.chars[self.texts].sum()), 1)
        features["chars_share"] = means["chars"] * self.count / total
        features["most_chars"] = features["chars_share"] / max(
            float(features["chars_share"].max(initial=0)), 1e-9
        )
        features["texts_share"] = means["texts"] * self.count / max(len(self.texts), 1)
        features["link_ratio"] = means["link_chars"] / np.maximum(means["chars"], 1)
        features["page_chars"], features["page_texts"] = total, len(self.texts)
        return features

    def _standing(self) -> Features:
        page, start = self.page, self.candidates.start
        tag = np.minimum(page.tag[start], FIRST_CUSTOM_TAG)
        kinds: dict[str, Numbers] = {
            name: _tag_table(names)[tag] for name, names in MEMBER_TAGS.items()
        }
        tags = np.minimum(page.tag, FIRST_CUSTOM_TAG)
        above = np.maximum(page.parent[start], 0)
        for name, names in PLACES.items():
            kinds[name] = sum_path(page.end, _tag_table(names)[tags].astype(float))[above] > 0
        records, others = _name_scores(page)
        kinds["name_record"], kinds["name_other"] = records[start], others[start]
        kinds["path_record"] = sum_path(page.end, records)[above]
        kinds["path_other"] = sum_path(page.end, others)[above]
        kinds["depth"] = page.depth[start]
        return {name: self._mean(values) for name, values in kinds.items()}

    def _spacing(self, held: dict[str, Floats]) -> Features:
        candidates, size = self.candidates, max(len(self.page), 1)
        first, count = candidates.first, self.count
        last = first + candidates.count - 1
        begin, end = candidates.start[first], candidates.stop[last]
        step = np.diff(candidates.start, prepend=0).astype(float)
        step[first] = 0
        gaps = np.maximum(count - 1, 1)
        mean, square = self._total(step) / gaps, self._total(step**2) / gaps
        spread = np.sqrt(np.maximum(square - mean**2, 0)) / np.maximum(mean, 1e-9)
        whole = np.append(
            0.0, np.cumsum(self.page.chars * np.isin(np.arange(len(self.page)), self.texts))
        )
        between = whole[end] - whole[begin]
        return {
            "begin": begin / size, "end": end / size,
            "filled": self._total(held["rows"]) / np.maximum(end - begin, 1),
            "filled_chars": self._total(held["chars"]) / np.maximum(between, 1),
            "uneven_gap": spread,
        }  # fmt: skip

    def _parents(self, held: dict[str, Floats]) -> Features:
        """How many parents the members have, and how much of their text the members hold."""
        page, candidates = self.page, self.candidates
        above = page.parent[candidates.start]
        new = np.append(True, np.diff(above) != 0)[: len(above)]
        new[candidates.first] = True
        chars = np.zeros(len(page))
        chars[self.texts] = page.chars[self.texts]
        inside = page.sum_subtree(chars)
        parents = self._total(new)
        return {
            "per_parent": self.count / np.maximum(parents, 1),
            "parents": parents,
            "of_parent": self._total(held["chars"])
            / np.maximum(self._total(new * inside[above]), 1),
            "siblings": self._total(new * page.sum_children(inside > 0)[above]) / self.count,
        }

    def _likeness(self) -> Features:
        """How alike the members are in structure, and how different in text and addresses."""
        page = self.page
        tags = path_signatures(page, row_signatures(page, classes=False))
        names = path_signatures(page, row_signatures(page, classes=True))
        element = page.element.astype(np.uint64)
        text = np.zeros(len(page), np.uint64)
        text[self.texts] = [
            crc32(page.texts[at].encode("utf-8", "replace")) + 1
            for at in page.ordinal[self.texts].tolist()
        ]
        href = np.zeros(len(page), np.uint64)
        for row, value in page.hrefs.items():
            href[row] = crc32(value.encode("utf-8", "replace")) + 1
        shapes, looks = self._spread(mix(tags) * element), self._spread(mix(names) * element)
        words, links = self._spread(mix(text) * (text > 0)), self._spread(mix(href) * (href > 0))
        return {
            "shapes": shapes[0], "common_shape": shapes[1], "looks": looks[0],
            "common_look": looks[1], "fresh_texts": words[0], "common_text": words[1],
            "fresh_links": links[0],
        }  # fmt: skip

    def _spread(self, hashes: Hashes) -> tuple[Floats, Floats]:
        """Different sums of hashes per member of each group, and the share of the commonest."""
        prefix = np.append(np.uint64(0), np.cumsum(hashes))
        own = prefix[self.candidates.stop] - prefix[self.candidates.start]
        group = self.candidates.group
        key = mix(own + group.astype(np.uint64) * MULTIPLIER)
        _, first, count = np.unique(key, return_index=True, return_counts=True)
        groups = len(self.candidates.family)
        kinds = np.bincount(group[first], minlength=groups)
        most = np.zeros(groups)
        np.maximum.at(most, group[first], count)
        return kinds / self.count, most / self.count


@cache
def _tag_table(names: str) -> Floats:
    table = np.zeros(FIRST_CUSTOM_TAG + 1)
    table[list(numbers(names))] = 1
    return table


def _name_scores(page: Page) -> tuple[Floats, Floats]:
    """For each row the words in its class names and id that records have, and others."""
    records, others = np.zeros((2, len(page)))
    for name in ("class", "id", "role"):
        rows, number, values = page.distinct(name)
        if values:
            counts = np.array(_count_words(values))
            records[rows] += counts[number, 0]
            others[rows] += counts[number, 1]
    return records, others


def _count_words(values: tuple[str, ...]) -> list[tuple[int, int]]:
    counts, own = [], [0, 0]
    for word in split_words(values):
        if word == END:
            counts.append((own[0], own[1]))
            own = [0, 0]
        else:
            own[0] += word in RECORD_WORDS
            own[1] += word in OTHER_WORDS
    return counts
