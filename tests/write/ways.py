"""Ways of a page to reach another host: each names a host of its own."""

import random

#: Statements for `.wN` that refer to the host; H is the address.
DECLARATIONS = (
    'background: url(H)', 'background: url("H")', "background: url( 'H' )", 'background: URL(H)',
    r'background: u\rl(H)', r'background: \75\72\6c(H)', r'background: \000075 rl(H)',
    'background: url(/**/H)', 'background-image: url(H), url(H)',
    'background: image-set("H" 1x)', 'background: image-set(url(H) 1x)',
    'background: -webkit-image-set(url(H) 1x)', r'background: im\61ge-set("H" 1x)',
    'background: -webkit-cross-fade(url(H), url(H), 50%)', 'background: cross-fade(url(H), red)',
    'background: image("H")', 'background: src("H")', '--a: "H"; background: src(var(--a))',
    '--a: "H"; background: image-set(var(--a) 1x)', '--a: url(H); background: var(--a)',
    'list-style: url(H) inside; display: list-item', 'content: url(H)',
    'border-image: url(H) 30 round; border: 9px solid', 'mask: url(H)', '-webkit-mask: url(H)',
    '-webkit-mask-image: url(H)', 'mask-image: image-set("H" 1x)', 'mask-border: url(H)',
    '-webkit-mask-box-image: url(H)', 'cursor: url(H), auto', 'shape-outside: url(H); float: left',
    'filter: url(H#f)', 'backdrop-filter: url(H#f)', 'clip-path: url(H#f)', 'offset-path: url(H#f)',
    '-webkit-box-reflect: below 0 url(H)', 'behavior: url(H)', '-moz-binding: url(H#x)',
    'background: url("H', 'background: url(H', 'background: url("\\\nH")',
    'background: if(style(--x: 1): url(H); else: url(H))', 'background: attr(data-a type(<image>))',
    'background: paint(x, url(H))', 'background: light-dark(url(H), url(H))',
    'background: url("H" crossorigin(anonymous))', 'a: "\n; background: url(H)',
    "a: '\\'; background: url(H); b: '", 'a: /* \\*/ b; background: url(H)',
    'background: linear-gradient(red, red), url(H)', '} * { background: url(H) } .x {',
    '& { background: url(H) }', '@media all { background: url(H) }',
)  # fmt: skip
#: Style sheets that refer to the host.
SHEETS = (
    '@import "H";', '@import url(H);', '@import/**/"H";', '@import/**/url(H)/**/screen;',
    r'@im\port "H";', r'@\69mport "H";', "@IMPORT 'H' layer(a) supports(color: red) all;",
    '@charset "utf-8"; @import "H";', '<!-- @import "H"; -->', '@layer a; @import "H";',
    '@namespace x url(H);', '@font-face { font-family: N; src: url(H) } * { font-family: N }',
    '@font-face { font-family: N; src: local("none"), url("H") format("woff2") }'
    ' * { font-family: N }',
    '@media all { * { background: url(H) } }',
    '@supports (color: red) { * { background: url(H) } }',
    '@layer a { * { background: url(H) } }',
    '@container (width > 0px) { * { background: url(H) } }',
    '@scope (body) { * { background: url(H) } }',
    '@keyframes k { from, to { background: url(H) } } * { animation: k 9s infinite }',
    '@property --q { syntax: "<image>"; inherits: false; initial-value: url(H) }'
    ' * { background: var(--q) }',
    '@counter-style c { system: cyclic; symbols: url(H) } * { list-style: c }',
    '@function --f() { result: url(H) } * { background: --f() }',
    '@document url(H) { * { background: url(H) } }', '@-moz-document url-prefix(H) { }',
    '@page { background: url(H) }', '@view-transition { navigation: auto; types: url(H) }',
    '*::before { content: url(H) } *::after { content: image-set("H" 1x) }',
    'li::marker { content: url(H) } ::selection { background: url(H) }',
    '/* */ */ * { background: url(H) } /*', "* { a: 'b\n} * { background: url(H) }",
    '* { background: url(H', '\\@import "H"; * { background: url(H) }',
)  # fmt: skip
#: Markup that refers to the host.
MARKUP = (
    '<img src="H">', '<img srcset="H 1x">', '<picture><source srcset="H"><img src="x"></picture>',
    '<video src="H" poster="H" autoplay muted></video>', '<audio src="H" autoplay></audio>',
    '<input type=image src="H">', '<table background="H"><tr><td>x</table>',
    '<iframe src="H"></iframe>', '<iframe srcdoc="<img src=H>"></iframe>',
    '<object data="H"></object>', '<embed src="H">', '<link rel=stylesheet href="H">',
    '<link rel=preload as=image href="H">', '<link rel=icon href="H">',
    '<link rel=prefetch href="H">',
    '<link rel=preconnect href="H">', '<link rel=dns-prefetch href="H">',
    '<link rel=modulepreload href="H">', '<link rel=preload as=image imagesrcset="H 1x">',
    '<meta http-equiv=refresh content="0;url=H">', '<script src="H"></script>',
    '<script>fetch("H")</script>', '<img src=x onerror="fetch(\'H\')">', '<body background="H">',
    '<video><source src="H"><track default src="H"></video>',
    '<svg width=9 height=9><image href="H" width=9 height=9></svg>',
    '<svg width=9 height=9><image xlink:href="H" width=9 height=9></svg>',
    '<svg><use href="H#x"/></svg>', '<svg><script href="H"></script></svg>',
    '<svg width=9 height=9><rect width=9 height=9 fill="url(H#x)"></svg>',
    '<svg width=9 height=9><rect width=9 height=9 stroke="url(H#x)"></svg>',
    '<svg width=9 height=9><rect width=9 height=9 mask="url(H#x)"></svg>',
    '<svg width=9 height=9><rect width=9 height=9 mask="u\\rl(H#x)"></svg>',
    '<svg width=9 height=9><rect width=9 height=9 filter="url(H#x)"></svg>',
    '<svg width=9 height=9><rect width=9 height=9 clip-path="url(H#x)"></svg>',
    '<svg width=9 height=9><path d="M0 0L9 9" marker-start="url(H#x)"></svg>',
    '<svg width=9 height=9 cursor="url(H),auto"><rect width=9 height=9></svg>',
    '<svg width=9 height=9><filter id=fN><feImage href="H"></filter>'
    '<rect width=9 height=9 filter="url(#fN)"></svg>',
    '<svg><style>* { background: url(H) }</style></svg>',
    '<svg><style>&#64;import "H";</style></svg>',
    '<svg><set attributeName=href to="H"><image href=x><animate attributeName=href to="H"></svg>',
    '<svg><a><set attributeName=href to="H"/></a></svg>',
    '<math href="H"><mi xlink:href="H">x</mi></math>', '<img lowsrc="H" dynsrc="H" longdesc="H">',
    '<div><template shadowrootmode=open><style>* { background: url(H) }</style><img src="H">'
    '</template></div>', '<noscript><img src="H"></noscript>',
    '<noscript><p title="</noscript><img src=H>"></noscript>',
    '<xmp><img src="H"></xmp>', '<a ping="H" href="#">x</a>', '<img attributionsrc="H" src="x">',
    '<svg><foreignObject><img src="H"></foreignObject></svg>', '<base href="H/"><img src="x.png">',
    '<img src="//HOST/x">', '<img src="\\\\HOST/x">', '<img src="ht\ntp://HOST/">',
    '<p style="background: url(//HOST/x)">x', '<p style="background:url(&#34;H&#34;)">x',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=H&gt;">',
    '<form><button formaction="H">x</button></form><form action="H"></form>',
)  # fmt: skip


def host(number: int) -> str:
    return f"way{number}.example"


def _fill(text: str, number: int) -> str:
    filled = text.replace("HOST", host(number)).replace("H", f"http://{host(number)}/a")
    return filled.replace("fN", f"f{number}")


def list_ways() -> list[str]:
    """All ways, as markup that names the host of its number."""
    styles = [f"<style>.wNUM {{ {one} }}</style><p class=wNUM>x</p>" for one in DECLARATIONS]
    sheets = [f"<style>{one}</style>" for one in SHEETS]
    attributes = [f'<p style="{one.replace(chr(34), "&quot;")}">x</p>' for one in DECLARATIONS]
    every = [*styles, *sheets, *attributes, *MARKUP]
    return [_fill(one, at).replace("NUM", str(at)) for at, one in enumerate(every)]


STRAY = (
    *("/**/", "/*", "<!--", "u+0", "\\\n"),
    *("\n", " ", "\\", '"', "'", "(", ")", "{", "}", ";", "\0", "@"),
)


def twist(css: str, chance: random.Random) -> str:
    """Spell CSS in another way: letters escaped or in capitals, comments, broken signs."""
    spelled = []
    for sign in css:
        kind = chance.random()
        if kind < 0.06 and sign.isalpha():
            spelled.append(f"\\{ord(sign):x} " if chance.random() < 0.5 else f"\\{ord(sign):06x}")
        elif kind < 0.08:
            spelled.append(
                sign
                + chance.choice(
                    (
                        "/**/",
                        "\n",
                        " ",
                        "\\",
                        '"',
                        "'",
                        "(",
                        ")",
                        "{",
                        "}",
                        ";",
                        "\0",
                        "@",
                        "<!--",
                        "u+0",
                        "\\\n",
                        "/*",
                    )
                )
            )
        elif kind < 0.12:
            spelled.append(sign.upper())
        elif kind > 0.99:
            continue
        else:
            spelled.append(sign)
    return "".join(spelled)


def twisted_sheets(seed: int, count: int) -> list[str]:
    """Style sheets made of known ways, spelled in other ways; all name the same host."""
    chance = random.Random(seed)
    ways = [*SHEETS, *(f"* {{ {one} }}" for one in DECLARATIONS)]
    texts = (" ".join(chance.choices(ways, k=chance.randint(1, 3))) for _ in range(count))
    return [twist(text.replace("H", "http://twisted.example/a"), chance) for text in texts]
