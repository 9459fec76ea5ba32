// The left pane with methods and options; legend, status, problems, and the width of the drawing.

import { byId, make, showPane } from "../shared/elements.js";
import { kindsOf } from "./kinds.js";
import { fillOptions } from "./options.js";
import { app } from "./state.js";
import { labelWords } from "./words.js";

const ALL = { name: "all", label: "Content, menu and clutter together", summary: "Content, menu and clutter together, and the template if there are other pages of the site." };

// A slider that is being moved must not be replaced.
const isSliding = () => document.activeElement?.matches("#options input[type='range']") ?? false;

const toSentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

export class Panel {
  #on;
  #methods = [ALL];
  #shown = ["", "", ""]; // method, profile and changes that the form shows

  // on: {method(name), profile(name), option(name, value), reset()}
  constructor(on) {
    this.#on = on;
    byId("methods").addEventListener("click", ({ target }) => {
      const tab = target.closest("[role='tab']");
      if (tab) on.method(tab.dataset.method);
    });
    byId("methods").addEventListener("keydown", (event) => this.#step(event));
    byId("options").addEventListener("submit", (event) => event.preventDefault());
    byId("panes").addEventListener("click", ({ target }) => target.dataset.pane && showPane(target.dataset.pane));
  }

  fill(methods) {
    this.#methods = [ALL, ...methods];
    byId("methods").replaceChildren(...this.#methods.map(({ name, label, summary }, at) => make("button", {
      type: "button", role: "tab", id: `method-${name}`, "aria-controls": "panel", "aria-keyshortcuts": String(at),
      ariaSelected: "false", tabIndex: -1, title: `${summary} (${at})`, data: { method: name },
    }, label ?? name)));
  }

  show({ method: name, options }, profile) {
    const method = this.#methods.find((one) => one.name === name) ?? ALL;
    for (const tab of byId("methods").children) {
      const chosen = tab.dataset.method === name;
      tab.ariaSelected = String(chosen);
      tab.tabIndex = chosen ? 0 : -1;
    }
    byId("panel").setAttribute("aria-labelledby", `method-${name}`);
    byId("options").hidden = !app.page; // a page first
    byId("summary").textContent = method === ALL ? "" : toSentence(method.summary);
    byId("query-field").hidden = !labelWords(method);
    byId("query-label").textContent = labelWords(method) ?? "";
    byId("summary").title = method.paper ?? "";
    byId("compare").disabled = method === ALL;
    byId("alone").hidden = method !== ALL;
    const changes = options[name] ?? {};
    const now = [name, profile, JSON.stringify(changes)];
    const same = now.map((part, at) => part === this.#shown[at]);
    if (same.every(Boolean) || (same[0] && same[1] && isSliding())) return;
    this.#shown = now;
    this.#refill(method, profile, changes);
  }

  #refill(method, profile, changes) {
    const focused = document.activeElement?.id;
    if (method === ALL) byId("options").replaceChildren();
    else fillOptions(byId("options"), method, profile, changes, this.#on);
    if (focused?.startsWith("option-") || focused === "profile" || (focused === "reset" && document.activeElement === document.body)) {
      (byId(focused)?.disabled ? byId("profile") : byId(focused))?.focus();
    }
  }

  press(number) {
    const method = this.#methods[number];
    if (method) this.#on.method(method.name);
  }

  nudge(by) {
    const range = byId("options").querySelector("input[type='range']");
    if (!range) return;
    if (by > 0) range.stepUp();
    else range.stepDown();
    range.dispatchEvent(new Event("input"));
  }

  nextProfile() {
    const select = byId("profile");
    if (!select) return;
    select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
    this.#on.profile(select.value);
  }

  #step(event) {
    const tabs = [...byId("methods").children];
    const at = tabs.indexOf(event.target);
    const [next, before] = [at + 1, at - 1];
    const to = { ArrowDown: next, ArrowRight: next, ArrowUp: before, ArrowLeft: before, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined || !tabs[to]) return;
    event.preventDefault();
    event.stopPropagation();
    tabs[to].focus();
    this.#on.method(tabs[to].dataset.method);
  }
}

export function showLegend(items, hidden, toggle) {
  const counts = new Map();
  for (const { kind } of items) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  byId("legend").replaceChildren(...kindsOf(counts.keys()).filter(({ name }) => counts.has(name)).map(({ name, words, look }) => {
    const button = make("button", { type: "button", class: look, ariaPressed: String(!hidden.has(name)), title: `${hidden.has(name) ? "Show" : "Hide"} ${words}`, data: { kind: name } },
      make("span", { class: "swatch" }), words, make("span", { class: "soft number" }, String(counts.get(name))));
    button.addEventListener("click", () => {
      toggle(name);
      byId("legend").querySelector(`[data-kind="${name}"]`)?.focus();
    });
    return button;
  }));
}

// A page that takes too long asks for a service that waits longer.
function describeProblem({ message, status }) {
  const [, seconds] = /took more than ([\d.]+) seconds/.exec(message) ?? [];
  if (status !== 503 || !seconds) return message;
  return `This page took over ${seconds} s: restart with pagelet serve --timeout ${Math.ceil(3 * Number(seconds))}`;
}

export function showProblem(problem) {
  const note = byId("problem");
  note.hidden = !problem;
  note.textContent = problem ? describeProblem(problem) : "";
  if (problem) showStatus("");
}

export function showStatus(text) {
  byId("status").textContent = text;
}

// Draw the page at a given width, scaled down if there is not enough room.
export function setDrawingWidth(width) {
  for (const hold of document.querySelectorAll(".hold")) {
    const share = width && hold.clientWidth ? Math.min(1, hold.clientWidth / width) : 1;
    const { style } = hold.firstElementChild;
    style.width = width ? `${width}px` : "100%";
    style.height = `${100 / share}%`;
    style.left = width ? `${Math.max(0, (hold.clientWidth - width * share) / 2)}px` : "0";
    style.transform = share < 1 ? `scale(${share})` : "none";
  }
}
