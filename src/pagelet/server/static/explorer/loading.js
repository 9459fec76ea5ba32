// What is shown while a page is opened: the step, how far it is, the time, and a way out.

import { byId } from "../shared/elements.js";

const STEPS = ["Reading the page", "Sending the page", "Finding content, menu and clutter", "Drawing the page"];
const TICK_MS = 250;
const SHOW_MS = 150; // what is quicker is not shown

export class Loading {
  #timer;
  #started = 0;
  #abort;
  #back; // what had the focus

  constructor() {
    byId("cancel").addEventListener("click", () => this.cancel());
  }

  get active() {
    return this.#abort !== undefined;
  }

  // Begin; the signal is aborted by "Cancel".
  begin() {
    this.cancel();
    this.#abort = new AbortController();
    this.#started = performance.now();
    this.#back = document.activeElement;
    this.step(0);
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    setTimeout((abort) => abort === this.#abort && this.#show(), SHOW_MS, this.#abort);
    return this.#abort.signal;
  }

  step(number, detail = "") {
    byId("progress").value = number + 1;
    byId("step").textContent = `${STEPS[number]}${detail ? ` (${detail})` : ""} …`;
  }

  end() {
    clearInterval(this.#timer);
    this.#abort = undefined;
    const focused = byId("loading").contains(document.activeElement);
    byId("loading").hidden = true;
    document.body.classList.remove("loading");
    if (focused && this.#back?.isConnected) this.#back.focus();
  }

  cancel() {
    this.#abort?.abort();
    if (this.#abort) this.end();
  }

  #show() {
    byId("loading").hidden = false;
    document.body.classList.add("loading");
    byId("cancel").focus();
    this.#tick();
  }

  #tick() {
    const seconds = Math.round((performance.now() - this.#started) / 1000);
    byId("elapsed").textContent = `Step ${byId("progress").value} of ${STEPS.length}, ${seconds} s`;
  }
}
