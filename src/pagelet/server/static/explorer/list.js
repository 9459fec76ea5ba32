// The list of pagelets as a tree, and the details of the chosen one.

import { byId, formatCount, formatName, formatValue, make } from "../shared/elements.js";
import { lookOf, wordsOf } from "./kinds.js";

const EXCERPT_CHARS = 160; // characters of a text in the list
const MAX_TEXT_CHARS = 2000; // characters of the text of the chosen pagelet
const MAX_ITEMS = 2000; // pagelets that are listed
const MAX_INDENT = 8; // levels that are indented
const MAX_LINKS = 100; // links of the chosen pagelet

const excerpt = (text) => (text.length > EXCERPT_CHARS ? `${text.slice(0, EXCERPT_CHARS)}…` : text);
const pathOf = ({ path, paths }) => path ?? (paths?.length ? `${paths[0]} and ${paths.length - 1} more` : "");

export const labelOf = ({ kind, score }) => `${wordsOf(kind)} ${formatValue(score)}`;

// Numbers of the items in page order; items that are not in the page come last.
function sortItems(items) {
  const place = (number) => items[number].places[0] ?? { row: Infinity };
  const order = (one, two) => {
    const [first, second] = [place(one), place(two)];
    return first.row - second.row || (first.text ?? 0) - (second.text ?? 0) || one - two;
  };
  return [...items.keys()].sort(order);
}

// The level of each item in the tree; items are in page order.
function findLevels(items, rows) {
  const open = []; // rows of the enclosing items
  return items.map(({ places: [first] }) => {
    while (open.length && !rows.holds(open.at(-1), first?.row ?? -1)) open.pop();
    const level = open.length;
    if (first && !first.text) open.push(first.row);
    return level;
  });
}

export class List {
  #items = [];
  #entries = []; // list elements by number
  #order = []; // numbers in the order of the list
  #page; // rows of the page
  #hidden = new Set();
  #chosen = -1;
  #on;
  #list = byId("list");
  #filter = byId("filter");
  #nothing = ""; // message if there are no pagelets

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
    this.#entries = items.slice(0, MAX_ITEMS).map(makeEntry);
    this.#order = sortItems(items.slice(0, MAX_ITEMS));
    this.#list.replaceChildren(...this.#order.map((number) => this.#entries[number]));
    this.#filter.hidden = items.length === 0;
    this.#show();
  }

  hide(hidden) {
    this.#hidden = hidden;
    this.#show();
  }

  choose(number) {
    this.#entries[this.#chosen]?.classList.remove("chosen");
    if (this.#entries[this.#chosen]) this.#entries[this.#chosen].firstChild.ariaPressed = "false";
    this.#chosen = number;
    const chosen = this.#entries[number];
    if (!chosen) return;
    chosen.classList.add("chosen");
    chosen.firstChild.ariaPressed = "true";
    chosen.scrollIntoView({ block: "nearest" });
    this.#tabTo(chosen);
  }

  markUnseen(numbers) {
    const unseen = new Set(numbers);
    this.#entries.forEach((item, number) => item.classList.toggle("unseen", unseen.has(number)));
  }

  // The number of the pagelet after the chosen one (by = 1), or before it (by = -1).
  next(by) {
    const visible = this.#visible();
    const at = visible.indexOf(this.#entries[this.#chosen]);
    const to = visible[at < 0 ? (by > 0 ? 0 : visible.length - 1) : at + by];
    return to ? Number(to.dataset.number) : this.#chosen;
  }

  #visible() {
    return this.#order.map((number) => this.#entries[number]).filter((item) => !item.hidden);
  }

  #show() {
    const filter = this.#filter.value.trim().toLowerCase();
    let count = 0;
    this.#entries.forEach((item, number) => {
      const { pagelet, method } = this.#items[number];
      const text = `${pagelet.kind} ${method} ${pagelet.text} ${pathOf(pagelet)}`.toLowerCase();
      item.hidden = this.#hidden.has(pagelet.kind) || !text.includes(filter);
      count += !item.hidden;
    });
    const all = this.#items.length;
    byId("count").textContent = count === all ? formatCount(all, "pagelet") : `${count} of ${formatCount(all, "pagelet")}`;
    byId("nothing").hidden = count > 0;
    byId("nothing").textContent = all ? "No pagelet matches." : this.#nothing;
    this.#tabTo(this.#entries[this.#chosen] ?? this.#visible()[0]);
    this.#indent();
  }

  #indent() {
    const visible = this.#visible();
    findLevels(visible.map((item) => this.#items[item.dataset.number]), this.#page).forEach((level, at) => {
      visible[at].ariaLevel = String(level + 1);
      visible[at].style.setProperty("--level", Math.min(level, MAX_INDENT));
    });
  }

  #tabTo(item) { // only one entry can be reached by Tab; arrow keys move between entries
    for (const button of this.#list.querySelectorAll("button:not([tabindex='-1'])")) button.tabIndex = -1;
    if (item) item.firstChild.tabIndex = 0;
  }

  #step(event) {
    const visible = this.#visible();
    const at = visible.indexOf(event.target.closest("li"));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: visible.length - 1 }[event.key];
    if (to === undefined || !visible[to]) return;
    event.preventDefault();
    event.stopPropagation();
    this.#tabTo(visible[to]);
    visible[to].firstChild.focus();
  }
}

function makeEntry({ pagelet, where }, number) {
  const badge = where ? [make("span", { class: "where" }, where)] : [];
  const button = make("button", { type: "button", tabIndex: -1, ariaPressed: "false" },
    make("span", { class: "kind" }, wordsOf(pagelet.kind)), ...badge,
    make("span", { class: "score number" }, formatValue(pagelet.score)),
    make("span", { class: "text" }, excerpt(pagelet.text)),
    make("span", { class: "path mono" }, make("bdi", {}, pathOf(pagelet))));
  return make("li", { class: lookOf(pagelet.kind), data: { number } }, button);
}

// -- the chosen pagelet -----------------------------------------------------------------

function makeMeasures(reason) {
  const list = make("dl", { class: "reason" });
  for (const [name, value] of Object.entries(reason)) {
    if (value !== null && typeof value === "object") continue;
    list.append(make("dt", {}, formatName(name)), make("dd", { class: "number" }, formatValue(value)));
  }
  return list;
}

// Reasons in words, strongest first: what speaks for the answer, and against it, as bars.
function makeEffects(why) {
  const most = Math.max(...why.map(({ effect }) => Math.abs(effect)), 1e-9);
  const list = make("dl", { class: "reason effects" });
  for (const { text, effect } of why) {
    const bar = make("span", { class: effect < 0 ? "bar against" : "bar for" });
    bar.style.setProperty("--share", Math.abs(effect) / most);
    const signed = `${effect > 0 ? "+" : ""}${formatValue(effect)}`;
    list.append(make("dt", {}, text), make("dd", { class: "number" }, signed, bar));
  }
  return list;
}

function makeLine({ met, text, set }, apply) {
  const item = make("li", { class: met ? "met" : "missed" }, make("span", {}, text));
  if (set) {
    const button = make("button", { type: "button", class: "set" }, `${formatName(set.name)} → ${set.value}`);
    button.title = "Apply this value";
    button.addEventListener("click", () => apply(set));
    item.append(button);
  }
  return item;
}

// chosen: {title, pagelet, lines, apply(set), up()?}
export function showDetail(chosen) {
  const detail = byId("detail");
  detail.hidden = !chosen;
  byId("panes").lastElementChild.dataset.chosen = chosen ? chosen.title.split(" · ")[0] : "";
  if (!chosen) return;
  const { title, pagelet, lines, apply, up } = chosen;
  const head = make("div", { class: "row head" }, make("span", { class: "swatch" }), make("h2", {}, title));
  if (up) {
    const button = make("button", { type: "button", title: "Enclosing pagelet (u)" }, "↑ parent");
    button.addEventListener("click", up);
    head.append(button);
  }
  detail.className = lookOf(pagelet.kind);
  detail.replaceChildren(head, make("p", { class: "mono path" }, pathOf(pagelet)));
  const add = (heading, part) => detail.append(make("h3", {}, heading), part);
  const rules = lines.map((line) => makeLine(line, apply));
  if (rules.length) add("Why, and what would change it", make("ul", { class: "lines" }, ...rules));
  if (pagelet.why?.length) add("Reasons", makeEffects(pagelet.why));
  else if (Object.keys(pagelet.reason ?? {}).length) add("Measures", makeMeasures(pagelet.reason));
  if (pagelet.links?.length) add(formatCount(pagelet.links.length, "link"), makeLinks(pagelet.links));
  if (pagelet.text) add("Text", make("p", { class: "text" }, pagelet.text.slice(0, MAX_TEXT_CHARS)));
}

function makeLinks(links) { // shown, never followed
  return make("ul", { class: "links" }, ...links.slice(0, MAX_LINKS).map(({ text, href }) =>
    make("li", {}, text || "(no text)", make("span", { class: "soft mono" }, ` ${href ?? ""}`))));
}
