"""Lines of a PDF page, put together character by character; rectangles compared in pairs."""

import unicodedata
from collections import Counter
from itertools import pairwise

from pagelet.sources.pdf.lines import (
    BASELINE_SIZES,
    COLUMN_GAP_SIZES,
    SAME_DIRECTION_COSINE,
    SLACK_POINTS,
)


def lines(glyphs, styles) -> list[tuple[str, list[float], int]]:
    """Text, edges and style of each line."""
    marks = spoken(
        [
            {
                "sign": chr(glyphs.code[at]),
                "edges": glyphs.edges[at],
                "origin": glyphs.origin[at],
                "style": int(glyphs.style[at]),
                "size": styles.size[glyphs.style[at]],
                "along": styles.direction[glyphs.style[at]],
            }
            for at in range(len(glyphs))
        ]
    )
    found: list[list[dict]] = []
    before: list[dict] = []
    for part in split_at_blanks(marks):
        words = split_at_gaps(part)
        if before and not apart(before[-1], words[0][0]) and spaced_alike(before, words[0]):
            found[-1] += words[0]
            found += map(list, words[1:])
        else:
            found += map(list, words)
        before = list(words[-1])
    return [told(marks, line, after) for line, after in pairwise([*found, None])]


def spoken(marks: list[dict]) -> list[dict]:
    """Runs of letters that are read leftward but stand from left to right are turned around."""
    out: list[dict] = []
    run: list[dict] = []
    for mark in [*marks, None]:
        leftward = mark and unicodedata.bidirectional(mark["sign"]) in ("R", "AL")
        if run and (not leftward or apart(run[-1], mark)):
            step = run[-1]["origin"] - run[0]["origin"]
            out += reversed(run) if float(step @ run[0]["along"]) > 0 else run
            run = []
        if leftward:
            run.append(mark)
        elif mark:
            out.append(mark)
    return out


def split_at_blanks(marks: list[dict]) -> list[list[dict]]:
    parts: list[list[dict]] = [[]]
    for mark in marks:
        if mark["sign"].isspace():
            parts.append([])
        else:
            parts[-1].append(mark)
    return [part for part in parts if part]


def split_at_gaps(part: list[dict]) -> list[list[dict]]:
    words = [[part[0]]]
    for one, other in pairwise(part):
        if apart(one, other) or not spaced_alike([one], [other]):
            words.append([])
        words[-1].append(other)
    return words


def apart(one: dict, other: dict) -> bool:
    x, y = other["origin"] - one["origin"]
    aside = y * one["along"][0] - x * one["along"][1]
    turned = float((one["along"] * other["along"]).sum()) < SAME_DIRECTION_COSINE
    return bool(turned or abs(aside) > BASELINE_SIZES * max(one["size"], other["size"]))


def spaced_alike(one: list[dict], other: list[dict]) -> bool:
    """Whether there is no wide gap between two words."""
    (low, high), (next_low, next_high) = span(one), span(other)
    gap = max(next_low - high, low - next_high)
    return not gap > COLUMN_GAP_SIZES * max(one[-1]["size"], other[0]["size"])


def span(word: list[dict]) -> tuple[float, float]:
    starts = [float((mark["origin"] * mark["along"]).sum()) for mark in word]
    ends = []
    for start, mark in zip(starts, word, strict=True):
        left, bottom, right, top = mark["edges"]
        along = abs(mark["along"])
        ends.append(start + float(along[0] * (right - left) + along[1] * (top - bottom)))
    return min(starts), max(ends)


def told(marks: list[dict], line: list[dict], after: list[dict] | None):
    """The line with the white space inside it."""
    places = {id(mark): at for at, mark in enumerate(marks)}
    end = places[id(after[0])] if after else len(marks)
    text = "".join(mark["sign"] for mark in marks[places[id(line[0])] : end])
    edges = [mark["edges"] for mark in line]
    least = [min(edge[side] for edge in edges) for side in (0, 1)]
    most = [max(edge[side] for edge in edges) for side in (2, 3)]
    counts = Counter(mark["style"] for mark in line)
    style = min(counts, key=lambda each: (-counts[each], each))
    return text.strip(), least + most, style


def inside_lines(shapes, lines) -> list[bool]:
    """Whether each shape lies in a line that begins below its middle."""
    return [
        any(
            line[1] <= (shape[1] + shape[3]) / 2
            and all(shape[side] >= line[side] - SLACK_POINTS for side in (0, 1))
            and all(shape[side] <= line[side] + SLACK_POINTS for side in (2, 3))
            for line in lines
        )
        for shape in shapes
    ]
