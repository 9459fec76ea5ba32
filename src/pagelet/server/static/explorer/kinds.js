// How kinds and roles look: the palette that all interfaces share.

import { PALETTE } from "../shared/palette.js";

function describe(name) {
  return PALETTE.kinds[name] ?? { ...PALETTE.other, name, words: name };
}

// The kinds of the methods that come with pagelet, and those among the names that are others.
export function kindsOf(names = []) {
  return [...new Set([...Object.keys(PALETTE.kinds), ...names])].map(describe);
}

export const colourOf = (kind) => describe(kind).colour;
export const inkOf = (kind) => describe(kind).ink;
export const lineOf = (kind) => describe(kind).line;
export const hasFill = (kind) => describe(kind).fill !== "none";
export const lookOf = (kind) => describe(kind).look; // a class of palette.css
export const wordsOf = (kind) => describe(kind).words; // its name for people
