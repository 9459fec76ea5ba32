// The answer as a tree: the entries of a menu, or the parts with what lies in them.

import { make } from "../shared/elements.js";
import { findLevels, sortItems } from "./list.js";
import { wordsOf } from "./kinds.js";
import { app } from "./state.js";

const MAX_TEXT_CHARS = 90;
const MAX_NODES = 3000; // shown

const excerpt = (text) => (text.length > MAX_TEXT_CHARS ? `${text.slice(0, MAX_TEXT_CHARS)}…` : text);

const toEntry = ({ text, href, children }) => ({ text: text || "(no text)", detail: href ?? "", children: children.map(toEntry) });

// Nodes {text, detail, children}; items: those of the view.
export function growTree(items) {
  const menu = app.state.method === "menu" ? app.answers.menu?.tree : undefined;
  if (menu) return menu.map(toEntry);
  const shown = items.filter(({ kind }) => !app.state.hidden.has(kind));
  const sorted = sortItems(shown).map((number) => shown[number]);
  const roots = [];
  const open = [];
  findLevels(sorted, app.page.rows).forEach((level, at) => {
    const { pagelet } = sorted[at];
    const node = { text: excerpt(pagelet.text), detail: [wordsOf(pagelet.kind), pagelet.role].filter(Boolean).join(", "), children: [] };
    open.length = level;
    (open.at(-1)?.children ?? roots).push(node);
    open.push(node);
  });
  return roots;
}

export function makeTree(nodes) {
  if (!nodes.length) return make("p", { class: "soft" }, "Nothing was found, so there is no tree.");
  let room = MAX_NODES;
  const grow = (branch) => make("ul", { class: "tree" }, ...branch.filter(() => (room -= 1) > 0).map(({ text, detail, children }) =>
    make("li", {}, text, ...(detail ? [make("span", { class: "soft" }, ` ${detail}`)] : []), ...(children.length ? [grow(children)] : []))));
  return grow(nodes);
}

export function writeTree(nodes, level = 0) {
  return nodes.map(({ text, detail, children }) =>
    `${"  ".repeat(level)}- ${text}${detail ? ` (${detail})` : ""}\n${writeTree(children, level + 1)}`).join("");
}
