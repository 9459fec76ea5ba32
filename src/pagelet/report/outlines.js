"use strict";
// Runs in the frame of a drawn page after labels.js, in the report and in the service: draws outlines
// over the page and reports what the pointer is on. The page's own elements are not changed; all outlines live in
// one shadow root. Properties that a page could shadow with names of its form fields are not read.
const outlines = (() => {
  const HOST = `all: initial !important; position: absolute !important; left: 0 !important;
    top: 0 !important; overflow: hidden !important; pointer-events: none !important;
    z-index: 2147483647 !important;`;
  const SIDES = ["left", "top", "right", "bottom"];
  const SAME_EDGE = 4; // px: edges closer than this would overlap
  const INSET = 3; // px by which a region is inset where its edge meets that of its container
  const MAX_INSET = 12; // px
  const OUTSET = -2; // px: elsewhere the border is drawn outside, clear of the text
  const MIN_SIZE = 2; // px: smaller elements are hidden on purpose
  const LABEL_ROOM = 28; // px: lower regions show their label only under the pointer
  const MAX_GROWTH = 2; // of labels on a page that is shown smaller
  const MAX_PAINTED = 4000; // regions; of more, only those near the window are painted
  const NEAR = 1500; // px around the window

  const byNode = new Map();
  const layers = new Map();
  const widths = new Map(); // of labels, by text
  let host;
  let regions = [];
  let total = 0;
  let version = 0; // of the items; numbers that are posted are those of these items
  let unseen; // numbers that were reported last
  let chosen = -1;
  let hidden = new Set();
  let probe; // a label that is measured
  let growth = 1; // of labels, so that they can be read on a page that is shown smaller
  let spots = []; // regions that are chosen or pointed at though their kind is hidden
  let spotLayer;
  let labelLayer; // above the outlines of all kinds, which would cross the labels
  let resized = true; // the size of the page may have changed since it was measured
  let waiting = false;

  const post = (message) => parent.postMessage(message, "*");

  // -- regions --------------------------------------------------------------------------

  // All elements, those in shadow roots too.
  function elementsBelow(root, elements = []) {
    for (const element of root.querySelectorAll("*")) {
      elements.push(element);
      if (element.shadowRoot && element !== host) elementsBelow(element.shadowRoot, elements);
    }
    return elements;
  }

  const textsOf = (element) => [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);

  function rangeOf(node) {
    const range = document.createRange();
    range.selectNodeContents(node);
    return range;
  }

  function containerOf(element) {
    for (let node = element; node; node = node.parentNode ?? node.host) {
      const inner = byNode.get(node)?.findLast((region) => !region.range);
      if (inner) return inner;
    }
  }

  function addLayer(shadow, { name, look, line, quiet, labelled }) {
    const layer = document.createElement("div");
    layer.className = [look, line === "double" ? line : "", quiet ? "quiet" : ""].join(" ");
    layer.labelled = labelled;
    layer.look = look;
    layer.hidden = hidden.has(name);
    layers.set(name, layer);
    shadow.append(layer);
  }

  function addPart(className, layer) {
    const element = document.createElement("div");
    element.className = className;
    layer.append(element);
    return element;
  }

  function addRegion({ kind, label }, { number, element, text }) {
    const region = { number, kind, element, text: label, outer: containerOf(element) };
    if (text) region.range = rangeOf(text);
    byNode.set(element, [...(byNode.get(element) ?? []), region]);
    regions.push(region);
  }

  // The elements of a region are made when it is first painted, and removed when it is not.
  function show(region, painted) {
    if (!painted) {
      region.box?.remove();
      region.label?.remove();
      region.box = region.label = undefined;
    } else if (!region.box) {
      const layer = layers.get(region.kind);
      region.box = addPart("box", layer);
      region.box.dataset.number = region.number;
      region.box.classList.toggle("chosen", region.number === chosen);
      region.label = addPart(`label ${layer.look}`, labelLayer);
      region.label.textContent = region.text;
    }
  }

  // A region around others that are shown has no fill, which would lie under all of them.
  function markOuter() {
    for (const region of regions) region.around = false;
    for (const region of regions) {
      let outer = hidden.has(region.kind) ? undefined : region.outer;
      while (outer && hidden.has(outer.kind)) outer = outer.outer;
      if (outer) outer.around = true;
    }
  }

  // items: {kind, label}; places: {number, element, text?}, containers before their content, where
  // the number is that of the item, and the text one of the element's unless it is all of it.
  function draw({ kinds, items, overlay, scale, version: given = 0 }, places) {
    host?.remove();
    version = given;
    growth = growthAt(scale);
    for (const map of [byNode, layers, widths]) map.clear();
    [regions, total, unseen, resized] = [[], items.length, undefined, true];
    host = document.createElement("pagelet-overlays");
    const shadow = host.attachShadow({ mode: "open" });
    const sheet = document.createElement("style");
    sheet.textContent = overlay;
    shadow.append(sheet);
    document.documentElement.append(host);
    for (const kind of kinds) addLayer(shadow, kind);
    [spotLayer, labelLayer] = [addPart("", shadow), addPart("", shadow)];
    probe = addPart("label probe", shadow);
    spots = [];
    for (const place of places) {
      if (layers.has(items[place.number].kind)) addRegion(items[place.number], place);
    }
    markOuter();
    measure();
  }

  // -- layout ---------------------------------------------------------------------------

  function visible(element) {
    const options = { visibilityProperty: true, opacityProperty: true };
    return element.checkVisibility(options) || getComputedStyle(element).display === "contents";
  }

  const large = ({ width, height }) => Math.min(width, height) >= MIN_SIZE;

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
      const meets = outer?.rect && Math.abs(rect[side] - outer.rect[side]) < SAME_EDGE;
      if (meets) return Math.min(outer.insets[at] + INSET, MAX_INSET);
      return Math.max(OUTSET, -Math.abs(rect[side] - page[side])); // not beyond the page's edge
    });
  }

  function write(element, css) {
    if (element.written !== css) element.style.cssText = element.written = css;
  }

  function place(region, page) {
    region.insets = insets(region, page);
    const { rect, insets: [left, top, right, bottom] } = region;
    const x = rect.left - page.left + left;
    const y = rect.top - page.top + top;
    const width = Math.max(rect.width - left - right, 6);
    const height = Math.max(rect.height - top - bottom, 6);
    region.at = { x, y, right: x + width, height, width };
  }

  const toCss = ({ x, y, width, height }) => `left:${x}px;top:${y}px;width:${width}px;height:${height}px`;

  function paint() {
    const all = regions.length <= MAX_PAINTED;
    const [start, end] = [scrollY - NEAR, scrollY + innerHeight + NEAR]; // reading them is slow
    const isNear = ({ at }) => at.y + at.height > start && at.y < end;
    for (const region of regions) {
      show(region, Boolean(region.rect) && !hidden.has(region.kind) && (all || isNear(region)));
      if (!region.box) continue;
      write(region.box, toCss(region.at));
      region.box.classList.toggle("outer", Boolean(region.around));
    }
    placeLabels();
  }

  // A label without a place of its own is shown only while its region is chosen or pointed at.
  function placeLabels() {
    const high = labels.HEIGHT * growth;
    const take = labels.startPage(high);
    for (const region of regions) {
      if (!region.box) continue;
      const { x, right, height } = region.at;
      const width = widthOf(region.text);
      const roomy = layers.get(region.kind).labelled && height >= LABEL_ROOM;
      region.place = roomy ? take(region.at, width) : undefined;
      const { left, top } = region.place ?? { left: Math.max(x, right - width), top: labels.topOf(region.at, high) };
      write(region.label, `left:${left}px;top:${top}px`);
      showLabel(region);
    }
  }

  function showLabel(region) {
    if (!region.label) return;
    const raised = Boolean(region.over) || region.number === chosen;
    region.label.hidden = !(region.place || raised);
    region.label.classList.toggle("raised", raised);
  }

  function widthOf(text) {
    if (!widths.has(text)) {
      probe.textContent = text;
      widths.set(text, probe.offsetWidth);
    }
    return widths.get(text);
  }

  const growthAt = (scale) => (scale > 0 ? Math.min(Math.max(1, 1 / scale), MAX_GROWTH) : 1);

  // The page is shown at another scale.
  function zoom({ scale }) {
    growth = growthAt(scale);
    if (!host) return;
    host.style.setProperty("--growth", growth);
    widths.clear();
    paint();
  }

  function cover() {
    host.style.cssText = `${HOST} display: none !important;`;
    const { scrollWidth: width, scrollHeight: height } = document.documentElement;
    host.style.cssText = `${HOST} width: ${width}px !important; height: ${height}px !important; --growth: ${growth};`;
  }

  function measure() {
    waiting = false;
    if (!host) return;
    if (!resized && regions.length > MAX_PAINTED) {
      paint(); // too many to be measured at every scroll
      return;
    }
    if (resized) cover();
    resized = false;
    const page = host.getBoundingClientRect();
    if (!page.width) measureSoon({ type: "shown" }); // the frame is hidden: once it is shown
    for (const region of regions) region.rect = rectangle(region);
    for (const region of regions) if (region.rect) place(region, page);
    paint();
    placeSpots(page);
    postUnseen();
  }

  function postUnseen() {
    const seen = new Set(regions.filter((region) => region.rect).map((region) => region.number));
    const numbers = [...Array(total).keys()].filter((number) => !seen.has(number));
    if (numbers.join() === unseen) return;
    unseen = numbers.join();
    post({ type: "unseen", numbers, version });
  }

  function measureSoon({ type }) {
    resized ||= type !== "scroll";
    if (!waiting) requestAnimationFrame(measure);
    waiting = true;
  }

  // -- interaction ----------------------------------------------------------------------

  function within({ range }, { clientX: x, clientY: y }) {
    const rect = range.getBoundingClientRect();
    return x >= rect.left && x <= rect.right && y >= rect.top && y <= rect.bottom;
  }

  function numbersAt(event, isShown = (kind) => !hidden.has(kind)) { // the innermost first
    const own = event.composedPath().flatMap((node) => [...(byNode.get(node) ?? [])].reverse());
    const there = own.filter((region) =>
      region.rect && isShown(region.kind) && (!region.range || within(region, event)));
    return [...new Set(there.map((region) => region.number))];
  }

  const rowAt = (event) => // of the service's drawings alone
    Number(event.composedPath().find((node) => node.dataset?.row !== undefined)?.dataset.row ?? -1);

  function point(numbers) {
    for (const region of regions) {
      const over = numbers.includes(region.number);
      if (over === Boolean(region.over)) continue;
      region.over = over;
      region.box?.classList.toggle("over", over);
      showLabel(region);
    }
  }

  function pointerMoved(event) {
    const numbers = numbersAt(event);
    point(numbers.slice(0, 1));
    post({ type: "over", numbers, row: rowAt(event), x: event.clientX, y: event.clientY });
  }

  // A second click on the same spot chooses the region around the first. Where no kind is shown,
  // a region of a hidden one is chosen.
  function click(event) {
    event.preventDefault();
    event.stopPropagation();
    const visible = numbersAt(event);
    const numbers = visible.length ? visible : numbersAt(event, () => true);
    const next = numbers[(numbers.indexOf(chosen) + 1) % numbers.length] ?? -1;
    post({ type: "click", number: next, row: rowAt(event), version });
  }

  // Choose a region by number, or any elements; what is of a hidden kind, or of none, is outlined too.
  function choose({ number, elements = [] }) {
    chosen = number;
    for (const region of regions) {
      region.box?.classList.toggle("chosen", region.number === number);
      showLabel(region);
    }
    const own = regions.filter((region) => region.number === number);
    const bare = elements.map((element) => ({ number: -1, element }));
    setSpots([...own.filter(({ kind }) => hidden.has(kind)), ...bare]);
    reveal([...own, ...bare].find((region) => rectangle(region)));
  }

  function setSpots(shown) {
    if (!host) return;
    spots = shown.map((region) => ({ region, box: document.createElement("div") }));
    for (const { region, box } of spots) box.className = `box spot ${layers.get(region.kind)?.look ?? "kind-other"}`;
    spotLayer.replaceChildren(...spots.map(({ box }) => box));
    placeSpots(host.getBoundingClientRect());
  }

  function placeSpots(page) {
    for (const { region, box } of spots) {
      region.rect = rectangle(region);
      box.hidden = !region.rect;
      if (!region.rect) continue;
      place(region, page);
      write(box, toCss(region.at));
    }
  }

  function reveal(region) {
    const rect = region && rectangle(region);
    if (!rect || (rect.top >= 0 && rect.bottom <= innerHeight)) return;
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
    const block = rect.height > innerHeight ? "start" : "center";
    region.element.scrollIntoView({ block, behavior });
  }

  function hideKinds({ without }) {
    hidden = new Set(without);
    for (const [name, layer] of layers) layer.hidden = hidden.has(name);
    markOuter();
    paint();
    const bare = spots.map(({ region }) => region).filter(({ number }) => number < 0);
    setSpots([...regions.filter(({ number, kind }) => number === chosen && hidden.has(kind)), ...bare]);
  }

  function leave() {
    point([]);
    post({ type: "over", numbers: [], row: -1 });
  }

  function listen() {
    for (const type of ["load", "resize", "toggle", "scroll"]) { // "load" of pictures too
      addEventListener(type, measureSoon, { capture: true, passive: true });
    }
    document.fonts.addEventListener("loadingdone", measureSoon);
    document.addEventListener("mouseover", pointerMoved);
    document.documentElement?.addEventListener("mouseleave", leave);
    document.addEventListener("click", click, true);
    for (const type of ["auxclick", "submit", "dragstart", "drop", "dragover"]) {
      document.addEventListener(type, (event) => event.preventDefault(), true);
    }
  }

  return {
    draw, elementsBelow, listen, post, textsOf,
    handlers: { show: hideKinds, choose, zoom, point: ({ number }) => point([number]) }, // by type of message
    regions: () => regions.filter(({ rect, kind }) => rect && !hidden.has(kind)),
  };
})();
