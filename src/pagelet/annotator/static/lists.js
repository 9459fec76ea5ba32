// The lists beside the page: pages, marks, absent kinds, agreement, and the results of spreading.

import { byId, formatCount, make } from "../shared/elements.js";

const formatPercent = (value) => `${Math.round(value * 100)} %`;

// Items that stay are not replaced, so that focus and a click in progress are kept.
export function showPages(pages, current, open) {
  const list = byId("page-list");
  const present = [...list.children];
  pages.forEach(({ id, name, made, proposed }, at) => {
    const item = present[at]?.dataset.page === String(id) ? present[at] : makePageItem(id, name, open);
    if (list.children[at] !== item) list.insertBefore(item, list.children[at] ?? null);
    const counts = [made ? formatCount(made, "mark") : "", proposed ? `${proposed} proposed` : ""].filter(Boolean);
    item.querySelector(".number").textContent = counts.join(", ");
    item.firstElementChild.ariaCurrent = id === current ? "page" : null;
  });
  while (list.children.length > pages.length) list.lastElementChild.remove();
}

function makePageItem(id, name, open) {
  const button = make("button", { type: "button", class: "page" },
    make("span", {}, name), make("span", { class: "soft number" }));
  button.addEventListener("click", () => open(id));
  return make("li", { data: { page: id } }, button);
}

function makeIcon(label, sign, action) {
  const button = make("button", { type: "button", class: "icon", title: label }, sign);
  button.setAttribute("aria-label", label);
  button.addEventListener("click", action);
  return button;
}

// actions: {show(mark), accept(ids), remove(ids), move(mark)}
export function showMarks(marks, actions) {
  byId("mark-list").replaceChildren(...marks.map((mark) => {
    const proposed = mark.source !== "person";
    const by = proposed ? mark.source.replace("suggestion:", "") : mark.suggested_by;
    const notes = [
      mark.rows.length > 1 ? `${mark.rows.length} elements` : "",
      by ? `${proposed ? "proposed" : "suggested"} by ${by}` : "",
      mark.sure === null ? "" : `confidence ${formatPercent(mark.sure)}`,
    ].filter(Boolean).join(", ");
    const main = make("button", { type: "button", class: "mark" },
      make("span", { class: `swatch kind-${mark.kind}` }),
      make("span", { class: "what" },
        make("span", { class: "text" }, make("strong", {}, mark.kind), ` ${mark.text || "no text"}`),
        make("span", { class: "soft notes" }, notes)));
    main.addEventListener("click", () => actions.show(mark));
    const title = `${mark.kind}: ${mark.text.slice(0, 40)}`;
    const tools = [
      makeIcon(`Move to the selection: ${title}`, "⇢", () => actions.move(mark)),
      makeIcon(`${proposed ? "Reject" : "Delete"} ${title}`, "✗", () => actions.remove([mark.id])),
    ];
    if (proposed) tools.unshift(makeIcon(`Accept ${title}`, "✓", () => actions.accept([mark.id])));
    return make("li", { class: proposed ? "proposed" : "", data: { id: mark.id } }, main, ...tools);
  }));
  const made = marks.filter(({ source }) => source === "person").length;
  const open = marks.length - made;
  byId("counts").textContent = open ? `${made} made, ${open} proposed` : `${made} made`;
  byId("proposal-tools").hidden = !open;
}

export function showLooked(kinds, marks, looked, change) {
  const marked = new Set(marks.filter(({ source }) => source === "person").map(({ kind }) => kind));
  byId("looked-list").replaceChildren(...kinds.filter((kind) => kind !== "slot").map((kind) => {
    const box = make("input", { type: "checkbox", checked: looked.includes(kind), disabled: marked.has(kind) });
    box.addEventListener("change", () => change(kind, box.checked));
    return make("label", {}, box, kind);
  }));
}

export function showAgreement(pairs) {
  const rows = pairs.flatMap(({ one, other, figures }) => Object.entries(figures).map(([kind, value]) =>
    make("tr", {}, make("td", {}, `${one} and ${other}`), make("td", {}, kind),
      make("td", { class: "number" }, `${kind === "segment" ? "ARI" : "kappa"} ${value.toFixed(2)}`))));
  const heads = ["Annotators", "Kind", "Agreement"].map((name) => make("th", { scope: "col" }, name));
  byId("agreement").replaceChildren(rows.length
    ? make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows))
    : make("p", { class: "soft" }, "Shown once two annotators have marked the same kinds on this page."));
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
        make("td", { class: "soft", data: { label: "Missed" } }, missed.map(({ kind }) => kind).join(", ") || "none"),
        make("td", { class: "number", data: { label: "Agreement" } }, Object.entries(agreement).map(([kind, value]) => `${kind} ${value.toFixed(2)}`).join(", ") || "–"),
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
