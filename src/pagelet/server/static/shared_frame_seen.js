"use strict";
// Runs in the sandboxed frame after shared_frame.js: takes messages, and tells what is seen: the
// boxes of the page, and the page as XML, which a picture can be made of.
(() => {
  const MOST_BOXES = 100000;
  const SIDES = ["left", "top", "right", "bottom"];
  const STYLE = ["display", "color", "background-color", "background-image", "font-size", "font-weight",
    ...SIDES.flatMap((side) => [`border-${side}-width`, `border-${side}-color`])];
  const XML_NAME = /^[A-Za-z_][\w.-]*$/;
  const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
  const LOADS = /url\(|@import/i;

  // -- boxes ----------------------------------------------------------------------------

  const placed = ({ left, top, right, bottom }) =>
    [left + scrollX, top + scrollY, right + scrollX, bottom + scrollY];

  const large = ({ width, height }) => width > 0 && height > 0;

  function textBoxes(element, row) {
    const texts = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
    return texts.flatMap((node, at) => {
      if (!/\S/.test(node.data)) return [];
      const range = document.createRange();
      range.selectNodeContents(node);
      const lines = [...range.getClientRects()].filter(large).map(placed);
      return lines.length ? [{ row, text: at + 1, lines }] : [];
    });
  }

  function boxesOf(element, row) {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return [];
    const rect = element.getBoundingClientRect();
    const computed = getComputedStyle(element);
    const style = Object.fromEntries(STYLE.map((name) => [name, computed.getPropertyValue(name)]));
    if (style["background-image"] !== "none") style["background-image"] = "url()";
    const own = large(rect) ? [{ row, box: placed(rect), style }] : [];
    return [...own, ...textBoxes(element, row)];
  }

  function layout() {
    const boxes = [];
    for (const [row, element] of frame.elements) {
      if (boxes.length > MOST_BOXES) break;
      boxes.push(...boxesOf(element, row));
    }
    return { ...size(), boxes };
  }

  function size() {
    const { scrollWidth, scrollHeight } = document.documentElement;
    return { width: scrollWidth, height: scrollHeight };
  }

  // -- the page as XML ------------------------------------------------------------------

  function tidy(element) { // what XML cannot hold, or what a picture must not load
    for (const { name, value } of [...element.attributes]) {
      const loads = name === "style" ? LOADS.test(value) && !value.includes("data:") : name === "srcset";
      if (!XML_NAME.test(name) || loads) element.removeAttribute(name);
    }
  }

  function xml() {
    const copy = document.documentElement.cloneNode(true);
    for (const gone of copy.querySelectorAll("pagelet-overlays, script, meta, template, link")) gone.remove();
    for (const element of [copy, ...copy.querySelectorAll("*")]) tidy(element);
    copy.style.setProperty("font-size", fontSize(), "important"); // the picture has a root of its own
    return new XMLSerializer().serializeToString(copy).replace(NOT_XML, "");
  }

  const fontSize = () => getComputedStyle(document.documentElement).fontSize;

  function ground() { // what is painted behind everything
    const colours = [document.documentElement, document.body].filter(Boolean)
      .map((element) => getComputedStyle(element).backgroundColor);
    return colours.find((colour) => !/, 0\)$/.test(colour)) ?? "#fff";
  }

  function snapshot() {
    const regions = frame.regions().map(({ number, kind, at, label, fits }) =>
      ({ number, kind, at, label: fits ? label.textContent : "" }));
    return { ...size(), fontSize: fontSize(), ground: ground(), regions, page: xml() };
  }

  // -- messages -------------------------------------------------------------------------

  const answers = {
    draw: frame.draw,
    show: frame.show,
    point: frame.point,
    choose: ({ number }) => frame.choose(number),
    scroll: ({ share }) => scrollTo({ top: share * (size().height - innerHeight), behavior: "instant" }),
    layout: ({ id }) => frame.tell({ type: "answer", id, value: layout() }),
    snapshot: ({ id }) => frame.tell({ type: "answer", id, value: snapshot() }),
  };

  function take({ source, data }) {
    if (source !== parent) return;
    if (data.type === "load") load(data);
    else if (Object.hasOwn(answers, data.type)) answers[data.type](data);
  }

  function tellScroll() {
    const room = size().height - innerHeight;
    frame.tell({ type: "scrolled", share: room > 0 ? scrollY / room : 0 });
  }

  const KEY = /^(Escape|ArrowUp|ArrowDown|[a-z0-9?/[\]])$/;

  function listen() {
    addEventListener("message", take);
    for (const type of ["load", "resize", "toggle", "scroll"]) { // "load" of pictures too
      addEventListener(type, frame.measureSoon, { capture: true, passive: true });
    }
    addEventListener("scroll", tellScroll, { passive: true });
    document.fonts.addEventListener("loadingdone", frame.measureSoon);
    document.addEventListener("mouseover", frame.over);
    document.documentElement?.addEventListener("mouseleave", frame.leave);
    document.addEventListener("click", frame.click, true);
    for (const type of ["auxclick", "submit", "dragstart", "drop", "dragover"]) {
      document.addEventListener(type, (event) => event.preventDefault(), true);
    }
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || /^(input|textarea|select)$/.test(event.target.localName)) return;
      if (KEY.test(event.key)) frame.tell({ type: "key", key: event.key });
    });
  }

  // The document is opened anew, which forgets all listeners but keeps the policy it came with.
  function load({ drawing }) {
    document.open();
    document.write(drawing);
    document.close();
    document.body?.normalize();
    frame.elements.clear();
    frame.index(document);
    listen();
    frame.tell({ type: "loaded" });
  }

  addEventListener("message", take);
  frame.tell({ type: "ready" });
})();
