"""Tag names and their numbers, and the sets of tags that methods share.

Number 0 is a text node. A name that HTML lacks gets the next free number on its own page,
so numbers from `FIRST_CUSTOM_TAG` on mean nothing outside that page.
"""

TEXT = 0  #: the number of a text node

HTML_NAMES = """
a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big
blink blockquote body br button canvas caption center cite code col colgroup data datalist dd
del details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame
frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li
link listing main map mark marquee menu meta meter nav nobr noembed noframes noscript object ol
optgroup option output p param picture plaintext portal pre progress q rb rp rt rtc ruby s samp
script search section select slot small source span strike strong style sub summary sup table
tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr xmp svg math
""".split()

NAMES = ("", *HTML_NAMES)  #: name by number; the empty name is a text node
NUMBER = {name: number for number, name in enumerate(NAMES)}
FIRST_CUSTOM_TAG = len(NAMES)  #: tag numbers below this are the same on every page


def numbers(names: str) -> tuple[int, ...]:
    """Numbers of the tags in a string of names."""
    return tuple(NUMBER[name] for name in names.split())


RAW = numbers("script style")  #: tags whose text is not for reading
UNCOUNTED = numbers("script style noscript template")  #: tags that no count includes
HEADINGS = numbers("h1 h2 h3 h4 h5 h6")

#: Containers of Mantratzis, Orgun, Cassidy (HT 2005); all else is content inside them.
STRUCTURAL = numbers(
    "body table thead tbody tfoot tr td th div ul ol li dl dt dd nav section article aside"
    " header footer main form fieldset"
)

#: Tags that start a new line when a page is drawn; all others flow with the text.
BLOCK = numbers(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset"
    " figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li"
    " listing main menu nav ol optgroup option p plaintext pre search section summary table tbody"
    " td tfoot th thead tr ul xmp"
)
