"""Pages for the report's tests: a hostile one, and pagelets written by hand."""

import turbohtml

from pagelet.page.table import Page
from pagelet.pagelets import Pagelet, Pagelets

HOSTILE = """<!DOCTYPE html><html manifest="m.appcache"><head>
<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example">
<link rel="preload" href="https://evil.example/p.js" as="script">
<link rel="dns-prefetch" href="//evil.example"><style>p { color: rgb(1, 2, 3) }</style>
<noscript><style>i { color: rgb(4, 5, 6) }</style></noscript>
<script>document.documentElement.dataset.ran = "inline"; parent.postMessage("evil", "*")</script>
</head><body onload="document.documentElement.dataset.ran = 'load'">
<nav id="menu" class="top"><a href="jAva&#9;script:alert(1)">Home</a> <a href="/b">B</a></nav>
<p onclick="alert(1)">Text <img src="https://evil.example/x.png" onerror="alert(1)"> and more</p>
<iframe src="https://evil.example/frame" width="200" height="80"></iframe>
<object data="https://evil.example/o"></object><embed src="https://evil.example/e">
<svg><script>document.documentElement.dataset.ran = "svg"</script>
<a xlink:href="javascript:alert(1)"><set attributeName="href" to="javascript:alert(1)"/></a></svg>
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1
onerror=document.documentElement.dataset.ran='mutation'&gt;"></table></math>
<noscript><p title="</noscript><img src=x onerror=alert(1)>">no script</p></noscript>
</body></html>"""


def found(page: Page, *marks: tuple[str, str, float]) -> list[Pagelets]:
    """Pagelets written by hand: kind, path, score."""
    items = [
        Pagelet(page, (page.row(path),), kind, score, {"link_ratio": 0.25, "why": "</script>"})
        for kind, path, score in marks
    ]
    return [Pagelets(page, "menu", "default", tuple(items))]


def drawing_of(text: str) -> turbohtml.Node:
    """The document inside the frame, parsed."""
    frame = turbohtml.parse(text).select_one("iframe")
    assert frame is not None
    return turbohtml.parse(frame.attr("srcdoc") or "")
