"use strict";
// Runs in the sandboxed frame: writes the drawing it is sent, draws regions over it, and says
// what the pointer is on. Elements of the page are left as they are; all that is drawn lives in
// one shadow root. What a page could shadow with the names of its form fields is not read.
const frame = (() => {
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

  const elements = new Map(); // by row
  const byNode = new Map();
  const layers = new Map();
  const widths = new Map(); // of labels, by what they say
  let host;
  let shadow;
  let style = "";
  let regions = [];
  let total = 0;
  let chosen = -1;
  let hidden = new Set();
  let resized = true; // the page may have another size than when last measured
  let waiting = false;

  const tell = (message) => parent.postMessage(message, "*");

  // -- which nodes are regions ----------------------------------------------------------

  function index(root) {
    for (const element of root.querySelectorAll("*")) {
      const row = element.dataset?.row;
      if (row !== undefined) elements.set(Number(row), element);
      if (element.shadowRoot && element !== host) index(element.shadowRoot);
    }
  }

  function rangeOf(node) {
    const range = document.createRange();
    range.selectNodeContents(node);
    return range;
  }

  function textOf(element, place) { // the place counts blank texts too, from 1
    const texts = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
    return texts[place - 1] ?? element;
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

  function addLayers(kinds) {
    for (const { name, colour, ink, quiet, labelled } of kinds) {
      const layer = document.createElement("div");
      layer.classList.toggle("quiet", quiet);
      layer.labelled = labelled;
      layer.hidden = hidden.has(name);
      layer.style.setProperty("--colour", colour);
      layer.style.setProperty("--ink", ink);
      layers.set(name, layer);
      shadow.append(layer);
    }
  }

  function addRegion(number, { kind, label }, element, text) {
    const region = { number, kind, element, outer: around(element) };
    if (text) region.range = rangeOf(textOf(element, text));
    region.box = drawn("box", kind);
    region.label = drawn("label", kind);
    region.label.textContent = label;
    byNode.set(element, [...(byNode.get(element) ?? []), region]);
    regions.push(region);
  }

  function build(items) { // what stands around others is added first, so rows go in order
    const places = items.flatMap((item, number) =>
      item.places.map(({ row, text }) => ({ number, item, row, text: text ?? 0 })));
    places.sort((one, two) => one.row - two.row || one.text - two.text);
    for (const { number, item, row, text } of places) {
      if (elements.has(row) && layers.has(item.kind)) addRegion(number, item, elements.get(row), text);
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
    region.at = { x, y, right: x + width, height, width };
    write(region.box, `left:${x}px;top:${y}px;width:${width}px;height:${height}px`);
  }

  function write(element, css) {
    if (element.written !== css) element.style.cssText = element.written = css;
  }

  // Labels stand in the upper right corner, and give way to the left where one is already there.
  function placeLabels() {
    const lines = new Map();
    for (const region of regions) {
      if (!region.rect || hidden.has(region.kind)) continue;
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
    waiting = false;
    if (!host) return;
    if (resized) cover();
    resized = false;
    const page = host.getBoundingClientRect();
    for (const region of regions) region.rect = rectangle(region);
    for (const region of regions) {
      region.box.hidden = region.label.hidden = !region.rect;
      if (region.rect) place(region, page);
    }
    placeLabels();
    const seen = new Set(regions.filter((region) => region.rect).map((region) => region.number));
    tell({ type: "unseen", numbers: [...Array(total).keys()].filter((number) => !seen.has(number)) });
  }

  function measureSoon({ type }) {
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
      region.rect && !hidden.has(region.kind) && (!region.range || within(region, event)));
    return [...new Set(there.map((region) => region.number))];
  }

  function rowAt(event) {
    const element = event.composedPath().find((node) => node.dataset?.row !== undefined);
    return Number(element?.dataset.row ?? -1);
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
    tell({ type: "over", numbers, row: rowAt(event), x: event.clientX, y: event.clientY });
  }

  // A second click on the same spot chooses the region around the first.
  function click(event) {
    event.preventDefault();
    event.stopPropagation();
    const numbers = numbersAt(event);
    const next = numbers[(numbers.indexOf(chosen) + 1) % numbers.length] ?? -1;
    tell({ type: "click", number: next, row: rowAt(event), alt: event.altKey });
  }

  function choose(number) {
    chosen = number;
    for (const region of regions) {
      region.box.classList.toggle("chosen", region.number === number);
      showLabel(region);
    }
    reveal(regions.find((region) => region.number === number && region.rect));
  }

  function reveal(region) {
    if (!region || (region.rect.top >= 0 && region.rect.bottom <= innerHeight)) return;
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
    const block = region.rect.height > innerHeight ? "start" : "center";
    region.element.scrollIntoView({ block, behavior });
  }

  function show({ without }) {
    hidden = new Set(without);
    for (const [name, layer] of layers) layer.hidden = hidden.has(name);
    placeLabels();
  }

  function draw({ kinds, items, overlay }) {
    style = overlay ?? style;
    host?.remove();
    host = document.createElement("pagelet-overlays");
    shadow = host.attachShadow({ mode: "open" });
    const sheet = document.createElement("style");
    sheet.textContent = style;
    shadow.append(sheet);
    for (const known of [byNode, layers, widths]) known.clear();
    regions = [];
    total = items.length;
    document.documentElement.append(host);
    addLayers(kinds);
    build(items);
    measureLabels();
    resized = true;
    measure();
  }

  return {
    elements, index, draw, show, choose, click, over, measureSoon, tell,
    point: ({ number }) => point([number]),
    leave: () => { point([]); tell({ type: "over", numbers: [], row: -1 }); },
    regions: () => regions.filter(({ rect, kind }) => rect && !hidden.has(kind)),
    host: () => host,
  };
})();
