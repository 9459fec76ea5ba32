/* The names of tags in the order of their numbers, as in pagelet.page.tags: 0 is a text. */
#define EACH_TAG(X) \
    X(a) X(abbr) X(acronym) X(address) X(applet) X(area) X(article) X(aside) X(audio) X(b) \
    X(base) X(basefont) X(bdi) X(bdo) X(bgsound) X(big) X(blink) X(blockquote) X(body) X(br) \
    X(button) X(canvas) X(caption) X(center) X(cite) X(code) X(col) X(colgroup) X(data) \
    X(datalist) X(dd) X(del) X(details) X(dfn) X(dialog) X(dir) X(div) X(dl) X(dt) X(em) \
    X(embed) X(fieldset) X(figcaption) X(figure) X(font) X(footer) X(form) X(frame) X(frameset) \
    X(h1) X(h2) X(h3) X(h4) X(h5) X(h6) X(head) X(header) X(hgroup) X(hr) X(html) X(i) X(iframe) \
    X(img) X(input) X(ins) X(kbd) X(label) X(legend) X(li) X(link) X(listing) X(main) X(map) \
    X(mark) X(marquee) X(menu) X(meta) X(meter) X(nav) X(nobr) X(noembed) X(noframes) \
    X(noscript) X(object) X(ol) X(optgroup) X(option) X(output) X(p) X(param) X(picture) \
    X(plaintext) X(portal) X(pre) X(progress) X(q) X(rb) X(rp) X(rt) X(rtc) X(ruby) X(s) X(samp) \
    X(script) X(search) X(section) X(select) X(slot) X(small) X(source) X(span) X(strike) \
    X(strong) X(style) X(sub) X(summary) X(sup) X(table) X(tbody) X(td) X(template) X(textarea) \
    X(tfoot) X(th) X(thead) X(time) X(title) X(tr) X(track) X(tt) X(u) X(ul) X(var) X(video) \
    X(wbr) X(xmp) X(svg) X(math)
#define NUMBER_OF(name) TAG_##name,
enum { TAG_text, EACH_TAG(NUMBER_OF) TAG_COUNT };
#define NAME_OF(name) #name,
static const char *const TAG_NAMES[] = {"", EACH_TAG(NAME_OF)};
