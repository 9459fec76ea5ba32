// The details of the chosen region: why, in words, and how to fix it.

import { byId, formatCount, formatName, formatValue, make } from "../shared/elements.js";
import { lookOf } from "./kinds.js";
import { pathOf } from "./list.js";

const MAX_TEXT_CHARS = 2000; // characters of the text
const MAX_LINKS = 100;

// A bar from 0 to 1 with a mark at what was needed.
function makeMeter({ share, needed, met }) {
  const meter = make("div", { class: met ? "meter" : "meter short", role: "img", ariaLabel: `${formatValue(share)} of 1; needed ${formatValue(needed)}` });
  meter.style.setProperty("--share", Math.min(Math.max(share, 0), 1));
  meter.style.setProperty("--needed", Math.min(Math.max(needed, 0), 1));
  return meter;
}

function makeLine(line, offers) {
  const { met, text, set, share, needed } = line;
  const item = make("li", { class: met ? "met" : "missed" }, make("span", {}, text));
  if (share !== undefined && needed !== undefined) item.append(makeMeter(line));
  if (set) offerValue(item, set, offers);
  return item;
}

// A button for a value, once it is known that it changes the answer.
async function offerValue(item, set, { apply, changes }) {
  if (!(await changes(set))) return;
  const button = make("button", { type: "button", class: "set", title: "Try this value, which changes the answer for this part" }, `${formatName(set.name)} → ${set.value}`);
  button.addEventListener("click", () => apply(set));
  item.append(button);
}

// Reasons in words, strongest first: bars to the right speak for the answer, bars to the left against it.
function makeEffects(why) {
  const most = Math.max(...why.map(({ effect }) => Math.abs(effect)), 1e-9);
  const list = make("dl", { class: "effects" });
  for (const { text, effect } of why) {
    const bar = make("span", { class: effect < 0 ? "bar against" : "bar for" });
    bar.style.setProperty("--share", Math.abs(effect) / most);
    const signed = `${effect > 0 ? "+" : effect < 0 ? "−" : ""}${formatValue(Math.abs(effect))}`;
    const value = make("dd", { class: "number", title: effect < 0 ? "speaks against the answer" : "speaks for the answer" }, make("span", { class: "unseen-text" }, signed), bar);
    list.append(make("dt", {}, text), value);
  }
  return list;
}

function makeMeasures(reason, why, score) {
  const list = make("dl", { class: "reason" });
  const rows = [["score", score], ...Object.entries(reason), ...why.map(({ text, effect }) => [text, effect])];
  for (const [name, value] of rows) {
    if (value !== null && typeof value === "object") continue;
    list.append(make("dt", {}, formatName(name)), make("dd", { class: "number" }, formatValue(value)));
  }
  return make("details", {}, make("summary", { title: "The numbers behind the words" }, "Measures"), list);
}

function makeLinks(links) { // shown, never followed
  return make("ul", { class: "links" }, ...links.slice(0, MAX_LINKS).map(({ text, href }) =>
    make("li", {}, text || "(no text)", make("span", { class: "soft mono" }, ` ${href ?? ""}`))));
}

function makeHead(title, around) {
  const head = make("div", { class: "row head" }, make("span", { class: "swatch" }), make("h2", {}, title));
  const button = make("button", { type: "button", class: "around", disabled: !around, title: around ? "The part around this one (u)" : "Nothing that was found lies around this" }, "↑ around");
  if (around) button.addEventListener("click", around);
  head.append(button);
  return head;
}

// chosen: {title, pagelet, lines, note?, offers: {apply(set), changes(set)}, around()?, rule?}
export function showDetail(chosen) {
  const detail = byId("detail");
  const focused = detail.contains(document.activeElement) ? document.activeElement.className : undefined;
  detail.hidden = !chosen;
  byId("panes").lastElementChild.dataset.chosen = chosen ? chosen.title.split(" · ")[0] : "";
  if (!chosen) {
    if (focused !== undefined) byId("count").focus();
    return;
  }
  const { title, pagelet, lines, note, offers, around, rule } = chosen;
  const why = pagelet.why ?? [];
  detail.className = lookOf(pagelet.kind);
  detail.replaceChildren(makeHead(title, around), make("p", { class: "mono path" }, pathOf(pagelet)));
  const add = (heading, ...parts) => detail.append(make("h3", {}, heading), ...parts);
  if (note) detail.append(make("p", { class: "soft" }, note));
  if (lines.length) detail.append(make("ul", { class: "lines" }, ...lines.map((line) => makeLine(line, offers))));
  if (rule) detail.append(rule);
  if (why.length) add("Why", makeEffects(why));
  if (why.length || Object.keys(pagelet.reason ?? {}).length) detail.append(makeMeasures(pagelet.reason ?? {}, why, pagelet.score));
  if (pagelet.links?.length) add(formatCount(pagelet.links.length, "link"), makeLinks(pagelet.links));
  if (pagelet.text) add("Text", make("p", { class: "text" }, pagelet.text.slice(0, MAX_TEXT_CHARS)));
  if (focused !== undefined && document.activeElement === document.body) {
    (focused === "around" ? detail.querySelector(".around:not(:disabled)") ?? detail : detail).focus();
  }
}
