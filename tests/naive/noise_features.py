"""Features of noise removal, group by group and unit by unit."""

from itertools import pairwise
from math import log, sqrt

import numpy as np

from pagelet.methods.noise.features import (
    BARE_CHARS,
    MIN_LIST_ITEMS,
    NEIGHBOUR_FEATURES,
    NEIGHBOUR_STEPS,
    PRESENT_FEATURES,
    SHORT_CHARS,
    UNIT_PLACES,
    UNIT_TAGS,
)
from pagelet.methods.noise.groups import (
    COMPARED,
    GROUP_PLACES,
    GROUP_TAGS,
    PAGE_SHARES,
    PRESENT,
    QUERY_COLUMNS,
    SUMMED,
    TEXT_RATIOS,
    VARYING,
)
from pagelet.methods.noise.sheet import PLACES
from pagelet.page.tags import BLOCK, TEXT


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def variation(values):
    middle = mean(values)
    return sqrt(max(mean(each * each for each in values) - middle * middle, 0)) / max(middle, 1e-9)


def above(page, row):
    """The row and all above it."""
    while row >= 0:
        yield row
        row = int(page.parent[row])


def is_tag(page, row, names):
    return page.name(row) in names.split()


class Measures:
    """Sums and paths of a page, computed when asked for."""

    def __init__(self, measures):
        self.measures, self.sheet = measures, measures.sheet
        self.page, self.groups = self.sheet.page, measures.groups
        self.named, self.bare = (each.tolist() for each in self.sheet.signatures)
        inside = self.page.element & self.page.counted
        rows = [row for row in np.flatnonzero(inside).tolist() if row > self.page.body]
        self.rows = [row for row in rows if self.sum("texts", row)]

    def own(self, name, row):
        return self.measures.columns[name].tolist()[row]

    def sum(self, name, row):
        return sum(self.measures.columns[name].tolist()[row : int(self.page.end[row])])

    def whole(self, name):
        return sum(self.measures.columns[name].tolist())

    def names_above(self, row):
        return sum(self.own("names", each) for each in above(self.page, row))

    def in_place(self, row, place):
        return any(is_tag(self.page, each, PLACES[place]) for each in above(self.page, row))

    # -- groups ------------------------------------------------------------------------------

    def group_features(self):
        members = [
            self.groups.rows[self.groups.group == at].tolist() for at in range(self.groups.count)
        ]
        features = [
            self._group(rows, family)
            for rows, family in zip(members, self.groups.family.tolist(), strict=True)
        ]
        for each in features:
            family = [other for other in features if other["family"] == each["family"]]
            for name in COMPARED:
                largest = max([1e-9, *(other[name] for other in family)])
                each[f"most_{name}"] = each[name] / largest
        return features

    def _group(self, rows, family):
        page, count = self.page, len(rows)
        held = {name: [self.sum(name, row) for row in rows] for name in SUMMED}
        total = {name: sum(values) for name, values in held.items()}
        steps = [after - before for before, after in pairwise(rows)]
        parents = [int(page.parent[row]) for row in rows]
        signs = self.bare if family else self.named
        last = int(page.end[rows[-1]])
        alike = [[signs[each] for each in self.rows].count(signs[parent])
                 if parent in self.rows else 0 for parent in parents]  # fmt: skip
        return {
            "family": family,
            "members": count,
            **{f"mean_{name}": mean(values) for name, values in held.items()},
            **{f"has_{name}": mean(each > 0 for each in held[name]) for name in PRESENT},
            **{name: self.in_place(rows[0], name) for name in GROUP_PLACES},
            **{name: is_tag(page, rows[0], tags) for name, tags in GROUP_TAGS.items()},
            "depth": len(list(above(page, rows[0]))) - 1,
            "own_names": mean(self.own("names", row) for row in rows),
            "path_names": mean(self.names_above(row) for row in rows),
            **{f"uneven_{name}": variation(held[name]) for name in VARYING},
            **{f"{name}_share": total[name] / max(self.whole(name), 1) for name in PAGE_SHARES},
            **{f"{name}_ratio": total[name] / max(total["texts"], 1) for name in TEXT_RATIOS},
            "link_ratio": total["link_chars"] / max(total["chars"], 1),
            "first": rows[0] / len(page),
            "last": last / len(page),
            "filled": total["rows"] / max(last - rows[0], 1),
            "gap": mean(steps),
            "uneven_gap": variation(steps) if count > 2 else -1,
            "per_parent": count / len(set(parents)),
            "of_parent": total["chars"]
            / max(mean(self.sum("chars", row) for row in parents) * len(set(parents)), 1),
            "parent_members": mean(alike),
            "query_lift": self._lift(total["query"], total["texts"]),
            **{f"page_{name}": self.whole(name) for name in PAGE_SHARES},
            "page_link_ratio": self.whole("link_chars") / max(self.whole("chars"), 1),
            "page_rows": len(page),
        }

    def _lift(self, matches, texts):
        if not self.whole("query"):
            return 0
        texts = max(texts, 1)
        outside, rest = self.whole("query") - matches, max(self.whole("texts") - texts, 1)
        return log((matches + 0.5) / (texts + 1) * (rest + 1) / (outside + 0.5))

    # -- units -------------------------------------------------------------------------------

    def unit_features(self, best, scores):
        units = self.sheet.units.tolist()
        features = [self._text(at, row) | self._tree(row) for at, row in enumerate(units)]
        own = [dict(each) for each in features]
        for kind, signs in (("path", self.named), ("tags", self.bare)):
            for at, each in enumerate(features):
                like = [k for k, row in enumerate(units) if signs[row] == signs[units[at]]]
                each |= {f"{kind}_{name}": value for name, value in self._path(own, like).items()}
        items = [row for row in self.rows if self._is_item(row)]
        for at, each in enumerate(features):
            each.update(self._list(units[at], items), alike=each["path_members"])
            each.update(self._record(at, best))
        for at, each in enumerate(features):
            for name in (*NEIGHBOUR_FEATURES, "query"):
                for step in NEIGHBOUR_STEPS:
                    exists = 0 <= at + step < len(units)
                    each[f"{name}_at{step:+d}"] = features[at + step][name] if exists else -1
        return [each | self._best(at, best, scores) for at, each in enumerate(features)]

    def _text(self, at, row):
        page, length = self.page, float(self.sheet.length[at])
        inner = range(row, int(page.end[row]))
        texts = [each for each in inner if page.parent[each] == row and page.tag[each] == TEXT]
        digits, capitals, stops, commas, signs, money = self.sheet.kinds[:, at].tolist()
        sizes = [int(page.chars[each]) for each in texts]
        return {
            "chars": length,
            "runs": len(texts),
            "run_chars": length / len(texts),
            "short_ratio": mean(size < SHORT_CHARS for size in sizes),
            "bare_ratio": mean(size < BARE_CHARS for size in sizes),
            "digit_ratio": digits / max(length, 1),
            "capital_ratio": capitals / max(length, 1),
            "sign_ratio": (stops + commas + signs) / max(length, 1),
            "stops": stops,
            "price": money > 0 and digits > 0,
            "date": self.sheet.dated[at],
            "same_text": self.sheet.unit_texts.count(self.sheet.unit_texts[at]),
            "same_shape": self.sheet.shapes.count(self.sheet.shapes[at]),
            "page_units": len(self.sheet.units),
            **{
                name: sum(self.own(name, each) for each in texts)
                for name in ("title", "said", *QUERY_COLUMNS)
            },
        }

    def _tree(self, row):
        page, body = self.page, self.page.body
        length = float(self.sheet.length[self.sheet.units.tolist().index(row)])
        parent = max(int(page.parent[row]), 0)
        higher = max(int(page.parent[parent]), 0)
        block = next((each for each in above(page, row) if page.tag[each] in BLOCK), 0)
        before = sum((page.chars * page.counted)[: row + 1].tolist())
        return {
            **{name: is_tag(page, row, tags) for name, tags in UNIT_TAGS.items()},
            **{name: self.in_place(row, place) for name, place in UNIT_PLACES.items()},
            "in_link": page.link[row],
            "hidden": page.hidden[row],
            "depth": len(list(above(page, row))) - 1,
            "place": before / max(self.sum("chars", body), 1),
            "children": page.parent.tolist().count(row),
            "subtree_chars": self.sum("chars", row),
            "of_parent": length / max(self.sum("chars", parent), 1),
            "block_chars": self.sum("chars", block),
            "of_block": length / max(self.sum("chars", block), 1),
            "block_units": self.sum("units", block),
            "own_names": self.own("names", row),
            "parent_names": self.own("names", parent),
            "path_names": self.names_above(row),
            **self._sums_at("parent", parent),
            **self._sums_at("higher", higher),
        }

    def _sums_at(self, name, row):
        chars = self.sum("chars", row)
        return {
            f"{name}_chars": chars,
            f"{name}_units": self.sum("units", row),
            f"{name}_link_ratio": self.sum("link_chars", row) / max(chars, 1),
        }

    def _path(self, own, like):
        units, size, texts = self.sheet.units.tolist(), len(self.page), self.sheet.unit_texts
        chars = [own[at]["chars"] for at in like]
        first, last = units[like[0]], units[like[-1]]
        return {
            "members": len(like),
            "chars": mean(chars),
            "uneven": variation(chars),
            "share": sum(chars) / max(sum(each["chars"] for each in own), 1),
            "first": first / size,
            "span": (last - first) / size,
            "gap": (last - first) / max(len(like) - 1, 1),
            "said": mean(own[at]["said"] for at in like),
            "distinct_texts": len({texts[at] for at in like}) / len(like),
            "distinct_shapes": len({self.sheet.shapes[at] for at in like}) / len(like),
            **{
                name: mean(own[at][name] > 0 for at in like)
                for name in (*PRESENT_FEATURES, *QUERY_COLUMNS)
            },
            "digits": mean(own[at]["digit_ratio"] for at in like),
        }

    def _is_item(self, row):
        key = self.named[row], int(self.page.parent[row])
        keys = [(self.named[each], int(self.page.parent[each])) for each in self.rows]
        return keys.count(key) >= MIN_LIST_ITEMS and self.sum("units", row) >= 2

    def _list(self, unit, items):
        item = next((each for each in above(self.page, unit) if each in items), -1)
        names = (
            "members share most uneven uneven_units units links images link_ratio query"
        ).split()
        if item < 0:
            return {f"list_{name}": -1 for name in names} | {"of_item": -1}
        like = [each for each in items if self.named[each] == self.named[item]]
        whole = max(self.sum("chars", self.page.body), 1)
        by_path = {}
        for each in items:
            sign = self.named[each]
            by_path[sign] = by_path.get(sign, 0) + self.sum("chars", each) / whole
        held = {
            name: [self.sum(name, each) for each in like]
            for name in ("chars", "units", "links", "images", "link_chars")
        }
        at = self.sheet.units.tolist().index(unit)
        return {
            "list_members": len(like),
            "list_share": sum(held["chars"]) / whole,
            "list_most": sum(held["chars"]) / whole / max(*by_path.values(), 1e-9),
            "list_uneven": variation(held["chars"]),
            "list_uneven_units": variation(held["units"]),
            "list_units": mean(held["units"]),
            "list_links": mean(held["links"]),
            "list_images": mean(held["images"]),
            "list_link_ratio": sum(held["link_chars"]) / max(sum(held["chars"]), 1),
            "list_query": self.sum("query", item),
            "of_item": float(self.sheet.length[at]) / max(self.sum("chars", item), 1),
        }

    def _record(self, at, best):
        page, units, length = self.page, self.sheet.units.tolist(), self.sheet.length.tolist()
        names = "record_chars record_units record_order record_rest record_depth of_record"
        names += " of_longest record_query record_title coverage per_record"
        record = int(best.record[at])
        if record < 0:
            return dict.fromkeys(names.split(), -1)
        signs = [self.named[row] for row in units]
        like = [k for k, sign in enumerate(signs) if sign == signs[at]]
        records = {max(int(best.record[k]), 0) for k in like}
        order = sum(record <= row for row in units[:at])
        inner = sum(record <= row < page.end[record] for row in units)
        chars = self.sum("chars", record)
        longest = max(length[k] for k in range(len(units)) if best.record[k] == record)
        return {
            "record_chars": chars,
            "record_units": inner,
            "record_order": order,
            "record_rest": inner - order,
            "record_depth": int(page.depth[units[at]] - page.depth[record]),
            "of_record": length[at] / max(chars, 1),
            "of_longest": length[at] / max(longest, 1),
            "record_query": self.sum("query", record),
            "record_title": self.sum("title", record),
            "coverage": len(records) / self.groups.group.tolist().count(int(best.group[at])),
            "per_record": len(like) / len(records),
        }

    def _best(self, at, best, scores):
        page, row = self.page, self.sheet.units.tolist()[at]
        rows = self.groups.rows[self.groups.group == best.chosen].tolist()
        high = [*sorted(scores.tolist(), reverse=True), 0, 0]
        return {
            "score": best.best[at],
            "own_score": best.own[at],
            "score_ratio": best.best[at] / max(high[0], 1e-9),
            "best_score": high[0],
            "next_score": high[1],
            "is_best": best.group[at] == best.chosen,
            "in_best": any(each in rows for each in above(page, row)),
            "before_best": row < min(rows, default=0),
            "after_best": row >= max((int(page.end[each]) for each in rows), default=0),
        }
