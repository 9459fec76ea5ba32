// Keyboard shortcuts; none acts while text is typed into a field.

import { byId, make } from "../shared/elements.js";

const FIELDS = "input:not([type='range'], [type='checkbox']), textarea, select";
const SIGNS = { ArrowDown: "↓", ArrowUp: "↑", Escape: "Esc" };

export class Keys {
  #actions = new Map();

  // rows: [keys, description, action]
  constructor(rows) {
    for (const [keys, description, action] of rows) {
      for (const key of keys) this.#actions.set(key, action);
      const shown = keys.flatMap((key, at) => [at ? " " : "", make("kbd", {}, SIGNS[key] ?? key)]);
      byId("shortcuts").append(make("dt", {}, ...shown), make("dd", {}, description));
    }
    addEventListener("keydown", (event) => this.#handle(event));
  }

  press(key) {
    this.#actions.get(key)?.(key);
  }

  #handle(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const typing = event.target instanceof Element && event.target.matches(FIELDS);
    if (typing && event.key === "Escape") event.target.blur();
    const ranged = event.target instanceof Element && event.target.matches("input[type='range'], [role='tab']");
    if (typing || !this.#actions.has(event.key) || (ranged && event.key.startsWith("Arrow"))) return;
    event.preventDefault();
    this.press(event.key);
  }
}
