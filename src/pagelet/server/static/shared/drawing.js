// A page drawn in a sandboxed frame. The frame is not trusted: numbers, rows and coordinates are the
// only values taken from it, and each is checked.

const OVERLAY = ["/static/report/palette.css", "/static/report/overlay.css"];
const WAIT_MS = 10000; // time for the frame to answer

const isNumber = (value, end) => Number.isInteger(value) && value >= 0 && value < end;

// Items and their places as columns, which are sent many times faster than objects: for each item the
// numbers of its kind and label in lists of names, for each place its item, row and text.
function toColumns(items) {
  const [kinds, labels] = [new Map(), new Map()];
  const numberIn = (names, name) => names.get(name) ?? (names.set(name, names.size), names.size - 1);
  const named = Int32Array.from(items.flatMap(({ kind, label }) => [numberIn(kinds, kind), numberIn(labels, label)]));
  const places = Int32Array.from(items.flatMap((item, number) => item.places.flatMap(({ row, text }) => [number, row, text ?? 0])));
  return { names: { kinds: [...kinds.keys()], labels: [...labels.keys()] }, named, places };
}

export class Drawing {
  #frame;
  #on;
  #versions = [[]]; // items of each draw; those that the frame no longer has are emptied
  #drawing;
  #ready = false;
  #loaded = false;
  #queue = []; // messages that wait until the page is loaded
  #pending = new Map(); // questions by id
  #next = 0;
  #overlay;
  #scale = 1; // px of the screen for one of the page

  // on: {click(number, row), unseen(numbers), scrolled(share), key(key)}
  constructor(frame, on) {
    this.#frame = frame;
    this.#on = on;
    const sheets = OVERLAY.map((url) => fetch(url).then((response) => response.text()));
    this.#overlay = Promise.all(sheets).then((texts) => texts.join("\n"));
    addEventListener("message", (event) => this.#receive(event));
    new ResizeObserver(() => this.#measure()).observe(frame);
    frame.setAttribute("sandbox", "allow-scripts");
    frame.src = "/frame";
  }

  load(drawing) {
    this.#drawing = drawing;
    this.#versions.push([]);
    this.#queue = [];
    this.#loaded = false;
    if (this.#ready) this.#sendPage();
  }

  // items: {kind, label, places: [{row, text?}]}
  async draw(kinds, items) {
    const overlay = await this.#overlay;
    this.#versions.push(items);
    this.#send({ type: "draw", kinds, overlay, version: this.#versions.length - 1, scale: this.#scale, ...toColumns(items) });
  }

  get #items() {
    return this.#versions.at(-1);
  }

  // The present number of an item of the frame, which may not have drawn the last items yet; -1 if it is gone.
  #findNumber({ number, version }) {
    const items = this.#versions[isNumber(version, this.#versions.length) ? version : 0];
    if (!isNumber(number, items.length)) return -1;
    if (items === this.#items) return number;
    const keyOf = ({ kind, places }) => JSON.stringify([kind, places]);
    return this.#items.findIndex((item) => keyOf(item) === keyOf(items[number]));
  }

  #showUnseen({ numbers, version }) {
    if (version !== this.#versions.length - 1 || !Array.isArray(numbers)) return; // others will come
    this.#versions.fill([], 0, version);
    this.#on.unseen(numbers.filter((one) => isNumber(one, this.#items.length)));
  }

  hideKinds(kinds) {
    this.#send({ type: "show", without: [...kinds] });
  }

  point(number) {
    this.#send({ type: "point", number });
  }

  // Choose an item, or elements by their rows.
  choose(number, rows = []) {
    this.#send({ type: "choose", number, rows });
  }

  scroll(share) {
    this.#send({ type: "scroll", share });
  }

  // Request the "layout" or a "snapshot" of the page, or "describe" an element of a row.
  query(type, fields = {}) {
    const id = this.#next++;
    this.#send({ type, id, ...fields });
    return new Promise((resolve, reject) => {
      this.#pending.set(id, resolve);
      setTimeout(() => this.#pending.delete(id) && reject(new Error("The drawn page does not answer.")), WAIT_MS);
    });
  }

  // A scaled frame has another size too, so that it fills the same room.
  #measure() {
    const scale = this.#frame.getBoundingClientRect().width / this.#frame.offsetWidth;
    if (!(scale > 0) || scale === this.#scale) return; // nothing while it is hidden
    this.#scale = scale;
    this.#send({ type: "zoom", scale });
  }

  #sendPage() {
    this.#frame.contentWindow.postMessage({ type: "load", drawing: this.#drawing }, "*");
  }

  #send(message) {
    if (this.#loaded) this.#frame.contentWindow.postMessage(message, "*");
    else this.#queue.push(message);
  }

  #receive({ source, data }) {
    if (source !== this.#frame.contentWindow || data === null || typeof data !== "object") return;
    const handlers = {
      ready: () => this.#begin(),
      loaded: () => this.#flush(),
      click: () => this.#on.click(this.#findNumber(data), Number(data.row)),
      unseen: () => this.#showUnseen(data),
      scrolled: () => this.#on.scrolled(Number(data.share) || 0),
      key: () => this.#on.key(String(data.key)),
      answer: () => this.#resolve(data),
    };
    if (Object.hasOwn(handlers, data.type)) handlers[data.type]();
  }

  #begin() {
    this.#ready = true;
    if (this.#drawing !== undefined && !this.#loaded) this.#sendPage();
  }

  #flush() {
    this.#loaded = true;
    for (const message of this.#queue.splice(0)) this.#send(message);
  }

  #resolve({ id, value }) {
    this.#pending.get(id)?.(value);
    this.#pending.delete(id);
  }
}
