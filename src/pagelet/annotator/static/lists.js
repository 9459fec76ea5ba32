// What stands beside the page: pages, marks, kinds looked for, agreement, what was spread.

import { byId, counted, make } from "../shared/service.js";

const percent = (value) => `${Math.round(value * 100)} %`;

// Items stay where they are: neither focus nor a click that has begun is lost.
export function pageList(pages, current, open) {
  const list = byId("page-list");
  const there = [...list.children];
  pages.forEach(({ id, name, made, proposed }, at) => {
    const item = there[at]?.dataset.page === String(id) ? there[at] : pageItem(id, name, open);
    if (list.children[at] !== item) list.insertBefore(item, list.children[at] ?? null);
    const said = [made ? counted(made, "mark") : "", proposed ? `${proposed} proposed` : ""].filter(Boolean);
    item.querySelector(".number").textContent = said.join(", ");
    item.firstElementChild.ariaCurrent = id === current ? "page" : null;
  });
  while (list.children.length > pages.length) list.lastElementChild.remove();
}

function pageItem(id, name, open) {
  const button = make("button", { type: "button", class: "page" },
    make("span", {}, name), make("span", { class: "soft number" }));
  button.addEventListener("click", () => open(id));
  return make("li", { data: { page: id } }, button);
}

const icon = (label, sign, act) => {
  const button = make("button", { type: "button", class: "icon", title: label }, sign);
  button.setAttribute("aria-label", label);
  button.addEventListener("click", act);
  return button;
};

// does: {show(mark), accept(ids), remove(ids), repair(mark)}
export function markList(marks, does) {
  byId("mark-list").replaceChildren(...marks.map((mark) => {
    const proposed = mark.source !== "person";
    const by = proposed ? mark.source.replace("suggestion:", "") : mark.suggested_by;
    const notes = [
      mark.rows.length > 1 ? `${mark.rows.length} elements` : "",
      by ? `${proposed ? "proposed" : "began"} by ${by}` : "",
      mark.sure === null ? "" : `sure ${percent(mark.sure)}`,
    ].filter(Boolean).join(", ");
    const main = make("button", { type: "button", class: "mark" },
      make("span", { class: `swatch kind-${mark.kind}` }),
      make("span", { class: "what" },
        make("span", { class: "text" }, make("strong", {}, mark.kind), ` ${mark.text || "no text"}`),
        make("span", { class: "soft notes" }, notes)));
    main.addEventListener("click", () => does.show(mark));
    const called = `${mark.kind}: ${mark.text.slice(0, 40)}`;
    const tools = [
      icon(`Move to the selection: ${called}`, "⇢", () => does.repair(mark)),
      icon(`${proposed ? "Reject" : "Delete"} ${called}`, "✗", () => does.remove([mark.id])),
    ];
    if (proposed) tools.unshift(icon(`Accept ${called}`, "✓", () => does.accept([mark.id])));
    return make("li", { class: proposed ? "proposed" : "", data: { id: mark.id } }, main, ...tools);
  }));
  const made = marks.filter(({ source }) => source === "person").length;
  const open = marks.length - made;
  byId("counts").textContent = open ? `${made} made, ${open} proposed` : `${made} made`;
  byId("proposal-tools").hidden = !open;
}

export function lookedList(kinds, marks, looked, change) {
  const marked = new Set(marks.filter(({ source }) => source === "person").map(({ kind }) => kind));
  byId("looked-list").replaceChildren(...kinds.filter((kind) => kind !== "slot").map((kind) => {
    const box = make("input", { type: "checkbox", checked: looked.includes(kind), disabled: marked.has(kind) });
    box.addEventListener("change", () => change(kind, box.checked));
    return make("label", {}, box, kind);
  }));
}

export function agreementList(found) {
  const rows = found.flatMap(({ one, other, figures }) => Object.entries(figures).map(([kind, value]) =>
    make("tr", {}, make("td", {}, `${one} and ${other}`), make("td", {}, kind),
      make("td", { class: "number" }, `${kind === "segment" ? "ARI" : "kappa"} ${value.toFixed(2)}`))));
  const heads = ["Annotators", "Kind", "Figure"].map((name) => make("th", { scope: "col" }, name));
  byId("agreement").replaceChildren(rows.length
    ? make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows))
    : make("p", { class: "soft" }, "Told when two annotators marked the same kinds of this page."));
}

// does: {open(id), accept(id), reject(id)}
export function spreadRows(pages, does) {
  const likest = [...pages].sort((one, other) => (other.alike ?? 0) - (one.alike ?? 0));
  byId("spread-rows").replaceChildren(...likest.map((page) => {
    const { id, name, alike = 0, carried, sure, missed = [], agreement = {}, problem } = page;
    const cells = carried === undefined
      ? [make("td", { class: "soft", colSpan: 5 }, problem ?? "another template")]
      : [
        make("td", { class: "number", data: { label: "Carried" } }, String(carried)),
        make("td", { class: "number", data: { label: "Sure" } }, percent(sure)),
        make("td", { class: "soft", data: { label: "Missed" } }, missed.map(({ kind }) => kind).join(", ") || "none"),
        make("td", { class: "number", data: { label: "Agreement" } }, Object.entries(agreement).map(([kind, value]) => `${kind} ${value.toFixed(2)}`).join(", ") || "–"),
        make("td", {}, make("div", { class: "row" }, action("Look", name, () => does.open(id)),
          action("Accept", name, () => does.accept(id)), action("Reject", name, () => does.reject(id)))),
      ];
    return make("tr", { data: { page: id } }, make("th", { scope: "row" }, name), make("td", { class: "number", data: { label: "Alike" } }, problem ? "–" : percent(alike)), ...cells);
  }));
}

function action(label, name, act) {
  const button = make("button", { type: "button" }, label);
  button.setAttribute("aria-label", `${label}: ${name}`);
  button.addEventListener("click", act);
  return button;
}

export function trail(elements, open) {
  const last = elements.at(-1);
  const steps = [];
  for (let element = last; element?.dataset?.row !== undefined && element.closest("body"); element = element.parentElement) steps.unshift(element);
  byId("trail").replaceChildren(...steps.map((element) => {
    const button = make("button", { type: "button" }, called(element));
    if (element === last) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => open(element));
    return button;
  }));
}

export function called(element) {
  const name = element.localName;
  if (element.id) return `${name}#${element.id.slice(0, 30)}`;
  const first = element.classList[0];
  return first ? `${name}.${first.slice(0, 30)}` : name;
}
