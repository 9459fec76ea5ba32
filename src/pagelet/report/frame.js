"use strict";
// Runs inside the frame: draws the pagelets over the page and says what the pointer is on. The
// page's own elements are left as they are; all that is drawn lives in one shadow root.
(() => {
  const HOST = `all: initial !important; position: absolute !important; left: 0 !important;
    top: 0 !important; overflow: hidden !important; pointer-events: none !important;
    z-index: 2147483647 !important;`;
  const SIDES = ["left", "top", "right", "bottom"];
  const NEAR = 4; // px: edges closer than this would be drawn over one another
  const INSET = 3; // px that a region moves in where its edge meets that of the one around it
  const MOST_INSET = 12;
  const OUTSET = -2; // px: elsewhere the border is drawn outside, clear of the text
  const SMALLEST = 2; // px: smaller is made to be unseen
  const LABEL = { height: 16, gap: 2 }; // px
  const ROOMY = 28; // px: a lower region shows its label only when pointed at

  const host = document.createElement("pagelet-overlays");
  const shadow = host.attachShadow({ mode: "open" });
  const layers = new Map();
  const byNode = new Map();
  const widths = new Map(); // of labels, by what they say
  const regions = [];
  let chosen = -1;
  let unseen = "";
  let total = 0; // pagelets; 0 until the report says what to draw
  let resized = true; // the page may have another size than when last measured
  let waiting = false;

  const tell = (message) => parent.postMessage(message, "*");

  // -- which nodes are regions ----------------------------------------------------------

  function marked(root, found = []) {
    for (const element of root.querySelectorAll("*")) {
      if (element.dataset?.pagelet || element.dataset?.pageletText) found.push(element);
      if (element.shadowRoot && element !== host) marked(element.shadowRoot, found);
    }
    return found;
  }

  const listed = (value) => value?.split(" ") ?? [];

  function rangeOf(node) {
    const range = document.createRange();
    range.selectNodeContents(node);
    return range;
  }

  function textRegions(element) {
    const isText = (node) => node.nodeType === Node.TEXT_NODE && /\S/.test(node.data);
    const texts = [...element.childNodes].filter(isText);
    return listed(element.dataset.pageletText).map((mark) => {
      const [number, place] = mark.split(":").map(Number);
      return { number, range: rangeOf(texts[place] ?? element) };
    });
  }

  function regionsOf(element) {
    const whole = listed(element.dataset.pagelet).map((number) => ({ number: Number(number) }));
    return element.dataset.pageletText ? [...whole, ...textRegions(element)] : whole;
  }

  function around(element) {
    for (let node = element; node; node = node.parentNode ?? node.host) {
      const inner = byNode.get(node)?.findLast((region) => !region.range);
      if (inner) return inner;
    }
  }

  function drawn(className, kind) {
    const element = document.createElement("div");
    element.className = className;
    layers.get(kind).append(element);
    return element;
  }

  function build(kinds, items) {
    for (const { name, colour, ink, quiet, labelled } of kinds) {
      const layer = document.createElement("div");
      layer.dataset.kind = name;
      layer.classList.toggle("quiet", quiet);
      layer.labelled = labelled;
      layer.style.setProperty("--colour", colour);
      layer.style.setProperty("--ink", ink);
      layers.set(name, layer);
      shadow.append(layer);
    }
    for (const element of marked(document)) {
      byNode.set(element, []);
      for (const region of regionsOf(element)) {
        const { kind, label } = items[region.number];
        Object.assign(region, { element, kind, outer: around(element) });
        region.box = drawn("box", kind);
        region.label = drawn("label", kind);
        region.box.dataset.number = region.number;
        region.label.textContent = label;
        byNode.get(element).push(region);
        regions.push(region);
      }
    }
  }

  // -- where they are -------------------------------------------------------------------

  function visible(element) {
    const asked = { visibilityProperty: true, opacityProperty: true };
    return element.checkVisibility(asked) || getComputedStyle(element).display === "contents";
  }

  const large = ({ width, height }) => Math.min(width, height) >= SMALLEST;

  function rectangle({ element, range }) {
    if (!visible(element)) return undefined;
    let rect = (range ?? element).getBoundingClientRect();
    if (!large(rect) && getComputedStyle(element).overflow === "visible") {
      rect = rangeOf(element).getBoundingClientRect(); // all floats, or display: contents
    }
    return large(rect) ? rect : undefined;
  }

  function insets({ rect, outer }, page) {
    return SIDES.map((side, at) => {
      const meets = outer?.rect && Math.abs(rect[side] - outer.rect[side]) < NEAR;
      if (meets) return Math.min(outer.insets[at] + INSET, MOST_INSET);
      return Math.max(OUTSET, -Math.abs(rect[side] - page[side])); // not beyond the page's edge
    });
  }

  function place(region, page) {
    region.insets = insets(region, page);
    const { rect, insets: [left, top, right, bottom] } = region;
    const x = rect.left - page.left + left;
    const y = rect.top - page.top + top;
    const width = Math.max(rect.width - left - right, 6);
    const height = Math.max(rect.height - top - bottom, 6);
    region.at = { x, y, right: x + width, height };
    write(region.box, `left:${x}px;top:${y}px;width:${width}px;height:${height}px`);
  }

  function write(element, style) {
    if (element.written !== style) element.style.cssText = element.written = style;
  }

  // Labels stand in the upper right corner, and give way to the left where one is already there.
  function placeLabels() {
    const lines = new Map();
    for (const region of regions) {
      if (!region.rect || layers.get(region.kind).hidden) continue;
      const { x, y, right, height } = region.at;
      const width = widths.get(region.label.textContent);
      const line = Math.round(y / LABEL.height);
      const taken = [line - 1, line, line + 1].flatMap((near) => lines.get(near) ?? []);
      let left = right - width;
      for (const other of taken.sort((one, two) => two.left - one.left)) {
        if (left < other.right && other.left < left + width) left = other.left - width - LABEL.gap;
      }
      region.fits = layers.get(region.kind).labelled && left >= x && height >= ROOMY;
      write(region.label, `left:${region.fits ? left : Math.max(x, right - width)}px;top:${y}px`);
      if (region.fits) lines.set(line, [...(lines.get(line) ?? []), { left, right: left + width }]);
      showLabel(region);
    }
  }

  function showLabel(region) {
    const raised = region.over || region.number === chosen;
    region.label.hidden = !region.rect || !(region.fits || raised);
    region.label.classList.toggle("raised", raised);
  }

  function measureLabels() {
    for (const { label } of regions) {
      if (!widths.has(label.textContent)) widths.set(label.textContent, label.offsetWidth);
    }
  }

  function cover() {
    host.style.cssText = `${HOST} display: none !important;`;
    const { scrollWidth: width, scrollHeight: height } = document.documentElement;
    host.style.cssText = `${HOST} width: ${width}px !important; height: ${height}px !important;`;
  }

  function measure() {
    if (resized) cover();
    resized = waiting = false;
    const page = host.getBoundingClientRect();
    for (const region of regions) region.rect = rectangle(region);
    for (const region of regions) {
      region.box.hidden = region.label.hidden = !region.rect;
      if (region.rect) place(region, page);
    }
    placeLabels();
    tellUnseen();
  }

  function tellUnseen() {
    const seen = new Set(regions.filter((region) => region.rect).map((region) => region.number));
    const numbers = [...Array(total).keys()].filter((number) => !seen.has(number));
    if (numbers.join() === unseen) return;
    unseen = numbers.join();
    tell({ type: "unseen", numbers });
  }

  function measureSoon({ type }) {
    if (!total) return;
    resized ||= type !== "scroll";
    if (!waiting) requestAnimationFrame(measure);
    waiting = true;
  }

  // -- what the reader does -------------------------------------------------------------

  function within({ rect }, { clientX: x, clientY: y }) {
    return x >= rect.left && x <= rect.right && y >= rect.top && y <= rect.bottom;
  }

  function numbersAt(event) { // the innermost first
    const own = event.composedPath().flatMap((node) => [...(byNode.get(node) ?? [])].reverse());
    const there = own.filter((region) =>
      region.rect && !layers.get(region.kind).hidden && (!region.range || within(region, event)));
    return [...new Set(there.map((region) => region.number))];
  }

  function point(numbers) {
    for (const region of regions) {
      region.over = numbers.includes(region.number);
      region.box.classList.toggle("over", region.over);
      showLabel(region);
    }
  }

  function over(event) {
    const numbers = numbersAt(event);
    point(numbers.slice(0, 1));
    tell({ type: "over", numbers, x: event.clientX, y: event.clientY });
  }

  // A second click on the same spot chooses the region around the first.
  function click(event) {
    event.preventDefault();
    event.stopPropagation();
    const numbers = numbersAt(event);
    const next = numbers[(numbers.indexOf(chosen) + 1) % numbers.length];
    if (next !== undefined) tell({ type: "chosen", number: next });
  }

  function choose(number) {
    chosen = number;
    for (const region of regions) {
      region.box.classList.toggle("chosen", region.number === number);
      showLabel(region);
    }
    const first = regions.find((region) => region.number === number && region.rect);
    if (!first || (first.rect.top >= 0 && first.rect.bottom <= innerHeight)) return;
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
    first.element.scrollIntoView({ block: first.rect.height > innerHeight ? "start" : "center", behavior });
  }

  function show(kinds) {
    for (const [name, layer] of layers) layer.hidden = !kinds.includes(name);
    placeLabels();
  }

  function draw({ kinds, items, overlay }) {
    if (total || !items.length) return;
    total = items.length;
    document.body?.normalize();
    const style = document.createElement("style");
    style.textContent = overlay;
    shadow.append(style);
    document.documentElement.append(host);
    build(kinds, items);
    measureLabels();
    measure();
  }

  function start() {
    addEventListener("message", ({ source, data }) => {
      if (source !== parent) return;
      if (data.type === "draw") draw(data);
      if (data.type === "show") show(data.kinds);
      if (data.type === "point") point([data.number]);
      if (data.type === "choose") choose(data.number);
    });
    for (const type of ["load", "resize", "toggle", "scroll"]) { // "load" of pictures too
      addEventListener(type, measureSoon, { capture: true, passive: true });
    }
    document.fonts.addEventListener("loadingdone", measureSoon);
    document.addEventListener("mouseover", over);
    document.documentElement.addEventListener("mouseleave", () => {
      point([]);
      tell({ type: "over", numbers: [] });
    });
    document.addEventListener("click", click, true);
    for (const type of ["auxclick", "submit", "dragstart"]) {
      document.addEventListener(type, (event) => event.preventDefault(), true);
    }
    document.addEventListener("keydown", (event) => event.key === "Escape" && tell({ type: "escape" }));
    tell({ type: "ready" });
  }

  document.addEventListener("DOMContentLoaded", start);
})();
