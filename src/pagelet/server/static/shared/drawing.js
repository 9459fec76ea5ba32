// A page drawn in a sandboxed frame. The frame is not trusted: all that is taken from it are
// numbers, rows and places, each checked.

const OVERLAY = "/static/report/overlay.css";
const WAIT = 10000; // ms for the frame to answer

const isNumber = (value, end) => Number.isInteger(value) && value >= 0 && value < end;

export class Drawing {
  #frame;
  #on;
  #items = [];
  #drawing;
  #ready = false;
  #loaded = false;
  #queue = []; // messages that wait for the page
  #asked = new Map();
  #next = 0;
  #overlay;

  // on: {loaded, click(number, row), over(numbers, row, x, y), unseen(numbers), scrolled(share), key(key)}
  constructor(frame, on = {}) {
    this.#frame = frame;
    this.#on = on;
    this.#overlay = fetch(OVERLAY).then((answer) => answer.text());
    addEventListener("message", (event) => this.#take(event));
    frame.setAttribute("sandbox", "allow-scripts");
    frame.src = "/frame";
  }

  get element() {
    return this.#frame;
  }

  load(drawing) {
    this.#drawing = drawing;
    this.#items = [];
    this.#queue = [];
    this.#loaded = false;
    if (this.#ready) this.#send();
  }

  async draw(kinds, items) {
    const overlay = await this.#overlay;
    this.#items = items;
    this.#tell({ type: "draw", kinds, items, overlay });
  }

  show(without) {
    this.#tell({ type: "show", without: [...without] });
  }

  point(number) {
    this.#tell({ type: "point", number });
  }

  choose(number) {
    this.#tell({ type: "choose", number });
  }

  scroll(share) {
    this.#tell({ type: "scroll", share });
  }

  // Ask the frame for its "layout" or a "snapshot".
  ask(type) {
    const id = this.#next++;
    this.#tell({ type, id });
    return new Promise((resolve, reject) => {
      this.#asked.set(id, resolve);
      setTimeout(() => this.#asked.delete(id) && reject(new Error("The drawing did not answer.")), WAIT);
    });
  }

  #send() {
    this.#frame.contentWindow.postMessage({ type: "load", drawing: this.#drawing }, "*");
  }

  #tell(message) {
    if (this.#loaded) this.#frame.contentWindow.postMessage(message, "*");
    else this.#queue.push(message);
  }

  #take({ source, data }) {
    if (source !== this.#frame.contentWindow || data === null || typeof data !== "object") return;
    const numbers = (value) =>
      (Array.isArray(value) ? value.filter((one) => isNumber(one, this.#items.length)) : []);
    const taken = {
      ready: () => this.#begin(),
      loaded: () => this.#flush(),
      click: () => this.#on.click?.(isNumber(data.number, this.#items.length) ? data.number : -1, Number(data.row)),
      over: () => this.#on.over?.(numbers(data.numbers), Number(data.row), Number(data.x) || 0, Number(data.y) || 0),
      unseen: () => this.#on.unseen?.(numbers(data.numbers)),
      scrolled: () => this.#on.scrolled?.(Number(data.share) || 0),
      key: () => this.#on.key?.(String(data.key)),
      answer: () => this.#answer(data),
    };
    if (Object.hasOwn(taken, data.type)) taken[data.type]();
  }

  #begin() {
    this.#ready = true;
    if (this.#drawing !== undefined && !this.#loaded) this.#send();
  }

  #flush() {
    this.#loaded = true;
    for (const message of this.#queue.splice(0)) this.#tell(message);
    this.#on.loaded?.();
  }

  #answer({ id, value }) {
    this.#asked.get(id)?.(value);
    this.#asked.delete(id);
  }
}
