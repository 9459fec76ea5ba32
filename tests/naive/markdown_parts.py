"""The parts of a Markdown document: code and paragraphs, by two patterns over the whole of it."""

import re

CODE = re.compile(
    r"^(?P<prefix>[ \t>]*)(?P<fence>`{3,})[^\n`]*\n(?:.*?\n)??(?P=prefix)(?P=fence)[ \t]*$"
    r"|(?<![\\`])(?P<ticks>`+)(?!`)(?:[^\n]|\n(?!\n))*?(?<!`)(?P=ticks)(?!`)",
    re.MULTILINE | re.DOTALL,
)
GAP = re.compile(r"^[ \t>]*\n", re.MULTILINE)  # a blank line


def code_of(text):
    """Where code begins and ends."""
    return [match.span() for match in CODE.finditer(text)]


def paragraph_around(text, at):
    """The lines around a place, without blank ones before and after."""
    begin = 0
    for gap in GAP.finditer(text):
        if at < gap.end():
            return text[begin : gap.start()].strip("\n")
        begin = gap.end()
    return text[begin:].strip("\n")
