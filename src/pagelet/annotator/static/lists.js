// The lists beside the page: pages, marks, and the results of spreading.

import { byId, formatCount, make } from "../shared/elements.js";
import { groupOf, lookOf, wordsOf } from "./kinds.js";

const formatPercent = (value) => `${Math.round(value * 100)} %`;

export const FILTERS = {
  all: ["all pages", () => true],
  open: ["to do", ({ done }) => !done],
  proposed: ["with proposals", ({ proposed }) => proposed > 0],
  others: ["marked by others too", ({ others }) => others > 0],
  done: ["done", ({ done }) => done],
};

// Items that stay are not replaced, so that focus and a click in progress are kept.
// actions: {open(id), rename(page), remove(page)}
export function showPages(pages, current, actions) {
  const list = byId("page-list");
  const present = [...list.children];
  pages.forEach((page, at) => {
    const { id, name, made, proposed, done } = page;
    const same = present[at]?.dataset.page === String(id) && present[at].dataset.name === name;
    const item = same ? present[at] : makePageItem(page, actions);
    if (list.children[at] !== item) list.insertBefore(item, list.children[at] ?? null);
    const counts = [done ? "✓ done" : "", made ? formatCount(made, "mark") : "", proposed ? `${proposed} proposed` : ""];
    item.querySelector(".number").textContent = counts.filter(Boolean).join(", ");
    item.classList.toggle("done", done);
    item.firstElementChild.ariaCurrent = id === current ? "page" : null;
  });
  while (list.children.length > pages.length) list.lastElementChild.remove();
}

function makePageItem(page, actions) {
  const { id, name } = page;
  const button = make("button", { type: "button", class: "page", title: name },
    make("span", {}, name), make("span", { class: "soft number" }));
  button.addEventListener("click", () => actions.open(id));
  return make("li", { data: { page: id, name } }, button,
    makeIcon(`Rename ${name}`, "✎", () => actions.rename(page)),
    makeIcon(`Delete ${name}`, "✗", () => actions.remove(page)));
}

// How far the review of the project is; counts are of all pages, whatever is listed.
export function showQueue(pages, filter) {
  byId("queue").hidden = !pages.length;
  const done = pages.filter((page) => page.done).length;
  byId("progress-text").textContent = `${done} of ${formatCount(pages.length, "page")} done`;
  byId("progress").max = Math.max(pages.length, 1);
  byId("progress").value = done;
  byId("filter").replaceChildren(...Object.entries(FILTERS).map(([name, [words, holds]]) =>
    make("option", { value: name, selected: name === filter }, `${words} (${pages.filter(holds).length})`)));
}

export function makeIcon(label, sign, action) {
  const button = make("button", { type: "button", class: "icon", title: label }, sign);
  button.setAttribute("aria-label", label);
  button.addEventListener("click", action);
  return button;
}

// The number of the item with the focus, and of its button; -1 if no item has it.
function placeOfFocus(list) {
  const item = [...list.children].findIndex((each) => each.contains(document.activeElement));
  return [item, item < 0 ? -1 : [...list.children[item].children].indexOf(document.activeElement)];
}

// The method that proposed a mark, or spread; null if a person made it.
const proposerOf = ({ source, suggested_by: by }) => (source === "person" ? by : source.replace("suggestion:", ""));

// actions: {show(mark), accept(ids), remove(ids), move(mark)}; marks of hidden kinds are counted only
export function showMarks(marks, hidden, actions) {
  const [item, tool] = placeOfFocus(byId("mark-list"));
  byId("mark-list").replaceChildren(...marks.filter(({ kind }) => !hidden.has(groupOf(kind))).map((mark) => {
    const proposed = mark.source !== "person";
    const by = proposerOf(mark)?.replace(":", ", ");
    const notes = [
      mark.rows.length > 1 ? `${mark.rows.length} elements` : "",
      by ? `${proposed ? "proposed" : "suggested"} by ${by}` : "",
      mark.sure === null ? "" : `confidence ${formatPercent(mark.sure)}`,
    ].filter(Boolean).join(", ");
    const main = make("button", { type: "button", class: "mark", title: "Select it on the page" },
      make("span", { class: `swatch ${lookOf(mark.kind)}` }),
      make("span", { class: "what" },
        make("span", { class: "text" }, make("strong", {}, wordsOf(mark.kind)), ` ${mark.text || "no text"}`),
        make("span", { class: "soft notes" }, notes)));
    main.addEventListener("click", () => actions.show(mark));
    const title = `${wordsOf(mark.kind)}: ${mark.text.slice(0, 40)}`;
    const tools = [
      makeIcon(`Move to the selection: ${title}`, "⇢", () => actions.move(mark)),
      makeIcon(`${proposed ? "Reject" : "Delete"} ${title}`, "✗", () => actions.remove([mark.id])),
    ];
    if (proposed) tools.unshift(makeIcon(`Accept ${title}`, "✓", () => actions.accept([mark.id])));
    return make("li", { class: proposed ? "proposed" : "", data: { id: mark.id } }, main, ...tools);
  }));
  const next = byId("mark-list").children[Math.min(item, byId("mark-list").children.length - 1)];
  if (item >= 0) (next?.children[tool] ?? next?.lastElementChild)?.focus();
  const made = marks.filter(({ source }) => source === "person").length;
  const open = marks.length - made;
  byId("counts").textContent = [made && `${made} made`, open && `${open} proposed`].filter(Boolean).join(", ");
  byId("proposal-tools").hidden = !open;
}

// What the suggestions of a page have read; suggestions that read the same pages share an item.
// read: names of other pages by suggestion
export function showReadings(marks, read) {
  const methods = new Set(marks.map(proposerOf).filter((method) => method in read));
  const groups = Map.groupBy([...methods], (method) => JSON.stringify(read[method]));
  byId("readings").replaceChildren(...[...groups.values()].map((group) => {
    const names = read[group[0]];
    const words = `${group.map((method) => method.replace(":", ", ")).join("; ")}: ${describeReading(names)}`;
    if (!names.length) return make("li", {}, words);
    return make("li", {}, make("details", {}, make("summary", { title: "Show which pages" }, words),
      make("ul", {}, ...names.map((name) => make("li", {}, name)))));
  }));
}

export const describeReading = (names) => (names.length
  ? `this page was compared with ${formatCount(names.length, "other page")} of the project`
  : "this page alone was read");

// A button for each kind on the page that shows or hides its marks.
export function showShown(marks, hidden, toggle) {
  const counts = new Map();
  for (const { kind } of marks) counts.set(groupOf(kind), (counts.get(groupOf(kind)) ?? 0) + 1);
  const focused = document.activeElement?.dataset?.shown;
  byId("shown").replaceChildren(...[...counts].map(([group, count]) => {
    const pressed = !hidden.has(group);
    const button = make("button", { type: "button", title: `${pressed ? "Hide" : "Show"} marks: ${wordsOf(group)}`, data: { shown: group } },
      make("span", { class: `swatch ${lookOf(group)}` }), `${wordsOf(group)} ${count}`);
    button.ariaPressed = String(pressed);
    button.addEventListener("click", () => toggle(group));
    return button;
  }));
  if (focused) byId("shown").querySelector(`[data-shown="${CSS.escape(focused)}"]`)?.focus();
}

// actions: {open(id), accept(id), reject(id)}
export function showSpread(pages, actions) {
  const sorted = [...pages].sort((one, other) => (other.alike ?? 0) - (one.alike ?? 0));
  byId("spread-rows").replaceChildren(...sorted.map((page) => {
    const { id, name, alike = 0, carried, sure, missed = [], agreement = {}, problem } = page;
    const cells = carried === undefined
      ? [make("td", { class: "soft", colSpan: 5 }, problem ?? "different template")]
      : [
        make("td", { class: "number", data: { label: "Carried" } }, String(carried)),
        make("td", { class: "number", data: { label: "Confidence" } }, formatPercent(sure)),
        make("td", { class: "soft", data: { label: "Missed" } }, missed.map(({ kind }) => wordsOf(kind)).join(", ") || "none"),
        make("td", { class: "number", data: { label: "Agreement" } }, Object.entries(agreement).map(([kind, value]) => `${wordsOf(kind)} ${value.toFixed(2)}`).join(", ") || "–"),
        make("td", {}, make("div", { class: "row" }, makeAction("Open", name, () => actions.open(id)),
          makeAction("Accept", name, () => actions.accept(id)), makeAction("Reject", name, () => actions.reject(id)))),
      ];
    return make("tr", { data: { page: id } }, make("th", { scope: "row" }, name), make("td", { class: "number", data: { label: "Similarity" } }, problem ? "–" : formatPercent(alike)), ...cells);
  }));
}

function makeAction(label, name, action) {
  const button = make("button", { type: "button" }, label);
  button.setAttribute("aria-label", `${label}: ${name}`);
  button.addEventListener("click", action);
  return button;
}

export function showTrail(elements, open) {
  const last = elements.at(-1);
  const steps = [];
  for (let element = last; element?.dataset?.row !== undefined && element.closest("body"); element = element.parentElement) steps.unshift(element);
  byId("trail").replaceChildren(...steps.map((element) => {
    const button = make("button", { type: "button" }, describeElement(element));
    if (element === last) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => open(element));
    return button;
  }));
}

export function describeElement(element) {
  const name = element.localName;
  if (element.id) return `${name}#${element.id.slice(0, 30)}`;
  const first = element.classList[0];
  return first ? `${name}.${first.slice(0, 30)}` : name;
}
