// The drawn page and what is selected on it. The frame runs no scripts; the boxes are drawn over
// it, so nothing of the page is changed. Elements are known by their row.

import { make } from "../shared/service.js";

const SMALLEST = 2; // px: smaller is made to be unseen
const LABEL = 16; // px: height of a label, which stands above its box where there is room
const FRAME = "/annotate/frame";

export class Stage {
  #frame;
  #boxes;
  #on;
  #ready;
  #marks = [];
  #selected = []; // elements; the last one is the one that moves
  #hovered;
  #below = []; // elements that the selection grew out of
  #waiting = false;

  // on: {selected(elements), key(event)}
  constructor(frame, boxes, on) {
    this.#frame = frame;
    this.#boxes = boxes;
    this.#on = on;
    this.#ready = new Promise((done) => frame.addEventListener("load", () => {
      if (this.document.location.pathname === FRAME) done(); // not the empty page that comes before it
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
    const own = new this.document.defaultView.DOMParser(); // its policy is that of the frame
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

  // The document lasts; its listeners are set again, since the same ones are set only once.
  #listen() {
    const { document } = this;
    document.addEventListener("pointermove", this.#over);
    document.addEventListener("pointerleave", this.#leave);
    document.addEventListener("click", this.#click, true);
    document.addEventListener("submit", stop, true);
    document.addEventListener("dragstart", stop, true);
    document.addEventListener("keydown", this.#key);
    document.addEventListener("scroll", this.#moved, { capture: true, passive: true });
    document.addEventListener("load", this.#moved, true);
  }

  #over = (event) => {
    const found = elementAt(event);
    if (found === this.#hovered) return;
    this.#hovered = found;
    this.#drawSoon();
  };

  #leave = () => {
    this.#hovered = undefined;
    this.#drawSoon();
  };

  #click = (event) => {
    stop(event);
    const found = elementAt(event);
    if (!found) return;
    const several = event.shiftKey || event.ctrlKey || event.metaKey;
    if (!several) this.select([found]);
    else if (this.#selected.includes(found)) this.select(this.#selected.filter((each) => each !== found));
    else this.select([...this.#selected, found]);
  };

  #key = (event) => this.#on.key(event);

  #moved = () => this.#drawSoon();

  // -- what is selected ------------------------------------------------------------------

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

  // way: grow, shrink, previous or next; `several` keeps what was selected.
  move(way, several = false) {
    const last = this.#selected.at(-1);
    const next = last ? { grow, shrink: this.#shrunk, previous, next: following }[way](last) : this.#body();
    if (!next) return;
    if (way === "grow") this.#below.push(last);
    else if (way !== "shrink") this.#below = [];
    this.select(several && last ? [...this.#selected, next] : [next], { keep: true });
  }

  #shrunk = (element) => {
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

  // -- what is drawn over the page ---------------------------------------------------------

  show(marks) {
    this.#marks = marks;
    this.#drawSoon();
  }

  #drawSoon() {
    if (!this.#waiting) requestAnimationFrame(() => this.#draw());
    this.#waiting = true;
  }

  #draw() {
    this.#waiting = false;
    if (!this.document) return;
    const made = [];
    for (const { kind, rows, source } of this.#marks) {
      const proposed = source === "person" ? "" : " proposed";
      rows.forEach((row, at) => {
        const rect = seenRect(this.element(row));
        if (rect) made.push(box(rect, `mark kind-${kind}${proposed}`, at === 0 ? kind : ""));
      });
    }
    const over = this.#hovered && seenRect(this.#hovered);
    if (over) made.push(box(over, "hover"));
    for (const element of this.#selected) {
      const rect = seenRect(element);
      if (rect) made.push(box(rect, "selected"));
    }
    this.#boxes.replaceChildren(...made);
  }
}

function stop(event) {
  event.preventDefault();
  event.stopPropagation();
}

export const rowOf = (element) => Number(element.dataset.row);

const isMarkable = (element) => element?.dataset?.row !== undefined;

function elementAt(event) {
  const found = event.composedPath().find(isMarkable);
  return found?.closest("body") || found?.getRootNode() instanceof ShadowRoot ? found : undefined;
}

export function grow(element) {
  if (element === element.ownerDocument.body) return undefined;
  const above = element.parentElement ?? element.getRootNode().host;
  return isMarkable(above) && above.closest("body") ? above : undefined;
}

const isShown = (element) => isMarkable(element) && seenRect(element) !== undefined;

function previous(element) {
  let found = element.previousElementSibling;
  while (found && !isShown(found)) found = found.previousElementSibling;
  return found;
}

function following(element) {
  let found = element.nextElementSibling;
  while (found && !isShown(found)) found = found.nextElementSibling;
  return found;
}

function seenRect(element) {
  if (!element) return undefined;
  let rect = element.getBoundingClientRect();
  if (Math.min(rect.width, rect.height) < SMALLEST) { // all floats, or display: contents
    const range = element.ownerDocument.createRange();
    range.selectNodeContents(element);
    rect = range.getBoundingClientRect();
  }
  return Math.min(rect.width, rect.height) < SMALLEST ? undefined : rect;
}

function box({ left, top, width, height }, name, label = "") {
  const made = make("div", { class: `box ${name}` });
  Object.assign(made.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  if (label) made.append(make("span", { class: top < LABEL ? "" : "above" }, label));
  return made;
}
