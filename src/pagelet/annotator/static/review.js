// What several annotators made of a page: agreement, disagreements to settle, and absent kinds.

import { byId, make } from "../shared/elements.js";
import { groupOf, lookOf, wordsOf } from "./kinds.js";

const MEASURES = { segment: "ARI", record: "ARI" }; // else kappa

export function showLooked(kinds, marks, looked, change) {
  const marked = new Set(marks.filter(({ source }) => source === "person").map(({ kind }) => kind === "slot" ? "template" : groupOf(kind)));
  const absent = kinds.filter((kind) => !marked.has(kind)); // what is marked is on the page
  byId("looked").hidden = !absent.length;
  byId("looked-list").replaceChildren(...absent.map((kind) => {
    const box = make("input", { type: "checkbox", checked: looked.includes(kind) });
    box.addEventListener("change", () => change(kind, box.checked));
    return make("label", {}, box, wordsOf(kind));
  }));
}

export function showAgreement(pairs) {
  const rows = pairs.flatMap(({ one, other, figures }) => Object.entries(figures).map(([kind, value]) =>
    make("tr", {}, make("td", {}, `${one} and ${other}`), make("td", {}, wordsOf(kind)),
      make("td", { class: "number" }, `${MEASURES[kind] ?? "kappa"} ${value.toFixed(2)}`))));
  const heads = ["Annotators", "Kind", "Agreement"].map((name) => make("th", { scope: "col" }, name));
  byId("agreement").replaceChildren(rows.length
    ? make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows))
    : make("p", { class: "soft" }, "Shown once two annotators have marked the same kinds on this page."));
}

// actions: {show(at), decide(difference, kept)}
export function showDifferences(differences, current, actions) {
  byId("differences").hidden = !differences.length;
  const open = differences.filter(({ kept }) => kept === null).length;
  byId("differences-count").textContent = open ? `${open} to settle` : "all settled";
  const focused = document.activeElement?.dataset?.settle;
  byId("difference-list").replaceChildren(...differences.map((each, at) => makeItem(each, at, at === current, actions)));
  if (focused) byId("difference-list").querySelector(`[data-settle="${focused}"]`)?.focus();
}

function makeItem(difference, at, chosen, actions) {
  const { kind, text, made_by: made, missed_by: missed, kept } = difference;
  const main = make("button", { type: "button", class: "mark", title: "Select it on the page" },
    make("span", { class: `swatch ${lookOf(kind)}` }),
    make("span", { class: "what" },
      make("span", { class: "text" }, make("strong", {}, wordsOf(kind)), ` ${text || "no text"}`),
      make("span", { class: "soft notes" }, `marked by ${made.join(", ")}, not by ${missed.join(", ")}`)));
  if (chosen) main.setAttribute("aria-current", "true");
  main.addEventListener("click", () => actions.show(at));
  const decisions = [["Keep", true], ["Drop", false]].map(([label, value]) => {
    const button = make("button", { type: "button", title: `${label} this mark in majority labels`, data: { settle: `${at}-${label}` } }, label);
    button.ariaPressed = String(kept === value);
    button.setAttribute("aria-label", `${label}: ${wordsOf(kind)}, ${text.slice(0, 40)}`);
    button.addEventListener("click", () => actions.decide(difference, kept === value ? null : value));
    return button;
  });
  return make("li", { class: kept === null ? "" : "settled" }, main, ...decisions);
}
