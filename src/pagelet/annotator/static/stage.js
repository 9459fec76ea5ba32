// The drawn page and the selection on it. The frame runs no scripts, and boxes are drawn over it, so
// the page is not changed. Elements are identified by their row.

import { make } from "../shared/elements.js";
import { lookOf, wordsOf } from "./kinds.js";

const MIN_SIDE = 2; // px of an element that can be seen
const LABEL_HEIGHT = 16; // px; a label stands above its box if there is room
const CHARACTER_WIDTH = 6.5; // px, about; labels that would cover others are left out
const INSET = 4; // px by which a second box on the same place is smaller
const FRAME = "/annotate/frame";

export class Stage {
  #frame;
  #boxes;
  #on;
  #ready;
  #marks = [];
  #outer = new Set(); // rows of elements around marks; they are not filled
  #selected = []; // elements; the last one moves
  #hovered;
  #below = []; // elements the selection grew from
  #waiting = false;

  // on: {selected(elements), key(event)}
  constructor(frame, boxes, on) {
    this.#frame = frame;
    this.#boxes = boxes;
    this.#on = on;
    this.#ready = new Promise((done) => frame.addEventListener("load", () => {
      if (this.document.location.pathname === FRAME) done(); // not the empty page before it
    }));
    frame.src = FRAME;
    new ResizeObserver(() => this.#drawSoon()).observe(frame);
  }

  get document() {
    return this.#frame.contentDocument;
  }

  get selected() {
    return this.#selected;
  }

  get rows() {
    return this.#selected.map(rowOf);
  }

  async load(drawing) {
    await this.#ready;
    const own = new this.document.defaultView.DOMParser(); // with the policy of the frame
    const parsed = own.parseFromString(drawing, "text/html").documentElement;
    const root = this.document.documentElement;
    for (const { name } of [...root.attributes]) root.removeAttribute(name);
    if (root.setHTMLUnsafe) root.setHTMLUnsafe(drawing);
    else root.innerHTML = drawing;
    for (const name of ["class", "dir", "id", "lang", "data-row"]) {
      if (parsed.hasAttribute(name)) root.setAttribute(name, parsed.getAttribute(name));
    }
    this.#listen();
    this.#marks = [];
    this.#hovered = undefined;
    this.document.defaultView.scrollTo(0, 0);
    this.select([]);
  }

  // The document stays the same, and adding a listener twice has no effect.
  #listen() {
    const { document } = this;
    document.addEventListener("pointermove", this.#hover);
    document.addEventListener("pointerleave", this.#leave);
    document.addEventListener("click", this.#click, true);
    document.addEventListener("submit", stop, true);
    document.addEventListener("dragstart", stop, true);
    document.addEventListener("keydown", this.#key);
    document.addEventListener("scroll", this.#redraw, { capture: true, passive: true });
    document.addEventListener("load", this.#redraw, true);
  }

  #hover = (event) => {
    const element = elementAt(event);
    if (element === this.#hovered) return;
    this.#hovered = element;
    this.#drawSoon();
  };

  #leave = () => {
    this.#hovered = undefined;
    this.#drawSoon();
  };

  #click = (event) => {
    stop(event);
    const element = elementAt(event);
    if (!element) return;
    const several = event.shiftKey || event.ctrlKey || event.metaKey;
    if (!several) this.select([element]);
    else if (this.#selected.includes(element)) this.select(this.#selected.filter((each) => each !== element));
    else this.select([...this.#selected, element]);
  };

  #key = (event) => this.#on.key(event);

  #redraw = () => this.#drawSoon();

  // -- selection ---------------------------------------------------------------------------

  select(elements, { keep = false } = {}) {
    this.#selected = elements.filter(Boolean);
    if (!keep) this.#below = [];
    this.#on.selected(this.#selected);
    this.#drawSoon();
    this.#reveal();
  }

  selectRows(rows) {
    this.select(rows.map((row) => this.element(row)));
  }

  element(row) {
    return this.document.querySelector(`[data-row="${row}"]`);
  }

  // way: grow, shrink, previous or next; `several` adds to the selection.
  move(way, several = false) {
    const last = this.#selected.at(-1);
    const next = last ? { grow: findParent, shrink: this.#findChild, previous: findPrevious, next: findNext }[way](last) : this.#body();
    if (!next) return;
    if (way === "grow") this.#below.push(last);
    else if (way !== "shrink") this.#below = [];
    this.select(several && last ? [...this.#selected, next] : [next], { keep: true });
  }

  #findChild = (element) => {
    const before = this.#below.pop();
    if (before && element.contains(before)) return before;
    return [...element.children].find(isShown);
  };

  #body() {
    return this.document.body?.dataset.row === undefined ? undefined : this.document.body;
  }

  #reveal() {
    const rect = this.#selected.at(-1)?.getBoundingClientRect();
    if (!rect) return;
    const { innerHeight } = this.document.defaultView;
    const seen = rect.bottom > 40 && rect.top < innerHeight - 40;
    if (!seen) this.#selected.at(-1).scrollIntoView({ block: rect.height > innerHeight ? "start" : "center" });
  }

  // -- boxes over the page -------------------------------------------------------------------

  show(marks) {
    this.#marks = marks;
    this.#outer = new Set();
    for (const row of new Set(marks.flatMap(({ rows }) => rows))) {
      for (let above = this.element(row)?.parentElement; above; above = above.parentElement) {
        if (isMarkable(above)) this.#outer.add(rowOf(above));
      }
    }
    this.#drawSoon();
  }

  #drawSoon() {
    if (!this.#waiting) requestAnimationFrame(() => this.#draw());
    this.#waiting = true;
  }

  #draw() {
    this.#waiting = false;
    if (!this.document) return;
    const boxes = this.#drawMarks();
    const over = this.#hovered && visibleRect(this.#hovered);
    if (over) boxes.push(makeBox(over, "hover"));
    for (const element of this.#selected) {
      const rect = visibleRect(element);
      if (rect) boxes.push(makeBox(rect, "selected"));
    }
    this.#boxes.replaceChildren(...boxes);
  }

  // Boxes of all marks. Those on one and the same place lie within each other, their labels side by side.
  #drawMarks() {
    const places = this.#listPlaces();
    const labels = []; // rectangles of labels
    return places.flatMap(({ rect, marks, rows }) => {
      const boxes = marks.map(({ look }, at) => makeBox(shrink(rect, at * INSET), `mark ${look}${at || rows.some((row) => this.#outer.has(row)) ? " outer" : ""}`));
      const words = marks.filter(({ label }) => label);
      const above = rect.top >= LABEL_HEIGHT;
      const area = { left: rect.left, top: rect.top - (above ? LABEL_HEIGHT : 0), width: CHARACTER_WIDTH * words.reduce((sum, { label }) => sum + label.length + 2, 0), height: LABEL_HEIGHT };
      const wanted = rows.some((row) => this.#isPointedAt(row));
      const fits = makeRoom(area, labels, rect.left + rect.width);
      if (!words.length || (!wanted && !fits)) return boxes;
      if (!fits) area.left = rect.left; // what is pointed at is named, even over another label
      labels.push(area);
      const line = boxes[0].appendChild(make("div", { class: above ? "labels above" : "labels" }, ...words.map(({ label, look }) => make("span", { class: look }, label))));
      if (area.left > rect.left) line.style.left = `${area.left - rect.left}px`;
      return boxes;
    });
  }

  #isPointedAt(row) {
    return [this.#hovered, ...this.#selected].some((element) => element && rowOf(element) === row);
  }

  // The marks by their rectangles in the window, in the order of the marks.
  #listPlaces() {
    const places = new Map();
    for (const { kind, rows, source } of this.#marks) {
      const look = `${lookOf(kind)}${source === "person" ? "" : " proposed"}`;
      rows.forEach((row, at) => {
        const rect = visibleRect(this.element(row));
        if (!rect) return;
        const key = [rect.left, rect.top, rect.width, rect.height].map(Math.round).join(" ");
        const place = places.get(key) ?? { rect, marks: [], rows: [] };
        place.marks.push({ look, label: at === 0 ? wordsOf(kind) : "" });
        place.rows.push(row);
        places.set(key, place);
      });
    }
    return [...places.values()];
  }
}

// Move a label to the right of those it would cover; false if it would not be at its box any more.
function makeRoom(area, others, end) {
  for (let other = others.find((each) => overlap(area, each)); other; other = others.find((each) => overlap(area, each))) {
    area.left = other.left + other.width;
    if (area.left + area.width > end) return false;
  }
  return true;
}

function overlap(one, other) {
  return one.left < other.left + other.width && other.left < one.left + one.width && one.top < other.top + other.height && other.top < one.top + one.height;
}

function stop(event) {
  event.preventDefault();
  event.stopPropagation();
}

const rowOf = (element) => Number(element.dataset.row);

const isMarkable = (element) => element?.dataset?.row !== undefined;

function elementAt(event) {
  const element = event.composedPath().find(isMarkable);
  return element?.closest("body") || element?.getRootNode() instanceof ShadowRoot ? element : undefined;
}

function findParent(element) {
  if (element === element.ownerDocument.body) return undefined;
  const above = element.parentElement ?? element.getRootNode().host;
  return isMarkable(above) && above.closest("body") ? above : undefined;
}

const isShown = (element) => isMarkable(element) && visibleRect(element) !== undefined;

function findPrevious(element) {
  let sibling = element.previousElementSibling;
  while (sibling && !isShown(sibling)) sibling = sibling.previousElementSibling;
  return sibling;
}

function findNext(element) {
  let sibling = element.nextElementSibling;
  while (sibling && !isShown(sibling)) sibling = sibling.nextElementSibling;
  return sibling;
}

function visibleRect(element) {
  if (!element) return undefined;
  let rect = element.getBoundingClientRect();
  if (Math.min(rect.width, rect.height) < MIN_SIDE) { // all floats, or display: contents
    const range = element.ownerDocument.createRange();
    range.selectNodeContents(element);
    rect = range.getBoundingClientRect();
  }
  return Math.min(rect.width, rect.height) < MIN_SIDE ? undefined : rect;
}

function shrink({ left, top, width, height }, by) {
  const inset = Math.max(Math.min(by, width / 2 - 2, height / 2 - 2), 0);
  return { left: left + inset, top: top + inset, width: width - 2 * inset, height: height - 2 * inset };
}

function makeBox({ left, top, width, height }, name) {
  const box = make("div", { class: `box ${name}` });
  Object.assign(box.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  return box;
}
