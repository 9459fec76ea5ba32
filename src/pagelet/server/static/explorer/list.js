// The list of pagelets as a tree.

import { byId, formatCount, make } from "../shared/elements.js";
import { lookOf, wordsOf } from "./kinds.js";
import { formatScore } from "./why.js";

const EXCERPT_CHARS = 160; // characters of a text in the list
const MAX_ITEMS = 2000; // pagelets that are listed
const MAX_INDENT = 8; // levels that are indented

const excerpt = (text) => (text.length > EXCERPT_CHARS ? `${text.slice(0, EXCERPT_CHARS)}…` : text);
export const pathOf = ({ path, paths }) => path ?? (paths?.length ? `${paths[0]} and ${paths.length - 1} more` : "");

const WHERE = { A: "Only in A", B: "Only in B", "A B": "In both" };

export const labelOf = (pagelet, answer) => `${wordsOf(pagelet.kind)} ${formatScore(pagelet, answer)}`;

// Numbers of the items in page order; items that are not in the page come last.
export function sortItems(items) {
  const place = (number) => items[number].places[0] ?? { row: Infinity };
  const order = (one, two) => {
    const [first, second] = [place(one), place(two)];
    return first.row - second.row || (first.text ?? 0) - (second.text ?? 0) || one - two;
  };
  return [...items.keys()].sort(order);
}

// The level of each item in the tree; items are in page order.
export function findLevels(items, rows) {
  const open = []; // rows of the enclosing items
  return items.map(({ places: [first] }) => {
    while (open.length && !rows.holds(open.at(-1), first?.row ?? -1)) open.pop();
    const level = open.length;
    if (first && !first.text) open.push(first.row);
    return level;
  });
}

const isDifference = ({ where, kind }) => Boolean(where) && where !== "A B" && kind !== "dropped";

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
  #where = false; // whether only differences are shown
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
    const focused = this.#list.contains(document.activeElement);
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
    if (focused) (this.#list.querySelector("button[tabindex='0']") ?? byId("count")).focus();
  }

  clear() {
    this.#filter.value = "";
    this.fill([], { hidden: new Set(), nothing: "", rows: undefined });
    this.markUnseen([]);
    byId("count").textContent = "No page yet";
    byId("nothing").hidden = true;
  }

  // Show differences alone, or all.
  only(where) {
    this.#where = where;
    this.#show();
  }

  // The number of the next item after the chosen one that is in one answer alone.
  nextDifference() {
    const visible = this.#visible();
    const at = visible.indexOf(this.#entries[this.#chosen]);
    const turned = [...visible.slice(at + 1), ...visible.slice(0, at + 1)];
    const next = turned.find((item) => isDifference(this.#items[item.dataset.number]));
    return next ? Number(next.dataset.number) : -1;
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
    const count = [...unseen].filter((number) => this.#items[number] && !this.#hidden.has(this.#items[number].kind)).length;
    byId("unseen").hidden = !count;
    byId("unseen").textContent = count === 1 ? "1 is hidden on the page" : `${count} are hidden on the page`;
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
    this.#items.forEach((one, number) => {
      const { pagelet, method } = one;
      const text = `${pagelet.kind} ${pagelet.role ?? ""} ${method} ${pagelet.text} ${pathOf(pagelet)}`.toLowerCase();
      const left = this.#where && !isDifference(one);
      const gone = this.#hidden.has(pagelet.kind) || left || !text.includes(filter);
      if (this.#entries[number]) this.#entries[number].hidden = gone;
      count += !gone;
    });
    const all = this.#items.length;
    byId("count").textContent = count === all ? formatCount(all, "pagelet") : `${count} of ${formatCount(all, "pagelet")}`;
    byId("nothing").hidden = count > 0;
    byId("nothing").textContent = !all ? this.#nothing : this.#where && !filter ? "No differences." : "No pagelet matches.";
    this.#tabTo(this.#entries[this.#chosen] ?? this.#visible()[0]);
    this.#indent();
  }

  #indent() {
    const visible = this.#visible();
    if (!visible.length) return;
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

function makeEntry({ pagelet, where, answer, scores }, number) {
  const badge = where ? [make("span", { class: "where", title: WHERE[where] }, where)] : [];
  const role = pagelet.role ? [make("span", { class: "role soft" }, pagelet.role)] : [];
  const button = make("button", { type: "button", tabIndex: -1, ariaPressed: "false", title: "Show this part and why it was found" },
    make("span", { class: "what" }, make("span", { class: "kind" }, wordsOf(pagelet.kind)), ...role), ...badge,
    make("span", { class: "score number" }, scores ?? formatScore(pagelet, answer)),
    make("span", { class: "text" }, excerpt(pagelet.text)),
    make("span", { class: "path mono" }, make("bdi", {}, pathOf(pagelet))));
  return make("li", { class: lookOf(pagelet.kind), data: { number } }, button);
}
