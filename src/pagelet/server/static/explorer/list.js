// The list of pagelets and what is told of the chosen one.

import { byId, counted, make, words, written } from "../shared/service.js";
import { colourOf } from "./kinds.js";
import { levels, ordered } from "./tree.js";

const TEXT_START = 160; // characters in the list
const TEXT_WHOLE = 2000; // characters of the chosen one
const MOST_ROWS = 2000; // rows that are listed
const MOST_LEVELS = 8; // that are seen in the list

const scored = (score) => (Number.isInteger(score) ? String(score) : written(score));
const start = (text) => (text.length > TEXT_START ? `${text.slice(0, TEXT_START)}…` : text);
const pathOf = ({ path, paths }) => path ?? (paths?.length ? `${paths[0]} and ${paths.length - 1} more` : "");

export const labelOf = ({ kind, score }) => `${kind} ${scored(score)}`;

export class List {
  #items = [];
  #rows = []; // by number
  #order = []; // numbers as they are listed
  #page; // rows of the page
  #hidden = new Set();
  #chosen = -1;
  #on;
  #list = byId("list");
  #filter = byId("filter");
  #nothing = ""; // what is told when there is no pagelet

  // on: {choose(number), point(number)}
  constructor(on) {
    this.#on = on;
    this.#filter.addEventListener("input", () => this.#show());
    this.#list.addEventListener("click", ({ target }) => {
      const number = target.closest("li")?.dataset.number;
      if (number !== undefined) on.choose(Number(number) === this.#chosen ? -1 : Number(number));
    });
    this.#list.addEventListener("keydown", (event) => this.#step(event));
    this.#list.addEventListener("pointerover", ({ target }) =>
      on.point(Number(target.closest("li")?.dataset.number ?? -1)));
    this.#list.addEventListener("pointerleave", () => on.point(-1));
  }

  fill(items, { hidden, nothing, rows }) {
    this.#items = items;
    this.#nothing = nothing;
    this.#page = rows;
    this.#hidden = hidden;
    this.#chosen = -1;
    this.#rows = items.slice(0, MOST_ROWS).map((item, number) => row(item, number));
    this.#order = ordered(items.slice(0, MOST_ROWS));
    this.#list.replaceChildren(...this.#order.map((number) => this.#rows[number]));
    this.#filter.hidden = items.length === 0;
    this.#show();
  }

  hide(hidden) {
    this.#hidden = hidden;
    this.#show();
  }

  choose(number) {
    this.#rows[this.#chosen]?.classList.remove("chosen");
    if (this.#rows[this.#chosen]) this.#rows[this.#chosen].firstChild.ariaPressed = "false";
    this.#chosen = number;
    const chosen = this.#rows[number];
    if (!chosen) return;
    chosen.classList.add("chosen");
    chosen.firstChild.ariaPressed = "true";
    chosen.scrollIntoView({ block: "nearest" });
    this.#tabTo(chosen);
  }

  unseen(numbers) {
    const unseen = new Set(numbers);
    this.#rows.forEach((item, number) => item.classList.toggle("unseen", unseen.has(number)));
  }

  // The number of the pagelet that follows the chosen one, or stands before it.
  next(by) {
    const there = this.#there();
    const at = there.indexOf(this.#rows[this.#chosen]);
    const to = there[at < 0 ? (by > 0 ? 0 : there.length - 1) : at + by];
    return to ? Number(to.dataset.number) : this.#chosen;
  }

  #there() {
    return this.#order.map((number) => this.#rows[number]).filter((item) => !item.hidden);
  }

  #show() {
    const wanted = this.#filter.value.trim().toLowerCase();
    let count = 0;
    this.#rows.forEach((item, number) => {
      const { pagelet, method } = this.#items[number];
      const told = `${pagelet.kind} ${method} ${pagelet.text} ${pathOf(pagelet)}`.toLowerCase();
      item.hidden = this.#hidden.has(pagelet.kind) || !told.includes(wanted);
      count += !item.hidden;
    });
    const all = this.#items.length;
    byId("count").textContent = count === all ? counted(all, "pagelet") : `${count} of ${counted(all, "pagelet")}`;
    byId("nothing").hidden = count > 0;
    byId("nothing").textContent = all ? "No pagelet matches." : this.#nothing;
    this.#tabTo(this.#rows[this.#chosen] ?? this.#there()[0]);
    this.#indent();
  }

  #indent() {
    const there = this.#there();
    levels(there.map((item) => this.#items[item.dataset.number]), this.#page).forEach((level, at) => {
      there[at].ariaLevel = String(level + 1);
      there[at].style.setProperty("--level", Math.min(level, MOST_LEVELS));
    });
  }

  #tabTo(item) { // one row at a time takes part in tabbing; arrows move between rows
    for (const button of this.#list.querySelectorAll("button:not([tabindex='-1'])")) button.tabIndex = -1;
    if (item) item.firstChild.tabIndex = 0;
  }

  #step(event) {
    const there = this.#there();
    const at = there.indexOf(event.target.closest("li"));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: there.length - 1 }[event.key];
    if (to === undefined || !there[to]) return;
    event.preventDefault();
    event.stopPropagation();
    this.#tabTo(there[to]);
    there[to].firstChild.focus();
  }
}

function row({ pagelet, where }, number) {
  const badge = where ? [make("span", { class: "where" }, where)] : [];
  const button = make("button", { type: "button", tabIndex: -1, ariaPressed: "false" },
    make("span", { class: "kind" }, pagelet.kind), ...badge,
    make("span", { class: "score number" }, scored(pagelet.score)),
    make("span", { class: "text" }, start(pagelet.text)),
    make("span", { class: "path mono" }, make("bdi", {}, pathOf(pagelet))));
  const item = make("li", { data: { number } }, button);
  item.style.setProperty("--colour", colourOf(pagelet.kind));
  return item;
}

// -- the chosen region ------------------------------------------------------------------

function measures(reason) {
  const list = make("dl", { class: "reason" });
  for (const [name, value] of Object.entries(reason)) {
    if (value !== null && typeof value === "object") continue;
    list.append(make("dt", {}, words(name)), make("dd", { class: "number" }, written(value)));
  }
  return list;
}

// How far each measure moved the answer, as bars to the left and right.
function effects(named) {
  const all = Object.entries(named);
  const most = Math.max(...all.map(([, value]) => Math.abs(value)), 1e-9);
  const list = make("dl", { class: "reason effects" });
  for (const [name, value] of all) {
    const bar = make("span", { class: value < 0 ? "bar against" : "bar for" });
    bar.style.setProperty("--share", Math.abs(value) / most);
    const signed = `${value > 0 ? "+" : ""}${written(value)}`;
    list.append(make("dt", {}, words(name)), make("dd", { class: "number" }, signed, bar));
  }
  return list;
}

function line({ met, text, set }, apply) {
  const item = make("li", { class: met ? "met" : "missed" }, make("span", {}, text));
  if (set) {
    const button = make("button", { type: "button", class: "set" }, `${words(set.name)} → ${set.value}`);
    button.title = "Set it, and the answer changes";
    button.addEventListener("click", () => apply(set));
    item.append(button);
  }
  return item;
}

// told: {title, pagelet, lines, apply(set), up()?}
export function showDetail(told) {
  const detail = byId("detail");
  detail.hidden = !told;
  byId("panes").lastElementChild.dataset.told = told ? told.title.split(" · ")[0] : "";
  if (!told) return;
  const { title, pagelet, lines, apply, up } = told;
  const head = make("div", { class: "row head" }, make("span", { class: "swatch" }), make("h2", {}, title));
  if (up) {
    const button = make("button", { type: "button", title: "The pagelet around this one (u)" }, "↑ around");
    button.addEventListener("click", up);
    head.append(button);
  }
  detail.style.setProperty("--colour", colourOf(pagelet.kind));
  detail.replaceChildren(head, make("p", { class: "mono path" }, pathOf(pagelet)));
  const moved = Object.values(pagelet.reason ?? {}).find((value) => value !== null && typeof value === "object");
  const add = (name, part) => detail.append(make("h3", {}, name), part);
  const made = lines.map((one) => line(one, apply));
  if (made.length) add("What decided, and what would change it", make("ul", { class: "lines" }, ...made));
  if (Object.keys(pagelet.reason ?? {}).length) add("Measures", measures(pagelet.reason));
  if (moved) add("How far each moved the score", effects(moved));
  if (pagelet.links?.length) add(counted(pagelet.links.length, "link"), links(pagelet.links));
  if (pagelet.text) add("Text", make("p", { class: "told" }, pagelet.text.slice(0, TEXT_WHOLE)));
}

function links(all) { // shown, never followed
  return make("ul", { class: "links" }, ...all.slice(0, 100).map(({ text, href }) =>
    make("li", {}, text || "(no text)", make("span", { class: "soft mono" }, ` ${href ?? ""}`))));
}
