// Kinds of marks: their words for people, their looks, and the keys that give them.

import { PALETTE } from "../shared/palette.js";

export const LETTERS = {
  menu: "m", content: "c", noise: "n", clutter: "l", template: "t", slot: "o", segment: "s", record: "r",
  links: "g", block: "b", field: "f",
};
// The second key of a kind with a role.
export const ROLE_LETTERS = {
  links: {
    menu: "m", section: "s", utility: "u", footer: "f", breadcrumb: "b", pagination: "p", toc: "t",
    tags: "g", related: "r", social: "o", ads: "a", byline: "y", content: "c", mixed: "x",
  },
  block: {
    title: "t", byline: "y", body: "b", heading: "h", caption: "c", list: "l", table: "a", code: "d",
    quote: "q", comment: "m", related: "r", advertisement: "v", notice: "n", navigation: "g",
  },
};
const GROUP_WORDS = { links: "links", block: "block", field: "field" };

export const splitKind = (kind) => {
  const at = kind.indexOf(":");
  return at < 0 ? [kind, ""] : [kind.slice(0, at), kind.slice(at + 1)];
};

export const groupOf = (kind) => splitKind(kind)[0];

// The name of a kind for people.
export function wordsOf(kind) {
  const [group, role] = splitKind(kind);
  if (role) return `${GROUP_WORDS[group] ?? group}: ${role.replaceAll("_", " ")}`;
  return GROUP_WORDS[group] ?? PALETTE.kinds[group]?.words ?? group;
}

// A class of palette.css.
export function lookOf(kind) {
  const [group, role] = splitKind(kind);
  if (group === "field") return "kind-record";
  if (group === "block" && !role) return "kind-content";
  const known = role ? PALETTE.roles[role] : PALETTE.kinds[group];
  return known?.look ?? "kind-other";
}

// A letter for each name, the first of its own that is free.
export function letterFor(names) {
  const letters = {};
  for (const name of names) {
    const free = [...name, ..."abcdefghijklmnopqrstuvwxyz"].find((letter) => /[a-z]/.test(letter) && !Object.values(letters).includes(letter));
    if (free) letters[name] = free;
  }
  return letters;
}
